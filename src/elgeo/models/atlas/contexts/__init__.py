"""What training says of each class beside the target, and its names, as named blocks of features.

Takes a `Dataset` and what it entails; gives blocks and how alike two classes are by them. `logic.py` has the blocks
made of axioms, `words.py` those of names, `vectors.py` the user's own; `likeness.py` weighs and compares.
"""
