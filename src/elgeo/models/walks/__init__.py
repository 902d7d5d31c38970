"""`owl2vec`, `dl2vec`: an ontology as a graph, random walks and words on it, and skip-gram over both; no geometry.

Takes a `Dataset`; gives a vector for each class and scores of pairs. Begin at `model.py`; `projection.py` makes edges
of axioms, `walking.py` sentences of edges, `documents.py` all sentences with their words, `skip_gram.py` vectors of
sentences.
"""
