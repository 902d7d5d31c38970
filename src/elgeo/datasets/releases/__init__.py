"""What curators added between two releases of an ontology: the old one is trained on, the additions are held out.

Takes two ontologies; gives a `BackTest`: a `Dataset` for each shape of axiom, the new terms with their texts, and what
went. Begin at `backtest.py`; `succession.py` says what became of names, `changes.py` of axioms, `writing.py` writes.
"""
