"""Models whose classes are boxes, trained: `elbe`, `box2el`, `transbox`, `boxel`.

Takes settings and sizes; gives losses, scores and truth. Begin at `terms.py`, what losses are made of, as data; a model
(`elbe.py`, `box2el.py`, `transbox.py`) is its tables and one entry of such data for each form. `model.py` reads the
data for autograd, `engine.py` for the fused kernels (`kernels.py`), `truth.py` and `scores.py` for what is true and how
far the rest is from it; `boxel.py` has volumes instead, and `volume_scores.py` its scores.
"""
