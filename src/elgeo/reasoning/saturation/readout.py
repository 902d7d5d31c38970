"""Contexts read out as sorted rows: subsumers, links closed under role inclusions, self-loops."""

from __future__ import annotations

import numpy as np

from elgeo.arrays import Array
from elgeo.compilation import kernel
from elgeo.ontology.vocabulary import TOP_ROLE
from elgeo.reasoning.saturation.index import LINK
from elgeo.reasoning.saturation.memory import ITEMS, ROLE, SIZE, TARGET

_LONG = 32


@kernel(inner=True)
def sort_slice(values: Array, low: int, high: int) -> None:
    """Sort values[low:high] in place (Shell's method: rows are short)."""
    gap = 1
    while gap < (high - low) // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(low + gap, high):
            value = values[i]
            j = i
            while j >= low + gap and values[j - gap] > value:
                values[j] = values[j - gap]
                j -= gap
            values[j] = value
        gap //= 3


def subsumer_rows(arena: Array, head: Array, first: int, last: int, n: int) -> tuple[Array, Array]:
    """The classes in S(X), ascending, of the contexts first … last - 1: starts and items."""
    start, items = _gathered(arena, head, first, last, n)
    # long rows are left to numpy, whose sort knows the processor's vector instructions
    for row in np.flatnonzero(np.diff(start) > _LONG).tolist():
        items[start[row] : start[row + 1]].sort()
    return start, items


@kernel
def _gathered(arena: Array, head: Array, first: int, last: int, n: int) -> tuple[Array, Array]:
    """As `subsumer_rows`, with long rows not sorted yet."""
    start = np.zeros(last - first + 1, np.int64)
    for x in range(first, last):
        count = 0
        for k in range(head[x, ITEMS], head[x, ITEMS] + head[x, SIZE]):
            count += arena[k] < n
        start[x - first + 1] = start[x - first] + count
    items = np.empty(start[-1], np.int32)
    for x in range(first, last):
        at = start[x - first]
        for k in range(head[x, ITEMS], head[x, ITEMS] + head[x, SIZE]):
            if arena[k] < n:
                items[at] = arena[k]
                at += 1
        if at - start[x - first] <= _LONG:
            sort_slice(items, start[x - first], at)
    return start, items


@kernel
def link_rows(
    arena: Array, head: Array, first: int, last: int, first_loop: int, links: Array,
    above_start: Array, above: Array, reflexive: Array,
) -> tuple[Array, Array, Array]:  # fmt: skip
    """The links of X, self-loops as links to X, by role and target: starts, roles, targets.

    The universal role takes part only where an axiom names it on the right.
    """
    total = 0
    for x in range(first, last):
        for k in range(head[x, ITEMS], head[x, ITEMS] + head[x, SIZE]):
            if arena[k] >= LINK:
                role = links[arena[k] - LINK, ROLE]
                total += above_start[role + 1] - above_start[role]
            elif arena[k] >= first_loop:
                total += 1
        total += len(reflexive)
    keys = np.empty(total, np.int64)
    start = np.zeros(last - first + 1, np.int64)
    for x in range(first, last):
        low = at = start[x - first]
        for role in reflexive:
            keys[at] = (role << 32) + x
            at += 1
        for k in range(head[x, ITEMS], head[x, ITEMS] + head[x, SIZE]):
            link = arena[k] - LINK
            if link >= 0:
                told = links[link, ROLE]
                for i in range(above_start[told], above_start[told + 1]):
                    if above[i] != TOP_ROLE or told == TOP_ROLE:
                        keys[at] = (above[i] << 32) + links[link, TARGET]
                        at += 1
            elif arena[k] >= first_loop:
                keys[at] = ((arena[k] - first_loop) << 32) + x
                at += 1
        sort_slice(keys, low, at)
        kept = low
        for i in range(low, at):
            if i == low or keys[i] != keys[i - 1]:
                keys[kept] = keys[i]
                kept += 1
        start[x - first + 1] = kept
    roles, targets = np.empty(start[-1], np.int32), np.empty(start[-1], np.int32)
    for i in range(start[-1]):
        roles[i], targets[i] = keys[i] >> 32, keys[i] & 0x7FFFFFFF
    return start, roles, targets
