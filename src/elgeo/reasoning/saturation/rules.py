"""The completion rules of EL++, one function each: what follows when an item arrives in S(X).

A rule returns False, or a status, when the arena or the table of links has no room. Rules about a link ∃r.Y speak of
the link, not of one X that has it: `imply` hands their results to all.
"""

from __future__ import annotations

from typing import Any

from elgeo.compilation import unmanaged
from elgeo.reasoning.saturation.index import HIDDEN, LINK
from elgeo.reasoning.saturation.memory import (
    ACTIVE,
    ARENA_FULL,
    DONE,
    FINISHED,
    HEIR,
    IMPLIED,
    INCOMING,
    ITEMS,
    LINKS_FULL,
    NEXT,
    NEXT_HEIR,
    ROLE,
    SIZE,
    SOURCE,
    TARGET,
    TEMPORARY,
    contains,
    derive,
    link_item,
    remember,
)
from elgeo.reasoning.saturation.readout import lower_bound

Array = Any

_SHORT = 64


@unmanaged(forceinline=True)
def told_subsumers(
    start: Array, told: Array, row: int, arena: Array, head: Array, queue: Array, meta: Array, x: int
) -> bool:
    """C ∈ S(X), C ⊑ D  ⟹  D ∈ S(X);   C ∈ S(X), C ⊑ ∃r.Y  ⟹  ∃r.Y ∈ S(X)."""
    for i in range(start[row], start[row + 1]):  # noqa: SIM110 (numba: no generators)
        if not derive(arena, head, queue, meta, x, told[i]):
            return False
    return True


@unmanaged(forceinline=True)
def heirs(arena: Array, head: Array, queue: Array, meta: Array, x: int, item: int) -> bool:
    """C ∈ S(X), Y began as a copy of S(X)  ⟹  C ∈ S(Y): Y ⊑ X."""
    heir = head[x, HEIR]
    while heir > 0:
        if not derive(arena, head, queue, meta, heir - 1, item):
            return False
        heir = head[heir - 1, NEXT_HEIR]
    return True


@unmanaged(forceinline=True)
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
        i = lower_bound(other, lo, hi, wanted)
        while i < hi and other[i] == wanted:
            if not derive(arena, head, queue, meta, x, result[i]):
                return False
            i += 1
    return True


@unmanaged()
def imply(arena: Array, head: Array, links: Array, queue: Array, meta: Array, link: int, item: int) -> bool:
    """∃r.Y ⊑ C found, ∃r.Y ∈ S(X)  ⟹  C ∈ S(X), for those X that have the link and for those that will."""
    low, size = links[link, IMPLIED], links[link, IMPLIED + 1]
    known = False
    if size <= _SHORT:
        for k in range(low, low + size):
            known |= arena[k] == item
    if not known and not remember(arena, links, meta, link, item):
        return False
    node = links[link, SOURCE]
    while node > 0:
        if not derive(arena, head, queue, meta, arena[node], item):
            return False
        node = arena[node + 1]
    return True


@unmanaged()
def existentials(
    start: Array, role: Array, result: Array, below: Array, above_start: Array, above: Array, row: int, link: int,
    arena: Array, head: Array, links: Array, queue: Array, meta: Array,
) -> bool:  # fmt: skip
    """C ∈ S(Y), r ⊑ s, ∃s.C ⊑ D  ⟹  ∃r.Y ⊑ D;   with C = D = ⊥: a link to nothing is nothing."""
    r = links[link, ROLE]
    low, high = start[row], start[row + 1]
    if high - low <= 8 * (above_start[r + 1] - above_start[r]):
        for i in range(low, high):
            if below[r, role[i]] and not imply(arena, head, links, queue, meta, link, result[i]):
                return False
        return True
    # a long row: look for each s in it instead
    for k in range(above_start[r], above_start[r + 1]):
        i = lower_bound(role, low, high, above[k])
        while i < high and role[i] == above[k]:
            if not imply(arena, head, links, queue, meta, link, result[i]):
                return False
            i += 1
    return True


@unmanaged()
def chains(
    left: Array, right: Array, width: int, start: Array, composed: Array, first: int, second: int,
    arena: Array, head: Array, links: Array, slots: Array, queue: Array, meta: Array,
) -> int:  # fmt: skip
    """∃s.Z ∈ S(Y), r ∘ s ⊑ t  ⟹  ∃r.Y ⊑ ∃t.Z; `first` is the link ∃r.Y, `second` ∃s.Z."""
    key = left[links[first, ROLE]] * width + right[links[second, ROLE]]
    for i in range(start[key], start[key + 1]):
        item = link_item(links, slots, meta, composed[i], links[second, TARGET])
        if item < 0:
            return LINKS_FULL
        if not imply(arena, head, links, queue, meta, first, item):
            return ARENA_FULL
    return FINISHED


