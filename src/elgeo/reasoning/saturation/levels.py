"""Saturation by several threads: level by level, so that all that a class is told of is finished before it begins.

The level of a class is the length of the longest chain of told superclasses and links that leads away from it. Contexts
of one level do not need each other, so threads share them out. Each thread has heads and links of its own, as they were
when the level began, and pieces of the arena to write to; the kernel is the same. A context that needs one that is not
finished after all (in a cycle, or by a link that only the rules found) is left for the end, when one thread does the
rest. The sets S(X) are what they are in any order, and they are read out sorted: the number of threads changes nothing.

A finished context is not told who links to it. Before axioms are added it has to be: `make_known`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import NamedTuple

import numpy as np

from elgeo.arrays import Ints
from elgeo.compilation import announce, kernel
from elgeo.reasoning.saturation.driver import saturate_contexts
from elgeo.reasoning.saturation.index import HIDDEN, LINK, Rules, Told
from elgeo.reasoning.saturation.memory import (
    ACTIVE,
    ARENA_FULL,
    DONE,
    FINISHED,
    FREE_SETS,
    HEAD_WIDTH,
    ITEMS,
    LINK_WIDTH,
    NEXT,
    QUEUE_FIRST,
    QUEUE_LENGTH,
    REPLAY_CLASS,
    REPLAY_ITEM,
    SIZE,
    TARGET,
    TEMPORARY,
    TOP_OF_ARENA,
    Memory,
    add_source,
)
from elgeo.reasoning.saturation.rules import activate
from elgeo.reasoning.saturation.state import SaturationState

_PIECES = 4
"""Into how many pieces a thread's share of a level is cut; every other thread takes them from the end."""
_SMALL = 1000
"""So few contexts are not worth sharing out: levels are put together until there are more, and one thread does them."""
_MANY = 1000
"""Contexts that may be left for the end; if there are more the ontology is not made for levels."""
_PIECES_OF_ARENA = 64
"""Into how many pieces the arena is cut that threads take; one takes more where a piece is too little for a context."""
_MOST = 16
"""Threads that are used at most: each has heads of its own, takes pieces of the arena and learns from every other."""
_NONE = np.empty(0, np.bool_)


def saturate_levels(state: SaturationState, rules: Rules, order: Ints, threads: int) -> None:
    """Begin and finish all contexts of a new state, given in an order in which told targets come first."""
    threads = min(threads, _MOST)
    announce(saturate_contexts, "the reasoner's rules")
    state.enqueue(order)
    level = np.zeros(len(order), np.int32)
    _find_levels(rules.told, state.link_rows, order, level)
    by_level = order[np.argsort(level[order], kind="stable")]
    ends = np.cumsum(np.bincount(level)).tolist()
    room = _Room(state)
    branches = [_Branch(state, room, from_end=i % 2 == 1) for i in range(threads)]
    done = 0
    with ThreadPoolExecutor(threads) as pool:
        for end, levels in _rounds(ends):
            if sum(len(branch.left) for branch in branches) > _MANY:
                break
            parts = min(threads * _PIECES, end - done) if levels == 1 else 1
            pieces = deque(np.array_split(by_level[done:end], parts))
            # a list: all of them have come to their end before the arena moves
            while not all(list(pool.map(lambda branch: branch.work(state.arena, rules, pieces), branches))):  # noqa: B023
                state.enlarge_arena()
            _exchange(branches, pool)
            done = end
    state.head[by_level[:done]] = branches[0].head[by_level[:done]]
    state.meta[TOP_OF_ARENA] = room.top
    finished = np.zeros(len(order), np.bool_)
    finished[by_level[:done]] = True
    finished[[x for branch in branches for x in branch.left]] = False
    state.unknown = np.flatnonzero(finished).astype(np.int32)
    state.enqueue(order[~finished[order]])


def _rounds(ends: list[int]) -> Iterator[tuple[int, int]]:
    """The ends of what is done before threads learn from each other, and how many levels that is."""
    done = levels = 0
    for k, end in enumerate(ends):
        levels += 1
        large_next = k + 1 < len(ends) and ends[k + 1] - end >= _SMALL
        if end - done >= _SMALL or large_next or end == ends[-1]:
            yield end, levels
            done, levels = end, 0


class _Room:
    """The free end of the arena, which threads take pieces of."""

    def __init__(self, state: SaturationState) -> None:
        self._state = state
        self.top = int(state.meta[TOP_OF_ARENA])
        self._lock = Lock()

    @property
    def piece(self) -> int:
        """Words to take at a time."""
        return len(self._state.arena) // _PIECES_OF_ARENA

    def take(self, words: int) -> int | None:
        """Where a piece begins that is nobody else's; None where the arena ends before it does."""
        with self._lock:
            low = self.top
            if low + words > len(self._state.arena):
                return None
            self.top += words
            return low


class _News(NamedTuple):
    """What a thread has found: contexts finished, and a chain of links of which all that follows was found."""

    head: Ints
    links: Ints
    done: list[Ints]
    first: int
    known: int
    """Where the chain comes to what was told before; both are 1 + link, 0 is its end."""


