"""Ontologies and normal forms as files.

Takes an `Ontology` or `NormalForms`; gives functional syntax (`functional.py`), or TSV and Parquet tables
(`tables.py`).
"""
