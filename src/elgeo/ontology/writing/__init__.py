"""Ontologies and normal forms as files.

Takes an `Ontology` or `NormalForms`; gives a file in the syntax that its ending asks for, or tables. Begin at
`write.py`; `functional.py`, `rdf.py`, `owlxml.py`, `obo.py`, `manchester.py` and `obograph.py` are the syntaxes,
`tables.py` writes TSV and Parquet.
"""
