"""The driver of the completion rules: takes classes off the worklist and hands each new item to the rules."""

from __future__ import annotations

from typing import Any

from elgeo import compilation
from elgeo.compilation import unmanaged
from elgeo.ontology.vocabulary import TOP
from elgeo.reasoning.saturation import memory as _memory
from elgeo.reasoning.saturation import readout as _readout
from elgeo.reasoning.saturation import rules as _rules
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
    LOG,
    N_LINKS,
    NEXT,
    QUEUE_FIRST,
    QUEUE_LENGTH,
    QUEUED,
    REPLAY_CLASS,
    REPLAY_ITEM,
    ROLE,
    SIZE,
    SOURCE,
    TARGET,
    TOP_OF_ARENA,
    begin,
    close,
    derive,
    enlarge,
)
from elgeo.reasoning.saturation.rules import (
    activate,
    chains,
    conjunctions,
    existentials,
    heirs,
    imply,
    loop_at_nominal,
    loops_at_source,
    loops_at_target,
    told_subsumers,
)

Array = Any


@unmanaged()
def process_subsumer(
    n: int, item: int, told_start: Array, told: Array, conjunction_start: Array, other: Array, result: Array,
    existential_start: Array, existential_role: Array, existential_result: Array, below: Array, above_start: Array,
    above: Array, self_chains: Array, first_loop: int, loops_of_nominals: bool, nominal: Array,
    arena: Array, head: Array, links: Array, slots: Array, queue: Array, meta: Array, x: int,
) -> int:  # fmt: skip
    """Fire the rules for a class or hidden item that has arrived in S(X)."""
    row = item if item < HIDDEN else item - HIDDEN + n
    if not told_subsumers(told_start, told, row, arena, head, queue, meta, x):
        return ARENA_FULL
    if conjunction_start[row] < conjunction_start[row + 1] and not conjunctions(
        conjunction_start, other, result, n, row, item, arena, head, queue, meta, x
    ):
        return ARENA_FULL
    if item >= first_loop and len(self_chains):
        status = process_loop(self_chains, below, first_loop, arena, head, links, slots, queue, meta, x)
        if status != FINISHED:
            return status
    if (
        loops_of_nominals
        and item < n
        and nominal[item]
        and not loop_at_nominal(first_loop, arena, head, links, queue, meta, x, item)
    ):
        return ARENA_FULL
    if existential_start[row] < existential_start[row + 1]:
        link = head[x, INCOMING] - 1
        while link >= 0:
            if not existentials(
                existential_start, existential_role, existential_result, below, above_start, above, row, link,
                arena, head, links, queue, meta,
            ):  # fmt: skip
                return ARENA_FULL
            link = links[link, NEXT] - 1
    return FINISHED


@unmanaged()
def process_loop(
    self_chains: Array, below: Array, first_loop: int,
    arena: Array, head: Array, links: Array, slots: Array, queue: Array, meta: Array, x: int,
) -> int:  # fmt: skip
    """Fire the rules about links from X and to X after ∃r.Self has arrived in S(X)."""
    for k in range(head[x, SIZE]):
        link = arena[head[x, ITEMS] + k] - LINK
        if link >= 0:
            status = loops_at_source(self_chains, below, first_loop, link, arena, head, links, slots, queue, meta, x)
            if status != FINISHED:
                return status
    link = head[x, INCOMING] - 1
    while link >= 0:
        status = loops_at_target(self_chains, below, first_loop, link, arena, head, links, slots, queue, meta)
        if status != FINISHED:
            return status
        link = links[link, NEXT] - 1
    return FINISHED


@unmanaged()
def process_link(
    n: int, item: int, existential_start: Array, existential_role: Array, existential_result: Array,
    domain_start: Array, domain: Array, below: Array, above_start: Array, above: Array,
    left: Array, right: Array, width: int, composed_start: Array, composed: Array, self_chains: Array,
    first_loop: int, loops_of_nominals: bool,
    nominal: Array, frozen: int,
    arena: Array, head: Array, links: Array, slots: Array, queue: Array, meta: Array, x: int,
) -> int:  # fmt: skip
    """Fire the rules for a link ∃r.Y that has arrived in S(X), then make X known to the link."""
    link = item - LINK
    r, y = links[link, ROLE], links[link, TARGET]
    if not links[link, ACTIVE]:
        status = activate(
            n, existential_start, existential_role, existential_result, domain_start, domain, below,
            above_start, above, left, right, width, composed_start, composed, self_chains, first_loop, frozen, link,
            arena, head, links, slots, queue, meta,
        )  # fmt: skip
        if status != FINISHED:
            return status
    if right[r] != 0:
        before = head[x, INCOMING] - 1
        while before >= 0:
            status = chains(
                left, right, width, composed_start, composed, before, link, arena, head, links, slots, queue, meta
            )
            if status != FINISHED:
                return status
            before = links[before, NEXT] - 1
    if len(self_chains):
        status = loops_at_source(self_chains, below, first_loop, link, arena, head, links, slots, queue, meta, x)
        if status != FINISHED:
            return status
    if (
        loops_of_nominals
        and y < n
        and nominal[y]
        and not loop_at_nominal(first_loop, arena, head, links, queue, meta, x, y)
    ):
        return ARENA_FULL
    for k in range(links[link, IMPLIED + 1]):
        if not derive(arena, head, queue, meta, x, arena[links[link, IMPLIED] + k]):
            return ARENA_FULL
    if y >= frozen:
        node = meta[TOP_OF_ARENA]
        if node + 2 > len(arena):
            return ARENA_FULL
        arena[node], arena[node + 1] = x, links[link, SOURCE]
        links[link, SOURCE] = node
        meta[TOP_OF_ARENA] = node + 2
    return FINISHED


