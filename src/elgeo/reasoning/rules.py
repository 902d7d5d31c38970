"""The completion rules of EL++, one function each: what follows when an item arrives in S(X).

A rule returns False, or a status, when the arena or the table of links has no room. A rule whose two premises may
arrive in either order is two functions, one for each premise that can come last.
"""

from __future__ import annotations

from typing import Any

from numba import njit

from elgeo.reasoning.arena import (
    ARENA_FULL,
    FINISHED,
    ITEMS,
    LINKS_FULL,
    ONWARD,
    SIZE,
    SOURCES,
    WAITING,
    contains,
    derive,
    link_item,
)
from elgeo.reasoning.index import HIDDEN, LINK

Array = Any


@njit(forceinline=True)
def told_subsumers(
    start: Array, told: Array, row: int, arena: Array, head: Array, queue: Array, meta: Array, x: int
) -> bool:
    """C ∈ S(X), C ⊑ D  ⟹  D ∈ S(X);   C ∈ S(X), C ⊑ ∃r.Y  ⟹  ∃r.Y ∈ S(X)."""
    for i in range(start[row], start[row + 1]):  # noqa: SIM110 (numba has no generators in all())
        if not derive(arena, head, queue, meta, x, told[i]):
            return False
    return True


@njit(forceinline=True)
def conjunctions(
    start: Array, other: Array, result: Array, n: int, row: int, c: int,
    arena: Array, head: Array, queue: Array, meta: Array, x: int,
) -> bool:  # fmt: skip
    """C, D ∈ S(X), C ⊓ D ⊑ E  ⟹  E ∈ S(X)."""
    low, high = start[row], start[row + 1]
    if high - low <= 2 * head[x, SIZE]:
        for i in range(low, high):
            if contains(arena, head, x, other[i]) and not derive(arena, head, queue, meta, x, result[i]):
                return False
        return True
    # a long row: walk S(X) instead, and look each pair up in the shorter of its two rows
    for k in range(head[x, SIZE]):
        d = arena[head[x, ITEMS] + k]
        if d >= LINK:
            continue
        d_row = d if d < HIDDEN else d - HIDDEN + n
        d_low, d_high = start[d_row], start[d_row + 1]
        if d_low == d_high:
            continue
        wanted, lo, hi = c, d_low, d_high
        if d_high - d_low > high - low:
            wanted, lo, hi = d, low, high
        end = hi
        while lo < hi:
            middle = (lo + hi) >> 1
            if other[middle] < wanted:
                lo = middle + 1
            else:
                hi = middle
        while lo < end and other[lo] == wanted:
            if not derive(arena, head, queue, meta, x, result[lo]):
                return False
            lo += 1
    return True


@njit(forceinline=True)
def existentials_of_sources(
    start: Array, role: Array, result: Array, below: Array, row: int,
    arena: Array, head: Array, queue: Array, meta: Array, y: int,
) -> bool:  # fmt: skip
    """C ∈ S(Y), ∃r.Y ∈ S(X), r ⊑ s, ∃s.C ⊑ D  ⟹  D ∈ S(X);   with C = D = ⊥: a link to nothing is nothing."""
    for k in range(0, head[y, SOURCES + 1], 2):
        r, x = arena[head[y, SOURCES] + k], arena[head[y, SOURCES] + k + 1]
        for i in range(start[row], start[row + 1]):
            if below[r, role[i]] and not derive(arena, head, queue, meta, x, result[i]):
                return False
    return True


@njit(forceinline=True)
def existentials_of_link(
    start: Array, role: Array, result: Array, below: Array, n: int, r: int, y: int,
    arena: Array, head: Array, queue: Array, meta: Array, x: int,
) -> bool:  # fmt: skip
    """∃r.Y ∈ S(X), C ∈ S(Y), r ⊑ s, ∃s.C ⊑ D  ⟹  D ∈ S(X): the same rule when the link comes last."""
    for k in range(head[y, WAITING + 1]):
        c = arena[head[y, WAITING] + k]
        row = c if c < HIDDEN else c - HIDDEN + n
        for i in range(start[row], start[row + 1]):
            if below[r, role[i]] and not derive(arena, head, queue, meta, x, result[i]):
                return False
    return True


@njit(forceinline=True)
def chains_onward(
    left: Array, right: Array, width: int, start: Array, composed: Array, r: int, y: int,
    link_role: Array, link_target: Array, link_slots: Array, arena: Array, head: Array, queue: Array, meta: Array,
    x: int,
) -> int:  # fmt: skip
    """∃r.Y ∈ S(X), ∃s.Z ∈ S(Y), r ∘ s ⊑ t  ⟹  ∃t.Z ∈ S(X), when the first link comes last."""
    if left[r] == 0:
        return FINISHED
    for k in range(head[y, ONWARD + 1]):
        link = arena[head[y, ONWARD] + k] - LINK
        s, z = link_role[link], link_target[link]
        key = left[r] * width + right[s]
        for i in range(start[key], start[key + 1]):
            item = link_item(link_role, link_target, link_slots, meta, composed[i], z)
            if item < 0:
                return LINKS_FULL
            if not derive(arena, head, queue, meta, x, item):
                return ARENA_FULL
    return FINISHED


