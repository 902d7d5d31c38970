"""A file in any of the syntaxes becomes an `Ontology`, with what it imports.

Takes a path; gives an `Ontology`, or one `ReadError` that says where. Begin at `read.py`: `formats.py` finds the
syntax by content, `documents.py` hands each file to its reader (`functional/`, `rdf/`, `obo.py`, `owlxml.py`),
`imports.py` finds what it imports, `merging.py` makes one ontology of several.
"""
