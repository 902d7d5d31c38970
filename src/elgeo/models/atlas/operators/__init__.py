"""Operators on heads and tails, the L and R of L X̂ R: whose axioms speak for a head, what a tail says about others.

Takes the training axioms of the target (`target.py`) and features; gives rows of L and of R. Begin at `heads.py` (L)
and `tails.py` (R; `neighbours.py` for many tails).
`dense.py` has linear algebra with bits that do not depend on threads, `selecting.py` the kernels that choose
the best, `adding.py` those that add what is sparse.
"""
