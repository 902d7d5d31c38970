"""Plain knowledge-graph models: axioms as edges, without geometry.

Takes settings and sizes; gives losses and scores, no truth. C ⊑ D is the edge (C, subClassOf, D), C ⊑ ∃R.D (C, R, D);
all other axioms are left out. Begin at `models.py`; `scores.py` has their scores in bulk.
"""