@njit(forceinline=True)
def chains_of_sources(
    left: Array, right: Array, width: int, start: Array, composed: Array, s: int, z: int,
    link_role: Array, link_target: Array, link_slots: Array, arena: Array, head: Array, queue: Array, meta: Array,
    y: int,
) -> int:  # fmt: skip
    """∃r.Y ∈ S(X), ∃s.Z ∈ S(Y), r ∘ s ⊑ t  ⟹  ∃t.Z ∈ S(X), when the second link comes last."""
    if right[s] == 0:
        return FINISHED
    for k in range(0, head[y, SOURCES + 1], 2):
        r, x = arena[head[y, SOURCES] + k], arena[head[y, SOURCES] + k + 1]
        key = left[r] * width + right[s]
        for i in range(start[key], start[key + 1]):
            item = link_item(link_role, link_target, link_slots, meta, composed[i], z)
            if item < 0:
                return LINKS_FULL
            if not derive(arena, head, queue, meta, x, item):
                return ARENA_FULL
    if z == y and left[s] != 0:
        # the link meets itself: ∃s.Y ∈ S(Y) twice in a row
        key = left[s] * width + right[s]
        for i in range(start[key], start[key + 1]):
            item = link_item(link_role, link_target, link_slots, meta, composed[i], z)
            if item < 0:
                return LINKS_FULL
            if not derive(arena, head, queue, meta, y, item):
                return ARENA_FULL
    return FINISHED


@njit()
def chains_with_loops(
    chains: Array, below: Array, first_loop: int, r: int, y: int,
    link_role: Array, link_target: Array, link_slots: Array, arena: Array, head: Array, queue: Array, meta: Array,
    x: int,
) -> int:  # fmt: skip
    """r ∘ s ⊑ t:   ∃r.Self, ∃s.Y ∈ S(X)  ⟹  ∃t.Y ∈ S(X);   ∃r.Y ∈ S(X), ∃s.Self ∈ S(Y)  ⟹  ∃t.Y ∈ S(X)."""
    for k in range(len(chains)):
        first, second, t = chains[k, 0], chains[k, 1], chains[k, 2]
        before = below[r, second] and contains(arena, head, x, first_loop + first)
        after = below[r, first] and head[y, SIZE] > 0 and contains(arena, head, y, first_loop + second)
        if before or after:
            item = link_item(link_role, link_target, link_slots, meta, t, y)
            if item < 0:
                return LINKS_FULL
            if not derive(arena, head, queue, meta, x, item):
                return ARENA_FULL
    return FINISHED


@njit()
def links_meet_loop(
    chains: Array, below: Array, first_loop: int,
    link_role: Array, link_target: Array, link_slots: Array, arena: Array, head: Array, queue: Array, meta: Array,
    x: int,
) -> int:  # fmt: skip
    """The rule `chains_with_loops` for all links of X and to X, when ∃r.Self ∈ S(X) comes last."""
    for k in range(head[x, SIZE]):
        link = arena[head[x, ITEMS] + k] - LINK
        if link >= 0:
            r, y = link_role[link], link_target[link]
            status = chains_with_loops(
                chains, below, first_loop, r, y, link_role, link_target, link_slots, arena, head, queue, meta, x
            )
            if status != FINISHED:
                return status
    for k in range(0, head[x, SOURCES + 1], 2):
        r, source = arena[head[x, SOURCES] + k], arena[head[x, SOURCES] + k + 1]
        status = chains_with_loops(
            chains, below, first_loop, r, x, link_role, link_target, link_slots, arena, head, queue, meta, source
        )
        if status != FINISHED:
            return status
    return FINISHED


@njit()
def loop_at_nominal(
    first_loop: int, link_role: Array, link_target: Array,
    arena: Array, head: Array, queue: Array, meta: Array, x: int, a: int,
) -> bool:  # fmt: skip
    """{a}, ∃r.{a} ∈ S(X)  ⟹  ∃r.Self ∈ S(X): a nominal has one element only."""
    if not contains(arena, head, x, a):
        return True
    for k in range(head[x, SIZE]):
        link = arena[head[x, ITEMS] + k] - LINK
        if (
            link >= 0
            and link_target[link] == a
            and not derive(arena, head, queue, meta, x, first_loop + link_role[link])
        ):
            return False
    return True
