"""RDF/XML and Turtle: triples, then the mapping of OWL 2 from triples back to axioms.

Takes bytes; gives the nodes of an `Ontology`. Begin at `reader.py`; `triples.py` numbers the terms, `graph.py` has
lists and lookups, `expressions.py` turns nodes into expressions, `swrl.py` keeps rules as text.
"""
