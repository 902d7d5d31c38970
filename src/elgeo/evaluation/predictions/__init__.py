"""The best missing axioms of a run, and what they rest on.

Takes a run and a head, a tail or neither; gives a table of predictions. Begin at `predict.py`: `offer.py` says which
classes may stand in one, `known_pairs.py` and `lineage.py` what is left out, `all_pairs.py` and `choosing.py` find the
best of all, `neighbours.py` and `votes.py` say what speaks for them, `expressions.py` lets an expression stand for a
class, `as_ontology.py` makes axioms of them. `whole_axioms.py` scores axioms that are given, `without.py` predicts
again without some, `came_true.py` counts what a newer release has added.
"""
