"""`SampledGroups`: how many axioms are expected of each pair of classes, on average over groups drawn by chance.

Chance is that of a generator of its own with a fixed seed: the same axioms always give the same groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from elgeo.compilation import kernel
from elgeo.models.atlas.clustering import cut
from elgeo.models.atlas.contexts.logic import Matrix
from elgeo.models.atlas.operators.dense import Dense
from elgeo.models.atlas.operators.target import Places
from elgeo.models.atlas.sampled.moving import sweep
from elgeo.models.atlas.sampled.rates import (
    AS_USUAL,
    BEYOND,
    SAME,
    SOME,
    Rates,
    count,
    if_any,
    kind_of,
    rate_between,
    rate_of,
    rates,
    settle,
)
from elgeo.models.atlas.sampled.state import DrawClues, Drawing
from elgeo.models.atlas.sampled.told import tables

Real = NDArray[np.float64]
Longs = NDArray[np.int64]
FIRST_SMALL, FIRST_LARGE = 4, 10
"""There is a group for so many classes at first: of too many some are joined easily, too few are hardly divided."""
UNSETTLED, DRAWN = 15, 30
"""Sweeps before groups count, and those that do."""
AT_FIRST = 10
"""How often θ and rates are found anew before the first sweep; once after each."""
SEED = 0


class Draw(NamedTuple):
    """Groups as they were drawn once, with what they were weighed by and what they give."""

    state: Drawing
    rates: Rates
    """Counted with the groups, θ and rates of `state`."""


class SampledGroups:
    """Groups of the target's heads, which are its tails too."""

    def __init__(self, axioms: Matrix, features: Matrix, tree: Real) -> None:
        """By axioms of a symmetric role, what a class has or has not, and a tree of the classes to begin with."""
        both = sparse.csr_array(axioms + axioms.T)
        both.sort_indices()
        self._known, self._axiom, self._axioms = DrawClues.of(both, features), axiom_of(axioms, both), axioms.nnz
        small, large = nested(tree)
        self.draws = draws(self._known, small, large)
        self._expected = expected(self.draws)

    def rows(self, places: Places) -> Dense:
        """θ_h θ_t λ for heads by place and all tails; -1 gives zeros."""
        return np.where((places >= 0)[:, None], self._expected[places], np.float32(0))

    def columns(self, places: Places) -> Dense:
        """The same for all heads, and for tails by place."""
        return self.rows(places).T

    def shares(self, head: int, tail: int) -> tuple[Real, float]:
        """What each of the target's axioms adds to one score, in their order, and what is there without any."""
        added, rest = np.zeros(len(self._known.joined)), 0.0
        for draw in self.draws:
            both = float(draw.state.theta[head] * draw.state.theta[tail]) / len(self.draws)
            rest += _add_shares(self._known, draw.state, draw.rates, head, tail, both, added)
        return np.asarray(np.bincount(self._axiom, added, self._axioms), np.float64), rest

    def together(self, one: int, other: int) -> float:
        """How often two classes are drawn into one large group."""
        larges = (draw.state.large[draw.state.small] for draw in self.draws)
        return float(np.mean([large[one] == large[other] for large in larges]))


def axiom_of(axioms: Matrix, both: Matrix) -> Longs:
    """For each entry of a matrix in both directions the axiom that it is there for: some are told in one alone."""
    n = axioms.shape[0]
    (heads, tails), (ones, others) = axioms.tocoo().coords, both.tocoo().coords
    keys = heads.astype(np.int64) * n + tails
    order = np.argsort(keys)
    told = np.isin(wanted := ones.astype(np.int64) * n + others, keys)
    wanted = np.where(told, wanted, others.astype(np.int64) * n + ones)
    return np.asarray(order[np.searchsorted(keys, wanted, sorter=order)], np.int64)


def nested(tree: Real) -> tuple[Longs, Longs]:
    """The small group of each class and the large group of each small one, both cut from one tree."""
    small, large = cut(tree, FIRST_SMALL), cut(tree, FIRST_LARGE)
    lies = np.zeros(int(small.max()) + 1, np.int64)
    lies[small] = large
    return small, lies


def draws(known: DrawClues, small: Longs, large: Longs) -> list[Draw]:
    """Groups after each sweep but the first ones; from small groups and the large ones that these lie in."""
    generator, unseen = np.random.default_rng(SEED), tables(len(small), len(known.often))
    state = Drawing.start(known, unseen, small, large)
    settle(known, state, AT_FIRST)
    found = []
    for number in range(UNSETTLED + DRAWN):
        sweep(known, state, unseen, generator.random(len(small) + len(state.size)))
        settle(known, state, 1)
        if number >= UNSETTLED:
            kept = state.kept()
            found.append(Draw(kept, rates(count(known, kept), rate_of(known))))
    return found


def expected(found: Sequence[Draw]) -> Dense:
    """(class, class): θ_h θ_t λ on average."""
    n = len(found[0].state.small)
    total = np.zeros((n, n))
    for draw in found:
        _add_expected(draw.state, draw.rates, total)
    return np.asarray(total / len(found), np.float32)


@kernel
def _add_expected(state: Drawing, rates: Rates, total: Real) -> None:
    small, large, theta = state.small, state.large, state.theta
    same, within, beyond = rates.same, rates.within, rates.usual[BEYOND]
    for i in range(len(total)):
        a = small[i]
        for j in range(len(total)):
            b = small[j]
            rate = same[a] if a == b else within[large[a]] if large[a] == large[b] else beyond
            total[i, j] += theta[i] * theta[j] * rate


@kernel
def _add_shares(
    known: DrawClues, state: Drawing, rates: Rates, head: int, tail: int, factor: float, added: Real
) -> float:
    """`factor` times what each axiom adds to the rate of a pair; gives what is there without any.

    A group has AS_USUAL axioms beside its own, at the rate of all groups, which is made of the axioms of all.
    """
    small, large, theta = state.small, state.large, state.theta
    same, within, beyond = state.same, state.within, state.usual[BEYOND]
    kind, group = kind_of(small, large, head, tail), small[head]
    own, usual = 0.0, 1.0
    if kind != BEYOND:
        own = 1 / (rates.same_sizes[group] if kind == SAME else rates.within_sizes[large[group]])
        usual = AS_USUAL / rates.usual[kind] * own
    usual /= rates.usual_sizes[kind]
    for i in range(len(small)):
        mine = small[i] == group if kind == SAME else large[small[i]] == large[group]
        weight = factor * (usual + own if mine else usual)
        for k in range(known.start[i], known.start[i + 1]):
            j = known.joined[k]
            if j != i and kind_of(small, large, i, j) == kind:
                rate = rate_between(small, large, same, within, beyond, i, j)
                added[k] += weight * if_any(theta[i] * theta[j] * rate)
    return float(factor * usual * SOME)
