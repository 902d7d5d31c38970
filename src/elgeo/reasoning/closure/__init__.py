"""Everything an ontology entails in each normal form, as a question answered fast.

Takes a `Saturation`; gives a `Closure` (contains, count, sample, tails), complete or as the paper has it, and which
axioms would contradict. Begin at `base.py`; `modes.py` chooses between `complete.py` and `paper.py`; `limited.py`
has what contradicts though EL++ cannot say it.
"""
