"""Operators on heads, the L of L X̂ R: whose training axioms speak for a head, and how loudly."""

from __future__ import annotations

from functools import cached_property
from typing import Protocol

import numpy as np
from scipy import sparse

from elgeo.models.atlas.contexts.likeness import affordable, nearest
from elgeo.models.atlas.contexts.logic import Matrix
from elgeo.models.atlas.operators.target import Ids, Target, take


class HeadOperator(Protocol):
    """Rows of L."""

    def rows(self, ids: Ids) -> Matrix:
        """How much the axioms of each of the target's heads count for each class asked."""


class Itself:
    """L = I: a head's own axioms."""

    def __init__(self, target: Target) -> None:
        self._target = target

    def rows(self, ids: Ids) -> Matrix:
        place, n = self._target.head_place[ids], len(self._target.heads)
        return take(sparse.eye_array(n, format="csr", dtype=np.float32), place)


class Walk:
    """One step over a graph among the heads: D^−½ A D^−½."""

    def __init__(self, target: Target, edges: Matrix) -> None:
        """`edges` joins class ids; directions are forgotten."""
        among = edges[target.heads][:, target.heads]
        both = sparse.csr_array(among + among.T)
        both.setdiag(0)
        both.eliminate_zeros()
        both.data[:] = 1
        degree = np.maximum(np.asarray(both.sum(axis=1)).ravel(), 1)
        scale = sparse.diags_array((degree**-0.5).astype(np.float32))
        self.matrix: Matrix = (scale @ both @ scale).tocsr().astype(np.float32)
        self._target = target

    def rows(self, ids: Ids) -> Matrix:
        return take(self.matrix, self._target.head_place[ids])


class AlikeHeads:
    """The heads with axioms that are most like a class by their contexts."""

    COUNT = 60

    def __init__(self, target: Target, features: Matrix, power: float, count: int = COUNT) -> None:
        self._count = count
        self._warm = np.flatnonzero(target.head_counts)
        if target.symmetric:  # every row will be asked for
            features = affordable(features, target.heads, target.heads[self._warm])
        self._target, self._features, self._power = target, features, power
        self._warm_columns = features[target.heads[self._warm]].T.tocsr()
        self._warm_place = np.full(len(target.heads), -1, np.int64)
        self._warm_place[self._warm] = np.arange(len(self._warm))

    def rows(self, ids: Ids) -> Matrix:
        place = self._target.head_place[ids]
        if self._target.symmetric and (place >= 0).all():
            return self.everyone[place]
        return self._found(ids)

    @cached_property
    def everyone(self) -> Matrix:
        """L for all heads of the target."""
        return self._found(self._target.heads)

    def _found(self, ids: Ids) -> Matrix:
        place = self._target.head_place[ids]
        own = np.where(place >= 0, self._warm_place[place], -1)
        found = nearest(self._features[ids], self._warm_columns, own, self._count, self._power)
        shape = len(ids), len(self._target.heads)
        return sparse.csr_array((found.data, self._warm[found.indices], found.indptr), shape, dtype=np.float32)