@unmanaged()
def begin_class(
    told_start: Array, told: Array, arena: Array, head: Array, queue: Array, meta: Array, x: int, frozen: int
) -> bool:
    """Begin the context of a class with X, ⊤ and the items of its largest finished told superclass."""
    parent = -1
    for k in range(told_start[x], told_start[x + 1]):
        y = told[k]
        finished = y < HIDDEN and y != x and head[y, LOG] != 0 and head[y, DONE] == head[y, SIZE]
        if finished and (parent < 0 or head[y, SIZE] > head[parent, SIZE]):
            parent = y
    if not begin(arena, head, meta, x, parent, frozen):
        return False
    derive(arena, head, queue, meta, x, TOP)
    return derive(arena, head, queue, meta, x, x)


@unmanaged()
def replay_links(
    domain_start: Array, domain: Array, arena: Array, head: Array, links: Array, queue: Array, meta: Array
) -> bool:
    """∃s.⊤ ⊑ D, r ⊑ s  ⟹  ∃r.Y ⊑ D, for links that were active before."""
    for link in range(meta[N_LINKS]):
        r = links[link, ROLE]
        if links[link, ACTIVE]:
            for i in range(domain_start[r], domain_start[r + 1]):
                if not imply(arena, head, links, queue, meta, link, domain[i]):
                    return False
    return True


@unmanaged(cache=True)
def saturate_contexts(
    told_start: Array, told: Array, conjunction_start: Array, conjunction_other: Array, conjunction_result: Array,
    existential_start: Array, existential_role: Array, existential_result: Array, domain_start: Array, domain: Array,
    below: Array, above_start: Array, above: Array, left: Array, right: Array, right_signatures: int,
    composed_start: Array, composed: Array,
    self_chains: Array, loops_of_nominals: bool,
    n: int, first_loop: int, nominal: Array, frozen: int, replay: bool, named: Array,
    arena: Array, head: Array, links: Array, slots: Array, queue: Array, meta: Array,
) -> int:  # fmt: skip
    """Apply all rules until nothing new follows, or until there is no room (the status says of which kind).

    Contexts before `frozen` are finished: others link to them, they do not learn of it. With `replay`, only fire the
    rules of this index for the items that other rules have processed before: that is how axioms are added. Most of them
    have no rows in the index of a few axioms: `named` says of each row whether it has any.
    """
    if replay and not replay_links(domain_start, domain, arena, head, links, queue, meta):
        return ARENA_FULL
    while replay and meta[REPLAY_CLASS] < n:
        x = meta[REPLAY_CLASS]
        while meta[REPLAY_ITEM] < head[x, DONE]:
            item = arena[head[x, ITEMS] + meta[REPLAY_ITEM]]
            if item < LINK and (item >= HIDDEN or named[item]):
                status = process_subsumer(
                    n, item, told_start, told, conjunction_start, conjunction_other, conjunction_result,
                    existential_start, existential_role, existential_result, below, above_start, above, self_chains,
                    first_loop, loops_of_nominals, nominal, arena, head, links, slots, queue, meta, x,
                )  # fmt: skip
                if status != FINISHED:
                    return status
            meta[REPLAY_ITEM] += 1
        meta[REPLAY_CLASS] += 1
        meta[REPLAY_ITEM] = 0
    while not replay and meta[QUEUE_LENGTH] > 0:
        x = queue[meta[QUEUE_FIRST]]
        if head[x, LOG] == 0 and not begin_class(told_start, told, arena, head, queue, meta, x, frozen):
            return ARENA_FULL
        if head[x, LOG] < 0 and not enlarge(arena, head, meta, x):
            return ARENA_FULL
        while head[x, DONE] < head[x, SIZE]:
            item = arena[head[x, ITEMS] + head[x, DONE]]
            if head[x, HEIR] > 0 and not heirs(arena, head, queue, meta, x, item):
                return ARENA_FULL
            if item < LINK:
                status = process_subsumer(
                    n, item, told_start, told, conjunction_start, conjunction_other, conjunction_result,
                    existential_start, existential_role, existential_result, below, above_start, above, self_chains,
                    first_loop, loops_of_nominals, nominal, arena, head, links, slots, queue, meta, x,
                )  # fmt: skip
            else:
                status = process_link(
                    n, item, existential_start, existential_role, existential_result, domain_start, domain, below,
                    above_start, above, left, right, right_signatures, composed_start, composed, self_chains,
                    first_loop, loops_of_nominals, nominal, frozen, arena, head, links, slots, queue, meta, x,
                )  # fmt: skip
            if status != FINISHED:
                return status
            head[x, DONE] += 1
        if not close(arena, head, meta, x):
            return ARENA_FULL
        head[x, QUEUED] = 0
        meta[QUEUE_FIRST] = meta[QUEUE_FIRST] + 1 if meta[QUEUE_FIRST] + 1 < len(queue) else 0
        meta[QUEUE_LENGTH] -= 1
    return FINISHED


compilation.depends_on(saturate_contexts, _memory, _readout, _rules)
