"""`Groups`: which classes belong together, by their axioms of a symmetric role and by what else is told of them.

A block model. An axiom between h of group a and t of group b is expected θ_h θ_t Λ_ab times, θ being how many axioms a
class has beside the average; a class of group a has feature f with probability φ_af. Memberships Z are found by mean
field from a hierarchical clustering on, with likelihoods that count for little at first and fully in the end. Twice:
first a few large groups, then many small ones. Two small groups share so few pairs of classes that their own axioms say
little of Λ_ab: what is usual between the large groups they lie in counts as much as so many axioms.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from elgeo.arrays import Array
from elgeo.compilation import kernel
from elgeo.models.atlas.clustering import clustered, cut
from elgeo.models.atlas.contexts.logic import Matrix
from elgeo.models.atlas.operators.dense import Dense, fixed_product
from elgeo.models.atlas.operators.target import Places, Target, take

Real = NDArray[np.float64]
STEPS, WARMED, COLD, KEPT = 25, 0.6, 0.3, 0.3
"""Steps; after which share of them likelihoods count fully; how much at first; what a step keeps of memberships."""
TOLD = 0.5
"""How much a feature counts beside an axiom: features of one class are not independent."""
FEW, EMPTY = 4.0, 0.5
"""What is added to the axioms of a class, and to the classes of a group."""
LEAST, MOST = 1e-6, 1 - 1e-6


class Prior(NamedTuple):
    """How many groups there are, and what is added to what is counted."""

    each: int
    """There is a group for so many classes; those that are not needed stay empty."""
    axioms: float
    """Between two groups, as many as are usual there."""
    classes: float
    """With the features of a group."""


LARGE, SMALL = Prior(30, 0.5, 2.0), Prior(6, 20.0, 5.0)


class GroupClues(NamedTuple):
    """What groups are found by."""

    axioms: Matrix
    features: Matrix
    theta: Real
    """How many axioms a class has beside the average."""

    @property
    def rate(self) -> float:
        """Axioms for each pair, whatever the groups."""
        return float(max(self.axioms.sum(), 1.0) / self.theta.sum() ** 2)


class Usual(NamedTuple):
    """What is usual between two groups: in two large groups, or in one and the same group."""

    lies: Real
    """(group, large group): how far it lies in it; rows sum to 1."""
    pairs: Real
    """(large group, large group): the pairs of classes of two groups, and some more."""
    alone: float
    """The pairs of classes of one group, and some more."""

    def weights(self, weights: Real) -> Real:
        """(group, group): how much an axiom counts, if `weights` is how much each rate counts."""
        apart = 1 - np.eye(len(weights))
        made = self.lies @ (self.lies.T @ (weights * apart) @ self.lies / self.pairs) @ self.lies.T
        return np.asarray(apart * made + (1 - apart) * (np.trace(weights) / self.alone))

    def expected(self, weights: Real) -> float:
        """What is in the same without any axiom."""
        apart = 1 - np.eye(len(weights))
        found = (self.lies.T @ (weights * apart) @ self.lies / self.pairs).sum() + np.trace(weights) / self.alone
        return LARGE.axioms * float(found)

    def rates(self, between: Real) -> Real:
        """(group, group): axioms for each pair of classes."""
        apart = 1 - np.eye(len(between))
        large = (self.lies.T @ (between * apart) @ self.lies + LARGE.axioms) / self.pairs
        same = (np.trace(between) + LARGE.axioms) / self.alone
        return np.asarray(apart * (self.lies @ large @ self.lies.T) + (1 - apart) * same)


class Grouping:
    """Memberships of classes by one prior, and how often axioms join each two groups."""

    def __init__(
        self, known: GroupClues, first: NDArray[np.int64], prior: Prior, large: Grouping | None = None
    ) -> None:
        """`large` has the larger groups that say what is usual; without them, the same is everywhere."""
        self._known, self._prior, self._large = known, prior, large
        self.members: Real = np.eye(int(first.max()) + 1)[first]
        """(class, group): how far a class belongs to a group; rows sum to 1."""
        for step in range(STEPS):
            self._step(min(1.0, COLD + (1 - COLD) * step / (WARMED * STEPS)))

    def _step(self, certain: float) -> None:
        found = certain * (self._by_axioms() + TOLD * self._by_features() + np.log(self.members.sum(axis=0) + EMPTY))
        made = np.exp(found - found.max(axis=1, keepdims=True))
        self.members = KEPT * self.members + (1 - KEPT) * made / made.sum(axis=1, keepdims=True)

    def _by_axioms(self) -> Real:
        """(class, group): how likely the axioms of a class are in a group, as a logarithm."""
        theta, rates = self._known.theta, self.rates
        expected = np.outer(theta, rates @ (theta @ self.members))
        own = np.outer(theta**2, rates.diagonal()) * self.members  # no class is joined with itself
        return np.asarray((self._known.axioms @ self.members) @ np.log(rates) - expected + own)

    def _by_features(self) -> Real:
        """(class, group): how likely the features of a class are in a group, as a logarithm."""
        features, more = self._known.features, self._prior.classes
        had = np.asarray((features.T @ self.members).T)
        common = np.asarray(features.mean(axis=0)).ravel()
        share = np.clip((had + more * common) / (self.members.sum(axis=0)[:, None] + more), LEAST, MOST)
        return np.asarray(features @ np.log(share / (1 - share)).T + np.log1p(-share).sum(axis=1))

    @property
    def rates(self) -> Real:
        """(group, group): axioms for each pair of classes, Λ."""
        return np.asarray((self._between + self._prior.axioms) / self.sizes)

    @property
    def _between(self) -> Real:
        """(group, group): their axioms."""
        return np.asarray(self.members.T @ (self._known.axioms @ self.members))

    @property
    def _pairs(self) -> Real:
        """(group, group): the pairs of classes, each counted by θ."""
        theta = self._known.theta
        total = theta @ self.members
        return np.asarray(np.maximum(np.outer(total, total) - np.diag(theta**2 @ self.members), 0))

    @property
    def sizes(self) -> Real:
        """(group, group): the pairs of classes, and as many more as usually have the axioms that are added."""
        return np.asarray(self._pairs + self._prior.axioms / self._usual_rates)

    @property
    def _usual_rates(self) -> Real:
        if self._large is None:
            return np.full(2 * [self.members.shape[1]], self._known.rate)
        return self._usual.rates(self._between)

    @property
    def _usual(self) -> Usual:
        assert self._large is not None
        pairs, more = self._pairs, LARGE.axioms / self._known.rate
        lies = self.members.T @ self._large.members + LEAST * self._large.members.mean(axis=0)
        lies /= lies.sum(axis=1, keepdims=True)  # a group that nothing is left of lies everywhere
        apart = lies.T @ (pairs * (1 - np.eye(len(pairs)))) @ lies
        return Usual(lies, apart + more, float(np.trace(pairs)) + more)

    def shares(self, head: int, tail: int) -> tuple[Real, float]:
        """What each axiom adds to one score, in their order, and what is there without any."""
        counts = self._known.theta[tail] * np.outer(self.members[head], self.members[tail]) / self.sizes
        rest = self._prior.axioms * float(counts.sum())
        if self._large is not None:  # what is added is usual because of axioms elsewhere
            usual = self._usual
            by_rate = self._prior.axioms * counts / self._usual_rates
            counts, rest = counts + usual.weights(by_rate), usual.expected(by_rate)
        axioms = self._known.axioms
        added = np.empty(axioms.nnz)
        _products_of_rows(self.members @ counts, self.members, axioms.indptr, axioms.indices, added)
        return added, rest


class Groups:
    """Groupings of the target's heads, which are its tails too."""

    def __init__(self, target: Target, contexts: Matrix, told: Matrix) -> None:
        """`contexts` are features to compare by, `told` those that a class has or has not: rows by class id."""
        features: Matrix = sparse.csr_array(told[target.heads], dtype=np.float64)
        shared = np.bincount(features.indices, minlength=features.shape[1]) >= 2
        theta = (target.head_counts + FEW) / (target.head_counts.mean() + FEW)
        axioms: Matrix = sparse.csr_array(target.axioms, dtype=np.float64)
        self.known = GroupClues(axioms, sparse.csr_array(features[:, np.flatnonzero(shared)]), theta)
        self.tree = clustered(axioms, contexts[target.heads])
        """Of the heads by their places; scipy's."""
        large = Grouping(self.known, cut(self.tree, LARGE.each), LARGE)
        self.grouping = Grouping(self.known, cut(self.tree, SMALL.each), SMALL, large)

    def rows(self, places: Places) -> Dense:
        """θ_t Σ_ab Z_ha Λ_ab Z_tb for heads by place; -1 gives zeros."""
        return fixed_product(take(self._left, places).toarray(), self._right)

    def columns(self, places: Places) -> Dense:
        """The same for all heads, and for tails by place."""
        theta = self.known.theta.astype(np.float32)
        return np.asarray(self.rows(places) / theta * theta[places, None]).T

    @cached_property
    def _left(self) -> Matrix:
        return sparse.csr_array(self.grouping.members.astype(np.float32))

    @cached_property
    def _right(self) -> Dense:
        found = self.grouping.rates @ (self.grouping.members * self.known.theta[:, None]).T
        return np.ascontiguousarray(found, np.float32)

    def shares(self, head: int, tail: int) -> tuple[Real, float]:
        """What each of the target's axioms adds to one score, in their order, and what is there without any."""
        return self.grouping.shares(head, tail)

    def together(self, one: int, other: int) -> float:
        """How likely two classes are in one small group."""
        return float(self.grouping.members[one] @ self.grouping.members[other])


@kernel
def _products_of_rows(left: Array, right: Array, start: Array, columns: Array, made: Real) -> None:
    """The product of row i of `left` and row j of `right` for each entry i, j of a sparse matrix."""
    for i in range(len(start) - 1):
        for k in range(start[i], start[i + 1]):
            total = 0.0
            for g in range(left.shape[1]):
                total += left[i, g] * right[columns[k], g]
            made[k] = total
