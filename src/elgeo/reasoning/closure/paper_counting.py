"""Counts the paper's closure without listing it: C ⊓ D ⊑ E can have hundreds of millions of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from elgeo.arrays import Flags, Ints, Keys, Starts
from elgeo.compilation import kernel
from elgeo.ontology.normal_forms import FORMS
from elgeo.reasoning.closure.tail_rows import starts_of

if TYPE_CHECKING:
    from elgeo.reasoning.closure.paper import PaperClosure


def count_rows(closure: PaperClosure, form: str, allowed: Flags) -> int:
    """Rows reached by subclasses on the left, and those that only a superclass on the right reaches."""
    # C ⊓ D is D ⊓ C: both orders are in the closure, and count once
    unordered = FORMS[form].unordered
    below = _count_pairs(closure, form, allowed) if unordered else _count_single(closure, form, allowed)
    return below + (_count_above(closure, form, allowed) if FORMS[form].has_tail else 0)


def _count_single(closure: PaperClosure, form: str, allowed: Flags) -> int:
    """One class on the left: for each rest of a row the union of the subclasses of all classes asserted with it."""
    keys, steps = closure.asserted(form), closure.steps(form)
    table = closure.columns(form, keys)
    (j,) = closure.moving(form)
    if FORMS[form].has_tail:
        kept = allowed[table[:, -1]]
        table, keys = table[kept], keys[kept]
    rest = keys - table[:, j] * steps[j]
    order = np.argsort(rest, kind="stable")
    groups, first = np.unique(rest[order], return_index=True)
    start = np.append(first, len(order)).astype(np.int64)
    own = table[order[first], -1] if form == "subclass" else np.full(len(groups), -1, np.int32)
    return int(_union_sizes(start, table[order, j], *_counted_below(closure, allowed), own.astype(np.int32)))


def _count_pairs(closure: PaperClosure, form: str, allowed: Flags) -> int:
    """Two classes on the left, in either order: for each right side the pairs with one of them replaced."""
    table = closure.columns(form, closure.asserted(form))
    table = table[table[:, 0] <= table[:, 1]]
    if FORMS[form].has_tail:
        table = table[allowed[table[:, -1]]]
    group = table[:, -1] if FORMS[form].has_tail else np.zeros(len(table), np.int32)
    order = np.argsort(group, kind="stable")
    table, group = table[order], group[order]
    start = np.append(np.flatnonzero(np.append(True, group[1:] != group[:-1])), len(table)).astype(np.int64)
    if not len(table):
        return 0
    below_start, below = _counted_below(closure, allowed)
    size = np.diff(below_start)
    c, d = table[:, 0], table[:, 1]
    single = np.repeat(np.diff(start) == 1, np.diff(start))
    # one axiom for a right side: two lines of pairs that cross in the axiom's own pair
    counted = allowed & ~closure.saturation.unsatisfiable
    fits_c, fits_d = counted[c], counted[d]
    lines = np.where(fits_d, size[c], 0) + np.where(fits_c & (c != d), size[d], 0) - (fits_c & fits_d & (c != d))
    total = int(lines[single].sum())
    rest = np.flatnonzero(np.diff(start) > 1)
    room = np.add.reduceat(size[c] + size[d], start[:-1]) if len(rest) else np.zeros(1, np.int64)
    return total + int(
        _pair_unions(start, rest, c, d, below_start, below, counted, np.empty(int(room.max()), np.int64))
    )


def _count_above(closure: PaperClosure, form: str, allowed: Flags) -> int:
    table = closure.columns(form, closure.expanded_upwards(form))
    table = table[closure.counts(form, table, allowed)]
    return int((~closure.by_subclass(form, table)).sum())


def _counted_below(closure: PaperClosure, allowed: Flags) -> tuple[Starts, Ints]:
    """The subclasses of each class that count."""
    start, below = closure.below
    keep = allowed[below]
    kept = starts_of(keep.astype(np.int64))
    return kept[start], below[keep]


@kernel
def _union_sizes(start: Starts, movers: Ints, below_start: Starts, below: Ints, own: Ints) -> int:
    """The sizes of the unions of the subclasses of each group of classes, without the class `own[g]`."""
    seen = np.full(below_start.size, -1, np.int64)
    total = 0
    for group in range(start.size - 1):
        for k in range(start[group], start[group + 1]):
            for i in range(below_start[movers[k]], below_start[movers[k] + 1]):
                if seen[below[i]] != group:
                    seen[below[i]] = group
                    total += below[i] != own[group]
    return total


@kernel
def _pair_unions(
    start: Starts, groups: Keys, c: Ints, d: Ints, below_start: Starts, below: Ints, counted: Flags, room: Keys
) -> int:
    """How many different pairs each of the groups has, one of its classes replaced by a subclass."""
    total = 0
    n = np.int64(counted.size)
    for group in groups:
        size = 0
        for k in range(start[group], start[group + 1]):
            for mover, other in ((c[k], d[k]), (d[k], c[k])):
                if counted[other]:
                    for i in range(below_start[mover], below_start[mover + 1]):
                        low, high = min(below[i], other), max(below[i], other)
                        room[size] = low * n + high
                        size += 1
        pairs = np.sort(room[:size])
        for i in range(size):
            total += i == 0 or pairs[i] != pairs[i - 1]
    return total
