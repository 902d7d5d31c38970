"""Kernels for one half dimension: `grow` makes all axioms true by raising numbers, `shrink` by lowering them.

With the tables f of the roles, an axiom is an inequality between numbers of classes:

    C ⊑ D: v_C ≤ v_D    C ⊓ D ⊑ E: min(v_C, v_D) ≤ v_E    C ⊑ ∃r.D: v_C ≤ f_r(v_D)    ∃r.C ⊑ D: f_r(v_C) ≤ v_D

`grow` raises right sides until all hold: a least fixpoint above any start. Where no level of D is enough for C ⊑ ∃r.D,
the last entry of the table is raised too. `shrink` lowers left sides and is only a way to find good starts for `grow`:
it stops at a floor, and in C ⊓ D it lowers one of the two. Both take the classes in the order of their numbers, so that
most change once.
"""

from __future__ import annotations

import numpy as np

from elgeo.arrays import Ints, Table
from elgeo.compilation import kernel
from elgeo.models.boxes.numbers import LAST
from elgeo.models.boxes.rules import BoxRules
from elgeo.models.boxes.tables import RoleRules, close
from elgeo.ontology.vocabulary import TOP


@kernel(inner=True, counted=False)
def _join(c: int, value: int, first: Ints, after: Ints, before: Ints) -> None:
    old = first[value]
    after[c], before[c] = old, -1
    if old >= 0:
        before[old] = c
    first[value] = c


@kernel(inner=True, counted=False)
def _leave(c: int, value: int, first: Ints, after: Ints, before: Ints) -> None:
    if before[c] >= 0:
        after[before[c]] = after[c]
    else:
        first[value] = after[c]
    if after[c] >= 0:
        before[after[c]] = before[c]
    before[c] = -2


@kernel(inner=True, counted=False)
def _set(c: int, value: int, values: Ints, first: Ints, after: Ints, before: Ints) -> None:
    """Give a class another number and let it wait under that; `before` is −2 for a class that does not wait."""
    if before[c] != -2:
        _leave(c, values[c], first, after, before)
    values[c] = value
    _join(c, value, first, after, before)


@kernel(inner=True)
def least_levels(tables: Table) -> Table:
    """For each role and level the least level that leads there; LAST + 1 where none does."""
    found = np.full(tables.shape, LAST + 1, np.int32)
    for r in range(len(tables)):
        y = 0
        for value in range(LAST + 1):
            while y <= LAST and tables[r, y] < value:
                y += 1
            found[r, value] = y
    return found


@kernel
def grow(values: Ints, tables: Table, rules: BoxRules, roles: RoleRules) -> None:
    """Raise `values`, and `tables` where it has to be, until every axiom is true."""
    values[TOP] = LAST
    while _grow(values, tables, rules):
        close(tables, roles)


@kernel(inner=True)
def _grow(values: Ints, tables: Table, rules: BoxRules) -> bool:
    """Raise `values`, and the last entries of tables; whether these were raised."""
    n, raised = len(values), False
    first, after, before = np.full(LAST + 1, -1, np.int32), np.full(n, -1, np.int32), np.full(n, -2, np.int32)
    for c in range(n):
        if values[c] >= 0:
            _join(c, values[c], first, after, before)
    least = least_levels(tables)
    place = LAST
    while place >= 0:
        c = first[place]
        if c < 0:
            place -= 1
            continue
        _leave(c, values[c], first, after, before)
        value = values[c]
        for i in range(rules.up_start[c], rules.up_start[c + 1]):
            d, role = rules.up[i], rules.up_role[i]
            needed = value
            if role >= 0:
                if rules.up_left[i]:
                    needed = tables[role, value]
                else:
                    needed = least[role, value]
                    if needed > LAST:
                        needed, raised = LAST, True
                        tables[role, LAST] = max(tables[role, LAST], value)
            if needed > values[d]:
                _set(d, needed, values, first, after, before)
                place = max(place, needed)
        for i in range(rules.both_start[c], rules.both_start[c + 1]):
            e, needed = rules.result[i], min(value, values[rules.other[i]])
            if needed > values[e]:
                _set(e, needed, values, first, after, before)
    return raised


@kernel
def shrink(values: Ints, tables: Table, floor: Ints, rules: BoxRules) -> None:
    """Lower `values`, none below `floor`, until the axioms are true as far as that is possible."""
    n = len(values)
    first, after, before = np.full(LAST + 1, -1, np.int32), np.full(n, -1, np.int32), np.full(n, -2, np.int32)
    for c in range(n):
        values[c] = max(values[c], floor[c])
        if values[c] >= 0:
            _join(c, values[c], first, after, before)
    place = 0
    while place < LAST:
        d = first[place]
        if d < 0:
            place += 1
            continue
        _leave(d, values[d], first, after, before)
        value = values[d]
        for i in range(rules.down_start[d], rules.down_start[d + 1]):
            c, role = rules.down[i], rules.down_role[i]
            allowed = value
            if role >= 0:
                if rules.down_left[i]:
                    allowed = LAST
                    while allowed >= 0 and tables[role, allowed] > value:
                        allowed -= 1
                else:
                    allowed = tables[role, value]
            allowed = max(allowed, floor[c])
            if allowed < values[c]:
                _set(c, allowed, values, first, after, before)
                place = min(place, allowed)
        for i in range(rules.split_start[d], rules.split_start[d + 1]):
            c, other = rules.one[i], rules.two[i]
            if min(values[c], values[other]) <= value:
                continue
            if floor[c] > value:
                c = other
            if max(value, floor[c]) < values[c]:
                _set(c, max(value, floor[c]), values, first, after, before)
                place = min(place, values[c])
