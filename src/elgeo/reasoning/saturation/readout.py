"""Contexts read out as sorted rows: subsumers, links closed under role inclusions, self-loops."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from elgeo.arrays import Array
from elgeo.compilation import kernel
from elgeo.ontology.vocabulary import TOP_ROLE
from elgeo.reasoning.saturation.index import LINK
from elgeo.reasoning.saturation.memory import ITEMS, ROLE, SIZE, TARGET
from elgeo.threads import in_parts, threads

_LONG = 32
"""Items up to which a row is sorted where it is gathered."""
_BLOCK = 1 << 17
"""Items of a block of rows that are sorted at once."""
_ALIKE = 8
"""Items by which the rows of a block may differ in length."""
_LAST = 2**31 - 1
"""What comes after every item."""


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
    lengths = np.diff(start)
    long = np.flatnonzero(lengths > _LONG)
    if len(long):
        long = long[np.argsort(lengths[long], kind="stable")]
        _sort_rows(start, items, long, lengths[long])
    return start, items


def _sort_rows(start: Array, items: Array, rows: Array, lengths: Array) -> None:
    """Sort rows, given by length, by numpy's sort, which knows the processor's vector instructions."""
    several = threads()

    def sort(low: int, high: int) -> None:
        room = np.empty(_BLOCK, np.int32)
        for part in range(low, high):
            _sort_blocks(start, items, rows[part::several].copy(), lengths[part::several].copy(), room)

    in_parts(several, sort, work=len(rows))


def _sort_blocks(start: Array, items: Array, rows: Array, lengths: Array, room: Array) -> None:
    """Many rows of about a length at a time, as the rows of a block that is filled up with what comes last."""
    at = 0
    while at < len(rows):
        count = int(np.searchsorted(lengths, lengths[at] + _ALIKE, side="right")) - at
        count = max(1, min(count, len(room) // (int(lengths[at]) + _ALIKE)))
        width = int(lengths[at + count - 1])
        here = rows[at : at + count]
        if count == 1:
            items[start[here[0]] : start[here[0] + 1]].sort()
        else:
            block = room[: count * width].reshape(count, width)
            _copy_rows(start, items, here, block, width, False)
            block.sort(axis=1)
            _copy_rows(start, items, here, block, width, True)
        at += count


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


@kernel(counted=False)
def _copy_rows(start: Array, items: Array, rows: Array, block: Array, width: int, back: bool) -> None:
    """Copy rows of items to the rows of a block, filled up with what comes last, or back."""
    for i in range(len(rows)):
        low, size = start[rows[i]], start[rows[i] + 1] - start[rows[i]]
        if back:
            for k in range(size):
                items[low + k] = block[i, k]
        else:
            for k in range(size):
                block[i, k] = items[low + k]
            for k in range(size, width):
                block[i, k] = _LAST


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
