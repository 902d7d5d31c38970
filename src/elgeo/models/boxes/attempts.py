"""Kernels that carry out proposals for a half dimension, many at a time, and count what each makes false."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from elgeo.arrays import Flags, Ints, Longs, Table
from elgeo.compilation import kernel
from elgeo.models.boxes.grow import grow, shrink
from elgeo.models.boxes.numbers import NOTHING
from elgeo.models.boxes.rules import BoxRules
from elgeo.models.boxes.tables import RoleRules, close, tighten

SUBCLASS, CONJUNCTION, EXISTENTIAL, LEFT_EXISTENTIAL = range(4)
"""Numbers of the forms that are to be made false; rows of `subclass` have a third column that is not looked at."""


class Proposals(NamedTuple):
    """Starts for a half dimension; proposal i touches `classes[start[i]:start[i + 1]]`."""

    tables: Table
    """For each proposal the tables of all roles."""
    tight: Flags
    """For each proposal the roles whose tables are lowered at the end as far as can be."""
    base: Ints
    """The number that all classes are to have from which `shrink` starts, or 0: then `grow` starts from nothing."""
    start: Longs
    classes: Ints
    values: Ints
    """What the touched classes are lowered to, or raised to where the base is 0."""


class AxiomRules(NamedTuple):
    """What has to be true in every half dimension; the last arguments of kernels, which take it apart."""

    rules: BoxRules
    roles: RoleRules
    existential: Table
    empty: Flags


@kernel
def carry_out(
    tables: Table, tight: Flags, base: int, classes: Ints, values: Ints, ceiling: Ints,
    rules: BoxRules, roles: RoleRules, existential: Table, empty: Flags,
) -> tuple[bool, Ints]:  # fmt: skip
    """Whether a proposal is possible, no number above its ceiling, and the numbers of all classes in it.

    The tables are made those with which all axioms are true.
    """
    close(tables, roles)
    floor = np.zeros(len(empty), np.int32)
    floor[empty] = NOTHING
    grow(floor, tables, rules, roles)
    found = floor.copy()
    if base > 0:
        for c in range(len(found)):
            if not empty[c]:
                found[c] = base
        for i in range(len(classes)):
            found[classes[i]] = min(found[classes[i]], values[i])
        shrink(found, tables, floor, rules)
    else:
        for i in range(len(classes)):
            found[classes[i]] = max(found[classes[i]], values[i])
    grow(found, tables, rules, roles)
    tighten(tables, tight, found, existential, roles)
    return not (found > ceiling).any(), found


@kernel(inner=True, counted=False)
def is_false(form: int, row: Ints, values: Ints, tables: Table) -> bool:
    """Whether an axiom fails in this half dimension, so that it is false; none of its classes is empty."""
    if form == SUBCLASS:
        return bool(values[row[0]] > values[row[1]])
    if form == CONJUNCTION:
        return bool(min(values[row[0]], values[row[1]]) > values[row[2]])
    if form == EXISTENTIAL:
        return bool(values[row[0]] > tables[row[1], values[row[2]]])
    return bool(tables[row[0], values[row[1]]] > values[row[2]])


@kernel
def false_rows(form: int, rows: Table, values: Ints, tables: Table) -> Flags:
    """Which axioms of a form fail."""
    failing = np.zeros(len(rows), np.bool_)
    for k in range(len(rows)):
        failing[k] = is_false(form, rows[k], values, tables)
    return failing


@kernel(parallel=True)
def attempt(
    proposals: Proposals, ceiling: Ints, form: Ints, part: Ints, rows: Table, parts: int,
    rules: BoxRules, roles: RoleRules, existential: Table, empty: Flags,
) -> tuple[Flags, Ints, Ints, Longs]:  # fmt: skip
    """Which proposals are possible, their numbers and tables, and how many rows of each part they make false."""
    many = len(proposals.base)
    possible = np.zeros(many, np.bool_)
    found = np.zeros((many, len(ceiling)), np.int32)
    tables = proposals.tables.copy()
    refuted = np.zeros((many, parts), np.int64)
    for i in prange(many):
        here = slice(proposals.start[i], proposals.start[i + 1])
        possible[i], values = carry_out(
            tables[i], proposals.tight[i], proposals.base[i], proposals.classes[here], proposals.values[here], ceiling,
            rules, roles, existential, empty,
        )  # fmt: skip
        found[i] = values
        if possible[i]:
            for k in range(len(rows)):
                if is_false(form[k], rows[k], values, tables[i]):
                    refuted[i, part[k]] += 1
    return possible, found, tables, refuted
