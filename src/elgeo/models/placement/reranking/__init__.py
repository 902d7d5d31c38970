"""A small net that looks closely at the likeliest parents of a new term, taught on old classes that are left out whole.

Takes the evidence of an ontology and its closed-form weights; gives scores. Begin at `reranker.py`; `candidates.py`
says which classes are looked at, `columns.py` what the net sees of each, made of words (`common_words.py`) and of what
stands above and below (`support.py`); `newness.py` chooses the old classes that are treated as new.
"""
