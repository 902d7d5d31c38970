"""Kernels that carry out proposals for a half dimension, many at a time, and count what each makes false."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from elgeo.arrays import Flags, Ints, Longs, Table
from elgeo.compilation import kernel
from elgeo.models.boxes.grow import grow, shrink
from elgeo.models.boxes.numbers import INFINITE, LEAST, plus
from elgeo.models.boxes.rules import BoxRules

SUBCLASS, CONJUNCTION, EXISTENTIAL, LEFT_EXISTENTIAL = range(4)
"""Numbers of the forms that are to be made false; rows of `subclass` have a third column that is not looked at."""


class Proposals(NamedTuple):
    """Starts for a half dimension; proposal i touches `classes[start[i]:start[i + 1]]`."""

    widths: Ints
    """A row of role widths for each proposal, closed under the role axioms."""
    base: Ints
    """The number that all classes are to have from which `shrink` starts, or 0: then `grow` starts from nothing."""
    start: Longs
    classes: Ints
    values: Ints
    """What the touched classes are lowered to, or raised to where the base is 0."""
    limits: Ints
    """The number of Δ."""


@kernel
def carry_out(
    widths: Ints, base: int, classes: Ints, values: Ints, limit: int, empty: Flags, finite: Flags, rules: BoxRules
) -> tuple[bool, Ints]:
    """Whether a proposal is possible, and the numbers of all classes in it; those in `finite` have to stay finite."""
    passing = np.ones(len(widths), np.bool_)
    floor = np.zeros(len(empty), np.int32)
    floor[empty] = LEAST
    possible = grow(floor, widths, passing, rules, limit)
    found = floor.copy()
    if possible and base > 0:
        found[:] = base
        found[empty] = LEAST
        for i in range(len(classes)):
            found[classes[i]] = min(found[classes[i]], values[i])
        shrink(found, widths, passing, floor, rules, limit)
    else:
        for i in range(len(classes)):
            found[classes[i]] = max(found[classes[i]], values[i])
    if possible:
        possible = grow(found, widths, passing, rules, limit)
        possible &= not (finite & (found == INFINITE)).any()
    return possible, found


@kernel(inner=True, counted=False)
def is_false(form: int, row: Ints, values: Ints, widths: Ints, limit: int) -> bool:
    """Whether an axiom fails in this half dimension, so that it is false."""
    if form == SUBCLASS:
        return bool(values[row[0]] > values[row[1]])
    if form == CONJUNCTION:
        return bool(min(values[row[0]], values[row[1]]) > values[row[2]])
    if form == EXISTENTIAL:
        return bool(values[row[0]] > plus(values[row[2]], widths[row[1]]))
    return bool(min(plus(values[row[1]], widths[row[0]]), limit) > values[row[2]])


@kernel
def false_rows(form: int, rows: Table, values: Ints, widths: Ints, limit: int) -> Flags:
    """Which axioms of a form fail."""
    failing = np.zeros(len(rows), np.bool_)
    for k in range(len(rows)):
        failing[k] = is_false(form, rows[k], values, widths, limit)
    return failing


@kernel(parallel=True)
def attempt(
    proposals: Proposals, empty: Flags, finite: Flags, rules: BoxRules, form: Ints, part: Ints, rows: Table, parts: int
) -> tuple[Flags, Ints, Longs]:
    """Which proposals are possible, their numbers, and how many of the rows of each part they make false."""
    many = len(proposals.base)
    possible = np.zeros(many, np.bool_)
    found = np.zeros((many, len(empty)), np.int32)
    refuted = np.zeros((many, parts), np.int64)
    for i in prange(many):
        here = slice(proposals.start[i], proposals.start[i + 1])
        widths, limit = proposals.widths[i], proposals.limits[i]
        possible[i], values = carry_out(
            widths, proposals.base[i], proposals.classes[here], proposals.values[here], limit, empty, finite, rules
        )
        found[i] = values
        if possible[i]:
            for k in range(len(rows)):
                if is_false(form[k], rows[k], values, widths, limit):
                    refuted[i, part[k]] += 1
    return possible, found, refuted
