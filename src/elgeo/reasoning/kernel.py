"""The driver of the completion rules: takes classes off the worklist and hands each new item to the rules."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from elgeo import compilation
from elgeo.ontology.vocabulary import TOP
from elgeo.reasoning import arena as _arena
from elgeo.reasoning import rules as _rules
from elgeo.reasoning.arena import (
    ARENA_FULL,
    DONE,
    FINISHED,
    INHERITED,
    ITEMS,
    LOG,
    N_LINKS,
    ONWARD,
    QUEUE_FIRST,
    QUEUE_LENGTH,
    QUEUED,
    REPLAY_CLASS,
    REPLAY_ITEM,
    SIZE,
    SOURCES,
    WAITING,
    derive,
    link_item,
    link_slot,
    remember,
    slot_of,
    start,
)
from elgeo.reasoning.index import HIDDEN, LINK
from elgeo.reasoning.rules import (
    chains_of_sources,
    chains_onward,
    chains_with_loops,
    conjunctions,
    existentials_of_link,
    existentials_of_sources,
    links_meet_loop,
    loop_at_nominal,
    told_subsumers,
)

Array = Any


@njit(forceinline=True)
def process_subsumer(
    n: int, item: int, told_start: Array, told: Array, conjunction_start: Array, other: Array, result: Array,
    existential_start: Array, existential_role: Array, existential_result: Array, below: Array, self_chains: Array,
    first_loop: int, loops_of_nominals: bool, nominal: Array, link_role: Array, link_target: Array, link_slots: Array,
    arena: Array, head: Array, queue: Array, meta: Array, x: int, replay: bool,
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
        status = links_meet_loop(
            self_chains, below, first_loop, link_role, link_target, link_slots, arena, head, queue, meta, x
        )
        if status != FINISHED:
            return status
    if (
        loops_of_nominals
        and item < n
        and nominal[item]
        and not loop_at_nominal(first_loop, link_role, link_target, arena, head, queue, meta, x, item)
    ):
        return ARENA_FULL
    if existential_start[row] < existential_start[row + 1]:
        if not existentials_of_sources(
            existential_start, existential_role, existential_result, below, row, arena, head, queue, meta, x
        ):
            return ARENA_FULL
        if replay:
            for k in range(head[x, WAITING + 1]):
                if arena[head[x, WAITING] + k] == item:
                    return FINISHED
        if not remember(arena, head, meta, x, WAITING, item, -1):
            return ARENA_FULL
    return FINISHED


@njit(forceinline=True)
def process_link(
    n: int, item: int, existential_start: Array, existential_role: Array, existential_result: Array,
    domain_start: Array, domain: Array, below: Array, left: Array, right: Array, right_signatures: int,
    composed_start: Array, composed: Array, self_chains: Array, first_loop: int, loops_of_nominals: bool,
    nominal: Array, frozen: int, link_role: Array, link_target: Array, link_slots: Array, arena: Array, head: Array,
    queue: Array, meta: Array, x: int,
) -> int:  # fmt: skip
    """Fire the rules for a link ∃r.Y that has arrived in S(X), then make it known to Y."""
    r, y = link_role[item - LINK], link_target[item - LINK]
    if not told_subsumers(domain_start, domain, r, arena, head, queue, meta, x):
        return ARENA_FULL
    if not existentials_of_link(
        existential_start, existential_role, existential_result, below, n, r, y, arena, head, queue, meta, x
    ):
        return ARENA_FULL
    status = chains_onward(
        left, right, right_signatures, composed_start, composed, r, y, link_role, link_target, link_slots,
        arena, head, queue, meta, x,
    )  # fmt: skip
    if status == FINISHED:
        status = chains_of_sources(
            left, right, right_signatures, composed_start, composed, r, y, link_role, link_target, link_slots,
            arena, head, queue, meta, x,
        )  # fmt: skip
    if status == FINISHED and len(self_chains):
        status = chains_with_loops(
            self_chains, below, first_loop, r, y, link_role, link_target, link_slots, arena, head, queue, meta, x
        )
    if status != FINISHED:
        return status
    if (
        loops_of_nominals
        and y < n
        and nominal[y]
        and not loop_at_nominal(first_loop, link_role, link_target, arena, head, queue, meta, x, y)
    ):
        return ARENA_FULL
    if right[r] != 0 and not remember(arena, head, meta, x, ONWARD, item, -1):
        return ARENA_FULL
    if y >= frozen and not remember(arena, head, meta, y, SOURCES, r, x):
        if right[r] != 0:
            head[x, ONWARD + 1] -= 1
        return ARENA_FULL
    return FINISHED


@njit()
def start_class(told_start: Array, told: Array, arena: Array, head: Array, queue: Array, meta: Array, x: int) -> bool:
    """Begin the context of a class with X, ⊤ and the items of its largest finished told superclass."""
    parent = -1
    for k in range(told_start[x], told_start[x + 1]):
        y = told[k]
        finished = y < HIDDEN and y != x and head[y, LOG] > 0 and head[y, DONE] == head[y, SIZE]
        if finished and (parent < 0 or head[y, SIZE] > head[parent, SIZE]):
            parent = y
    if not start(arena, head, meta, x, parent):
        return False
    derive(arena, head, queue, meta, x, TOP)
    return derive(arena, head, queue, meta, x, x)


@njit(cache=True)
def saturate_contexts(
    told_start: Array, told: Array, conjunction_start: Array, conjunction_other: Array, conjunction_result: Array,
    existential_start: Array, existential_role: Array, existential_result: Array, domain_start: Array, domain: Array,
    below: Array, left: Array, right: Array, right_signatures: int, composed_start: Array, composed: Array,
    self_chains: Array, loops_of_nominals: bool,
    n: int, first_loop: int, nominal: Array, frozen: int, replay: bool,
    arena: Array, head: Array, queue: Array, meta: Array, link_role: Array, link_target: Array, link_slots: Array,
) -> int:  # fmt: skip
    """Apply all rules until nothing new follows, or until there is no room (the status says of which kind).

    Contexts before `frozen` are finished: others link to them, they do not learn of it. With `replay`, first fire
    the rules of this index for the items that other rules have processed before: that is how axioms are added.
    """
    # most items have no rows in the index of a few axioms
    named = np.zeros(len(told_start) - 1 if replay else 0, np.bool_)
    for row in range(len(named)):
        named[row] = (
            told_start[row] < told_start[row + 1]
            or conjunction_start[row] < conjunction_start[row + 1]
            or existential_start[row] < existential_start[row + 1]
        )
    while replay and meta[REPLAY_CLASS] < n:
        x = meta[REPLAY_CLASS]
        while meta[REPLAY_ITEM] < head[x, DONE]:
            item = arena[head[x, ITEMS] + meta[REPLAY_ITEM]]
            if item < HIDDEN and not named[item]:
                status = FINISHED
            elif item < LINK:
                status = process_subsumer(
                    n, item, told_start, told, conjunction_start, conjunction_other, conjunction_result,
                    existential_start, existential_role, existential_result, below, self_chains, first_loop,
                    loops_of_nominals, nominal, link_role, link_target, link_slots, arena, head, queue, meta, x, True,
                )  # fmt: skip
            else:
                # what the target's items say about a link is replayed from the items
                r = link_role[item - LINK]
                status = (
                    FINISHED if told_subsumers(domain_start, domain, r, arena, head, queue, meta, x) else ARENA_FULL
                )
            if status != FINISHED:
                return status
            meta[REPLAY_ITEM] += 1
        meta[REPLAY_CLASS] += 1
        meta[REPLAY_ITEM] = 0
    while not replay and meta[QUEUE_LENGTH] > 0:
        x = queue[meta[QUEUE_FIRST]]
        if head[x, LOG] == 0 and not start_class(told_start, told, arena, head, queue, meta, x):
            return ARENA_FULL
        while head[x, DONE] < head[x, SIZE]:
            item = arena[head[x, ITEMS] + head[x, DONE]]
            if head[x, DONE] < head[x, INHERITED]:
                status = FINISHED
                if item >= LINK and link_target[item - LINK] >= frozen:
                    r, y = link_role[item - LINK], link_target[item - LINK]
                    status = FINISHED if remember(arena, head, meta, y, SOURCES, r, x) else ARENA_FULL
            elif item < LINK:
                status = process_subsumer(
                    n, item, told_start, told, conjunction_start, conjunction_other, conjunction_result,
                    existential_start, existential_role, existential_result, below, self_chains, first_loop,
                    loops_of_nominals, nominal, link_role, link_target, link_slots, arena, head, queue, meta, x, False,
                )  # fmt: skip
            else:
                status = process_link(
                    n, item, existential_start, existential_role, existential_result, domain_start, domain, below,
                    left, right, right_signatures, composed_start, composed, self_chains, first_loop,
                    loops_of_nominals, nominal, frozen, link_role, link_target, link_slots, arena, head, queue, meta, x,
                )  # fmt: skip
            if status != FINISHED:
                return status
            head[x, DONE] += 1
        head[x, QUEUED] = 0
        meta[QUEUE_FIRST] = meta[QUEUE_FIRST] + 1 if meta[QUEUE_FIRST] + 1 < len(queue) else 0
        meta[QUEUE_LENGTH] -= 1
    return FINISHED


@njit(cache=True)
def start_queries(arena: Array, head: Array, queue: Array, meta: Array, first: int, parents: Array, done: int) -> int:
    """Begin contexts first, first + 1, … with the items of `parents` (-1: none) and ⊤; how many are done."""
    for i in range(done, len(parents)):
        x = first + i
        if head[x, LOG] == 0 and not start(arena, head, meta, x, parents[i]):
            return i
        derive(arena, head, queue, meta, x, TOP)
        if head[x, QUEUED] == 0:
            head[x, QUEUED] = 1
            queue[meta[QUEUE_LENGTH]] = x
            meta[QUEUE_LENGTH] += 1
    return len(parents)


@njit(cache=True)
def number_links(
    roles: Array, targets: Array, link_role: Array, link_target: Array, link_slots: Array, meta: Array
) -> Array:
    """The items of ∃r.Y for arrays of r and Y; the table of links has room."""
    items = np.empty(len(roles), np.int32)
    for i in range(len(roles)):
        items[i] = link_item(link_role, link_target, link_slots, meta, roles[i], targets[i])
    return items


@njit(cache=True)
def forget_links(link_role: Array, link_target: Array, link_slots: Array, meta: Array, first: int) -> None:
    """Take the links numbered from `first` on out of the table, the last first: then no other moves."""
    mask = len(link_slots) - 1
    for link in range(meta[N_LINKS] - 1, first - 1, -1):
        slot = link_slot(link_slots, link_role[link], link_target[link])
        while link_slots[slot] != link:
            slot = (slot + 1) & mask
        link_slots[slot] = -1
    meta[N_LINKS] = min(meta[N_LINKS], first)


@njit(cache=True)
def derive_items(
    arena: Array, head: Array, queue: Array, meta: Array, contexts: Array, items: Array, first: int
) -> int:
    """Put items[i] into S(contexts[i]) from i = first on; how many are done, fewer than all where there is no room."""
    for i in range(first, len(contexts)):
        if not derive(arena, head, queue, meta, contexts[i], items[i]):
            return i
    return len(contexts)


@njit(cache=True)
def renumber_contexts(arena: Array, head: Array, n: int, class_map: Array, role_map: Array) -> None:
    """Replace class and role ids in all that the first n contexts hold; no hidden items are in use."""
    for x in range(n):
        block, size, log = head[x, ITEMS], head[x, SIZE], head[x, LOG]
        table = block + (1 << log)
        arena[table : table + (2 << log)] = -1
        for k in range(block, block + size):
            if arena[k] < LINK:
                arena[k] = class_map[arena[k]]
            arena[slot_of(arena, table, log, arena[k])] = arena[k]
        for k in range(head[x, WAITING], head[x, WAITING] + head[x, WAITING + 1]):
            arena[k] = class_map[arena[k]]
        for k in range(head[x, SOURCES], head[x, SOURCES] + head[x, SOURCES + 1], 2):
            arena[k], arena[k + 1] = role_map[arena[k]], class_map[arena[k + 1]]


for _kernel in (forget_links, renumber_contexts, saturate_contexts, start_queries, number_links, derive_items):
    compilation.depends_on(_kernel, _arena, _rules)
