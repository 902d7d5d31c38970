"""`State`: the growing memory of a saturation, and the loop that gives the kernel room until it is finished."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from elgeo.compilation import announce
from elgeo.errors import ElgeoError
from elgeo.ontology.normal_forms import Table
from elgeo.ontology.vocabulary import TOP
from elgeo.reasoning.arena import (
    FINISHED,
    FREE_SETS,
    HEAD_WIDTH,
    LINKS_FULL,
    META_SIZE,
    N_LINKS,
    QUEUE_FIRST,
    REPLAY_CLASS,
    REPLAY_ITEM,
    TOP_OF_ARENA,
)
from elgeo.reasoning.index import LINK, Hidden, Index
from elgeo.reasoning.kernel import derive_items, number_links, saturate_contexts, seed_contexts

Ints = NDArray[np.int32]

_FIRST_LOG = 3  # room for 8 items in a new context


class State:
    """Contexts of classes in one arena; see `arena.py` for what is where."""

    def __init__(self, n: int, room: int) -> None:
        """Room for n contexts, and about `room` items in all to start with."""
        self.n = 0
        self.arena = np.empty(max(4096, room * 4), np.int32)
        self.head = np.zeros((n, HEAD_WIDTH), np.int32)
        self.queue = np.empty(n + 1, np.int32)
        self.meta = np.full(META_SIZE, -1, np.int64)
        self.meta[[TOP_OF_ARENA, QUEUE_FIRST, QUEUE_FIRST + 1, N_LINKS, REPLAY_CLASS, REPLAY_ITEM]] = 0
        self.link_role = np.empty(1024, np.int32)
        self.link_target = np.empty(1024, np.int32)
        self.link_slots = np.full(2048, -1, np.int32)

    @property
    def n_links(self) -> int:
        """How many different ∃r.Y have a number."""
        return int(self.meta[N_LINKS])

    def links(self, pairs: Table) -> Ints:
        """The items of ∃r.Y for rows (r, y)."""
        roles, targets = np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1])
        self._links_for(self.n_links + len(pairs))
        items: Ints = number_links(roles, targets, self.link_role, self.link_target, self.link_slots, self.meta)
        return items

    def add_contexts(self, count: int, own_item: bool) -> None:
        """Append contexts with S(X) = {⊤} and, where they are classes, X itself; they are put on the worklist."""
        total = self.n + count
        if total > len(self.head):
            self.head = _grown(self.head, total)
        if total > len(self.queue):
            self.queue = _grown(self.queue, total + 1)
            self.meta[QUEUE_FIRST] = 0
        words = 3 << _FIRST_LOG
        top = int(self.meta[TOP_OF_ARENA])
        self._arena_for(top + count * words)
        self.head[self.n : total] = 0
        seed_contexts(self.arena, self.head, self.queue, self.meta, self.n, total, _FIRST_LOG, own_item, TOP)
        self.n = total

    def derive(self, contexts: Ints, items: Ints) -> None:
        """Put items[i] into S(contexts[i]), and what changes on the worklist."""
        done = 0
        while done < len(contexts):
            done = derive_items(self.arena, self.head, self.queue, self.meta, contexts, items, done)
            if done < len(contexts):
                self._arena_for(len(self.arena) + 1)

    def run(
        self,
        n_classes: int,
        index: Index,
        hidden: Hidden,
        nominal: NDArray[np.bool_],
        frozen: int = 0,
        replay: bool = False,
    ) -> None:
        """Saturate; `frozen` and `replay` as in the kernel."""
        announce(saturate_contexts, "the reasoner's rules")
        self.meta[REPLAY_CLASS] = self.meta[REPLAY_ITEM] = 0
        while True:
            status = saturate_contexts(
                *index, n_classes, hidden.first_loop, nominal, frozen, replay, self.arena, self.head, self.queue,
                self.meta, self.link_role, self.link_target, self.link_slots,
            )  # fmt: skip
            if status == FINISHED:
                return
            if status == LINKS_FULL:
                self._links_for(2 * len(self.link_role))
            else:
                self._arena_for(len(self.arena) + len(self.arena) // 2)

    def checkpoint(self) -> tuple[int, int, NDArray[np.int64]]:
        """What `rollback` needs; from now on no block in use before is written to or used again."""
        saved = self.n, int(self.meta[TOP_OF_ARENA]), self.meta[FREE_SETS:].copy()
        self.meta[FREE_SETS:] = -1
        return saved

    def rollback(self, saved: tuple[int, int, NDArray[np.int64]]) -> None:
        """Forget the contexts added since the checkpoint."""
        self.n, self.meta[TOP_OF_ARENA], self.meta[FREE_SETS:] = saved

    def _arena_for(self, words: int) -> None:
        if words <= len(self.arena):
            return
        if words >= LINK * 2:
            raise ElgeoError("the saturation needs more than 8 GiB; split the ontology into modules")
        # in place, by realloc: no second copy of a large arena
        self.arena.resize(min(max(words, 3 * len(self.arena) // 2), LINK * 2 - 1), refcheck=False)

    def _links_for(self, count: int) -> None:
        if count <= len(self.link_role):
            return
        size = max(count, 3 * len(self.link_role) // 2)
        self.link_role, self.link_target = _grown(self.link_role, size), _grown(self.link_target, size)
        self.link_slots = np.full(1 << int(2 * size - 1).bit_length(), -1, np.int32)
        used = self.n_links
        self.meta[N_LINKS] = 0
        number_links(
            self.link_role[:used].copy(), self.link_target[:used].copy(),
            self.link_role, self.link_target, self.link_slots, self.meta,
        )  # fmt: skip


def _grown(array: Ints, size: int) -> Ints:
    new = np.empty((size, *array.shape[1:]), array.dtype)
    new[: len(array)] = array
    return new
