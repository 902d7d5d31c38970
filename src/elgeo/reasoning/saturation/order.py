"""The order in which contexts start: what a class is told to be below or linked to comes first."""

from __future__ import annotations

import numpy as np

from elgeo.arrays import Flags, Ints
from elgeo.compilation import kernel
from elgeo.reasoning.saturation.index import HIDDEN, LINK, Told
from elgeo.reasoning.saturation.memory import TARGET


def targets_first(table: Told, links: Ints, n: int) -> Ints:
    """All n classes in postorder of a depth-first walk along told items.

    When a class is processed, most of what it links to is finished: its rules find everything in one go, and little is
    sent backwards to contexts that the processor's cache has forgotten.
    """
    order, stack, place = (np.empty(n, np.int32) for _ in range(3))
    _walk(table, links, order, np.zeros(n, np.bool_), stack, place)
    return order


@kernel(counted=False)
def _walk(table: Told, links: Ints, order: Ints, seen: Flags, stack: Ints, place: Ints) -> None:
    """Fill `order`; the others are room for the walk."""
    told_start, told = table.start, table.item
    count = 0
    for root in range(len(order)):
        if seen[root]:
            continue
        seen[root] = True
        stack[0], place[0] = root, told_start[root]
        depth = 1
        while depth:
            x, k = stack[depth - 1], place[depth - 1]
            if k == told_start[x + 1]:
                order[count] = x
                count += 1
                depth -= 1
                continue
            place[depth - 1] = k + 1
            y = told[k] if told[k] < HIDDEN else links[told[k] - LINK, TARGET] if told[k] >= LINK else x
            if not seen[y]:
                seen[y] = True
                stack[depth], place[depth] = y, told_start[y]
                depth += 1
