"""The driver of the completion rules: takes classes off the worklist and hands each new item to the rules."""

from __future__ import annotations

from elgeo.arrays import Flags
from elgeo.compilation import kernel
from elgeo.ontology.vocabulary import TOP
from elgeo.reasoning.saturation.index import HIDDEN, LINK, Rules
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
    TARGET,
    Memory,
    add_source,
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
    loops_by_nominal,
    told_subsumers,
)


@kernel(inner=True, counted=False)
def process_subsumer(rules: Rules, memory: Memory, x: int, item: int) -> int:
    """Fire the rules for a class or hidden item that has arrived in S(X)."""
    conjunction_start, existential_start = rules.conjunctions.start, rules.existentials.start
    row = item if item < HIDDEN else item - HIDDEN + rules.n
    if not told_subsumers(rules.told, memory, x, row):
        return ARENA_FULL
    if conjunction_start[row] < conjunction_start[row + 1] and not conjunctions(
        rules.conjunctions, memory, x, row, item, rules.n
    ):
        return ARENA_FULL
    if item >= rules.first_loop and len(rules.self_chains):
        status = process_loop(rules, memory, x)
        if status != FINISHED:
            return status
    if (
        rules.self_of_nominals
        and item < rules.n
        and rules.nominal[item]
        and not loops_by_nominal(rules, memory, x, item)
    ):
        return ARENA_FULL
    if existential_start[row] < existential_start[row + 1]:
        links = memory.links
        link = memory.head[x, INCOMING] - 1
        while link >= 0:
            if not existentials(rules.existentials, rules.hierarchy, memory, row, link):
                return ARENA_FULL
            link = links[link, NEXT] - 1
    return FINISHED


@kernel(inner=True, counted=False)
def process_loop(rules: Rules, memory: Memory, x: int) -> int:
    """Fire the rules about links from X and to X after ∃r.Self has arrived in S(X)."""
    arena, head, links = memory.arena, memory.head, memory.links
    for k in range(head[x, SIZE]):
        link = arena[head[x, ITEMS] + k] - LINK
        if link >= 0:
            status = loops_at_source(rules, memory, x, link)
            if status != FINISHED:
                return status
    link = head[x, INCOMING] - 1
    while link >= 0:
        status = loops_at_target(rules, memory, link)
        if status != FINISHED:
            return status
        link = links[link, NEXT] - 1
    return FINISHED


@kernel(inner=True, counted=False)
def process_link(rules: Rules, memory: Memory, x: int, item: int, frozen: int) -> int:
    """Fire the rules for a link ∃r.Y that has arrived in S(X), then make X known to the link."""
    arena, head, links, queue, meta = memory.arena, memory.head, memory.links, memory.queue, memory.meta
    link = item - LINK
    r, y = links[link, ROLE], links[link, TARGET]
    if not links[link, ACTIVE]:
        status = activate(rules, memory, link, frozen)
        if status != FINISHED:
            return status
    if rules.compositions.right[r] != 0:
        before = head[x, INCOMING] - 1
        while before >= 0:
            status = chains(rules.compositions, memory, before, link)
            if status != FINISHED:
                return status
            before = links[before, NEXT] - 1
    if len(rules.self_chains):
        status = loops_at_source(rules, memory, x, link)
        if status != FINISHED:
            return status
    if rules.self_of_nominals and not loop_at_nominal(rules, memory, x, link):
        return ARENA_FULL
    for k in range(links[link, IMPLIED + 1]):
        if not derive(arena, head, queue, meta, x, arena[links[link, IMPLIED] + k]):
            return ARENA_FULL
    if y >= frozen and not add_source(arena, links, meta, link, x):
        return ARENA_FULL
    return FINISHED


@kernel(inner=True, counted=False)
def begin_class(rules: Rules, memory: Memory, x: int, frozen: int) -> bool:
    """Begin the context of a class with X, ⊤ and the items of its largest finished told superclass."""
    arena, head, queue, meta = memory.arena, memory.head, memory.queue, memory.meta
    start, told = rules.told.start, rules.told.item
    parent = -1
    for k in range(start[x], start[x + 1]):
        y = told[k]
        finished = y < HIDDEN and y != x and head[y, LOG] != 0 and head[y, DONE] == head[y, SIZE]
        if finished and (parent < 0 or head[y, SIZE] > head[parent, SIZE]):
            parent = y
    if not begin(arena, head, meta, x, parent, frozen):
        return False
    derive(arena, head, queue, meta, x, TOP)
    return derive(arena, head, queue, meta, x, x)


@kernel(inner=True, counted=False)
def replay_links(rules: Rules, memory: Memory) -> bool:
    """∃s.⊤ ⊑ D, r ⊑ s  ⟹  ∃r.Y ⊑ D, for links that were active before."""
    links, start = memory.links, rules.domains.start
    for link in range(memory.meta[N_LINKS]):
        r = links[link, ROLE]
        if links[link, ACTIVE]:
            for i in range(start[r], start[r + 1]):
                if not imply(memory, link, rules.domains.result[i]):
                    return False
    return True


@kernel(inner=True, counted=False)
def replay_items(rules: Rules, memory: Memory, firing: Flags) -> int:
    """Fire rules for the items that other rules have processed before.

    Most of them have no rows among the rules of a few axioms: `firing` says of each row whether it has any.
    """
    arena, head, meta = memory.arena, memory.head, memory.meta
    while meta[REPLAY_CLASS] < rules.n:
        x = meta[REPLAY_CLASS]
        while meta[REPLAY_ITEM] < head[x, DONE]:
            item = arena[head[x, ITEMS] + meta[REPLAY_ITEM]]
            if item < LINK and (item >= HIDDEN or firing[item]):
                status = process_subsumer(rules, memory, x, item)
                if status != FINISHED:
                    return status
            meta[REPLAY_ITEM] += 1
        meta[REPLAY_CLASS] += 1
        meta[REPLAY_ITEM] = 0
    return FINISHED


@kernel(counted=False)
def saturate_contexts(rules: Rules, memory: Memory, frozen: int, replay: bool, firing: Flags) -> int:
    """Apply all rules until nothing new follows, or until there is no room (the status says of which kind).

    Contexts before `frozen` are finished: others link to them, they do not learn of it. With `replay`, only fire these
    rules for what other rules have processed before: that is how axioms are added.
    """
    if replay:
        return replay_items(rules, memory, firing) if replay_links(rules, memory) else ARENA_FULL
    arena, head, queue, meta = memory.arena, memory.head, memory.queue, memory.meta
    while meta[QUEUE_LENGTH] > 0:
        x = queue[meta[QUEUE_FIRST]]
        if head[x, LOG] == 0 and not begin_class(rules, memory, x, frozen):
            return ARENA_FULL
        if head[x, LOG] < 0 and not enlarge(arena, head, meta, x):
            return ARENA_FULL
        while head[x, DONE] < head[x, SIZE]:
            item = arena[head[x, ITEMS] + head[x, DONE]]
            if head[x, HEIR] > 0 and not heirs(memory, x, item):
                return ARENA_FULL
            if item < LINK:
                status = process_subsumer(rules, memory, x, item)
            else:
                status = process_link(rules, memory, x, item, frozen)
            if status != FINISHED:
                return status
            head[x, DONE] += 1
        if not close(arena, head, meta, x):
            return ARENA_FULL
        head[x, QUEUED] = 0
        meta[QUEUE_FIRST] = meta[QUEUE_FIRST] + 1 if meta[QUEUE_FIRST] + 1 < len(queue) else 0
        meta[QUEUE_LENGTH] -= 1
    return FINISHED
