"""Kernels of the paper's closure: asserted rows as sorted keys, one class of a question replaced at a time."""

from __future__ import annotations

import numpy as np

from elgeo.arrays import Flags, Ints, Keys, Starts
from elgeo.compilation import kernel
from elgeo.keys import lower_bound


@kernel
def any_above(keys: Keys, base: Keys, step: int, movers: Ints, start: Starts, subsumers: Ints, found: Flags) -> None:
    """Mark rows that are asserted once the class `movers[i]` is replaced by one of its superclasses.

    The key of row i with class x in that place is `base[i] + x · step`.
    """
    for i in range(base.size):
        if found[i]:
            continue
        for k in range(start[movers[i]], start[movers[i] + 1]):
            wanted = base[i] + subsumers[k] * step
            at = lower_bound(keys, 0, keys.size, wanted)
            if at < keys.size and keys[at] == wanted:
                found[i] = True
                break


@kernel
def any_pair(
    first: Ints,
    second: Ints,
    group_start: Starts,
    groups: Ints,
    queries: Ints,
    start: Starts,
    subsumers: Ints,
    unsatisfiable: Flags,
    found: Flags,
) -> None:
    """Mark pairs (c, d) that are asserted in their group once one of the two is replaced by a superclass.

    Group g has the asserted pairs `first[k], second[k]` for k from `group_start[g]`; usually they are few.
    """
    for i in range(groups.size):
        c, d = queries[i, 0], queries[i, 1]
        for k in range(group_start[groups[i]], group_start[groups[i] + 1]):
            if second[k] == d:
                mover, above = c, first[k]
            elif first[k] == c:
                mover, above = d, second[k]
            else:
                continue
            end = start[mover + 1]
            at = lower_bound(subsumers, start[mover], end, above)
            if unsatisfiable[mover] or (at < end and subsumers[at] == above):
                found[i] = True
                break


@kernel
def any_below(
    keys: Keys, left: Keys, n: int, last: Ints, start: Starts, subsumers: Ints, unsatisfiable: Flags, found: Flags
) -> None:
    """Mark rows that are asserted once their last class is replaced by one of its subclasses.

    `keys` are left · n + last class.
    """
    for i in range(left.size):
        at = lower_bound(keys, 0, keys.size, left[i] * n)
        while not found[i] and at < keys.size and keys[at] < (left[i] + 1) * n:
            below = keys[at] - left[i] * n
            end = start[below + 1]
            place = lower_bound(subsumers, start[below], end, last[i])
            found[i] = unsatisfiable[below] or (place < end and subsumers[place] == last[i])
            at += 1


@kernel
def tails_by_above(
    keys: Keys, n: int, base: Keys, step: int, movers: Ints, start: Starts, subsumers: Ints, unsatisfiable: Flags
) -> tuple[Keys, Ints]:
    """Pairs (i, tail): the last classes asserted of left side i with `movers[i]` replaced by a superclass.

    An unsatisfiable class is below every class. Pairs may come more than once.
    """
    size, filling = 0, False
    rows, tails = np.empty(0, np.int64), np.empty(0, np.int32)
    # the first round counts, the second fills
    for _ in range(2):
        if filling:
            rows, tails = np.empty(size, np.int64), np.empty(size, np.int32)
        size = 0
        for i in range(base.size):
            low, high = start[movers[i]], start[movers[i] + 1]
            everything = unsatisfiable[movers[i]]
            if everything:
                low, high = np.int64(0), np.int64(n)
            for k in range(low, high):
                above = k if everything else np.int64(subsumers[k])
                prefix = base[i] + above * step
                at = lower_bound(keys, 0, keys.size, prefix * n)
                while at < keys.size and keys[at] < (prefix + 1) * n:
                    if filling:
                        rows[size] = i
                        tails[size] = keys[at] - prefix * n
                    size += 1
                    at += 1
        filling = True
    return rows, tails


@kernel
def tails_of_classes(
    rest: Keys, head_start: Starts, n: int, start: Starts, subsumers: Ints, unsatisfiable: Flags, room: int
) -> tuple[Keys, Starts]:
    """For each class the rest (role · n + last class) of its rows in the closure, ascending, and where each starts.

    The asserted rows of class c are `rest[head_start[c]:head_start[c + 1]]`; `room` bounds the rows of all classes
    before equal ones are one.
    """
    found = np.empty(room, np.int64)
    class_start = np.zeros(n + 1, np.int64)
    size = 0
    for c in range(n):
        first = size
        for k in range(head_start[c], head_start[c + 1]):
            last = rest[k] % n
            everything = unsatisfiable[last]
            for i in range(n if everything else start[last + 1] - start[last]):
                found[size] = rest[k] - last + (i if everything else subsumers[start[last] + i])
                size += 1
        low, high = start[c], start[c + 1]
        if unsatisfiable[c]:
            low, high = np.int64(0), np.int64(n)
        for i in range(low, high):
            above = i if unsatisfiable[c] else np.int64(subsumers[i])
            for k in range(head_start[above], head_start[above + 1]):
                found[size] = rest[k]
                size += 1
        mine = np.sort(found[first:size])
        size = first
        for i in range(mine.size):
            if i == 0 or mine[i] != mine[i - 1]:
                found[size] = mine[i]
                size += 1
        class_start[c + 1] = size
    return found[:size].copy(), class_start
