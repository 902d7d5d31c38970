"""One sweep: each class is drawn into a small group, then each small group into a large one, given all others."""

from __future__ import annotations

from math import exp, log

import numpy as np
from numpy.typing import NDArray

from elgeo.compilation import kernel
from elgeo.models.atlas.sampled.rates import BEYOND, FEW
from elgeo.models.atlas.sampled.state import NEW_LARGE, NEW_SMALL, DrawClues, Drawing, put_in, take_out
from elgeo.models.atlas.sampled.told import Unseen, add_told, weigh_told

Real = NDArray[np.float64]
NEVER = -1e300
HARDLY = 40.0
"""What is less likely than the likeliest by so much, as a logarithm, is not drawn."""


@kernel
def sweep(known: DrawClues, state: Drawing, unseen: Unseen, chance: Real) -> None:
    """`chance` has a number below 1 for each class and then for each small group."""
    n, room, above = len(state.small), len(state.size), len(state.parts)
    total, total_above = totals(state)
    found, gain = np.empty(room + above), np.empty(len(known.often))
    for i in range(n):
        old, theta = state.small[i], state.theta[i]
        gain[:] = state.gain[old]
        lacking = state.lacking[old]
        leave(known, state, unseen, total, total_above, i)
        class_chances(known, state, unseen, total, total_above, i, found)
        k = drawn(found, room + above, chance[i])
        group = k
        if k >= room:
            group = 0
            while state.size[group] > 0:
                group += 1
            state.large[group] = k - room
            state.same[group] = state.usual[0]
            if state.parts[k - room] == 0:
                state.within[k - room] = state.usual[1]
        if state.size[group] == 0:
            state.parts[state.large[group]] += 1
        state.size[group] += 1
        total[group] += theta
        total_above[state.large[group]] += theta
        put_in(known, state, i, group)
        if group == old and state.size[old] > 1:  # as it was
            state.gain[old] = gain
            state.lacking[old] = lacking
        else:
            weigh_told(known, state, unseen, group)
    for group in range(room):
        if state.size[group] > 0:
            above_was = state.large[group]
            state.parts[above_was] -= 1
            total_above[above_was] -= total[group]
            group_chances(known, state, total, total_above, group, found)
            chosen = drawn(found, above, chance[n + group])
            if state.parts[chosen] == 0:
                state.within[chosen] = state.usual[1]
            state.large[group] = chosen
            state.parts[chosen] += 1
            total_above[chosen] += total[group]


@kernel(inner=True)
def totals(state: Drawing) -> tuple[Real, Real]:
    """The sum of θ over each small group and over each large one."""
    small, large = np.zeros(len(state.size)), np.zeros(len(state.parts))
    for i in range(len(state.small)):
        small[state.small[i]] += state.theta[i]
        large[state.large[state.small[i]]] += state.theta[i]
    return small, large


@kernel(inner=True)
def leave(known: DrawClues, state: Drawing, unseen: Unseen, total: Real, total_above: Real, i: int) -> None:
    """Class i is taken out of its group, which is free if nothing is left of it."""
    old = state.small[i]
    take_out(known, state, i)
    state.size[old] -= 1
    total[old] -= state.theta[i]
    total_above[state.large[old]] -= state.theta[i]
    if state.size[old] > 0:
        weigh_told(known, state, unseen, old)
    else:
        state.parts[state.large[old]] -= 1
        state.large[old] = -1


@kernel(inner=True)
def class_chances(
    known: DrawClues, state: Drawing, unseen: Unseen, total: Real, total_above: Real, i: int, found: Real
) -> None:
    """How likely each small group is for a class that is in none, and a new one in each large group: logarithms."""
    small, large, size, parts, joined = state.small, state.large, state.size, state.parts, known.joined
    same, within, beyond, theta = state.same, state.within, state.usual[BEYOND], state.theta
    room, above = len(size), len(parts)
    inside, around = np.zeros(room), np.zeros(above)
    for k in range(known.start[i], known.start[i + 1]):
        j = joined[k]
        if j != i:
            group, both = small[j], theta[i] * theta[j]
            larger = there(within[large[group]] * both)
            around[large[group]] += larger - there(beyond * both)
            inside[group] += there(same[group] * both) - larger
    groups, free = parts.sum(), False
    for a in range(above):
        around[a] -= theta[i] * (within[a] - beyond) * total_above[a]
    for group in range(room):
        found[group] = NEVER
        if size[group] > 0:
            a = large[group]
            less = theta[i] * (same[group] - within[a]) * total[group]
            found[group] = log(size[group]) + around[a] + inside[group] - less
        else:
            free = True
    alone, offered = add_told(known, state, unseen, i, found), False
    for a in range(above):
        found[room + a] = NEVER
        if free and parts[a] > 0:
            found[room + a] = log(NEW_SMALL * parts[a] / (groups + NEW_LARGE)) + alone + around[a]
        elif free and not offered:
            offered = True
            found[room + a] = log(NEW_SMALL * NEW_LARGE / (groups + NEW_LARGE)) + alone


@kernel(inner=True)
def group_chances(known: DrawClues, state: Drawing, total: Real, total_above: Real, group: int, found: Real) -> None:
    """How likely each large group is for a small one that is in none, and a new one: logarithms."""
    small, large, parts, joined = state.small, state.large, state.parts, known.joined
    within, beyond, theta = state.within, state.usual[BEYOND], state.theta
    above, offered = len(parts), False
    around = np.zeros(above)
    i = state.first[group]
    while i >= 0:
        for k in range(known.start[i], known.start[i + 1]):
            j = joined[k]
            if small[j] != group:
                a, both = large[small[j]], theta[i] * theta[j]
                around[a] += there(within[a] * both) - there(beyond * both)
        i = state.following[i]
    for a in range(above):
        found[a] = NEVER
        if parts[a] > 0:
            found[a] = log(parts[a]) + around[a] - total[group] * (within[a] - beyond) * total_above[a]
        elif not offered:
            offered = True
            found[a] = log(NEW_LARGE)


@kernel(inner=True, inline="always")
def there(expected: float) -> float:
    """How much likelier an axiom is there than not, as a logarithm."""
    return log(expected) + expected / 2 if expected < FEW else log(exp(expected) - 1)


@kernel(inner=True)
def drawn(found: Real, count: int, chance: float) -> int:
    """One of the first `count` by their logarithms of chances, which are overwritten."""
    most = found[0]
    for k in range(1, count):
        most = max(most, found[k])
    total = 0.0
    for k in range(count):
        found[k] = exp(found[k] - most) if found[k] > most - HARDLY else 0.0
        total += found[k]
    wanted, k = chance * total, 0
    reached = found[0]
    while reached <= wanted and k < count - 1:
        k += 1
        reached += found[k]
    return k
