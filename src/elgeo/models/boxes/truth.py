"""Kernels that say which axioms are true of boxes: inclusions of sets, compared half dimension by half dimension."""

from __future__ import annotations

import numpy as np
from numba import prange
from numpy.typing import NDArray

from elgeo.arrays import Flags, Ints, Table
from elgeo.compilation import kernel
from elgeo.models.boxes.numbers import LAST, NOTHING, POINTS

Bytes = NDArray[np.int8]


def empty_boxes(numbers: Bytes) -> Flags:
    """Which boxes have no point: the two numbers of a dimension add up to less than nothing."""
    return np.asarray((numbers[:, ::2] + numbers[:, 1::2].astype(np.int16) < 0).any(axis=1))


@kernel
def reached_from(rows: Bytes) -> Bytes:
    """For each half dimension and interval [l, u] the number of ∃r.[l, u]: entry [l + LAST, u + LAST].

    `rows` has for each half dimension and point y the number of ∃r.{y}. These intervals touch one another, so their
    union is an interval.
    """
    found = np.full((len(rows), POINTS, POINTS), NOTHING, np.int8)
    for k in range(len(rows)):
        for lower in range(POINTS):
            most = np.int8(NOTHING)
            for upper in range(lower, POINTS):
                most = max(most, rows[k, upper])
                found[k, lower, upper] = most
    return found


@kernel(parallel=True)
def subclass(classes: Bytes, empty: Flags, rows: Table) -> Flags:
    """C ⊑ D."""
    true = np.ones(len(rows), np.bool_)
    for i in prange(len(rows)):
        c, d = rows[i]
        if not empty[c]:
            true[i] = not (empty[d] or (classes[c] > classes[d]).any())
    return true


@kernel(parallel=True)
def conjunction(classes: Bytes, empty: Flags, rows: Table) -> Flags:
    """C ⊓ D ⊑ E."""
    true = np.ones(len(rows), np.bool_)
    for i in prange(len(rows)):
        c, d, e = rows[i]
        apart, inside = empty[c] or empty[d], not empty[e]
        for k in range(0, classes.shape[1], 2):
            upper, lower = min(classes[c, k], classes[d, k]), min(classes[c, k + 1], classes[d, k + 1])
            apart |= upper + lower < 0
            inside &= upper <= classes[e, k] and lower <= classes[e, k + 1]
        true[i] = apart or inside
    return true


@kernel(parallel=True)
def existential(classes: Bytes, reached: Bytes, empty: Flags, heads: Ints, fillers: Ints) -> Flags:
    """C ⊑ ∃r.D, for the role that `reached` is of."""
    true = np.ones(len(heads), np.bool_)
    for i in prange(len(heads)):
        c, d = heads[i], fillers[i]
        if empty[c]:
            continue
        inside = not empty[d]
        for k in range(0, classes.shape[1], 2):
            if not inside:
                break
            lower, upper = LAST - classes[d, k + 1], LAST + classes[d, k]
            inside = classes[c, k] <= reached[k, lower, upper] and classes[c, k + 1] <= reached[k + 1, lower, upper]
        true[i] = inside
    return true


@kernel(parallel=True)
def left_existential(classes: Bytes, reached: Bytes, empty: Flags, fillers: Ints, tails: Ints) -> Flags:
    """∃r.C ⊑ D, for the role that `reached` is of."""
    true = np.ones(len(fillers), np.bool_)
    for i in prange(len(fillers)):
        c, d = fillers[i], tails[i]
        if empty[c]:
            continue
        apart, inside = False, not empty[d]
        for k in range(0, classes.shape[1], 2):
            lower, upper = LAST - classes[c, k + 1], LAST + classes[c, k]
            high, low = reached[k, lower, upper], reached[k + 1, lower, upper]
            apart |= high + low < 0
            inside &= high <= classes[d, k] and low <= classes[d, k + 1]
        true[i] = apart or inside
    return true
