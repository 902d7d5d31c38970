"""The best missing axioms of a run, and what they rest on.

Takes a run and a head, a tail or neither; gives a table of predictions. Begin at `predict.py`.
"""
