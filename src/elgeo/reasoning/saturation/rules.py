"""The completion rules of EL++, one function each: what follows when an item arrives in S(X).

A rule returns False, or a status, when the arena or the table of links has no room. Rules about a link ∃r.Y speak of
the link, not of one X that has it: `imply` hands their results to all. Rules that fire often take only the tables
they read: every array of an argument is handed over again at each call.
"""

from __future__ import annotations

from elgeo.compilation import kernel
from elgeo.keys import lower_bound
from elgeo.reasoning.saturation.index import (
    HIDDEN,
    LINK,
    Compositions,
    Conjunctions,
    Existentials,
    Hierarchy,
    Rules,
    Told,
)
from elgeo.reasoning.saturation.memory import (
    ACTIVE,
    ARENA_FULL,
    CLOSED,
    DONE,
    FINISHED,
    HEIR,
    IMPLIED,
    INCOMING,
    ITEMS,
    LINKS_FULL,
    LOG,
    NEXT,
    NEXT_HEIR,
    ROLE,
    SIZE,
    SOURCE,
    TARGET,
    TEMPORARY,
    TOO_EARLY,
    Memory,
    contains,
    derive,
    link_item,
    remember,
)

_SHORT = 64


@kernel(inner=True, counted=False)
def told_subsumers(told: Told, memory: Memory, x: int, row: int) -> bool:
    """C ∈ S(X), C ⊑ D  ⟹  D ∈ S(X);   C ∈ S(X), C ⊑ ∃r.Y  ⟹  ∃r.Y ∈ S(X)."""
    start, item = told.start, told.item
    arena, head, queue, meta = memory.arena, memory.head, memory.queue, memory.meta
    for i in range(start[row], start[row + 1]):  # noqa: SIM110 (numba: no generators)
        if not derive(arena, head, queue, meta, x, item[i]):
            return False
    return True


@kernel(inner=True, counted=False)
def heirs(memory: Memory, x: int, item: int) -> bool:
    """C ∈ S(X), Y began as a copy of S(X)  ⟹  C ∈ S(Y): Y ⊑ X."""
    arena, head, queue, meta = memory.arena, memory.head, memory.queue, memory.meta
    heir = head[x, HEIR]
    while heir > 0:
        if not derive(arena, head, queue, meta, heir - 1, item):
            return False
        heir = head[heir - 1, NEXT_HEIR]
    return True


@kernel(inner=True, counted=False)
def conjunctions(table: Conjunctions, memory: Memory, x: int, row: int, c: int, n: int) -> bool:
    """C, D ∈ S(X), C ⊓ D ⊑ E  ⟹  E ∈ S(X)."""
    start, other, result = table.start, table.other, table.result
    arena, head, queue, meta = memory.arena, memory.head, memory.queue, memory.meta
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


@kernel(inner=True, counted=False)
def imply(memory: Memory, link: int, item: int) -> bool:
    """∃r.Y ⊑ C found, ∃r.Y ∈ S(X)  ⟹  C ∈ S(X), for those X that have the link and for those that will."""
    arena, head, links, queue, meta = memory.arena, memory.head, memory.links, memory.queue, memory.meta
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


@kernel(inner=True, counted=False)
def existentials(table: Existentials, hierarchy: Hierarchy, memory: Memory, row: int, link: int) -> bool:
    """C ∈ S(Y), r ⊑ s, ∃s.C ⊑ D  ⟹  ∃r.Y ⊑ D;   with C = D = ⊥: a link to nothing is nothing."""
    role, result, above = table.role, table.result, hierarchy.above
    r = memory.links[link, ROLE]
    low, high = table.start[row], table.start[row + 1]
    first, last = hierarchy.start[r], hierarchy.start[r + 1]
    if high - low <= 8 * (last - first):
        for i in range(low, high):  # noqa: SIM110 (numba: no generators)
            if hierarchy.below[r, role[i]] and not imply(memory, link, result[i]):
                return False
        return True
    # a long row: look for each s in it instead
    for k in range(first, last):
        i = lower_bound(role, low, high, above[k])
        while i < high and role[i] == above[k]:
            if not imply(memory, link, result[i]):
                return False
            i += 1
    return True


@kernel(inner=True, counted=False)
def chains(table: Compositions, memory: Memory, first: int, second: int) -> int:
    """∃s.Z ∈ S(Y), r ∘ s ⊑ t  ⟹  ∃r.Y ⊑ ∃t.Z; `first` is the link ∃r.Y, `second` ∃s.Z."""
    links = memory.links
    key = table.left[links[first, ROLE]] * table.width + table.right[links[second, ROLE]]
    for i in range(table.start[key], table.start[key + 1]):
        item = link_item(links, memory.slots, memory.meta, table.result[i], links[second, TARGET])
        if item < 0:
            return LINKS_FULL
        if not imply(memory, first, item):
            return ARENA_FULL
    return FINISHED


