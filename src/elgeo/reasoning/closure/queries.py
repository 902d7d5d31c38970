"""Tails of left sides that are no class of the ontology: C ⊓ D, ∃R.C, and what the universal role reaches."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from elgeo.arrays import Flags, Ints, Longs, Starts, Table
from elgeo.compilation import kernel
from elgeo.keys import distinct
from elgeo.reasoning.closure.tail_rows import Links, TailRows, plain_rows, starts_of
from elgeo.reasoning.saturation.queries import QueryRows

_BATCH = 1 << 17


class QueryCache:
    """Rows of left sides that were asked for, kept until they take more than `memory` bytes.

    A left side is a pair of ids; training asks for the same ones in every epoch.
    """

    def __init__(self, ask: Callable[[Table], QueryRows], span: int, memory: int) -> None:
        self._ask, self._span, self._memory = ask, np.int64(span), memory
        self._forget()

    def known(self, pairs: Table) -> tuple[TailRows, Ints]:
        """Rows, and the row of each pair in them; -1 where it was not asked for yet."""
        return self._rows, _found(self._slots, self._keys, self._keyed(pairs))

    def rows(self, pairs: Table) -> tuple[TailRows, Ints]:
        """Rows, and the row of each pair in them."""
        keys = self._keyed(pairs)
        places = _found(self._slots, self._keys, keys)
        if (places < 0).any():
            missing = distinct(keys[places < 0])
            if 4 * len(self._rows.tails) + 24 * len(self._keys) > self._memory:
                self._forget()
                missing = distinct(keys)
            for first in range(0, len(missing), _BATCH):
                self._learn(missing[first : first + _BATCH])
            places = _found(self._slots, self._keys, keys)
        return self._rows, places

    def _keyed(self, pairs: Table) -> Longs:
        return np.asarray(pairs[:, 0] * self._span + pairs[:, 1])

    def _forget(self) -> None:
        self._keys: Longs = np.empty(0, np.int64)
        self._slots: Ints = np.full(1, -1, np.int32)
        self._rows = plain_rows(np.zeros(1, np.int64), np.empty(0, np.int32), np.empty(0, np.bool_))

    def _learn(self, keys: Longs) -> None:
        found = self._ask(np.stack([keys // self._span, keys % self._span], axis=1).astype(np.int32))
        known = self._rows
        start = np.concatenate([known.start, known.start[-1] + found.subsumer_start[1:]])
        self._rows = plain_rows(
            start,
            np.concatenate([known.tails, found.subsumers]),
            np.concatenate([known.unsatisfiable, found.unsatisfiable]),
        )
        self._keys = np.concatenate([self._keys, keys])
        self._slots = _slotted(self._keys, np.full(1 << (2 * len(self._keys)).bit_length(), -1, np.int32))


@kernel(inline="always")
def _slot(key: int, slots: Ints) -> int:
    """Where the search for a key starts."""
    return ((key * 0x9E3779B97F4A7C1) >> 20) & (slots.size - 1)


@kernel
def _slotted(keys: Starts, slots: Ints) -> Ints:
    """The place of each of different keys in a hash table that has room for twice as many."""
    for place in range(keys.size):
        slot = _slot(keys[place], slots)
        while slots[slot] >= 0:
            slot = (slot + 1) & (slots.size - 1)
        slots[slot] = place
    return slots


@kernel
def _found(slots: Ints, keys: Starts, wanted: Starts) -> Ints:
    """The place of each wanted key, -1 where it has none."""
    places = np.empty(wanted.size, np.int32)
    for i in range(wanted.size):
        slot = _slot(wanted[i], slots)
        while slots[slot] >= 0 and keys[slots[slot]] != wanted[i]:
            slot = (slot + 1) & (slots.size - 1)
        places[i] = slots[slot]
    return places


def universal_rows(links: Links, subsumers: TailRows, heads: Ints, existing: Ints) -> TailRows:
    """The D with C ⊑ ∃U.D for each of `heads`: the subsumers of all that C, ⊤ or an individual leads to.

    `existing` are ⊤ and the individuals.
    """
    rows = []
    for head in heads.tolist():
        seeds = np.unique(np.append(existing, head)).astype(np.int32)
        rows.append(_above_reachable(*links, subsumers.start, subsumers.tails, seeds))
    tails = np.concatenate([np.empty(0, np.int32), *rows])
    return plain_rows(starts_of(np.array([len(r) for r in rows], np.int64)), tails, subsumers.unsatisfiable[heads])


@kernel
def _above_reachable(
    entry_start: Starts, entry_roles: Ints, row_start: Starts, targets: Ints, start: Starts, tails: Ints, seeds: Ints
) -> Ints:
    n = entry_start.size - 1
    reached: Flags = np.zeros(n, np.bool_)
    above: Flags = np.zeros(n, np.bool_)
    stack = np.empty(n, np.int32)
    size = 0
    for x in seeds:
        stack[size] = x
        reached[x] = True
        size += 1
    while size:
        size -= 1
        x = stack[size]
        for k in range(start[x], start[x + 1]):
            above[tails[k]] = True
        for k in range(row_start[entry_start[x]], row_start[entry_start[x + 1]]):
            if not reached[targets[k]]:
                reached[targets[k]] = True
                stack[size] = targets[k]
                size += 1
    return np.flatnonzero(above).astype(np.int32)
