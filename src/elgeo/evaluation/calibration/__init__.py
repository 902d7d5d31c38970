"""What a score is worth: how many of the suggestions with such a score were true.

Takes a predictor and a dataset; gives a `Calibration` (from validation) and its `Reliability` (on test). Begin at
`calibrate.py`; `isotonic.py` has the fit, `document.py` the file in a run's folder.
"""
