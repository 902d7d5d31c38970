"""Operators on tails, the R of L X̂ R: what an axiom with one tail says about the others."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from scipy import sparse

from elgeo.arrays import Array
from elgeo.compilation import kernel
from elgeo.models.atlas.contexts.likeness import affordable, likeness, nearest
from elgeo.models.atlas.contexts.logic import Matrix
from elgeo.models.atlas.operators.dense import Dense, fixed_product, inverse
from elgeo.models.atlas.operators.neighbours import common_heads
from elgeo.models.atlas.operators.target import Places, Target, take

ROUNDING = 1e-6
"""What is left of a number by rounding after as much was taken away, beside it."""


class TailOperator(Protocol):
    """R, by what it does to rows over the tails."""

    def apply(self, found: Matrix) -> Dense | Matrix:
        """Z R, sparse where it has few entries; rows of Z have few."""

    def columns(self, tails: Places) -> Dense:
        """Columns of R, each as a row; -1 gives zeros."""


class Same:
    """R = I."""

    def __init__(self, target: Target) -> None:
        self._n = len(target.tails)

    def apply(self, found: Matrix) -> Matrix:
        return found

    def columns(self, tails: Places) -> Dense:
        made = np.zeros((len(tails), self._n), np.float32)
        known = np.flatnonzero(tails >= 0)
        made[known, tails[known]] = 1
        return made


class Regression:
    """Each tail predicted from all other tails of the same heads by ridge regression, with contexts as a prior.

    G = X̂ᵀX̂ + s(F Fᵀ + λI) over the tails with axioms, P = G⁻¹, R = I − P diag(1/diag P): zero diagonal. A tail without
    axioms is reached through the features it shares: R = s P F fᵀ.
    """

    def __init__(
        self, target: Target, scaled: Matrix, features: Matrix, ridge: float, together: Dense | None = None
    ) -> None:
        """`features` has a row for each class id; X̂ᵀX̂ of the tails with axioms is overwritten, where it is given."""
        self._warm = np.flatnonzero(target.tail_counts)
        self._cold = np.flatnonzero(target.tail_counts == 0)
        self._n = len(target.tails)
        self._place = np.full(self._n, -1, np.int64)
        self._place[self._warm] = np.arange(len(self._warm))
        gram = common_heads(scaled, self._warm) if together is None else together
        self._size = np.float32(gram.diagonal().mean()) if len(gram) else np.float32(1)
        self._warm_rows = features[target.tails[self._warm]]
        self._cold_columns = features[target.tails[self._cold]].T.tocsr()
        if features.shape[1]:
            alike = likeness(self._warm_rows, self._warm_rows)
            alike *= self._size
            gram += alike
        gram[np.diag_indices(len(gram))] += self._size * np.float32(ridge)
        self._inverse = inverse(gram)
        self._diagonal = self._inverse.diagonal().copy()
        self._to_cold: Dense | None = None
        """s P F fᵀ for all tails without axioms, where these are few."""
        if self._cold_columns.nnz and len(self._cold) <= len(self._warm):
            self._to_cold = self._size * fixed_product(self._inverse, likeness(self._warm_rows, self._cold_columns.T))

    def apply(self, found: Matrix) -> Dense:
        warm = self._over_warm(found)
        rows = warm.toarray()
        to_cold = None if self._to_cold is None else fixed_product(rows, self._to_cold)
        return self._regressed(warm, fixed_product(rows, self._inverse), to_cold)

    def apply_sparse(self, found: Matrix) -> Dense:
        """The same for rows with few entries: each costs as much as it has."""
        warm = self._over_warm(found)
        to_cold = None if self._to_cold is None else np.asarray(warm @ self._to_cold)
        return self._regressed(warm, np.asarray(warm @ self._inverse), to_cold)

    def _over_warm(self, found: Matrix) -> Matrix:
        """Without the tails that have no axioms."""
        return sparse.csr_array(sparse.csc_array(found)[:, self._warm])

    def _regressed(self, warm: Matrix, product: Dense, to_cold: Dense | None) -> Dense:
        """Z R from Z and Z P, both over the tails with axioms, and what they say of those without, if that is known."""
        made = np.zeros((len(product), self._n), np.float32)
        if to_cold is not None:
            made[:, self._cold] = to_cold
        elif self._cold_columns.nnz:
            made[:, self._cold] = self._size * ((product @ self._warm_rows) @ self._cold_columns)
        _without_themselves(warm.indptr, warm.indices, warm.data, product, self._diagonal, self._warm, made)
        return made

    def columns(self, tails: Places) -> Dense:
        made = np.zeros((len(tails), self._n), np.float32)
        place = np.where(tails >= 0, self._place[tails], -1)
        warm = np.flatnonzero(place >= 0)
        at = place[warm]
        rows = -self._inverse[at] / self._diagonal[at, None]
        rows[np.arange(len(at)), at] = 0
        made[np.ix_(warm, self._warm)] = rows
        cold = np.flatnonzero((tails >= 0) & (place < 0))
        if len(cold) and self._cold_columns.nnz:
            column = np.searchsorted(self._cold, tails[cold])
            shared = (self._warm_rows @ self._cold_columns[:, column]).toarray().T
            made[np.ix_(cold, self._warm)] = self._size * fixed_product(shared, self._inverse)
        return made


class SpokenFor:
    """R as a sparse matrix: row t has the tails whose axioms speak for t, and how loudly."""

    def __init__(self, matrix: Matrix) -> None:
        self.matrix = matrix
        self._turned: Matrix = matrix.T.tocsr()

    def apply(self, found: Matrix) -> Matrix:
        return sparse.csr_array(found @ self._turned)

    def columns(self, tails: Places) -> Dense:
        return np.asarray(take(self.matrix, tails).toarray(), np.float32)


class AlikeTails(SpokenFor):
    """A tail is spoken for by the axioms of the tails most like it by their contexts."""

    COUNT = 60

    def __init__(self, target: Target, features: Matrix, power: float) -> None:
        warm = np.flatnonzero(target.tail_counts)
        own = np.full(len(target.tails), -1, np.int64)
        own[warm] = np.arange(len(warm))
        n = len(target.tails)
        features = affordable(features, target.tails, target.tails[warm])
        near = nearest(features[target.tails], features[target.tails[warm]].T.tocsr(), own, self.COUNT, power)
        super().__init__(sparse.csr_array((near.data, warm[near.indices], near.indptr), (n, n), dtype=np.float32))


class Kin(SpokenFor):
    """A tail is spoken for by the axioms of those told to be directly above it, or below it: D^−½ E D^−½."""

    def __init__(self, target: Target, edges: Matrix) -> None:
        """`edges` joins class ids: a tail with those that speak for it."""
        among: Matrix = edges[target.tails][:, target.tails]
        degrees = [np.maximum(np.asarray(among.sum(axis=axis)).ravel(), 1) for axis in (1, 0)]
        left, right = (sparse.diags_array((degree**-0.5).astype(np.float32)) for degree in degrees)
        super().__init__(sparse.csr_array(left @ among @ right, dtype=np.float32))


class AsTold(SpokenFor):
    """R = D^β undoes the division of X̂ by how many axioms a tail has: the more heads have it, the more it is said."""

    def __init__(self, target: Target, power: float) -> None:
        loud = np.maximum(target.tail_counts, 1) ** power
        super().__init__(sparse.diags_array(loud.astype(np.float32)).tocsr())


@kernel
def _without_themselves(
    start: Array, columns: Array, values: Array, product: Array, diagonal: Array, warm: Array, made: Array
) -> None:
    """Z − Z P / diag P in the columns `warm` of `made`, whose rows are too long to be walked along more than once.

    A tail says nothing of itself: what rounding leaves of that is none of it.
    """
    for i in range(len(product)):
        for j in range(len(warm)):
            made[i, warm[j]] = -product[i, j] / diagonal[j]
        for k in range(start[i], start[i + 1]):
            at = warm[columns[k]]
            made[i, at] += values[k]
            if abs(made[i, at]) < ROUNDING * abs(values[k]):
                made[i, at] = 0
