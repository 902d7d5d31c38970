"""What individuals say about the whole domain: they exist, and each is one element only."""

from __future__ import annotations

import numpy as np

from elgeo.arrays import Array, Flags, Table
from elgeo.compilation import kernel
from elgeo.ontology.vocabulary import BOTTOM, TOP
from elgeo.reasoning.saturation.index import HIDDEN, LINK, Hidden
from elgeo.reasoning.saturation.memory import ITEMS, SIZE, TARGET, contains
from elgeo.reasoning.saturation.state import SaturationState


def consequences(state: SaturationState, n: int, hidden: Hidden, nominal: Flags) -> Table:
    """Inclusions C ⊑ item that follow from the existence of individuals, and are not derived yet.

    - ⊥ ∈ S({a})  ⟹  ⊤ ⊑ ⊥
    - ∃U.C ∈ S({a})  ⟹  ⊤ ⊑ ∃U.C
    - {a} ∈ S(Y), Y reached from ⊤, an individual or X itself  ⟹  {a} ⊑ Y or, where X ⊑ {a}, X ⊑ Y
    """
    individuals = np.flatnonzero(nominal)
    if not len(individuals):
        return np.empty((0, 2), np.int32)
    everywhere = [BOTTOM, *range(HIDDEN, hidden.first_loop)]
    top = np.array([TOP], np.int64)
    found = [
        item
        for item in everywhere
        if _contains_any(state.arena, state.head, individuals, item)
        and not _contains_any(state.arena, state.head, top, item)
    ]
    rows = np.array([(TOP, item) for item in found], np.int32).reshape(-1, 2)
    if BOTTOM in found:
        return rows
    return np.concatenate([rows, _same_rows(state, np.concatenate([top, individuals]), nominal, n)])


def _same_rows(state: SaturationState, existing: Array, nominal: Flags, n: int) -> Table:
    """Rows (C, Y) with C ⊑ Y because both are the same single element."""
    rows = np.empty((64, 2), np.int32)
    while True:
        reached, mark, stack = np.zeros(n, np.bool_), np.zeros(n, np.int32), np.empty(n, np.int32)
        found = _same_elements(state.arena, state.head, state.link_rows, nominal, existing, reached, mark, stack, rows)
        if found <= len(rows):
            return rows[:found]
        rows = np.empty((found, 2), np.int32)


@kernel(counted=False)
def _contains_any(arena: Array, head: Array, contexts: Array, item: int) -> bool:
    for i in range(len(contexts)):  # noqa: SIM110 (numba has no generators in any())
        if contains(arena, head, contexts[i], item):
            return True
    return False


@kernel(inner=True, counted=False)
def _add(rows: Array, count: int, c: int, y: int) -> int:
    if count < len(rows):
        rows[count, 0], rows[count, 1] = c, y
    return count + 1


@kernel(inner=True, counted=False)
def _reach(arena: Array, head: Array, links: Array, mark: Array, stack: Array, length: int, epoch: int) -> int:
    """Mark all that links lead to from the first `length` entries of the stack, which stay in it; the new length."""
    done = 0
    while done < length:
        x = stack[done]
        done += 1
        for k in range(head[x, SIZE]):
            link = arena[head[x, ITEMS] + k] - LINK
            if link >= 0 and mark[links[link, TARGET]] != epoch:
                mark[links[link, TARGET]] = epoch
                stack[length] = links[link, TARGET]
                length += 1
    return length


@kernel(counted=False)
def _same_elements(
    arena: Array, head: Array, links: Array, nominal: Array, existing: Array,
    reached: Array, mark: Array, stack: Array, rows: Array,
) -> int:  # fmt: skip
    """Fill in the rows as far as there is room; how many there are."""
    n, count = len(mark), 0
    for i in range(len(existing)):
        stack[i] = existing[i]
        mark[existing[i]] = 1
    length = _reach(arena, head, links, mark, stack, len(existing), 1)
    for i in range(length):
        y = stack[i]
        reached[y] = True
        for k in range(head[y, SIZE]):
            a = arena[head[y, ITEMS] + k]
            if a < n and a != y and nominal[a] and not contains(arena, head, a, y):
                count = _add(rows, count, a, y)
    epoch = 1
    for x in range(n):
        if reached[x]:
            continue
        for k in range(head[x, SIZE]):
            a = arena[head[x, ITEMS] + k]
            if a < n and nominal[a]:
                epoch += 1
                mark[x], stack[0] = epoch, x
                length = _reach(arena, head, links, mark, stack, 1, epoch)
                for i in range(1, length):
                    y = stack[i]
                    if contains(arena, head, y, a) and not contains(arena, head, x, y):
                        count = _add(rows, count, x, y)
    return count
