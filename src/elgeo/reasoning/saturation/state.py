"""`SaturationState`: the growing memory, and the loop that gives the kernel room until it is finished."""

from __future__ import annotations

import copy

import numpy as np

from elgeo.arrays import Ints, Longs, Table
from elgeo.compilation import announce
from elgeo.errors import ElgeoError
from elgeo.reasoning.saturation.driver import saturate_contexts
from elgeo.reasoning.saturation.index import LINK, Rules
from elgeo.reasoning.saturation.maintenance import (
    begin_queries,
    derive_items,
    forget_links,
    number_links,
    rehash_links,
    renumber_contexts,
)
from elgeo.reasoning.saturation.memory import (
    FINISHED,
    FIRST_WORD,
    FREE_SETS,
    HEAD_WIDTH,
    LINK_WIDTH,
    LINKS_FULL,
    META_SIZE,
    N_LINKS,
    QUEUE_FIRST,
    QUEUE_LENGTH,
    QUEUED,
    REPLAY_CLASS,
    REPLAY_ITEM,
    TOP_OF_ARENA,
    Memory,
)

SMALLEST_ARENA = 4096
LARGEST_ARENA = LINK * 2 - 1
"""Words that 32 bits can say the place of."""
FIRST_LINKS = 1024
"""Room for numbered ∃r.Y in the beginning; it is doubled where more are needed."""


