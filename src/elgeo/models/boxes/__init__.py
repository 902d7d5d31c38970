"""Boxes in which all axioms of an ontology are true, made by construction; takes a `Dataset`, gives a `Geometry`.

A class is a box of whole points, a role says which points it relates to each point of a dimension, so that they are an
interpretation: what follows from the axioms is true too. Begin at `halves.py` (the geometry and its truth) and
`grow.py` (what makes axioms true), then `greedy.py` (what makes others false), `disjoint.py` (what keeps classes apart)
and `faithful.py` (the model).
"""
