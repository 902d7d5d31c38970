"""Ontologies that are compared and cut down by what follows from them.

`difference.py` takes two ontologies and gives the axioms and consequences that came and went; `reduction.py` takes one
and gives it without the axioms that the others entail.
"""