class _Branch:
    """What one thread writes to."""

    def __init__(self, state: SaturationState, room: _Room, from_end: bool) -> None:
        self._room = room
        self._from_end = from_end
        self.head = state.head.copy()
        self.links = state.link_rows[: state.n_links].copy()  # without room for others: their numbers would differ
        self.slots = state.link_slots
        self.meta = state.meta.copy()
        self.meta[FREE_SETS:] = 0
        self.meta[[QUEUE_FIRST, QUEUE_LENGTH]] = 0
        self.queue = np.empty(1, np.int32)
        self._limit = int(self.meta[TOP_OF_ARENA])
        self._told = 0
        self._wanted = room.piece
        self._full_at = (0, 0)
        self.done: list[Ints] = []
        self.left: list[int] = []

    def work(self, arena: Ints, rules: Rules, pieces: deque[Ints]) -> bool:
        """Finish pieces as long as there are any; False if there is no more room before that."""
        while True:
            if self.meta[QUEUE_LENGTH] == 0:
                try:
                    piece = pieces.pop() if self._from_end else pieces.popleft()
                except IndexError:  # the others have taken the rest
                    return True
                self.done.append(piece)
                self.queue = np.append(piece, np.int32(-1))
                self.meta[[QUEUE_FIRST, QUEUE_LENGTH]] = 0, len(piece)
            memory = Memory(arena[: self._limit], self.head, self.links, self.slots, self.queue, self.meta)
            status = saturate_contexts(rules, memory, len(self.head), False, _NONE)
            if status == ARENA_FULL:
                if not self._take_room():
                    return False
            elif status != FINISHED:
                self._leave()

    def _take_room(self) -> bool:
        """A new piece of the arena, larger than the last where that did not get the context at hand any further."""
        at = int(self.meta[QUEUE_LENGTH]), int(self.head[self.queue[self.meta[QUEUE_FIRST]], DONE])
        wanted = 2 * self._wanted if at == self._full_at else self._room.piece
        low = self._room.take(wanted)
        if low is None:
            return False  # and as much is wanted the next time: more would outgrow the arena for ever
        self._wanted, self._full_at = wanted, at
        self.meta[TOP_OF_ARENA], self._limit = low, low + wanted
        return True

    def news(self) -> _News:
        """What was found since the last time."""
        done, self.done = self.done, []
        known, self._told = self._told, int(self.meta[TEMPORARY])
        return _News(self.head, self.links, done, self._told, known)

    def learn(self, news: _News) -> None:
        """Take over what another has found: it is final, since all that it depends on is finished."""
        for ids in news.done:
            _take_heads(self.head, news.head, ids)
        _take_links(self.links, news.links, news.first, news.known)

    def _leave(self) -> None:
        """Put the context at hand aside."""
        x = self.queue[self.meta[QUEUE_FIRST]]
        self.head[x] = 0
        self.left.append(int(x))
        self.meta[QUEUE_FIRST] += 1
        self.meta[QUEUE_LENGTH] -= 1


def _exchange(branches: list[_Branch], pool: ThreadPoolExecutor) -> None:
    """Let all know what each has found; nobody writes what others read then."""
    news = [branch.news() for branch in branches]

    def learn(i: int) -> None:
        for other in news[:i] + news[i + 1 :]:
            branches[i].learn(other)

    list(pool.map(learn, range(len(branches))))


def make_known(state: SaturationState, rules: Rules) -> None:
    """Tell finished contexts who links to them, where threads have not."""
    state.meta[[REPLAY_CLASS, REPLAY_ITEM]] = 0
    while (status := _register(rules, state.memory, state.unknown)) != FINISHED:
        state.make_room(status)
    # not before: where it is broken off, the next time begins again, and to be told twice does no harm
    state.unknown = np.empty(0, np.int32)


@kernel(counted=False)
def _find_levels(table: Told, links: Ints, order: Ints, level: Ints) -> None:
    start, told = table.start, table.item
    for i in range(len(order)):
        x, found = order[i], 0
        for k in range(start[x], start[x + 1]):
            if told[k] < HIDDEN:
                found = max(found, level[told[k]] + 1)
            elif told[k] >= LINK:
                found = max(found, level[links[told[k] - LINK, TARGET]] + 1)
        level[x] = found


@kernel(counted=False)
def _register(rules: Rules, memory: Memory, contexts: Ints) -> int:
    arena, head, links, meta = memory.arena, memory.head, memory.links, memory.meta
    while meta[REPLAY_CLASS] < len(contexts):
        x = contexts[meta[REPLAY_CLASS]]
        while meta[REPLAY_ITEM] < head[x, SIZE]:
            link = arena[head[x, ITEMS] + meta[REPLAY_ITEM]] - LINK
            if link >= 0:
                if not links[link, ACTIVE]:
                    status = activate(rules, memory, link, 0)
                    if status != FINISHED:
                        return status
                if not add_source(arena, links, meta, link, x):
                    return ARENA_FULL
            meta[REPLAY_ITEM] += 1
        meta[REPLAY_CLASS] += 1
        meta[REPLAY_ITEM] = 0
    return FINISHED


@kernel(counted=False)
def _take_heads(head: Ints, other: Ints, ids: Ints) -> None:
    for i in range(len(ids)):
        for column in range(HEAD_WIDTH):
            head[ids[i], column] = other[ids[i], column]


@kernel(counted=False)
def _take_links(links: Ints, other: Ints, first: int, known: int) -> None:
    """Those of a chain, unless they were activated here too."""
    link = first
    while link != known:
        if not links[link - 1, ACTIVE]:
            for column in range(LINK_WIDTH):
                links[link - 1, column] = other[link - 1, column]
        link = other[link - 1, NEXT]
