"""What ranks, scores and geometry are worth, as numbers.

Takes `Ranks`, scores or a model; gives figures. Begin at `metrics.py`: it and `intervals.py` are functions of ranks,
`semantic.py` and `cafa.py` use the `ClassHierarchy`, `faithfulness.py` asks whether the geometry is a model of the
axioms.
"""