@kernel(inner=True, counted=False)
def loops_at_target(rules: Rules, memory: Memory, link: int) -> int:
    """∃s.Self ∈ S(Y), r ∘ s ⊑ t  ⟹  ∃r.Y ⊑ ∃t.Y."""
    links, self_chains = memory.links, rules.self_chains
    r, y = links[link, ROLE], links[link, TARGET]
    for k in range(len(self_chains)):
        loop = rules.first_loop + self_chains[k, 1]
        if rules.hierarchy.below[r, self_chains[k, 0]] and contains(memory.arena, memory.head, y, loop):
            item = link_item(links, memory.slots, memory.meta, self_chains[k, 2], y)
            if item < 0:
                return LINKS_FULL
            if not imply(memory, link, item):
                return ARENA_FULL
    return FINISHED


@kernel(inner=True, counted=False)
def loops_at_source(rules: Rules, memory: Memory, x: int, link: int) -> int:
    """∃r.Self, ∃s.Y ∈ S(X), r ∘ s ⊑ t  ⟹  ∃t.Y ∈ S(X)."""
    arena, head, links, self_chains = memory.arena, memory.head, memory.links, rules.self_chains
    s, y = links[link, ROLE], links[link, TARGET]
    for k in range(len(self_chains)):
        loop = rules.first_loop + self_chains[k, 0]
        if rules.hierarchy.below[s, self_chains[k, 1]] and contains(arena, head, x, loop):
            item = link_item(links, memory.slots, memory.meta, self_chains[k, 2], y)
            if item < 0:
                return LINKS_FULL
            if not derive(arena, head, memory.queue, memory.meta, x, item):
                return ARENA_FULL
    return FINISHED


@kernel(inner=True, counted=False)
def loop_at_nominal(rules: Rules, memory: Memory, x: int, link: int) -> bool:
    """{a}, ∃r.Y ∈ S(X), {a} ∈ S(Y)  ⟹  ∃r.Self ∈ S(X): a nominal has one element only."""
    arena, head, links = memory.arena, memory.head, memory.links
    y = links[link, TARGET]
    for k in range(head[y, SIZE]):
        a = arena[head[y, ITEMS] + k]
        if a < rules.n and rules.nominal[a] and contains(arena, head, x, a):
            return derive(arena, head, memory.queue, memory.meta, x, rules.first_loop + links[link, ROLE])
    return True


@kernel(inner=True, counted=False)
def loops_by_nominal(rules: Rules, memory: Memory, x: int, a: int) -> bool:
    """{a} has arrived in S(X): the same for the links of X, and for the links to X of those that are in {a}."""
    arena, head, links = memory.arena, memory.head, memory.links
    for k in range(head[x, SIZE]):
        link = arena[head[x, ITEMS] + k] - LINK
        if link >= 0 and not loop_at_nominal(rules, memory, x, link):
            return False
    link = head[x, INCOMING] - 1
    while link >= 0:
        node = links[link, SOURCE]
        while node > 0:
            source = arena[node]
            if contains(arena, head, source, a) and not derive(
                arena, head, memory.queue, memory.meta, source, rules.first_loop + links[link, ROLE]
            ):
                return False
            node = arena[node + 1]
        link = links[link, NEXT] - 1
    return True


@kernel(inner=True, counted=False)
def activate(rules: Rules, memory: Memory, link: int, frozen: int) -> int:
    """Find all that follows from ∃r.Y by now, ∃s.⊤ ⊑ D with r ⊑ s included; what Y learns later finds the link.

    Contexts before `frozen` do not learn of the link: they have to be finished.
    """
    arena, head, links, meta = memory.arena, memory.head, memory.links, memory.meta
    existential_start, domain_start = rules.existentials.start, rules.domains.start
    r, y = links[link, ROLE], links[link, TARGET]
    if y < frozen and head[y, LOG] != CLOSED:
        return TOO_EARLY
    for column in range(IMPLIED, IMPLIED + 3):
        links[link, column] = 0  # whatever an attempt without room has left
    for i in range(domain_start[r], domain_start[r + 1]):
        if not imply(memory, link, rules.domains.result[i]):
            return ARENA_FULL
    for k in range(head[y, DONE]):
        item = arena[head[y, ITEMS] + k]
        if item >= LINK:
            status = chains(rules.compositions, memory, link, item - LINK)
            if status != FINISHED:
                return status
            continue
        row = item if item < HIDDEN else item - HIDDEN + rules.n
        if existential_start[row] < existential_start[row + 1] and not existentials(
            rules.existentials, rules.hierarchy, memory, row, link
        ):
            return ARENA_FULL
    if len(rules.self_chains):
        status = loops_at_target(rules, memory, link)
        if status != FINISHED:
            return status
    if y >= frozen:
        links[link, NEXT], head[y, INCOMING] = head[y, INCOMING], link + 1
    else:
        links[link, NEXT], meta[TEMPORARY] = meta[TEMPORARY], link + 1
    links[link, ACTIVE] = 1
    return FINISHED
