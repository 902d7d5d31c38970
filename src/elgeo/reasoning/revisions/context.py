"""One class derived anew without one axiom, as a kernel: whether what the axiom says of it is reached all the same."""

from __future__ import annotations

from typing import NamedTuple

from elgeo.arrays import Bytes, Flags, Ints, Starts, Table
from elgeo.compilation import kernel
from elgeo.keys import lower_bound
from elgeo.ontology.vocabulary import TOP


class Consequences(NamedTuple):
    """What follows with all axioms: of class x the subsumers, ascending, and the links, by role and target."""

    start: Starts
    subsumers: Ints
    link_start: Starts
    roles: Ints
    targets: Ints


class RowsByOwner(NamedTuple):
    """Rows of the normal forms by their owner: those of x are at `start[x]:start[x + 1]` of every column."""

    start: Starts
    first: Ints
    second: Ints
    axiom: Ints
    """The only axiom that gives a row; -1 where there is none or more than one."""


class AxiomsByOwner(NamedTuple):
    """What the rules apply, by the class that has to be there first (of compositions and inclusions: by the role)."""

    superclasses: RowsByOwner
    conjunctions: RowsByOwner
    """By each of the two classes: the other one, and the result."""
    existentials: RowsByOwner
    """Role and filler."""
    left_existentials: RowsByOwner
    """By filler: role and result."""
    above: RowsByOwner
    """The roles above each role."""
    left_signature: Ints
    right_signature: Ints
    right_signatures: int
    composed: RowsByOwner
    """By signatures, as in a role box."""


class Working(NamedTuple):
    """Room for one class: what was reached of its subsumers and links, and what was not followed yet."""

    reached: Bytes
    linked: Bytes
    classes: Ints
    links: Ints
    counts: Ints
    """How many wait: classes, links."""


@kernel(inner=True, counted=False)
def has_subsumer(known: Consequences, x: int, c: int) -> bool:
    """Whether x ⊑ c."""
    at = lower_bound(known.subsumers, known.start[x], known.start[x + 1], c)
    return bool(at < known.start[x + 1] and known.subsumers[at] == c)


@kernel(inner=True, counted=False)
def reach_class(known: Consequences, work: Working, x: int, c: int) -> None:
    """Note that x ⊑ c, if that is true and new."""
    first, end = known.start[x], known.start[x + 1]
    at = lower_bound(known.subsumers, first, end, c)
    if at < end and known.subsumers[at] == c and work.reached[at - first] == 0:
        work.reached[at - first] = 1
        work.classes[work.counts[0]] = c
        work.counts[0] += 1


@kernel(inner=True, counted=False)
def reach_link(known: Consequences, axioms: AxiomsByOwner, work: Working, x: int, r: int, y: int) -> None:
    """Note that x ⊑ ∃r.y, and so for all roles above r."""
    first, end = known.link_start[x], known.link_start[x + 1]
    for k in range(axioms.above.start[r], axioms.above.start[r + 1]):
        s = axioms.above.first[k]
        low = lower_bound(known.roles, first, end, s)
        at = lower_bound(known.targets, low, lower_bound(known.roles, low, end, s + 1), y)
        if at < end and known.roles[at] == s and known.targets[at] == y and work.linked[at - first] == 0:
            work.linked[at - first] = 1
            work.links[work.counts[1]] = at
            work.counts[1] += 1


@kernel(inner=True, counted=False)
def follow_class(known: Consequences, axioms: AxiomsByOwner, work: Working, x: int, c: int, without: int) -> None:
    """All rules that x ⊑ c is a premise of."""
    rows = axioms.superclasses
    for k in range(rows.start[c], rows.start[c + 1]):
        if rows.axiom[k] != without:
            reach_class(known, work, x, rows.first[k])
    both = axioms.conjunctions
    for k in range(both.start[c], both.start[c + 1]):
        at = lower_bound(known.subsumers, known.start[x], known.start[x + 1], both.first[k])
        if at < known.start[x + 1] and known.subsumers[at] == both.first[k] and work.reached[at - known.start[x]]:
            reach_class(known, work, x, both.second[k])
    some = axioms.existentials
    for k in range(some.start[c], some.start[c + 1]):
        if some.axiom[k] != without:
            reach_link(known, axioms, work, x, some.first[k], some.second[k])


@kernel(inner=True, counted=False)
def follow_link(known: Consequences, axioms: AxiomsByOwner, work: Working, x: int, r: int, y: int) -> None:
    """All rules that x ⊑ ∃r.y is a premise of; what y is and leads to is taken as it is."""
    left = axioms.left_existentials
    for i in range(known.start[y], known.start[y + 1]):
        c = known.subsumers[i]
        for k in range(left.start[c], left.start[c + 1]):
            if left.first[k] == r:
                reach_class(known, work, x, left.second[k])
    if axioms.left_signature[r] == 0:
        return
    base = axioms.left_signature[r] * axioms.right_signatures
    for i in range(known.link_start[y], known.link_start[y + 1]):
        key = base + axioms.right_signature[known.roles[i]]
        for k in range(axioms.composed.start[key], axioms.composed.start[key + 1]):
            reach_link(known, axioms, work, x, axioms.composed.first[k], known.targets[i])


@kernel(counted=False)
def derive_without(
    known: Consequences, axioms: AxiomsByOwner, given: Bytes, asked: Table, without: Ints, work: Working, found: Flags
) -> None:
    """Whether each row x, role, d is reached without an axiom; the role is -1 in x ⊑ d.

    Classes with `given`, and links of x to itself, are taken as reached: other rules than these may give them.
    """
    for i in range(len(without)):
        x, role, d = asked[i, 0], asked[i, 1], asked[i, 2]
        first, first_link = known.start[x], known.link_start[x]
        size, links = known.start[x + 1] - first, known.link_start[x + 1] - first_link
        for k in range(size):
            work.reached[k] = 0
        for k in range(links):
            work.linked[k] = 0
        work.counts[0] = work.counts[1] = 0
        reach_class(known, work, x, x)
        reach_class(known, work, x, TOP)
        for k in range(first, first + size):
            if given[known.subsumers[k]]:
                reach_class(known, work, x, known.subsumers[k])
        for k in range(first_link, first_link + links):
            if known.targets[k] == x:
                reach_link(known, axioms, work, x, known.roles[k], x)
        done = False
        followed, followed_links = 0, 0
        while not done and (followed < work.counts[0] or followed_links < work.counts[1]):
            if followed < work.counts[0]:
                c = work.classes[followed]
                followed += 1
                done = role < 0 and c == d
                if not done:
                    follow_class(known, axioms, work, x, c, without[i])
            else:
                at = work.links[followed_links]
                followed_links += 1
                done = known.roles[at] == role and has_subsumer(known, known.targets[at], d)
                if not done:
                    follow_link(known, axioms, work, x, known.roles[at], known.targets[at])
        found[i] = done
