"""What is known of classes that are drawn into groups, and what is drawn: small groups, each in a large one.

Drawn from the joint probability of everything: axioms h–t with probability 1 − exp(−θ_h θ_t λ), λ being the rate of the
small group of both, else of the large group of both, else that beyond; features as in `told.py`; and groups by chance,
a class joining a small group in proportion to its size or a new one in proportion to `NEW_SMALL`, a small group joining
a large one in proportion to how many it has, or a new one in proportion to `NEW_LARGE`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from elgeo.compilation import kernel
from elgeo.models.atlas.contexts.logic import Matrix
from elgeo.models.atlas.sampled.told import Unseen, weigh_told

Real = NDArray[np.float64]
Longs = NDArray[np.int64]
NEW_SMALL, NEW_LARGE = 10.0, 2.0


class DrawClues(NamedTuple):
    """Axioms and features: for class i, `start[i]` to `start[i + 1]` of the arrays beside them."""

    start: Longs
    joined: Longs
    told_start: Longs
    told: Longs
    often: Real
    """For each feature the logarithm of how frequent it is."""
    seldom: Real
    """And of how frequently it is lacking."""
    factorials: Real
    """Their logarithms."""

    @classmethod
    def of(cls, axioms: Matrix, features: Matrix) -> DrawClues:
        """Of a symmetric matrix and of one with a row for each class and a column for each feature."""
        n = axioms.shape[0]
        common = np.bincount(features.indices, minlength=features.shape[1]) / (n + 1)
        return cls(
            axioms.indptr.astype(np.int64),
            axioms.indices.astype(np.int64),
            features.indptr.astype(np.int64),
            features.indices.astype(np.int64),
            np.log(common),
            np.log1p(-common),
            np.asarray(gammaln(np.arange(n + 4) + 1.0)),
        )


class Drawing(NamedTuple):
    """Which class is in which group, as arrays that are changed in place; groups that have no class are free."""

    small: Longs
    """The small group of each class."""
    large: Longs
    """The large group of each small one; -1 of free ones."""
    size: Longs
    """The classes of each small group."""
    parts: Longs
    """The small groups of each large one."""
    first: Longs
    """A class of each small group, or -1."""
    following: Longs
    """For each class the next of its small group, or -1."""
    theta: Real
    """How prone each class is to be joined, 1 on average."""
    same: Real
    """The rate within each small group."""
    within: Real
    """The rate within each large group, between its small ones."""
    usual: Real
    """The rates within small groups and within large ones that are usual, and that beyond."""
    had: NDArray[np.int32]
    """(small group, feature): classes that have it."""
    gain: Real
    """(small group, feature that some class of it has): how much likelier a further class has it than not, as a
    logarithm."""
    lacking: Real
    """How likely it is that a further class of a small group has no feature."""

    @classmethod
    def start(cls, known: DrawClues, unseen: Unseen, small: Longs, large: Longs) -> Drawing:
        """From small groups, and the large ones that these lie in; there is room for twice as many of both.

        `unseen` is filled in for what is there, and goes with the state from now on.
        """
        n, features = len(small), len(known.often)
        room, above = 2 * len(large), 2 * (int(large.max()) + 1)
        lies = np.full(room, -1, np.int64)
        lies[: len(large)] = large
        rate = max(len(known.joined), 1) / n**2
        made = cls(
            small.astype(np.int64),
            lies,
            np.bincount(small, minlength=room).astype(np.int64),
            np.bincount(large, minlength=above).astype(np.int64),
            np.full(room, -1, np.int64),
            np.full(n, -1, np.int64),
            np.ones(n),
            np.full(room, rate),
            np.full(above, rate),
            np.full(3, rate),
            np.zeros((room, features), np.int32),
            np.zeros((room, features)),
            np.zeros(room),
        )
        _enter(known, made)
        _weigh_every(known, made, unseen)
        return made

    def kept(self) -> Drawing:
        """Groups, θ and rates as they are now, and nothing of features."""
        return self._replace(
            small=self.small.copy(),
            large=self.large.copy(),
            theta=self.theta.copy(),
            same=self.same.copy(),
            within=self.within.copy(),
            usual=self.usual.copy(),
            had=np.zeros((0, 0), np.int32),
            gain=np.zeros((0, 0)),
            lacking=np.zeros(0),
        )


@kernel
def _enter(known: DrawClues, state: Drawing) -> None:
    for i in range(len(state.small)):
        put_in(known, state, i, state.small[i])


@kernel
def _weigh_every(known: DrawClues, state: Drawing, unseen: Unseen) -> None:
    """Judge the features of all groups."""
    for group in range(len(state.size)):
        if state.size[group] > 0:
            weigh_told(known, state, unseen, group)


@kernel(inner=True)
def put_in(known: DrawClues, state: Drawing, i: int, group: int) -> None:
    """Class i among the members of a small group, which are counted elsewhere."""
    state.small[i] = group
    state.following[i] = state.first[group]
    state.first[group] = i
    for k in range(known.told_start[i], known.told_start[i + 1]):
        state.had[group, known.told[k]] += 1


@kernel(inner=True)
def take_out(known: DrawClues, state: Drawing, i: int) -> None:
    """What `put_in` did, undone."""
    group = state.small[i]
    if state.first[group] == i:
        state.first[group] = state.following[i]
    else:
        before = state.first[group]
        while state.following[before] != i:
            before = state.following[before]
        state.following[before] = state.following[i]
    for k in range(known.told_start[i], known.told_start[i + 1]):
        state.had[group, known.told[k]] -= 1
