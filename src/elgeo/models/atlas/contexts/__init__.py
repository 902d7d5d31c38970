"""What training says of each class beside the target, and its names, as named blocks of features.

Takes a `Dataset` and what it entails; gives blocks and how alike two classes are by them. Begin at `logic.py`, the
blocks made of axioms; `words.py` has those of names, `vectors.py` the user's own; `likeness.py` weighs and compares.
"""
