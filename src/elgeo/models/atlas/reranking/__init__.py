"""A small net that ranks with all evidence of a pair at once, taught on training axioms held out of their own evidence.

Takes the evidence of a dataset and its closed-form weights; gives scores and how much each kind of evidence adds to
them. Begin at `reranker.py`; `table.py` has what the net sees of a pair, `chains.py` and `wholes.py` the evidence that
only it sees, `examples.py` what it learns from, `net.py` the net.
"""
