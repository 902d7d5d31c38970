"""Plain knowledge-graph models: axioms as edges, without geometry.

Takes settings and sizes; gives losses and scores, no truth. C ⊑ D is the edge (C, subClassOf, D), C ⊑ ∃R.D (C, R, D);
all other axioms are left out. `models.py` has the models, `scores.py` their scores in bulk.
"""
