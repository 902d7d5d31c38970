"""Where a new term belongs, by its words: parents and relations among the classes of an ontology.

Takes a `Dataset` and terms; gives scores and the reasons behind them. Begin at `model.py`; `texts.py` cuts texts into
features, `patterns.py` knows the habits of compound names, `evidence.py` has every reason there is, `weighing.py` how
much each counts, learnt on old classes that are held out whole.
"""
