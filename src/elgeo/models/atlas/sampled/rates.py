"""How many axioms are expected of each pair of classes, given the groups: θ of each class, and rates.

A pair that is joined is so by one axiom or by several that cannot be told apart: of θ_h θ_t λ = x that are expected,
x / (1 − exp(−x)) are if there is one at all. Where these are counted, θ and rates have closed forms.
"""

from __future__ import annotations

from math import exp
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from elgeo.compilation import kernel
from elgeo.models.atlas.sampled.state import DrawClues, Drawing

Real = NDArray[np.float64]
Longs = NDArray[np.int64]
ALIKE = 12.0
"""Axioms that each class has beside its own, as many as are expected of it: how alike classes are."""
AS_USUAL = 20.0
"""Axioms that each group has beside its own, as many as are usual in groups."""
SOME = 0.5
"""Axioms that are added to those of all groups, as many as there are for each pair on average."""
FEW = 1e-5
"""So many expected axioms that the next power of them is lost in rounding."""
SAME, WITHIN, BEYOND = 0, 1, 2
"""Kinds of pairs: of one small group, else of one large group, else."""


class Counted(NamedTuple):
    """Axioms and pairs by kind, each pair counted by θ_h θ_t."""

    same: Real
    same_pairs: Real
    """For each small group."""
    within: Real
    within_pairs: Real
    """For each large group, between its small ones."""
    every: Real
    every_pairs: Real
    """For each kind."""


class Rates(NamedTuple):
    """Axioms for each pair."""

    same: Real
    within: Real
    usual: Real
    """Of each kind."""
    same_sizes: Real
    within_sizes: Real
    usual_sizes: Real
    """What axioms are divided by."""


def rates(counted: Counted, rate: float) -> Rates:
    """Those of groups from their own axioms and `AS_USUAL` more; `rate` is that of all pairs."""
    sizes = counted.every_pairs + SOME / rate
    usual = (counted.every + SOME) / sizes
    same_sizes, within_sizes = (
        pairs + AS_USUAL / usual[kind] for kind, pairs in ((SAME, counted.same_pairs), (WITHIN, counted.within_pairs))
    )
    same, within = (counted.same + AS_USUAL) / same_sizes, (counted.within + AS_USUAL) / within_sizes
    return Rates(same, within, usual, same_sizes, within_sizes, sizes)


def settle(known: DrawClues, state: Drawing, times: int) -> None:
    """θ and rates for the groups as they are, each from the others in turn."""
    for _ in range(times):
        _weigh_classes(known, state)
        state.theta[:] /= state.theta.mean()
        found = rates(count(known, state), rate_of(known))
        state.same[:], state.within[:], state.usual[:] = found.same, found.within, found.usual


def rate_of(known: DrawClues) -> float:
    """Axioms for each pair, whatever the groups."""
    return float(max(len(known.joined), 1) / (len(known.start) - 1) ** 2)


def count(known: DrawClues, state: Drawing) -> Counted:
    """What the groups have, and what all have together."""
    room, above = len(state.size), len(state.parts)
    made = Counted(np.zeros(room), np.zeros(room), np.zeros(above), np.zeros(above), np.zeros(3), np.zeros(3))
    _count(known, state, made)
    return made


@kernel(inner=True, inline="always")
def kind_of(small: Longs, large: Longs, i: int, j: int) -> int:
    """Of the pair of two classes."""
    a, b = small[i], small[j]
    return SAME if a == b else WITHIN if large[a] == large[b] else BEYOND


@kernel(inner=True, inline="always")
def rate_between(small: Longs, large: Longs, same: Real, within: Real, beyond: float, i: int, j: int) -> float:
    """That of the pair of two classes."""
    a, b = small[i], small[j]
    return same[a] if a == b else within[large[a]] if large[a] == large[b] else beyond


@kernel(inner=True, inline="always")
def if_any(expected: float) -> float:
    """How many axioms are expected where there is one at all."""
    return 1 + expected / 2 if expected < FEW else expected / (1 - exp(-expected))


@kernel
def _count(known: DrawClues, state: Drawing, made: Counted) -> None:
    small, large, theta, start, joined = state.small, state.large, state.theta, known.start, known.joined
    same, within, beyond = state.same, state.within, state.usual[BEYOND]
    in_same, in_within, in_every = made.same, made.within, made.every
    for i in range(len(small)):
        group = small[i]
        made.same_pairs[group] += theta[i]
        made.within_pairs[large[group]] += theta[i]
        made.every_pairs[BEYOND] += theta[i]
        for k in range(start[i], start[i + 1]):
            j = joined[k]
            if j != i:
                many = if_any(theta[i] * theta[j] * rate_between(small, large, same, within, beyond, i, j))
                kind = kind_of(small, large, i, j)
                in_every[kind] += many
                if kind == SAME:
                    in_same[group] += many
                elif kind == WITHIN:
                    in_within[large[group]] += many
    # so far sums of θ: pairs are their squares, without those of the groups within
    made.every_pairs[BEYOND] **= 2
    for a in range(len(state.parts)):
        made.within_pairs[a] **= 2
        made.every_pairs[BEYOND] -= made.within_pairs[a]
    for group in range(len(state.size)):
        if state.size[group] > 0:
            made.same_pairs[group] **= 2
            made.within_pairs[large[group]] -= made.same_pairs[group]
    for i in range(len(small)):
        made.same_pairs[small[i]] -= theta[i] ** 2
    # what has no pairs may have some by rounding, and less than none
    for a in range(len(state.parts)):
        made.within_pairs[a] = max(made.within_pairs[a], 0.0)
        made.every_pairs[WITHIN] += made.within_pairs[a]
    for group in range(len(state.size)):
        made.same_pairs[group] = max(made.same_pairs[group], 0.0)
        made.every_pairs[SAME] += made.same_pairs[group]
    made.every_pairs[BEYOND] = max(made.every_pairs[BEYOND], 0.0)


@kernel
def _weigh_classes(known: DrawClues, state: Drawing) -> None:
    """θ of one class after the other: its axioms over those of an average class in its place."""
    small, large, theta, start, joined = state.small, state.large, state.theta, known.start, known.joined
    same, within, beyond = state.same, state.within, state.usual[BEYOND]
    total, total_above = np.zeros(len(state.size)), np.zeros(len(state.parts))
    for i in range(len(small)):
        total[small[i]] += theta[i]
        total_above[large[small[i]]] += theta[i]
    every = theta.sum()
    for i in range(len(small)):
        group, old, found = small[i], theta[i], ALIKE
        above = large[group]
        for k in range(start[i], start[i + 1]):
            j = joined[k]
            if j != i:
                found += if_any(old * theta[j] * rate_between(small, large, same, within, beyond, i, j))
        expected = beyond * (every - total_above[above]) + within[above] * (total_above[above] - total[group])
        expected += same[group] * (total[group] - old)
        theta[i] = found / (ALIKE + expected)
        total[group] += theta[i] - old
        total_above[above] += theta[i] - old
        every += theta[i] - old