@unmanaged()
def loops_at_target(
    self_chains: Array, below: Array, first_loop: int, link: int,
    arena: Array, head: Array, links: Array, slots: Array, queue: Array, meta: Array,
) -> int:  # fmt: skip
    """∃s.Self ∈ S(Y), r ∘ s ⊑ t  ⟹  ∃r.Y ⊑ ∃t.Y."""
    r, y = links[link, ROLE], links[link, TARGET]
    for k in range(len(self_chains)):
        if below[r, self_chains[k, 0]] and contains(arena, head, y, first_loop + self_chains[k, 1]):
            item = link_item(links, slots, meta, self_chains[k, 2], y)
            if item < 0:
                return LINKS_FULL
            if not imply(arena, head, links, queue, meta, link, item):
                return ARENA_FULL
    return FINISHED


@unmanaged()
def loops_at_source(
    self_chains: Array, below: Array, first_loop: int, link: int,
    arena: Array, head: Array, links: Array, slots: Array, queue: Array, meta: Array, x: int,
) -> int:  # fmt: skip
    """∃r.Self, ∃s.Y ∈ S(X), r ∘ s ⊑ t  ⟹  ∃t.Y ∈ S(X)."""
    s, y = links[link, ROLE], links[link, TARGET]
    for k in range(len(self_chains)):
        if below[s, self_chains[k, 1]] and contains(arena, head, x, first_loop + self_chains[k, 0]):
            item = link_item(links, slots, meta, self_chains[k, 2], y)
            if item < 0:
                return LINKS_FULL
            if not derive(arena, head, queue, meta, x, item):
                return ARENA_FULL
    return FINISHED


@unmanaged()
def loop_at_nominal(
    first_loop: int, arena: Array, head: Array, links: Array, queue: Array, meta: Array, x: int, a: int
) -> bool:
    """{a}, ∃r.{a} ∈ S(X)  ⟹  ∃r.Self ∈ S(X): a nominal has one element only."""
    if not contains(arena, head, x, a):
        return True
    for k in range(head[x, SIZE]):
        link = arena[head[x, ITEMS] + k] - LINK
        if (
            link >= 0
            and links[link, TARGET] == a
            and not derive(arena, head, queue, meta, x, first_loop + links[link, ROLE])
        ):
            return False
    return True


@unmanaged()
def activate(
    n: int, existential_start: Array, existential_role: Array, existential_result: Array, domain_start: Array,
    domain: Array, below: Array, above_start: Array, above: Array, left: Array, right: Array, width: int,
    composed_start: Array, composed: Array, self_chains: Array, first_loop: int, frozen: int, link: int,
    arena: Array, head: Array, links: Array, slots: Array, queue: Array, meta: Array,
) -> int:  # fmt: skip
    """Find all that follows from ∃r.Y by now, ∃s.⊤ ⊑ D with r ⊑ s included; what Y learns later finds the link."""
    r, y = links[link, ROLE], links[link, TARGET]
    links[link, IMPLIED : IMPLIED + 3] = 0  # whatever an attempt without room has left
    for i in range(domain_start[r], domain_start[r + 1]):
        if not imply(arena, head, links, queue, meta, link, domain[i]):
            return ARENA_FULL
    for k in range(head[y, DONE]):
        item = arena[head[y, ITEMS] + k]
        if item >= LINK:
            status = chains(
                left, right, width, composed_start, composed, link, item - LINK,
                arena, head, links, slots, queue, meta,
            )  # fmt: skip
            if status != FINISHED:
                return status
            continue
        row = item if item < HIDDEN else item - HIDDEN + n
        if existential_start[row] < existential_start[row + 1] and not existentials(
            existential_start, existential_role, existential_result, below, above_start, above, row, link,
            arena, head, links, queue, meta,
        ):  # fmt: skip
            return ARENA_FULL
    if len(self_chains):
        status = loops_at_target(self_chains, below, first_loop, link, arena, head, links, slots, queue, meta)
        if status != FINISHED:
            return status
    if y >= frozen:
        links[link, NEXT], head[y, INCOMING] = head[y, INCOMING], link + 1
    else:
        links[link, NEXT], meta[TEMPORARY] = meta[TEMPORARY], link + 1
    links[link, ACTIVE] = 1
    return FINISHED
