"""What is held out and what stays in training: shapes of axioms, random splits, and seeing to it that nothing leaks.

Takes an `Ontology` or pairs of names; gives a `Dataset`. Begin at `holdout.py`; `patterns.py` reads a shape,
`choosing.py` draws (with `mentions.py`, so that classes stay known), `elsewhere.py` finds what definitions say too,
`making.py` makes the dataset of a choice, `unlearn.py` takes out what entails a held-out axiom, `leakage.py` and
`coldness.py` count what can be seen all the same and what cannot. `splitting.py` draws among pairs that no ontology
knows.
"""
