"""`Groups`: which classes belong together, by their axioms of a symmetric role and by what else is told of them.

A block model. An axiom between h of group a and t of group b is expected θ_h θ_t Λ_ab times, θ being how many axioms a
class has beside the average; a class of group a has feature f with probability φ_af. Memberships Z are found by mean
field from a hierarchical clustering on, with likelihoods that count for little at first and fully in the end. Twice,
with other priors, because what is found depends on them, and the mean of both is better than either.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.cluster import hierarchy
from scipy.spatial.distance import squareform

from elgeo.arrays import Array
from elgeo.compilation import kernel
from elgeo.models.atlas.contexts.likeness import likeness, unit_rows
from elgeo.models.atlas.contexts.logic import Matrix
from elgeo.models.atlas.operators.dense import Dense, fixed_product
from elgeo.models.atlas.operators.target import Places, Target, take

Real = NDArray[np.float64]
EACH = 6
"""There is a group for so many classes; those that are not needed stay empty."""
CONTEXTS = 2.0
"""How much likeness by contexts counts beside that by axioms for the first groups."""
STEPS, WARMED, COLD, KEPT = 25, 0.6, 0.3, 0.3
"""Steps; after which share of them likelihoods count fully; how much at first; what a step keeps of memberships."""
TOLD = 0.5
"""How much a feature counts beside an axiom: features of one class are not independent."""
FEW, EMPTY = 4.0, 0.5
"""What is added to the axioms of a class, and to the classes of a group."""
LEAST, MOST = 1e-6, 1 - 1e-6


class Prior(NamedTuple):
    """What is added to what is counted."""

    axioms: float
    """Between two groups."""
    classes: float
    """With the features of a group."""


PRIORS = (Prior(0.5, 2.0), Prior(0.2, 5.0))


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


class Grouping:
    """Memberships of classes by one prior, and how often axioms join each two groups."""

    def __init__(self, known: GroupClues, first: NDArray[np.int64], prior: Prior) -> None:
        self._known, self._prior = known, prior
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
        between = self.members.T @ (self._known.axioms @ self.members)
        return np.asarray((between + self._prior.axioms) / self.sizes)

    @property
    def sizes(self) -> Real:
        """(group, group): the pairs of classes, each counted by θ, and some more for what is known without any."""
        theta = self._known.theta
        total = theta @ self.members
        pairs = np.outer(total, total) - np.diag(theta**2 @ self.members)
        return np.asarray(np.maximum(pairs, 0) + self._prior.axioms / self._known.rate)

    def shares(self, head: int, tail: int) -> Real:
        """What each axiom adds to one score, in their order."""
        axioms = self._known.axioms
        added = np.empty(axioms.nnz)
        _products_of_rows(self.members @ self._weights(head, tail), self.members, axioms.indptr, axioms.indices, added)
        return added

    def expected(self, head: int, tail: int) -> float:
        """What is in one score without any axiom."""
        return self._prior.axioms * float(self._weights(head, tail).sum())

    def _weights(self, head: int, tail: int) -> Real:
        """(group, group): how much an axiom between two groups counts for one score."""
        return np.asarray(self._known.theta[tail] * np.outer(self.members[head], self.members[tail]) / self.sizes)


class Groups:
    """Groupings of the target's heads, which are its tails too."""

    def __init__(self, target: Target, contexts: Matrix, told: Matrix) -> None:
        """`contexts` are features to compare by, `told` those that a class has or has not: rows by class id."""
        features: Matrix = sparse.csr_array(told[target.heads], dtype=np.float64)
        shared = np.bincount(features.indices, minlength=features.shape[1]) >= 2
        theta = (target.head_counts + FEW) / (target.head_counts.mean() + FEW)
        axioms: Matrix = sparse.csr_array(target.axioms, dtype=np.float64)
        self._known = GroupClues(axioms, sparse.csr_array(features[:, np.flatnonzero(shared)]), theta)
        first = clustered(axioms, contexts[target.heads])
        self.groupings = [Grouping(self._known, first, prior) for prior in PRIORS]

    def rows(self, places: Places) -> Dense:
        """The mean of θ_t Σ_ab Z_ha Λ_ab Z_tb over groupings, for heads by place; -1 gives zeros."""
        return fixed_product(take(self._left, places).toarray(), self._right)

    @cached_property
    def _left(self) -> Matrix:
        return sparse.csr_array(np.hstack([each.members for each in self.groupings]).astype(np.float32))

    @cached_property
    def _right(self) -> Dense:
        parts = [each.rates @ (each.members * self._known.theta[:, None]).T for each in self.groupings]
        return np.ascontiguousarray(np.vstack(parts) / len(parts), np.float32)

    def shares(self, head: int, tail: int) -> tuple[Real, float]:
        """What each of the target's axioms adds to one score, in their order, and what is there without any."""
        added = np.mean([each.shares(head, tail) for each in self.groupings], axis=0)
        return np.asarray(added), self.expected(head, tail)

    def expected(self, head: int, tail: int) -> float:
        """What is in one score without any axiom."""
        return sum(each.expected(head, tail) for each in self.groupings) / len(self.groupings)


def clustered(axioms: Matrix, contexts: Matrix) -> NDArray[np.int64]:
    """First groups, numbered from 0: average linkage of classes by the axioms they share and by contexts."""
    n = axioms.shape[0]
    wanted = -(-n // EACH)
    if wanted < 2:
        return np.zeros(n, np.int64)
    own = unit_rows(sparse.csr_array(axioms + sparse.eye_array(n)))
    alike = likeness(own, own).astype(np.float64) + CONTEXTS * likeness(contexts, contexts)
    apart = 1 - (alike + alike.T) / (2 * (1 + CONTEXTS))
    np.fill_diagonal(apart, 0)
    tree = hierarchy.linkage(squareform(np.maximum(apart, 0), checks=False), "average")
    return np.asarray(hierarchy.fcluster(tree, wanted, "maxclust"), np.int64) - 1


@kernel
def _products_of_rows(left: Array, right: Array, start: Array, columns: Array, made: Real) -> None:
    """The product of row i of `left` and row j of `right` for each entry i, j of a sparse matrix."""
    for i in range(len(start) - 1):
        for k in range(start[i], start[i + 1]):
            total = 0.0
            for g in range(left.shape[1]):
                total += left[i, g] * right[columns[k], g]
            made[k] = total
