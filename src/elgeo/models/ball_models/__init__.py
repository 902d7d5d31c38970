"""Models whose classes are balls and whose roles are translations: `elem`, the paper's, and `emelpp`.

Takes settings and sizes; gives losses, scores and truth. Begin at `elem.py`; `losses.py` is what each normal form asks
of the balls in it, as data, read by `elem.py` for autograd and by `engine.py` for the fused kernels (`kernels.py`);
`geometry.py` says which axioms are true, `scores.py` how far the rest is from it, `lens.py` what two balls share.
"""
