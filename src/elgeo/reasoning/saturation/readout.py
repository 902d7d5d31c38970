"""Contexts read out as sorted rows: subsumers, links closed under role inclusions, self-loops."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from elgeo.arrays import Array
from elgeo.compilation import kernel
from elgeo.ontology.vocabulary import TOP_ROLE
from elgeo.reasoning.saturation.index import LINK
from elgeo.reasoning.saturation.memory import ITEMS, ROLE, SIZE, TARGET
from elgeo.threads import in_parts

_LONG = 32


@kernel(inner=True, counted=False)
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
    counts = np.empty(last - first, np.int64)
    in_parts(len(counts), lambda low, high: _count_items(arena, head, first + low, n, counts[low:high]))
    start = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    items = np.empty(start[-1], np.int32)
    in_parts(len(counts), lambda low, high: _gather_items(arena, head, first + low, n, start[low : high + 1], items))
    # long rows are left to numpy, whose sort knows the processor's vector instructions
    for row in np.flatnonzero(np.diff(start) > _LONG).tolist():
        items[start[row] : start[row + 1]].sort()
    return start, items


@kernel(counted=False)
def _count_items(arena: Array, head: Array, first: int, n: int, counts: Array) -> None:
    """How long the row of each context is, from `first` on."""
    for row in range(len(counts)):
        x, count = first + row, 0
        for k in range(head[x, ITEMS], head[x, ITEMS] + head[x, SIZE]):
            count += arena[k] < n
        counts[row] = count


@kernel(counted=False)
def _gather_items(arena: Array, head: Array, first: int, n: int, start: Array, items: Array) -> None:
    """Fill the rows; long ones are not sorted yet."""
    for row in range(len(start) - 1):
        x, at = first + row, start[row]
        for k in range(head[x, ITEMS], head[x, ITEMS] + head[x, SIZE]):
            if arena[k] < n:
                items[at] = arena[k]
                at += 1
        if at - start[row] <= _LONG:
            sort_slice(items, start[row], at)


class LinkTables(NamedTuple):
    """What a link of a context stands for: its row in `links`, the roles above its role, roles that all have."""

    first_loop: int
    links: Array
    above_start: Array
    above: Array
    reflexive: Array


def link_rows(arena: Array, head: Array, first: int, last: int, tables: LinkTables) -> tuple[Array, Array, Array]:
    """The links of X, self-loops as links to X, by role and target: starts, roles, targets.

    The universal role takes part only where an axiom names it on the right.
    """
    keys = np.empty(_count_links(arena, head, first, last, tables), np.int64)
    start = np.zeros(last - first + 1, np.int64)
    _gather_links(arena, head, first, tables, start, keys)
    keys = keys[: start[-1]]
    return start, (keys >> 32).astype(np.int32), (keys & 0x7FFFFFFF).astype(np.int32)


@kernel(counted=False)
def _count_links(arena: Array, head: Array, first: int, last: int, tables: LinkTables) -> int:
    """How many rows there are, repeated ones counted."""
    first_loop, links, above_start = tables.first_loop, tables.links, tables.above_start
    total = 0
    for x in range(first, last):
        for k in range(head[x, ITEMS], head[x, ITEMS] + head[x, SIZE]):
            if arena[k] >= LINK:
                role = links[arena[k] - LINK, ROLE]
                total += above_start[role + 1] - above_start[role]
            elif arena[k] >= first_loop:
                total += 1
        total += len(tables.reflexive)
    return total


@kernel(counted=False)
def _gather_links(arena: Array, head: Array, first: int, tables: LinkTables, start: Array, keys: Array) -> None:
    """Role and target of each link as one number, sorted, each once; where the row of each context begins."""
    first_loop, links, above_start, above, reflexive = tables
    for row in range(len(start) - 1):
        x = first + row
        low = at = start[row]
        for i in range(len(reflexive)):
            keys[at] = (reflexive[i] << 32) + x
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
        start[row + 1] = kept
