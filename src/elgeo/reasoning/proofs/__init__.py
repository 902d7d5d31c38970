"""Why something follows: a tree of named rules down to asserted axioms, and the sets of axioms it rests on.

Takes a `Question` that is entailed; gives a `Proof` or justifications. Begin at `proof.py`; `rules.py` is the
calculus read backwards, `search.py` finds a short proof, `wording.py` prints it, `justifications.py` finds minimal
sets.
"""
