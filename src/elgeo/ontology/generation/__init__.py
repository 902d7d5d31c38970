"""Random ontologies for tests and benchmarks, from a seed.

Takes a profile, a size and a seed; gives an `Ontology`. Begin at `generate.py`; `irregular.py` is small and odd,
`planted.py` large and worth classifying.
"""
