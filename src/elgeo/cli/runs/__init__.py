"""The commands about runs: training, evaluating, predicting, deciding, reporting.

One module for each, with `configure` and `run`; `several.py` goes through a folder of several targets.
"""
