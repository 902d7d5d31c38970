"""Axioms as people ask them, of any depth: read, decided, answered.

Takes text or nodes of an ontology; gives `entailed`, `not entailed` or `contradicts`. Begin at `answers.py`;
`axiom_text.py` reads the words (in the notation of `functional_axioms.py` or `manchester_axioms.py`), `entailment.py`
decides, `drafts.py` has the elements that exist for a question only.
"""
