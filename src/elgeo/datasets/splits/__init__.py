"""What is held out and what stays in training: shapes of axioms, random splits, and seeing to it that nothing leaks.

Takes an `Ontology` or pairs of names; gives the parts of a `Dataset`. Begin at `holdout.py`; `patterns.py` reads a
shape, `splitting.py` draws, `unlearn.py` takes out what entails a held-out axiom, `leakage.py` counts what can be
seen all the same.
"""
