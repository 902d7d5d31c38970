"""The memory of the saturation against plain lists and dictionaries: contexts that grow, close and open, links."""

from __future__ import annotations

import numpy as np
import pytest

from elgeo.arrays import Ints, Longs
from elgeo.compilation import kernel
from elgeo.ontology.vocabulary import TOP
from elgeo.reasoning.saturation.index import LINK
from elgeo.reasoning.saturation.maintenance import forget_links, number_links, rehash_links
from elgeo.reasoning.saturation.memory import (
    ACTIVE,
    CLOSED,
    FIRST_WORD,
    HEAD_WIDTH,
    HEIR,
    IMPLIED,
    INCOMING,
    ITEMS,
    LINK_WIDTH,
    LOG,
    META_SIZE,
    N_LINKS,
    NEXT,
    NEXT_HEIR,
    QUEUE_FIRST,
    QUEUE_LENGTH,
    QUEUED,
    ROLE,
    SIZE,
    SOURCE,
    TARGET,
    TEMPORARY,
    TOP_OF_ARENA,
    begin,
    close,
    contains,
    derive,
    enlarge,
    remember,
)
from elgeo.reasoning.saturation.state import SaturationState

BEGIN, DERIVE, CLOSE, REMEMBER = range(4)


@kernel
def run(steps: Ints, done: int, arena: Ints, head: Ints, queue: Ints, meta: Longs, links: Ints, frozen: int) -> int:
    """Do steps (what, context or link, item or parent) from `done` on; how many are done, where room ends."""
    for i in range(done, len(steps)):
        what, x, item = steps[i]
        if what == BEGIN:
            room = begin(arena, head, meta, x, item, frozen)
        elif what == DERIVE:
            room = derive(arena, head, queue, meta, x, item)
        elif what == CLOSE:
            room = close(arena, head, meta, x)
        else:
            room = remember(arena, links, meta, x, item)
        if not room:
            return i
    return len(steps)


@kernel
def has(arena: Ints, head: Ints, x: int, item: int) -> bool:
    return contains(arena, head, x, item)


def new_meta() -> Longs:
    meta = np.zeros(META_SIZE, np.int64)
    meta[TOP_OF_ARENA] = FIRST_WORD
    return meta


