"""Boxes in which all axioms of an ontology are true, made by construction; takes a `Dataset`, gives a `Geometry`.

A class is a box, a role a box of translations, so that they are an interpretation: what follows from the axioms is true
too. Begin at `halves.py` (the geometry and its truth) and `grow.py` (what makes axioms true), then `greedy.py` (what
makes others false) and `faithful.py` (the model).
"""
