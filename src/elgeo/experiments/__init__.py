"""Presets, the paper's tables, sweeps.

Takes datasets and settings; gives many runs and what they come to. Begin at `presets.py` (settings by name),
`reproduce.py` (the paper's tables, each of several `Experiment`s) or `sweep.py` (a search; `study.py` shares its
trials between workers).
"""
