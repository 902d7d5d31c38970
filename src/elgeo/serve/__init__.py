"""What a curator works with: predictions to look at, decisions about them, a page for both.

Takes finished runs; gives a page on loopback and its JSON, decisions that are kept (`decisions.py`) and an ontology to
which the accepted axioms were added (`applying.py`). Begin at `application.py`; `library.py` answers what the page
asks.
"""