@pytest.mark.parametrize("seed", range(12))
def test_contexts_are_lists_without_doubles(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, n_links, most = 7, 5, int(rng.choice([6, 40, 300]))
    frozen = int(rng.integers(0, n))
    lists: dict[int, list[int]] = {}
    implied: dict[int, list[int]] = {link: [] for link in range(n_links)}
    heirs: dict[int, list[int]] = {x: [] for x in range(n)}
    closed: set[int] = set()
    steps: list[tuple[int, int, int]] = []
    head = np.zeros((n, HEAD_WIDTH), np.int32)
    head[:, INCOMING] = rng.random(n) < 0.3
    queued: list[int] = []
    for x in range(n):
        parent = int(rng.choice([-1, *closed])) if closed and rng.random() < 0.6 else -1
        steps.append((BEGIN, x, parent))
        lists[x] = list(lists[parent]) if parent >= 0 else []
        if parent >= frozen and not head[x, INCOMING]:
            heirs[parent].insert(0, x)
        for _ in range(int(rng.integers(1, 2 * most))):
            y = int(rng.choice(list(lists))) if rng.random() < 0.3 else x
            item = int(rng.integers(0, most)) + (LINK if rng.random() < 0.2 else 0)
            steps.append((DERIVE, y, item))
            if item not in lists[y]:
                lists[y].append(item)
                queued += [] if y in queued else [y]
            link = int(rng.integers(0, n_links))
            steps.append((REMEMBER, link, item))
            implied[link].append(item)
        if rng.random() < 0.7 and lists[x]:
            steps.append((CLOSE, x, 0))
            closed.add(x)
    arena = np.zeros(16, np.int32)
    queue, meta, links = np.zeros(n, np.int32), new_meta(), np.zeros((n_links, LINK_WIDTH), np.int32)
    table, done = np.array(steps, np.int32), 0
    while done < len(table):
        done = run(table, done, arena, head, queue, meta, links, frozen)
        if done < len(table):
            # the step at hand is done again once there is a little more room
            arena = np.concatenate([arena, np.full(7, -5, np.int32)])
    for x, items in lists.items():
        assert arena[head[x, ITEMS] : head[x, ITEMS] + head[x, SIZE]].tolist() == items
        for item in (*range(most), *range(LINK, LINK + most)):
            assert has(arena, head, x, item) == (item in items)
    for link, items in implied.items():
        start, size = links[link, IMPLIED : IMPLIED + 2]
        assert arena[start : start + size].tolist() == items
    assert queue[: meta[QUEUE_LENGTH]].tolist() == queued
    for x in range(n):
        assert head[x, QUEUED] == (x in queued)
        assert x in closed or head[x, LOG] != CLOSED
        found, at = [], head[x, HEIR] - 1
        while at >= 0:
            found.append(int(at))
            at = head[at, NEXT_HEIR] - 1
        assert found == heirs[x]


@pytest.mark.parametrize("first", range(6))
def test_the_worklist_goes_round(first: int) -> None:
    """Contexts come to the end of a worklist that begins anywhere in its room, and to nothing beyond the room."""
    n, room = 5, 6
    head, meta = np.zeros((n, HEAD_WIDTH), np.int32), new_meta()
    # what lies behind the room is somebody else's
    memory = np.full(room + 3, -7, np.int32)
    meta[QUEUE_FIRST] = first
    order = [3, 0, 4, 1, 2]
    steps = [step for x in order for step in ((BEGIN, x, -1), (DERIVE, x, 2), (DERIVE, x, 9), (DERIVE, order[0], x))]
    done = run(
        np.array(steps, np.int32),
        0,
        np.zeros(1 << 10, np.int32),
        head,
        memory[:room],
        meta,
        np.zeros((1, 8), np.int32),
        0,
    )
    assert done == len(steps)
    assert [int(memory[(first + k) % room]) for k in range(n)] == order
    assert memory[room:].tolist() == [-7] * 3
    assert memory[(first + n) % room] == -7
    assert (meta[QUEUE_FIRST], meta[QUEUE_LENGTH]) == (first, n)


@pytest.mark.parametrize("seed", range(8))
def test_blocks_that_are_given_back_serve_others(seed: int) -> None:
    """Contexts that open and close in turn need no more room than one that is open and all that are closed."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(5, 60))
    n = 40
    items = [(DERIVE, x, int(i)) for x in range(n) for i in range(size)]
    steps = [step for x in range(n) for step in ((BEGIN, x, -1), *items[x * size : (x + 1) * size], (CLOSE, x, 0))]
    arena, head, queue = np.zeros(1 << 16, np.int32), np.zeros((n, HEAD_WIDTH), np.int32), np.zeros(n, np.int32)
    meta = new_meta()
    assert run(np.array(steps, np.int32), 0, arena, head, queue, meta, np.zeros((1, LINK_WIDTH), np.int32), 0) == len(
        steps
    )
    # a closed list has at most half as much again as it needs; one open context has at most 3 · 2 words for each item
    assert meta[TOP_OF_ARENA] <= FIRST_WORD + n * max(1.5 * size, size + 2) + 24 + 12 * size


@pytest.mark.parametrize("seed", range(10))
def test_links_are_numbered_found_again_and_forgotten(seed: int) -> None:
    rng = np.random.default_rng(seed)
    count = int(rng.choice([3, 30, 120]))
    first, second = (
        np.stack([rng.integers(0, 4, count), rng.integers(0, 25, count)]).astype(np.int32) for _ in range(2)
    )
    links, meta = np.full((4 * count, LINK_WIDTH), 9, np.int32), new_meta()
    slots = np.full(1 << (4 * count).bit_length(), -1, np.int32)
    known: dict[tuple[int, int], int] = {}

    def ask(pairs: Ints) -> None:
        wanted = [known.setdefault(pair, LINK + len(known)) for pair in zip(*pairs.tolist(), strict=True)]
        items = np.empty(len(wanted), np.int32)
        number_links(np.ascontiguousarray(pairs.T), links, slots, meta, items)
        assert items.tolist() == wanted
        assert meta[N_LINKS] == len(known)
        assert {tuple(row) for row in links[: len(known), [ROLE, TARGET]].tolist()} == set(known)

    ask(first)
    before = len(known)
    assert not links[:before, IMPLIED:].any()
    ask(second)
    ask(first)
    # some of the first that were made use of for a while, in a chain
    used = rng.permutation(before)[: before // 2].tolist()
    links[:before, IMPLIED:] = 7
    for link, following in zip(used, [*used[1:], -1], strict=True):
        links[link, NEXT] = following + 1
    meta[TEMPORARY] = (used[0] if used else -1) + 1
    forget_links(links, slots, meta, before)
    assert meta[TEMPORARY] == 0
    assert (slots >= 0).sum() == meta[N_LINKS] == before
    for link in range(before):
        assert (links[link, IMPLIED : ACTIVE + 1] == (0 if link in used else 7)).all()
    known = dict(list(known.items())[:before])
    links[:before, IMPLIED:] = 0
    ask(first)
    ask(second)
    # a larger table has them all again, and so has one in which they stand close together
    for size in (4 * len(slots), 1 << len(known).bit_length()):
        slots = np.full(size, -1, np.int32)
        rehash_links(links, slots, meta)
        assert sorted(slots[slots >= 0].tolist()) == list(range(len(known)))
        ask(second)
        ask(first)
    assert meta[QUEUE_FIRST] == 0
    assert (links[: len(known), SOURCE] == 0).all()


def test_a_list_is_given_room_as_often_as_it_needs_some() -> None:
    state, many = SaturationState(2, 0), np.random.default_rng(5).permutation(np.arange(1, 30_000, dtype=np.int32))
    state.add_queries(np.full(2, -1, np.int32))
    state.derive(np.arange(len(many), dtype=np.int32) % 2, many)
    for x in range(2):
        start, size = state.head[x, ITEMS], state.head[x, SIZE]
        assert state.arena[start : start + size].tolist() == [TOP, *many[x::2].tolist()]


@pytest.mark.parametrize("seed", range(6))
def test_everything_is_renumbered_and_nothing_twice(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, n_roles = 9, 4
    state = SaturationState(n, 0)
    pairs = np.unique(np.stack([rng.integers(0, n_roles, 12), rng.integers(0, n, 12)], axis=1), axis=0).astype(np.int32)
    links = state.links(pairs).tolist()
    assert links == [LINK + i for i in range(len(pairs))]
    state.add_queries(np.full(n, -1, np.int32))
    lists = {
        x: [TOP, *rng.permutation(np.arange(1, n))[:4].tolist(), *rng.permutation(links)[:3].tolist()] for x in range(n)
    }
    lists[0] += [LINK] if LINK not in lists[0] else []
    for x, items in lists.items():
        state.derive(np.full(len(items), x, np.int32), np.array(items, np.int32))
    implied = {link: rng.permutation([*range(n), *links])[: link % 5].tolist() for link in range(len(pairs))}
    steps = np.array([(REMEMBER, link, item) for link, items in implied.items() for item in items], np.int32)
    assert run(steps, 0, state.arena, state.head, state.queue, state.meta, state.link_rows, 0) == len(steps)
    sources: dict[int, list[int]] = {}
    for link in range(len(pairs)):
        sources[link] = rng.integers(0, n, link % 4).tolist()
        for x in reversed(sources[link]):
            node = int(state.meta[TOP_OF_ARENA])
            state.arena[node : node + 2] = x, state.link_rows[link, SOURCE]
            state.link_rows[link, SOURCE], state.meta[TOP_OF_ARENA] = node, node + 2
    heirs = rng.integers(0, n + 1, (n, 2)).astype(np.int32)
    state.head[:n, [HEIR, NEXT_HEIR]] = heirs
    # two classes come in between, and roles change places
    class_map = np.sort(rng.permutation(np.arange(1, n + 2))[: n - 1]).astype(np.int32)
    class_map, role_map = np.append(np.int32(0), class_map), rng.permutation(n_roles).astype(np.int32)
    state.renumber(class_map, role_map, n + 2)

    def renumbered(items: list[int]) -> list[int]:
        return [int(class_map[item]) if item < LINK else item for item in items]

    for x, items in lists.items():
        at, size = state.head[class_map[x], [ITEMS, SIZE]]
        assert state.arena[at : at + size].tolist() == renumbered(items)
        expected = [class_map[heir - 1] + 1 if heir else 0 for heir in heirs[x]]
        assert state.head[class_map[x], [HEIR, NEXT_HEIR]].tolist() == expected
    for empty in set(range(n + 2)) - set(class_map.tolist()):
        assert not state.head[empty].any()
    for link, (role, target) in enumerate(pairs.tolist()):
        assert state.link_rows[link, [ROLE, TARGET]].tolist() == [role_map[role], class_map[target]]
        at, size = state.link_rows[link, IMPLIED : IMPLIED + 2]
        assert state.arena[at : at + size].tolist() == renumbered(implied[link])
        found, node = [], int(state.link_rows[link, SOURCE])
        while node:
            found.append(int(state.arena[node]))
            node = int(state.arena[node + 1])
        assert found == renumbered(sources[link])
    again = np.stack([role_map[pairs[:, 0]], class_map[pairs[:, 1]]], axis=1).astype(np.int32)
    assert state.links(again).tolist() == links


def empty_memory(words: int, contexts: int) -> tuple[Ints, Ints, Ints, Longs, Ints]:
    """Arena, head, queue, meta and links of contexts of which none has begun."""
    head, queue = np.zeros((contexts, HEAD_WIDTH), np.int32), np.zeros(contexts + 1, np.int32)
    return np.zeros(words, np.int32), head, queue, new_meta(), np.zeros((1, LINK_WIDTH), np.int32)


@kernel
def opened(arena: Ints, head: Ints, meta: Longs, x: int) -> bool:
    return enlarge(arena, head, meta, x)


@pytest.mark.parametrize("size", [0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 15, 16, 17, 22, 23, 31, 32, 46, 47, 48])
def test_open_contexts_have_room_for_more(size: int) -> None:
    """One item where a list is opened; a copy is three quarters full at most, with two more items."""
    arena, head, queue, meta, links = empty_memory(2_000, 2)
    items = [7 * i + 3 for i in range(size)]
    steps = [(BEGIN, 0, -1), *((DERIVE, 0, item) for item in items), (CLOSE, 0, 0), (BEGIN, 1, 0)]
    assert run(np.array(steps, np.int32), 0, arena, head, queue, meta, links, 5) == len(steps)
    assert opened(arena, head, meta, 0)
    assert head[0, LOG] == next(log for log in range(3, 9) if 2**log >= size + 1)
    assert head[1, LOG] == next(log for log in range(3, 9) if 3 * 2**log >= 4 * (size + 2))
    for x in (0, 1):
        assert arena[head[x, ITEMS] : head[x, ITEMS] + head[x, SIZE]].tolist() == items
        assert [item for item in range(7 * size + 9) if has(arena, head, x, item)] == items


def test_blocks_are_used_again_before_there_are_new_ones() -> None:
    arena, head, queue, meta, links = empty_memory(400, 4)

    def done(*steps: tuple[int, int, int]) -> int:
        assert run(np.array(steps, np.int32), 0, arena, head, queue, meta, links, 9) == len(steps)
        return int(meta[TOP_OF_ARENA])

    first = done((BEGIN, 0, -1), (DERIVE, 0, 5))
    assert first == FIRST_WORD + 3 * 8
    closed = done((CLOSE, 0, 0))
    assert closed == first + 1
    assert done((BEGIN, 1, -1)) == closed, "in the block of the first, which is closed"
    assert head[1, ITEMS] == FIRST_WORD
    assert done((BEGIN, 2, -1), (BEGIN, 3, -1)) == closed + 2 * 3 * 8


def test_room_grows_by_half_or_is_doubled_and_links_stay_in_a_table_half_empty() -> None:
    state = SaturationState(3, 5_000)
    assert len(state.arena) == 5_000
    state.arena_for(4_999)
    assert len(state.arena) == 5_000
    state.enlarge_arena()
    assert len(state.arena) == 7_500
    state.arena_for(20_000)
    assert len(state.arena) == 20_000
    for count, rows, slots in ((1024, 1024, 2048), (1025, 2048, 4096), (2049, 4096, 8192), (9000, 9000, 32768)):
        state.links(np.stack([np.arange(count), np.arange(count)[::-1]], axis=1).astype(np.int32)[state.n_links :])
        assert (state.n_links, len(state.link_rows), len(state.link_slots)) == (count, rows, slots)
    found = state.links(np.array([[8999, 0], [3000, 5999], [0, 1023]], np.int32))
    assert found.tolist() == [LINK + 8999, LINK + 3000, LINK]
    assert (state.n_links, len(state.link_rows), len(state.link_slots)) == (9000, 18_000, 65_536)
