"""Dimensions of their own for ⊥: some classes lie on one side of the middle, all others on the other.

A side has points in a row, from the middle outwards. What has a point on a side has all up to some level there, so that
any class is an interval. The point at level 0 is in everything on its side. Where a point needs another by C ⊑ ∃r.D,
that is one level further out on the side where D is at home, on the other side from `ENTRY` on: so the further out a
point is, the less is true of it, and fewer things that are true of different classes come together at one point. Which
classes have which points, and which points a role relates, is a least fixpoint: nothing is there that the axioms do not
ask for.
"""

from __future__ import annotations

import numpy as np

from elgeo.arrays import Flags, Ints, Longs
from elgeo.compilation import kernel
from elgeo.models.boxes.rules import BoxRules
from elgeo.models.boxes.tables import RoleRules
from elgeo.ontology.vocabulary import TOP_ROLE

NONE = -1
"""The level of what is not on a side."""
ENTRY, DEEP, WIDE = 4, 10, 16
"""The level at which roles enter the other side, that for one role of choice, and how many levels there are."""
LEFT, RIGHT = 0, 1

SUBCLASS, CONJUNCTION, LEFT_EXISTENTIAL, EXISTENTIAL = range(4)


@kernel
def close_sides(roles: Ints, rules: RoleRules) -> None:
    """Raise relations until every role axiom is true."""
    for k in range(len(rules.at_home)):
        for side in range(2):
            for level in range(WIDE):
                if roles[rules.at_home[k], side, level, side] < level:
                    roles[rules.at_home[k], side, level, side] = level
    changed = True
    while changed:
        changed = False
        for r in range(len(roles)):
            for side in range(2):
                for level in range(1, WIDE):
                    for x in range(2):
                        if roles[r, side, level, x] < roles[r, side, level - 1, x]:
                            roles[r, side, level, x] = roles[r, side, level - 1, x]
                            changed = True
        for k in range(len(rules.subrole)):
            r, s = rules.subrole[k]
            for side in range(2):
                for level in range(WIDE):
                    for x in range(2):
                        if roles[s, side, level, x] < roles[r, side, level, x]:
                            roles[s, side, level, x] = roles[r, side, level, x]
                            changed = True
        for k in range(len(rules.chain)):
            r, s, t = rules.chain[k]
            for side in range(2):
                for level in range(WIDE):
                    for x in range(2):
                        reached = some(roles[r], roles[s, side, level, LEFT], roles[s, side, level, RIGHT], x)
                        if roles[t, side, level, x] < reached:
                            roles[t, side, level, x] = reached
                            changed = True


@kernel(inner=True, counted=False)
def some(role: Ints, left: int, right: int, x: int) -> int:
    """The level on side x of ∃r.C for a class of some levels."""
    found = NONE
    if left >= 0:
        found = max(found, role[LEFT, left, x])
    if right >= 0:
        found = max(found, role[RIGHT, right, x])
    return found


@kernel(inner=True, counted=False)
def _raise(
    c: int, side: int, level: int, kind: int, one: int, two: int, levels: Ints, reason: Ints, queue: Longs, state: Longs
) -> None:
    """Give a class a level, if it has a lower one; it waits in the `queue`, whose end is state[1]."""
    if level <= levels[c, side]:
        return
    if levels[c, side] < 0:
        reason[c, side, 0], reason[c, side, 1], reason[c, side, 2] = kind, one, two
    levels[c, side] = level
    if state[2 + c] == 0:
        state[2 + c] = 1
        queue[state[1] % len(queue)] = c
        state[1] += 1


@kernel(inner=True, counted=False)
def _next(level: int, same: bool, entry: int) -> int:
    """The level of what a point needs: one further, but no further than its part of the side."""
    if not same:
        return max(min(level + 1, WIDE - 1), entry)
    return level if level + 1 in (ENTRY, DEEP, WIDE) else level + 1


@kernel
def settle(
    levels: Ints, roles: Ints, reason: Ints, home: Flags, deep: int, rules: BoxRules, role_rules: RoleRules
) -> None:
    """Raise levels and relations until every axiom is true; `home` is whether C ⊑ ∃r.D asks for D on the right.

    `levels` has the level of each class on the left and on the right; `roles` for each role, side and level of a point
    y those of the points that are related to y; `reason` the kind of axiom and the two things why a class is on a side.
    """
    n = len(levels)
    queue, state = np.empty(n, np.int64), np.zeros(n + 2, np.int64)
    roles[TOP_ROLE] = WIDE - 1
    close_sides(roles, role_rules)
    widened = True
    while widened:
        widened = False
        state[0], state[1] = 0, 0
        for c in range(n):
            if levels[c, LEFT] >= 0 or levels[c, RIGHT] >= 0:
                state[2 + c] = 1
                queue[state[1]] = c
                state[1] += 1
        while state[0] < state[1]:
            c = queue[state[0] % n]
            state[0] += 1
            state[2 + c] = 0
            for i in range(rules.up_start[c], rules.up_start[c + 1]):
                d, role = rules.up[i], rules.up_role[i]
                for side in range(2):
                    level = levels[c, side]
                    if role < 0:
                        _raise(d, side, level, SUBCLASS, c, c, levels, reason, queue, state)
                    elif rules.up_left[i]:
                        level = some(roles[role], levels[c, LEFT], levels[c, RIGHT], side)
                        _raise(d, side, level, LEFT_EXISTENTIAL, c, role, levels, reason, queue, state)
                    elif level >= 0:
                        there = RIGHT if home[d] else LEFT
                        entry = DEEP if role == deep else ENTRY
                        needed = _next(level, there == side, entry)
                        _raise(d, there, needed, EXISTENTIAL, c, role, levels, reason, queue, state)
                        for point in range(level + 1):
                            needed = _next(point, there == side, entry)
                            if roles[role, there, needed, side] < point:
                                roles[role, there, needed, side] = point
                                widened = True
            for i in range(rules.both_start[c], rules.both_start[c + 1]):
                for side in range(2):
                    level = min(levels[c, side], levels[rules.other[i], side])
                    _raise(rules.result[i], side, level, CONJUNCTION, c, rules.other[i], levels, reason, queue, state)
        if widened:
            close_sides(roles, role_rules)
