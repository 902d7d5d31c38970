"""Work on the memory of a saturation between its runs: begin queries, number links, forget, renumber."""

from __future__ import annotations

from elgeo.arrays import Array, Longs
from elgeo.compilation import kernel
from elgeo.ontology.vocabulary import TOP
from elgeo.reasoning.saturation.index import LINK
from elgeo.reasoning.saturation.memory import (
    ACTIVE,
    HEIR,
    IMPLIED,
    ITEMS,
    LOG,
    N_LINKS,
    NEXT,
    NEXT_HEIR,
    QUEUE_LENGTH,
    QUEUED,
    ROLE,
    SIZE,
    SOURCE,
    TARGET,
    TEMPORARY,
    begin,
    derive,
    link_item,
    link_slot,
)


@kernel(counted=False)
def begin_queries(arena: Array, head: Array, queue: Array, meta: Longs, first: int, parents: Array, done: int) -> int:
    """Begin contexts first, first + 1, … with the items of `parents` (-1: none) and ⊤; how many are done."""
    for i in range(done, len(parents)):
        x = first + i
        if head[x, LOG] == 0 and not begin(arena, head, meta, x, parents[i], first):
            return i
        derive(arena, head, queue, meta, x, TOP)
        if head[x, QUEUED] == 0:
            head[x, QUEUED] = 1
            queue[meta[QUEUE_LENGTH]] = x
            meta[QUEUE_LENGTH] += 1
    return len(parents)


@kernel(counted=False)
def derive_items(
    arena: Array, head: Array, queue: Array, meta: Longs, contexts: Array, items: Array, first: int
) -> int:
    """Put items[i] into S(contexts[i]) from i = first on; how many are done, fewer than all where there is no room."""
    for i in range(first, len(contexts)):
        if not derive(arena, head, queue, meta, contexts[i], items[i]):
            return i
    return len(contexts)


@kernel(counted=False)
def number_links(pairs: Array, links: Array, slots: Array, meta: Longs, items: Array) -> None:
    """Fill in the items of ∃r.Y for rows (r, y); the table of links has room."""
    for i in range(len(pairs)):
        items[i] = link_item(links, slots, meta, pairs[i, 0], pairs[i, 1])


@kernel(counted=False)
def rehash_links(links: Array, slots: Array, meta: Longs) -> None:
    """Fill an empty table of slots."""
    mask = len(slots) - 1
    for link in range(meta[N_LINKS]):
        slot = link_slot(slots, links[link, ROLE], links[link, TARGET])
        while slots[slot] >= 0:
            slot = (slot + 1) & mask
        slots[slot] = link


@kernel(counted=False)
def forget_links(links: Array, slots: Array, meta: Longs, first: int) -> None:
    """Take the links numbered from `first` on out of the table, the last first: then no other moves."""
    link = meta[TEMPORARY] - 1
    while link >= 0:
        following = links[link, NEXT] - 1
        for column in range(IMPLIED, ACTIVE + 1):
            links[link, column] = 0
        link = following
    meta[TEMPORARY] = 0
    mask = len(slots) - 1
    for link in range(meta[N_LINKS] - 1, first - 1, -1):
        slot = link_slot(slots, links[link, ROLE], links[link, TARGET])
        while slots[slot] != link:
            slot = (slot + 1) & mask
        slots[slot] = -1
    meta[N_LINKS] = min(meta[N_LINKS], first)


@kernel(counted=False)
def renumber_contexts(
    arena: Array, head: Array, links: Array, meta: Longs, n: int, class_map: Array, role_map: Array
) -> None:
    """Replace class and role ids in all that n closed contexts and the links hold; no hidden items are in use."""
    for x in range(n):
        for k in range(head[x, ITEMS], head[x, ITEMS] + head[x, SIZE]):
            if arena[k] < LINK:
                arena[k] = class_map[arena[k]]
        for column in (HEIR, NEXT_HEIR):
            if head[x, column] > 0:
                head[x, column] = class_map[head[x, column] - 1] + 1
    for link in range(meta[N_LINKS]):
        links[link, ROLE], links[link, TARGET] = role_map[links[link, ROLE]], class_map[links[link, TARGET]]
        for k in range(links[link, IMPLIED], links[link, IMPLIED] + links[link, IMPLIED + 1]):
            if arena[k] < LINK:
                arena[k] = class_map[arena[k]]
        node = links[link, SOURCE]
        while node > 0:
            arena[node] = class_map[arena[node]]
            node = arena[node + 1]
