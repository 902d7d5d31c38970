"""Ranks, metrics, curves, semantic measures, faithfulness.

Takes a `Run` and its `Dataset`; gives an `Evaluation` (`document.py`; `reading.py` is the door of its JSON). Begin at
`evaluate.py`; `ranking/` finds ranks, `measures/` makes figures of them, `verdicts.py` says who beats whom;
`predictions/` has the best missing axioms, `calibration/` what their scores are worth, `placing/` new terms.
"""
