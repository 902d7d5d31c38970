"""Truth of axioms among boxes, from the same data as their losses: inclusion in every dimension, apart in one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from elgeo.arrays import Flags, Floats
from elgeo.models.box_models.terms import BoxTerm, Pairs, Part

Look = Callable[[str, str], Floats]
"""The rows of a table that a column of the axioms names, in double precision."""


def summed(parts: Sequence[Part], look: Look, absolute: bool = False) -> Floats | float:
    """The sum of the rows that parts name."""
    total: Floats | float = 0.0
    for part in parts:
        rows = look(part.table, part.column)
        total = total + part.sign * (np.abs(rows) if absolute else rows)
    return total


def beyond(term: BoxTerm, look: Look) -> Floats:
    """How far a border is crossed in each dimension; not above zero where it is not."""
    return np.asarray(term.distance * np.abs(summed(term.centre, look)) + summed(term.width, look, absolute=True))


def all_inside(terms: Sequence[BoxTerm], look: Look, tolerance: float) -> Flags:
    """Whether no border is crossed in any dimension."""
    true: Flags = np.logical_and.reduce([beyond(term, look).max(axis=1) <= tolerance for term in terms])
    return true


def apart_somewhere(term: BoxTerm, look: Look, tolerance: float) -> Flags:
    """Whether two boxes overlap by no more than `tolerance` in at least one dimension."""
    return np.asarray(beyond(term, look).min(axis=1) <= tolerance)


def common_corners(look: Look) -> tuple[Floats, Floats]:
    """The corners of what the boxes of C and D have in common; the lower above the upper where that is nothing."""
    (c, o_c), (d, o_d) = ((look("centres", x), np.abs(look("offsets", x))) for x in "cd")
    return np.maximum(c - o_c, d - o_d), np.minimum(c + o_c, d + o_d)


def left_box(form: str, pairs: Pairs, look: Look) -> tuple[Floats, Floats]:
    """Centre and half width of the left side of C ⊓ D ⊑ E or ∃R.C ⊑ D."""
    if form == "conjunction":
        lower, upper = common_corners(look)
        return (lower + upper) / 2, np.abs(upper - lower) / 2
    ((left, _),) = pairs[form]
    return np.asarray(summed(left.centre, look)), np.asarray(summed(left.width, look, absolute=True))


def common_inside(look: Look, tolerance: float) -> Flags:
    """C ⊓ D ⊑ E: the boxes of C and D have nothing in common, or all of it lies in the box of E."""
    lower, upper = common_corners(look)
    e, o_e = look("centres", "e"), np.abs(look("offsets", "e"))
    nothing = (lower > upper).any(axis=1)
    within = (np.maximum(e - o_e - lower, upper - e - o_e) <= tolerance).all(axis=1)
    return np.asarray(nothing | within)
