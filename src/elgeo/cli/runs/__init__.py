"""The commands about runs: training, evaluating, predicting, deciding, reporting.

Takes a command line; gives a run's folder, or what a run says. Begin at the module of a command, each with `configure`
and `run`; `several.py` goes through a folder of several targets.
"""
