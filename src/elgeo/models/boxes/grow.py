"""Kernels for one half dimension: `grow` makes all axioms true by raising numbers, `shrink` by lowering them.

With the widths h of the roles fixed, an axiom is an inequality between numbers of classes:

    C ⊑ D: v_C ≤ v_D    C ⊓ D ⊑ E: min(v_C, v_D) ≤ v_E    C ⊑ ∃r.D: v_C ≤ v_D + h_r    ∃r.C ⊑ D: v_C + h_r ≤ v_D

`grow` raises right sides until all hold: a least fixpoint above any start. Where a cycle gains, its numbers become
infinite, and infinity satisfies it. `shrink` lowers left sides and is only a way to find good starts for `grow`: it
stops at a floor, and in C ⊓ D it lowers one of the two. Both take the classes in the order of their numbers, so that
most change once.
"""

from __future__ import annotations

import numpy as np

from elgeo.arrays import Flags, Ints
from elgeo.compilation import kernel
from elgeo.models.boxes.numbers import INFINITE, LARGEST, LEAST, plus
from elgeo.models.boxes.rules import BoxRules
from elgeo.ontology.vocabulary import TOP

LISTS = LARGEST - LEAST + 2
"""A list of waiting classes for each finite number, and one for infinity."""


@kernel(inner=True, counted=False)
def _list_of(value: int) -> int:
    return LISTS - 1 if value == INFINITE else value - LEAST


@kernel(inner=True, counted=False)
def _join(c: int, value: int, first: Ints, after: Ints, before: Ints) -> None:
    place = _list_of(value)
    old = first[place]
    after[c], before[c] = old, -1
    if old >= 0:
        before[old] = c
    first[place] = c


@kernel(inner=True, counted=False)
def _leave(c: int, value: int, first: Ints, after: Ints, before: Ints) -> None:
    if before[c] >= 0:
        after[before[c]] = after[c]
    else:
        first[_list_of(value)] = after[c]
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


@kernel(inner=True, counted=False)
def _raised(value: int, limit: int) -> int:
    """A number to raise to: infinite beyond `LARGEST`, never beyond a finite limit of Δ."""
    return min(INFINITE if value > LARGEST else value, limit)


@kernel
def grow(values: Ints, widths: Ints, passing: Flags, rules: BoxRules, limit: int) -> bool:
    """Raise `values` until every axiom is true; axioms C ⊑ ∃r.D are looked at where `passing[r]`.

    False where a finite limit of Δ stands in the way: the values are of no use then.
    """
    n = len(values)
    first, after, before = np.full(LISTS, -1, np.int32), np.full(n, -1, np.int32), np.full(n, -2, np.int32)
    values[TOP] = limit
    for c in range(n):
        if values[c] > limit:
            values[c] = limit
        if values[c] > LEAST:
            _join(c, values[c], first, after, before)
    place, possible = LISTS - 1, True
    while place > 0:
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
                width = widths[role]
                if rules.up_left[i]:
                    needed = plus(value, width)
                elif not passing[role] or width == INFINITE:
                    continue
                elif value != INFINITE:
                    needed = value - width
                    possible &= needed <= limit
                else:
                    possible &= width >= 0 or limit == INFINITE
            needed = _raised(needed, limit)
            if needed > values[d]:
                _set(d, needed, values, first, after, before)
                place = max(place, _list_of(needed))
        for i in range(rules.both_start[c], rules.both_start[c + 1]):
            e, needed = rules.result[i], min(value, values[rules.other[i]])
            if needed > values[e]:
                _set(e, needed, values, first, after, before)
    return possible


@kernel
def shrink(values: Ints, widths: Ints, passing: Flags, floor: Ints, rules: BoxRules, limit: int) -> None:
    """Lower `values`, none below `floor`, until the axioms are true as far as that is possible."""
    n = len(values)
    first, after, before = np.full(LISTS, -1, np.int32), np.full(n, -1, np.int32), np.full(n, -2, np.int32)
    for c in range(n):
        values[c] = max(values[c], floor[c])
        _join(c, values[c], first, after, before)
    place = 0
    while place < LISTS - 1:
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
                width = widths[role]
                if width == INFINITE or (value >= limit if rules.down_left[i] else not passing[role]):
                    continue
                allowed = value - width if rules.down_left[i] else value + width
            allowed = max(min(allowed, LARGEST), floor[c])
            if allowed < values[c]:
                _set(c, allowed, values, first, after, before)
                place = min(place, _list_of(allowed))
        for i in range(rules.split_start[d], rules.split_start[d + 1]):
            c, other = rules.one[i], rules.two[i]
            if min(values[c], values[other]) <= value:
                continue
            if floor[c] > value:
                c = other
            if max(value, floor[c]) < values[c]:
                _set(c, max(value, floor[c]), values, first, after, before)
                place = min(place, _list_of(values[c]))
