"""Kernels that say which axioms are true of boxes: inclusions of sets, compared half dimension by half dimension."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import prange
from numpy.typing import NDArray

from elgeo.arrays import Flags, Floats, Table
from elgeo.compilation import kernel
from elgeo.models.boxes.numbers import INFINITE, LEAST, plus

__all__ = ["LEAST", "conjunction", "disjoint", "empty_boxes", "existential", "of_roles", "subclass"]

Bytes = NDArray[np.int8]


def empty_boxes(classes: Bytes) -> Flags:
    """Which boxes have no point: the two numbers of a dimension add up to less than nothing."""
    finite = (classes != INFINITE).reshape(len(classes), -1, 2).all(axis=2)
    sums = classes[:, ::2].astype(np.int16) + classes[:, 1::2]
    return np.asarray(((sums < 0) & finite).any(axis=1))


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
def disjoint(classes: Bytes, empty: Flags, rows: Table) -> Flags:
    """C ⊓ D ⊑ ⊥."""
    true = np.ones(len(rows), np.bool_)
    for i in prange(len(rows)):
        c, d = rows[i]
        apart = empty[c] or empty[d]
        for k in range(0, classes.shape[1], 2):
            upper, lower = min(classes[c, k], classes[d, k]), min(classes[c, k + 1], classes[d, k + 1])
            apart |= plus(upper, lower) < 0
        true[i] = apart
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
            apart |= plus(upper, lower) < 0
            inside &= upper <= classes[e, k] and lower <= classes[e, k + 1]
        true[i] = apart or inside
    return true


@kernel(parallel=True)
def existential(classes: Bytes, roles: Bytes, limits: Bytes, empty: Flags, rows: Table) -> Flags:
    """C ⊑ ∃r.D. The box of C lies in Δ, so ∃r.D need not be cut to it."""
    true = np.ones(len(rows), np.bool_)
    for i in prange(len(rows)):
        c, r, d = rows[i]
        if empty[c]:
            continue
        inside = not empty[d]
        for k in range(classes.shape[1]):
            if classes[c, k] > plus(classes[d, k], roles[r, k]):
                inside = False
                break
        true[i] = inside
    return true


@kernel(parallel=True)
def left_existential(classes: Bytes, roles: Bytes, limits: Bytes, empty: Flags, rows: Table) -> Flags:
    """∃r.C ⊑ D."""
    true = np.ones(len(rows), np.bool_)
    for i in prange(len(rows)):
        r, c, d = rows[i]
        apart, inside = empty[c], not empty[d]
        for k in range(0, classes.shape[1], 2):
            upper = min(plus(classes[c, k], roles[r, k]), limits[k])
            lower = min(plus(classes[c, k + 1], roles[r, k + 1]), limits[k + 1])
            apart |= plus(upper, lower) < 0
            inside &= upper <= classes[d, k] and lower <= classes[d, k + 1]
        true[i] = apart or inside
    return true


@kernel
def empty_existential(classes: Bytes, roles: Bytes, limits: Bytes, empty: Flags, rows: Table) -> Flags:
    """∃r.C ⊑ ⊥."""
    true = np.ones(len(rows), np.bool_)
    for i in range(len(rows)):
        r, c = rows[i]
        apart = empty[c]
        for k in range(0, classes.shape[1], 2):
            upper = min(plus(classes[c, k], roles[r, k]), limits[k])
            lower = min(plus(classes[c, k + 1], roles[r, k + 1]), limits[k + 1])
            apart |= plus(upper, lower) < 0
        true[i] = apart
    return true


def of_roles(form: str, classes: Bytes, roles: Bytes, limits: Bytes, empty: Flags, rows: Table) -> Flags:
    """The forms that say something of a role as a whole; there are few of them.

    Translations between points of Δ are no longer than Δ is wide, so a role is cut to that; one that is empty then
    relates nothing.
    """
    across = _plus(limits[::2], limits[1::2]).repeat(2)
    width = np.minimum(_real(roles), across)
    none = np.asarray(_plus(width[:, ::2], width[:, 1::2]).min(axis=1, initial=0) < 0)
    here = np.asarray(width.min(axis=1, initial=0) >= 0)  # 0 is among the translations
    everything = np.asarray((_real(classes) >= _real(limits)).all(axis=1))
    first = rows[:, 0]
    if form == "subrole":
        return np.asarray(none[first] | (width[first] <= width[rows[:, 1]]).all(axis=1))
    if form == "chain":
        path = np.minimum(_plus(width[first], width[rows[:, 1]]), across)
        nowhere = none[first] | none[rows[:, 1]] | (_plus(path[:, ::2], path[:, 1::2]).min(axis=1, initial=0) < 0)
        return np.asarray(nowhere | (path <= width[rows[:, 2]]).all(axis=1))
    if form == "reflexive":
        return np.asarray(here[first])
    if form == "self":
        return np.asarray(empty[first] | here[rows[:, 1]])
    if form == "left_self":
        return np.asarray(~here[first] | everything[rows[:, 1]])
    # range: the y of Δ with some x of Δ so that x − y is in r; minus a box swaps the halves of its dimensions
    back = width.reshape(len(width), -1, 2)[:, :, ::-1].reshape(width.shape)
    met = np.minimum(_plus(_real(limits), back[first]), _real(limits))
    inside = (met <= _real(classes[rows[:, 1]])).all(axis=1) & ~empty[rows[:, 1]]
    return np.asarray(none[first] | inside)


def _real(numbers: Any) -> Floats:
    return np.where(numbers == INFINITE, np.inf, numbers.astype(np.float64))


def _plus(a: Any, b: Any) -> Floats:
    """Sums in which infinity wins over minus infinity, which no number is."""
    return np.asarray((_real(a) if a.dtype == np.int8 else a) + (_real(b) if b.dtype == np.int8 else b))
