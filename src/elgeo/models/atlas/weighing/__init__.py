"""How much each piece of evidence counts, found on held-out axioms.

Takes evidence; gives weights. Begin at `search.py`; `heldout.py` says on which axioms (`standing.py` where heads are
asked as they stand), `sample.py` has them among candidates, `weights.py` is what is found.
"""
