"""The memory of the saturation kernel: contexts of classes and links, in one arena of integers.

X, Y, Z are classes and each has a context: S(X), a list that is its own worklist. An item of S(X) is a class (X ⊑ C), a
hidden item, or a link ∃r.Y. While X is worked on its context is open, with a hash table behind the list; then it is
closed, and only the list is kept: the table's memory serves the next context while the processor still has it at hand.
A context also knows the links that lead to it (`INCOMING`). A link ∃r.Y knows what follows from it (`IMPLIED`), found
once for all X that have it, and those X (`SOURCE`).

All of varying size lives in `arena`; `head[X]` and `links[e]` say where. Nothing here grows an array: without room a
function says so, the kernel returns, the caller makes room, and the item at hand is processed again: rules are
idempotent.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from elgeo.arrays import Ints, Longs
from elgeo.compilation import kernel
from elgeo.reasoning.saturation.index import LINK

# columns of `head`
ITEMS, SIZE, LOG, DONE, QUEUED = 0, 1, 2, 3, 4
CLOSED = -1  # as LOG; 0 is a context that has not begun
INCOMING = 5  # 1 + the first link to X; `NEXT` of the link continues
HEIR, NEXT_HEIR = 6, 7  # 1 + the first class that began as a copy of X; 1 + the next one of the same origin
HEAD_WIDTH = 8
# columns of `links`
ROLE, TARGET = 0, 1
IMPLIED = 2  # a vector: offset, size, log of capacity
SOURCE = 5  # offset of the first of a chain of pairs (class, offset of the next); 0 ends it
NEXT, ACTIVE = 6, 7
LINK_WIDTH = 8
# cells of `meta`
TOP_OF_ARENA, QUEUE_FIRST, QUEUE_LENGTH, N_LINKS, REPLAY_CLASS, REPLAY_ITEM, TEMPORARY = 0, 1, 2, 3, 4, 5, 6
FREE_SETS, FREE_VECTORS = 8, 40  # heads of the lists of free blocks, by log of capacity; 0 is an empty one
META_SIZE = 72
FIRST_WORD = 8  # so that offset 0 can mean: none
FINISHED, ARENA_FULL, LINKS_FULL, TOO_EARLY = 0, 1, 2, 3


class Memory(NamedTuple):
    """The arrays that all kernels write to; each unpacks at its head what it needs."""

    arena: Ints
    head: Ints
    links: Ints
    slots: Ints
    """The hash table of links."""
    queue: Ints
    meta: Longs


@kernel(inner=True, counted=False)
def allocate(arena: Ints, meta: Longs, free: int, log: int, words: int) -> int:
    """A block of the arena, used before or new; 0 when there is no room."""
    block = meta[free + log]
    if block:
        meta[free + log] = arena[block]
        return int(block)
    block = meta[TOP_OF_ARENA]
    if block + words > len(arena):
        return 0
    meta[TOP_OF_ARENA] = block + words
    return int(block)


@kernel(inner=True, counted=False)
def release(arena: Ints, meta: Longs, free: int, log: int, block: int) -> None:
    """Keep a block for the next one who needs its size."""
    arena[block] = meta[free + log]
    meta[free + log] = block


@kernel(inner=True, counted=False)
def list_block(size: int) -> tuple[int, int, int]:
    """The smallest kind of block for a closed list: its row of free blocks, log, words (2^k or 3·2^k)."""
    log = 0
    while 1 << log < size:
        log += 1
    if log >= 2 and 3 << (log - 2) >= size:
        return FREE_SETS, log - 2, 3 << (log - 2)
    return FREE_VECTORS, log, 1 << log


@kernel(inner=True, counted=False)
def slot_of(arena: Ints, table: int, log: int, item: int) -> int:
    """Where `item` is, or belongs, in a hash table of 2^(log + 1) slots."""
    mask = (2 << log) - 1
    slot = ((int(item) * 2654435769) & 0xFFFFFFFF) >> int(31 - log)
    while True:
        found = arena[table + slot]
        if found == item or found == -1:
            return table + slot
        slot = (slot + 1) & mask


@kernel(inner=True, counted=False)
def is_listed(arena: Ints, head: Ints, x: int, item: int) -> bool:
    """Whether item ∈ S(X), for contexts without a table."""
    found, wanted = False, np.int32(item)
    # to the end without a way out, in 32 bits: then many are compared at a time
    for k in range(head[x, ITEMS], head[x, ITEMS] + head[x, SIZE]):
        found |= np.int32(arena[k]) == wanted
    return found


@kernel(inner=True, counted=False)
def contains(arena: Ints, head: Ints, x: int, item: int) -> bool:
    """Whether item ∈ S(X)."""
    log = head[x, LOG]
    if log <= 0:
        return is_listed(arena, head, x, item)
    return bool(arena[slot_of(arena, head[x, ITEMS] + (1 << log), log, item)] == item)


@kernel(inner=True, counted=False)
def open_copy(arena: Ints, head: Ints, meta: Longs, x: int, log: int, old: int, size: int) -> bool:
    """Give X an open context of 2^log items that begins with the list at `old`."""
    new = allocate(arena, meta, FREE_SETS, log, 3 << log)
    if not new:
        return False
    table = new + (1 << log)
    for k in range(table, table + (2 << log)):
        arena[k] = -1
    for i in range(size):
        item = arena[old + i]
        arena[new + i] = item
        arena[slot_of(arena, table, log, item)] = item
    head[x, ITEMS], head[x, LOG], head[x, SIZE] = new, log, size
    return True


@kernel(inner=True, counted=False)
def enlarge(arena: Ints, head: Ints, meta: Longs, x: int) -> bool:
    """Double the room of an open context, or open a closed one."""
    old, log, size = head[x, ITEMS], head[x, LOG], head[x, SIZE]
    if log != CLOSED:
        if not open_copy(arena, head, meta, x, log + 1, old, size):
            return False
        release(arena, meta, FREE_SETS, log, old)
        return True
    log = 3
    while 1 << log < size + 1:
        log += 1
    if not open_copy(arena, head, meta, x, log, old, size):
        return False
    free, log, _ = list_block(size)
    release(arena, meta, free, log, old)
    return True


@kernel(inner=True, counted=False)
def close(arena: Ints, head: Ints, meta: Longs, x: int) -> bool:
    """Keep only the list of S(X)."""
    old, log, size = head[x, ITEMS], head[x, LOG], head[x, SIZE]
    free, list_log, words = list_block(size)
    new = allocate(arena, meta, free, list_log, words)
    if not new:
        return False
    for i in range(size):
        arena[new + i] = arena[old + i]
    release(arena, meta, FREE_SETS, log, old)
    head[x, ITEMS], head[x, LOG] = new, CLOSED
    return True


@kernel(inner=True, counted=False)
def add_late(arena: Ints, head: Ints, meta: Longs, x: int, item: int) -> int:
    """Append to the list of a closed context: 1 if it is new, 0 if not, -1 without room. It is opened at its turn."""
    if is_listed(arena, head, x, item):
        return 0
    old, size = head[x, ITEMS], head[x, SIZE]
    free, log, _ = list_block(size)
    new_free, new_log, words = list_block(size + 1)
    if free != new_free or log != new_log:
        new = allocate(arena, meta, new_free, new_log, words)
        if not new:
            return -1
        for i in range(size):
            arena[new + i] = arena[old + i]
        release(arena, meta, free, log, old)
        head[x, ITEMS] = new
    arena[head[x, ITEMS] + size] = item
    return 1


@kernel(inner=True, counted=False)
def derive(arena: Ints, head: Ints, queue: Ints, meta: Longs, x: int, item: int) -> bool:
    """Put item into S(X), whose context has begun, and X on the worklist; False when there is no room."""
    log, size = head[x, LOG], head[x, SIZE]
    if log > 0:
        slot = slot_of(arena, head[x, ITEMS] + (1 << log), log, item)
        if arena[slot] == item:
            return True
        if size == 1 << log:
            if not enlarge(arena, head, meta, x):
                return False
            log = head[x, LOG]
            slot = slot_of(arena, head[x, ITEMS] + (1 << log), log, item)
        arena[slot] = item
        arena[head[x, ITEMS] + size] = item
    else:
        added = add_late(arena, head, meta, x, item)
        if added <= 0:
            return added == 0
    head[x, SIZE] = size + 1
    if head[x, QUEUED] == 0:
        head[x, QUEUED] = 1
        last = meta[QUEUE_FIRST] + meta[QUEUE_LENGTH]
        queue[last if last < len(queue) else last - len(queue)] = x
        meta[QUEUE_LENGTH] += 1
    return True


@kernel(inner=True, counted=False)
def remember(arena: Ints, links: Ints, meta: Longs, link: int, item: int) -> bool:
    """Append to what a link implies."""
    size, log = links[link, IMPLIED + 1], links[link, IMPLIED + 2]
    if size == (0 if log == 0 else 1 << log):
        new_log = max(2, log + 1)
        new = allocate(arena, meta, FREE_VECTORS, new_log, 1 << new_log)
        if not new:
            return False
        old = links[link, IMPLIED]
        for i in range(size):
            arena[new + i] = arena[old + i]
        if log > 0:
            release(arena, meta, FREE_VECTORS, log, old)
        links[link, IMPLIED], links[link, IMPLIED + 2] = new, new_log
    arena[links[link, IMPLIED] + size] = item
    links[link, IMPLIED + 1] = size + 1
    return True


@kernel(inner=True, counted=False)
def begin(arena: Ints, head: Ints, meta: Longs, x: int, parent: int, frozen: int) -> bool:
    """Begin the context of X with an empty S(X), or with a copy of the finished S(D) of a superclass D (not -1).

    Where nobody links to X yet, the copied items need no rules any more: all that follows from them is among them, and
    what will follow X hears from D, as its heir. So it need not become known to all that it links to.
    """
    if parent < 0:
        return open_copy(arena, head, meta, x, 3, 0, 0)
    log, size = 3, head[parent, SIZE]
    # with two more items it is three quarters full at most
    while 3 << log < 4 * (size + 2):
        log += 1
    if not open_copy(arena, head, meta, x, log, head[parent, ITEMS], size):
        return False
    if head[x, INCOMING] > 0:
        return True
    head[x, DONE] = size
    if parent >= frozen:
        head[x, NEXT_HEIR] = head[parent, HEIR]
        head[parent, HEIR] = x + 1
    return True


@kernel(inner=True, counted=False)
def link_slot(slots: Ints, r: int, y: int) -> int:
    """Where the search for ∃r.Y starts."""
    return int(((int(y) * 2654435769 + int(r) * 40503) & 0x7FFFFFFFFFFFFFFF) >> 7 & (len(slots) - 1))


@kernel(inner=True, counted=False)
def add_source(arena: Ints, links: Ints, meta: Longs, link: int, x: int) -> bool:
    """Make a link known to have X at its beginning; false when there is no room."""
    node = meta[TOP_OF_ARENA]
    if node + 2 > len(arena):
        return False
    arena[node], arena[node + 1] = x, links[link, SOURCE]
    links[link, SOURCE] = node
    meta[TOP_OF_ARENA] = node + 2
    return True


@kernel(inner=True, counted=False)
def link_item(links: Ints, slots: Ints, meta: Longs, r: int, y: int) -> int:
    """The item of ∃r.Y, numbered now if it is new; -1 when there is no room."""
    mask = len(slots) - 1
    slot = link_slot(slots, r, y)
    while True:
        link = slots[slot]
        if link < 0:
            break
        if links[link, TARGET] == y and links[link, ROLE] == r:
            return int(LINK + link)
        slot = (slot + 1) & mask
    link = meta[N_LINKS]
    if link >= len(links):
        return -1
    for column in range(LINK_WIDTH):
        links[link, column] = 0
    links[link, ROLE], links[link, TARGET], slots[slot] = r, y, link
    meta[N_LINKS] = link + 1
    return int(LINK + link)
