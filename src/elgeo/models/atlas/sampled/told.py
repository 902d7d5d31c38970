"""How likely the features of a group are: each is typical of the group or as frequent there as anywhere.

That m of n classes have a feature of overall frequency π has probability

    TYPICAL · m! (n − m)! / (n + 1)!  +  (1 − TYPICAL) · π^m (1 − π)^(n − m)

whatever classes these are: of typical ones any frequency is as likely as any other.
"""

from __future__ import annotations

from math import exp, log, log1p
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from elgeo.compilation import kernel

if TYPE_CHECKING:
    from elgeo.models.atlas.sampled.state import DrawClues, Drawing

Real = NDArray[np.float64]
TYPICAL = 0.02
LOST = 37.0
"""What is smaller by so much, as a logarithm, is lost in rounding."""
_IS, _IS_NOT = log(TYPICAL), log1p(-TYPICAL)


class Unseen(NamedTuple):
    """Of features that no class of a group has, for each size of a group; filled as sizes are met."""

    gain: Real
    """(size, feature): how much likelier a further class has it than not, as a logarithm."""
    lacked: Real
    """(size, feature): how likely a further class has it not."""
    lacking: Real
    """The sum of these for each size; not a number where none has been filled in."""
    seen: NDArray[np.int64]
    """For each feature when it was met last; what time it is follows."""


def tables(n: int, features: int) -> Unseen:
    """For groups of up to n classes. Most sizes are never met, and what is not touched takes no memory."""
    shape = (n + 1, features)
    return Unseen(np.empty(shape), np.empty(shape), np.full(n + 1, np.nan), np.zeros(features + 1, np.int64))


@kernel(inner=True, inline="always")
def likely(m: int, n: int, often: float, seldom: float, factorials: Real) -> float:
    """How likely m of n classes have a feature, and no others, as a logarithm."""
    typical = factorials[m] + factorials[n - m] - factorials[n + 1] + _IS
    usual = m * often + (n - m) * seldom + _IS_NOT
    more, less = max(typical, usual), min(typical, usual)
    return float(more if more - less > LOST else more + log1p(exp(less - more)))


@kernel(inner=True)
def fill(known: DrawClues, unseen: Unseen, size: int) -> None:
    """A row of the tables."""
    total = 0.0
    for f in range(len(known.often)):
        often, seldom = known.often[f], known.seldom[f]
        now = likely(0, size, often, seldom, known.factorials)
        lacked = likely(0, size + 1, often, seldom, known.factorials) - now
        unseen.lacked[size, f] = lacked
        unseen.gain[size, f] = likely(1, size + 1, often, seldom, known.factorials) - now - lacked
        total += lacked
    unseen.lacking[size] = total


@kernel(inner=True)
def weigh_told(known: DrawClues, state: Drawing, unseen: Unseen, group: int) -> None:
    """`gain` and `lacking` of a small group, by the features that its classes have."""
    told_start, told, often, seldom, factorials = (
        known.told_start,
        known.told,
        known.often,
        known.seldom,
        known.factorials,
    )
    had, gain, following, seen, unseen_lacked = state.had, state.gain, state.following, unseen.seen, unseen.lacked
    size = state.size[group]
    if np.isnan(unseen.lacking[size]):
        fill(known, unseen, size)
    total = unseen.lacking[size]
    seen[-1] += 1
    time, i = seen[-1], state.first[group]
    while i >= 0:
        for k in range(told_start[i], told_start[i + 1]):
            f = told[k]
            if seen[f] != time:
                seen[f] = time
                m = had[group, f]
                now = likely(m, size, often[f], seldom[f], factorials)
                lacked = likely(m, size + 1, often[f], seldom[f], factorials) - now
                gain[group, f] = likely(m + 1, size + 1, often[f], seldom[f], factorials) - now - lacked
                total += lacked - unseen_lacked[size, f]
        i = following[i]
    state.lacking[group] = total


@kernel(inner=True)
def add_told(known: DrawClues, state: Drawing, unseen: Unseen, i: int, found: Real) -> float:
    """Add how likely the features of class i are in each small group, as a logarithm; gives that of none but its own.

    It must be in no group itself.
    """
    told, had, gain, size = known.told, state.had, state.gain, state.size
    lacking, unseen_gain = state.lacking, unseen.gain
    first, last = known.told_start[i], known.told_start[i + 1]
    for group in range(len(size)):
        if size[group] > 0:
            total = lacking[group]
            for k in range(first, last):
                f = told[k]
                total += gain[group, f] if had[group, f] > 0 else unseen_gain[size[group], f]
            found[group] += total
    if np.isnan(unseen.lacking[0]):
        fill(known, unseen, 0)
    alone = unseen.lacking[0]
    for k in range(first, last):
        alone += unseen_gain[0, told[k]]
    return float(alone)