class SaturationState:
    """S(X) of all classes in one arena; see `memory.py` for what is where."""

    def __init__(self, n: int, room: int) -> None:
        """Room for n contexts, and `room` words of the arena to start with, or what can be had of them."""
        self.n = 0
        self.arena = _reserved(min(max(SMALLEST_ARENA, room), LARGEST_ARENA))
        self.head = np.zeros((n, HEAD_WIDTH), np.int32)
        self.queue = np.empty(n + 1, np.int32)
        self.meta = np.zeros(META_SIZE, np.int64)
        self.meta[TOP_OF_ARENA] = FIRST_WORD
        self.link_rows = np.zeros((FIRST_LINKS, LINK_WIDTH), np.int32)
        self.link_slots = np.full(2 * FIRST_LINKS, -1, np.int32)
        self.unknown = np.empty(0, np.int32)
        """Finished contexts of which those they link to do not know yet."""

    @property
    def n_links(self) -> int:
        """How many different ∃r.Y have a number."""
        return int(self.meta[N_LINKS])

    def links(self, pairs: Table) -> Ints:
        """The items of ∃r.Y for rows (r, y)."""
        items = np.empty(len(pairs), np.int32)
        self._links_for(self.n_links + len(pairs))
        number_links(np.ascontiguousarray(pairs), self.link_rows, self.link_slots, self.meta, items)
        return items

    def enqueue(self, ids: Ints) -> None:
        """Put contexts that are to begin on the worklist, which is empty."""
        self._contexts_for(int(ids.max(initial=-1)) + 1)
        self.head[ids] = 0
        self.head[ids, QUEUED] = 1
        self.queue[: len(ids)] = ids
        self.meta[[QUEUE_FIRST, QUEUE_LENGTH]] = 0, len(ids)

    def add_queries(self, parents: Ints) -> None:
        """Append contexts that are no classes, with all items of a finished class each (-1: none), and ⊤."""
        first, done = self.n, 0
        self._contexts_for(first + len(parents))
        self.head[first : self.n] = 0
        self.meta[[QUEUE_FIRST, QUEUE_LENGTH]] = 0
        while (done := begin_queries(self.arena, self.head, self.queue, self.meta, first, parents, done)) < len(
            parents
        ):
            self.enlarge_arena()

    def _contexts_for(self, count: int) -> None:
        self.n = max(self.n, count)
        if self.n > len(self.head):
            self.head = _grown(self.head, self.n + self.n // 8)
        if self.n > len(self.queue):
            self.queue = _grown(self.queue, len(self.head))

    def derive(self, contexts: Ints, items: Ints) -> None:
        """Put items[i] into S(contexts[i]), and what changes on the worklist."""
        done = 0
        while (done := derive_items(self.arena, self.head, self.queue, self.meta, contexts, items, done)) < len(
            contexts
        ):
            self.enlarge_arena()

    @property
    def memory(self) -> Memory:
        """The arrays as kernels take them; good until one of them grows."""
        return Memory(self.arena, self.head, self.link_rows, self.link_slots, self.queue, self.meta)

    def run(self, rules: Rules, frozen: int = 0, replay: bool = False) -> None:
        """Saturate; `frozen` and `replay` as in the kernel."""
        announce(saturate_contexts, "the reasoner's rules")
        self.meta[REPLAY_CLASS] = self.meta[REPLAY_ITEM] = 0
        firing = rules.firing if replay else np.empty(0, np.bool_)
        while True:
            status = saturate_contexts(rules, self.memory, frozen, replay, firing)
            if status == FINISHED:
                return
            self.make_room(status)

    def make_room(self, status: int) -> None:
        """More of what a kernel says that there is too little of."""
        if status == LINKS_FULL:
            self._links_for(len(self.link_rows) + 1)
        else:
            self.enlarge_arena()

    def copy(self) -> SaturationState:
        """The same contexts in memory of their own."""
        state = copy.copy(self)
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                setattr(state, name, value[: self.meta[TOP_OF_ARENA] if name == "arena" else None].copy())
        return state

    def renumber(self, class_map: Ints, role_map: Ints, n: int) -> None:
        """Give contexts, classes and roles new ids; of n contexts those that are nobody's new id stay empty."""
        renumber_contexts(self.arena, self.head, self.link_rows, self.meta, self.n, class_map, role_map)
        head = np.zeros((n, HEAD_WIDTH), np.int32)
        head[class_map] = self.head[: self.n]
        self.head, self.n, self.queue = head, n, np.empty(n + 1, np.int32)
        self.meta[QUEUE_FIRST] = 0
        self._rehash_links()

    def checkpoint(self) -> tuple[int, int, int, Longs]:
        """What `rollback` needs; from now on no block in use before is written to or used again."""
        saved = self.n, self.n_links, int(self.meta[TOP_OF_ARENA]), self.meta[FREE_SETS:].copy()
        self.meta[FREE_SETS:] = 0
        return saved

    def rollback(self, saved: tuple[int, int, int, Longs]) -> None:
        """Forget the contexts and links added since the checkpoint."""
        self.n, links, self.meta[TOP_OF_ARENA], self.meta[FREE_SETS:] = saved
        self.meta[[QUEUE_FIRST, QUEUE_LENGTH]] = 0
        forget_links(self.link_rows, self.link_slots, self.meta, links)

    def enlarge_arena(self) -> None:
        """Half as much room again."""
        self.arena_for(len(self.arena) + 1)

    def arena_for(self, words: int) -> None:
        """Make room for so many words in all."""
        if words <= len(self.arena):
            return
        if words > LARGEST_ARENA:
            raise ElgeoError("the saturation needs more than 8 GiB; split the ontology into modules")
        # in place, by realloc: no second copy of a large arena
        self.arena.resize(min(max(words, 3 * len(self.arena) // 2), LARGEST_ARENA), refcheck=False)

    def _links_for(self, count: int) -> None:
        if count > len(self.link_rows):
            self.link_rows = _grown(self.link_rows, max(count, 2 * len(self.link_rows)))
            self._rehash_links()

    def _rehash_links(self) -> None:
        self.link_slots = np.full(1 << (2 * len(self.link_rows) - 1).bit_length(), -1, np.int32)
        rehash_links(self.link_rows, self.link_slots, self.meta)


def _reserved(words: int) -> Ints:
    """So many words of memory, or half of them where the system does not promise as much, and so on."""
    while True:
        try:
            return np.empty(words, np.int32)
        except MemoryError:
            if words <= SMALLEST_ARENA:
                raise
            words = max(SMALLEST_ARENA, words // 2)


def _grown(array: Ints, size: int) -> Ints:
    new = np.empty((size, *array.shape[1:]), array.dtype)
    new[: len(array)] = array
    return new
