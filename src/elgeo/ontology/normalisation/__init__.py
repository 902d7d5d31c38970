"""Axioms become normal forms: a conservative extension, made by whole arrays in five steps.

Takes an `Ontology`; gives `NormalForms`. Begin at `normalise.py`, which has the steps in order: `entities.py`,
`open_expressions.py` (which fills what `shapes.py` describes), `axioms.py` (with `disjointness.py`, `assertions.py`),
`polarity.py`, `inclusions.py`; `roles.py` takes axioms about roles and cuts long chains into chains of two,
`ranges.py` spreads ranges, `data_properties/` takes values and keys, `rows.py` collects the tables, `limits.py`
keeps what rules suggestions out though EL++ cannot say it, `accounting.py` and
`unsupported.py` say where every axiom went.
"""
