"""The hierarchy of the named classes: groups of equivalents, direct superclasses, types of individuals.

Takes a `Saturation`; gives a `Taxonomy`. Begin at `taxonomy.py`; `listing.py` has its pairs as lines of text,
`as_ontology.py` as an ontology.
"""
