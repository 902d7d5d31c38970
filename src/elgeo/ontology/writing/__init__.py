"""Ontologies and normal forms as files.

Takes an `Ontology` or `NormalForms`; gives a file in the syntax that its ending asks for (`write.py`; `functional.py`,
`rdf.py`, `owlxml.py`, `obo.py` are the syntaxes), or TSV and Parquet tables (`tables.py`).
"""
