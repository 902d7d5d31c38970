"""The memory of the saturation kernel: contexts, their items and vectors, in one arena of integers.

X, Y, Z are classes and each has a context: S(X), a list that is its own worklist, with a hash table behind it. An item
of S(X) is a class (X ⊑ C), a hidden item, or a link ∃r.Y. A context also remembers who links to it (`SOURCES`), which
of its items left existentials wait for (`WAITING`), and its links that chains may continue (`ONWARD`). All lives in
`arena`; `head[X]` says where. Nothing here grows an array: without room a function says so, the kernel returns, the
caller makes room, and the item at hand is processed again (rules are idempotent).
"""

from __future__ import annotations

from typing import Any

from numba import njit

from elgeo.reasoning.index import LINK

# columns of `head`
ITEMS, SIZE, LOG, DONE, QUEUED = 0, 1, 2, 3, 4
SOURCES, WAITING, ONWARD = 5, 8, 11  # vectors: (offset, size, log of capacity) each
INHERITED = 14  # so many items, the first, are a superclass's: what follows from them is there too
HEAD_WIDTH = 16
# cells of `meta`
TOP_OF_ARENA, QUEUE_FIRST, QUEUE_LENGTH, N_LINKS, REPLAY_CLASS, REPLAY_ITEM = 0, 1, 2, 3, 4, 5
FREE_SETS, FREE_VECTORS = 8, 40  # heads of the lists of free blocks, by log of capacity
META_SIZE = 72
FINISHED, ARENA_FULL, LINKS_FULL = 0, 1, 2

Array = Any


@njit()
def allocate(arena: Array, meta: Array, free: int, log: int, words: int) -> int:
    """A block of the arena, used before or new; -1 when there is no room."""
    block = meta[free + log]
    if block >= 0:
        meta[free + log] = arena[block]
        return int(block)
    block = meta[TOP_OF_ARENA]
    if block + words > len(arena):
        return -1
    meta[TOP_OF_ARENA] = block + words
    return int(block)


@njit(forceinline=True)
def slot_of(arena: Array, table: int, log: int, item: int) -> int:
    """Where `item` is, or belongs, in a hash table of 2^(log + 1) slots."""
    mask = (2 << log) - 1
    slot = ((int(item) * 2654435769) & 0xFFFFFFFF) >> int(31 - log)
    while True:
        found = arena[table + slot]
        if found == item or found == -1:
            return table + slot
        slot = (slot + 1) & mask


@njit(forceinline=True)
def contains(arena: Array, head: Array, x: int, item: int) -> bool:
    """Whether item ∈ S(X)."""
    log = head[x, LOG]
    return bool(arena[slot_of(arena, head[x, ITEMS] + (1 << log), log, item)] == item)


@njit()
def enlarge(arena: Array, head: Array, meta: Array, x: int) -> bool:
    """Double the room of S(X)."""
    old, log, size = head[x, ITEMS], head[x, LOG], head[x, SIZE]
    new = allocate(arena, meta, FREE_SETS, log + 1, 6 << log)
    if new < 0:
        return False
    table = new + (2 << log)
    arena[table : table + (4 << log)] = -1
    for i in range(size):
        item = arena[old + i]
        arena[new + i] = item
        arena[slot_of(arena, table, log + 1, item)] = item
    arena[old] = meta[FREE_SETS + log]
    meta[FREE_SETS + log] = old
    head[x, ITEMS], head[x, LOG] = new, log + 1
    return True


