"""Ontologies that are compared and cut down by what follows from them.

Takes two ontologies and gives the axioms and consequences that came and went: begin at `difference.py`; or takes one
and gives it without the axioms that the others entail: begin at `reduction.py`.
"""
