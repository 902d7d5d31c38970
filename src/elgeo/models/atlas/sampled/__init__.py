"""Groups within groups again, drawn by chance many times over: what is uncertain about them is averaged.

Takes axioms of a symmetric role and features, gives scores of pairs, each a sum over the axioms. Begin at `groups.py`;
`state.py` says what is drawn and from what, `moving.py` draws it, `told.py` judges features and `rates.py` how many
axioms are expected.
"""
