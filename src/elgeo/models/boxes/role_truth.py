"""The truth of axioms that say something of a role as a whole: there are few of them, so all points are looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from elgeo.arrays import Flags, Longs, Table
from elgeo.models.boxes import truth
from elgeo.models.boxes.numbers import LAST, NOTHING, POINTS
from elgeo.models.boxes.truth import Bytes

if TYPE_CHECKING:
    from elgeo.models.boxes.halves import Halves

LINE = np.arange(-LAST, LAST + 1)


def of_roles(form: str, halves: Halves, rows: Table) -> Flags:
    """Which axioms of a form about roles are true."""
    judge = {"subrole": _subrole, "chain": _chain, "reflexive": _reflexive, "self": _self, "left_self": _left_self}
    return np.array([judge.get(form, _range)(halves, row) for row in rows.tolist()], np.bool_)


def _met(role: Bytes) -> Flags:
    """For each dimension and point y whether something is related to it."""
    return np.asarray(role[::2] != NOTHING)


def _nowhere(role: Bytes) -> bool:
    """Whether a role relates nothing: in some dimension it does not."""
    return not _met(role).any(axis=1).all()


def _looped(role: Bytes) -> Flags:
    """For each dimension and point whether it is related to itself."""
    return np.asarray((role[::2] >= LINE) & (role[1::2] >= -LINE))


def _inside(sets: Flags, halves: Halves, c: int) -> bool:
    """Whether a product of sets of points lies in the box of a class."""
    if not sets.any(axis=1).all():
        return True
    return not halves.empty[c] and not (sets & ~_points(halves, c)).any()


def _points(halves: Halves, c: int) -> Flags:
    numbers = halves.classes[c].astype(np.int16)
    return np.asarray((numbers[::2, None] >= LINE) & (numbers[1::2, None] >= -LINE))


def _subrole(halves: Halves, row: list[int]) -> bool:
    one, two = (halves.roles[r] for r in row)
    return _nowhere(one) or bool((one <= two).all())


def _chain(halves: Halves, row: list[int]) -> bool:
    first, second, whole = (halves.roles[r] for r in row)
    reached, steps = truth.reached_from(first), second.astype(np.int64)
    there = _met(second).repeat(2, axis=0)
    half = np.arange(len(first))[:, None]
    lower, upper = (np.where(there, each, 0) for each in (-_both(steps, 1), _both(steps, 0)))
    path = np.where(there, reached[half, LAST + lower, LAST + upper], NOTHING)
    return _nowhere(path) or bool((path <= whole).all())


def _both(numbers: Longs, which: int) -> Longs:
    """One of the two numbers of each dimension, for both of its halves."""
    return numbers.reshape(-1, 2, POINTS)[:, which].repeat(2, axis=0)


def _reflexive(halves: Halves, row: list[int]) -> bool:
    return bool(_looped(halves.roles[row[0]]).all())


def _self(halves: Halves, row: list[int]) -> bool:
    c, r = row
    return bool(halves.empty[c]) or not (_points(halves, c) & ~_looped(halves.roles[r])).any()


def _left_self(halves: Halves, row: list[int]) -> bool:
    return _inside(_looped(halves.roles[row[0]]), halves, row[1])


def _range(halves: Halves, row: list[int]) -> bool:
    return _inside(_met(halves.roles[row[0]]), halves, row[1])
