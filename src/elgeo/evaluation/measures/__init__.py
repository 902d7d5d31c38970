"""What ranks, scores and geometry are worth, as numbers.

Takes `Ranks`, scores or a model; gives figures. `metrics.py` and `intervals.py` are functions of ranks, `semantic.py`
and `cafa.py` use the `ClassHierarchy`, `faithfulness.py` asks whether the geometry is a model of the axioms.
"""