@njit()
def start(arena: Array, head: Array, meta: Array, x: int, parent: int) -> bool:
    """Begin the context of X with an empty S(X), or with a copy of the finished S(D) of a superclass D (not -1).

    Where nobody links to X yet, the copied items need no rules any more: all that follows from them is among them.
    """
    log = 3 if parent < 0 else head[parent, LOG] + (4 * head[parent, SIZE] > 3 << head[parent, LOG])
    words = 3 << log
    if parent >= 0:
        words += (1 << head[parent, WAITING + 2]) + (1 << head[parent, ONWARD + 2])
    if meta[TOP_OF_ARENA] + words > len(arena):
        return False
    block = allocate(arena, meta, FREE_SETS, log, 3 << log)
    table = block + (1 << log)
    head[x, ITEMS], head[x, LOG], head[x, SIZE] = block, log, 0
    if parent < 0:
        arena[table : table + (2 << log)] = -1
        return True
    old, size = head[parent, ITEMS], head[parent, SIZE]
    if log == head[parent, LOG]:
        for i in range(3 << log):
            arena[block + i] = arena[old + i]
    else:
        arena[table : table + (2 << log)] = -1
        for i in range(size):
            arena[block + i] = arena[old + i]
            arena[slot_of(arena, table, log, arena[old + i])] = arena[old + i]
    head[x, SIZE] = size
    if head[x, SOURCES + 1] == 0:
        head[x, INHERITED] = size
        for vector in (WAITING, ONWARD):
            if head[parent, vector + 2] > 0:
                copy = allocate(arena, meta, FREE_VECTORS, head[parent, vector + 2], 1 << head[parent, vector + 2])
                for i in range(head[parent, vector + 1]):
                    arena[copy + i] = arena[head[parent, vector] + i]
                head[x, vector] = copy
                head[x, vector + 1] = head[parent, vector + 1]
                head[x, vector + 2] = head[parent, vector + 2]
    return True


@njit(forceinline=True)
def derive(arena: Array, head: Array, queue: Array, meta: Array, x: int, item: int) -> bool:
    """Put item into S(X), and X on the worklist; False when there is no room."""
    log = head[x, LOG]
    slot = slot_of(arena, head[x, ITEMS] + (1 << log), log, item)
    if arena[slot] == item:
        return True
    size = head[x, SIZE]
    if size == 1 << log:
        if not enlarge(arena, head, meta, x):
            return False
        log = head[x, LOG]
        slot = slot_of(arena, head[x, ITEMS] + (1 << log), log, item)
    arena[slot] = item
    arena[head[x, ITEMS] + size] = item
    head[x, SIZE] = size + 1
    if head[x, QUEUED] == 0:
        head[x, QUEUED] = 1
        last = meta[QUEUE_FIRST] + meta[QUEUE_LENGTH]
        queue[last if last < len(queue) else last - len(queue)] = x
        meta[QUEUE_LENGTH] += 1
    return True


@njit()
def remember(arena: Array, head: Array, meta: Array, x: int, vector: int, first: int, second: int) -> bool:
    """Append one word, or two where `second` is not negative, to a vector of X."""
    size, log = head[x, vector + 1], head[x, vector + 2]
    words = 1 if second < 0 else 2
    capacity = 0 if log == 0 else 1 << log
    if size + words > capacity:
        new_log = max(2, log + 1)
        new = allocate(arena, meta, FREE_VECTORS, new_log, 1 << new_log)
        if new < 0:
            return False
        old = head[x, vector]
        for i in range(size):
            arena[new + i] = arena[old + i]
        if log > 0:
            arena[old] = meta[FREE_VECTORS + log]
            meta[FREE_VECTORS + log] = old
        head[x, vector], head[x, vector + 2] = new, new_log
    at = head[x, vector] + size
    arena[at] = first
    if second >= 0:
        arena[at + 1] = second
    head[x, vector + 1] = size + words
    return True


@njit(forceinline=True)
def link_slot(link_slots: Array, r: int, y: int) -> int:
    """Where the search for ∃r.Y starts."""
    return int(((int(y) * 2654435769 + int(r) * 40503) & 0x7FFFFFFFFFFFFFFF) >> 7 & (len(link_slots) - 1))


@njit(forceinline=True)
def link_item(link_role: Array, link_target: Array, link_slots: Array, meta: Array, r: int, y: int) -> int:
    """The item of ∃r.Y, numbered now if it is new; -1 when there is no room."""
    mask = len(link_slots) - 1
    slot = link_slot(link_slots, r, y)
    while True:
        link = link_slots[slot]
        if link < 0:
            break
        if link_target[link] == y and link_role[link] == r:
            return int(LINK + link)
        slot = (slot + 1) & mask
    link = meta[N_LINKS]
    if link >= len(link_role):
        return -1
    link_role[link], link_target[link], link_slots[slot] = r, y, link
    meta[N_LINKS] = link + 1
    return int(LINK + link)
