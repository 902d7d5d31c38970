"""The hierarchy of the named classes: groups of equivalents, direct superclasses, types of individuals.

Takes a `Saturation`; gives a `Taxonomy`, its pairs as lines of text (`listing.py`) or as an ontology
(`as_ontology.py`).
"""
