"""Texts in few dimensions, and where they lead: a linear map from the text of a class to those of the ends it has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from scipy import sparse

from elgeo.models.atlas.contexts.logic import Matrix
from elgeo.models.atlas.operators.dense import BLOCK, Dense, fixed_product
from elgeo.models.atlas.reranking.chains import factors
from elgeo.models.placement.terms import Term
from elgeo.models.placement.texts import WordBlock
from elgeo.models.placement.vectors import VectorBlock

DIMENSIONS = 128
RIDGE = 3.0
"""What keeps the map small."""
KEPT = 400
"""Classes of a term whose likeness is kept: what is less alike is not alike."""


FAINT = 1e-3
"""A text of which no more than this share is in the few dimensions has no meaning that is known."""


class Meaning:
    """Each class is a unit vector E, the best of its rank for the words of all texts (a singular value decomposition).

    By role, W makes E W most nearly the vectors of the ends: (EᵀE + 3 I)⁻¹ EᵀE' over the told axioms.
    """

    def __init__(self, block: WordBlock | VectorBlock, told: Mapping[int | None, Matrix]) -> None:
        self._block = block
        _, self._basis = factors(block.rows, min(DIMENSIONS, block.rows.shape[0]))
        self.places: Dense = self._vectors(block.rows)
        self._turned: Dense = np.ascontiguousarray(self.places.T)  # once: it takes longer than a product with one term
        gram = self.places.T.astype(np.float64) @ self.places
        self._pull: Dense = np.linalg.inv(gram + RIDGE * np.eye(len(gram))).astype(np.float32)
        self.maps = {role: self._map(matrix) for role, matrix in told.items()}

    def _vectors(self, rows: Matrix) -> Dense:
        return _unit(np.asarray(rows @ self._basis.T, np.float32))

    def _map(self, told: Matrix) -> Dense:
        pairs = sparse.coo_array(told)
        here, there = self.places[pairs.row].astype(np.float64), self.places[pairs.col].astype(np.float64)
        gram = here.T @ here + RIDGE * np.eye(here.shape[1])
        return np.linalg.solve(gram, here.T @ there).astype(np.float32)

    def of(self, terms: Sequence[Term]) -> Dense:
        return self._vectors(self._block.of(terms))

    def alike(self, vectors: Dense) -> Matrix:
        """How like the term each class is, the most alike alone."""
        return _best(fixed_product(vectors, self._turned))

    def drawn(self, vectors: Dense) -> Dense:
        """How much each class counts where a regression by these vectors, E (EᵀE + 3 I)⁻¹, says what a term has."""
        pulled = fixed_product(vectors, self._pull)
        return fixed_product(pulled, self._turned)

    def led_to(self, vectors: Dense, roles: Sequence[int | None]) -> dict[int | None, Matrix]:
        """How like each class is to what classes with such a text have at the end of each role.

        Of few terms several roles go into one product.
        """
        found: dict[int | None, Matrix] = {}
        at_once = max(1, BLOCK // max(1, len(vectors)))
        for first in range(0, len(roles), at_once):
            some = roles[first : first + at_once]
            led = self.alike(np.concatenate([_unit(fixed_product(vectors, self.maps[role])) for role in some]))
            for number, role in enumerate(some):
                found[role] = led[number * len(vectors) : (number + 1) * len(vectors)]
        return found


def _unit(vectors: Dense) -> Dense:
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(np.divide(vectors, length, out=np.zeros_like(vectors), where=length > FAINT))


def _best(alike: Dense) -> Matrix:
    if alike.shape[1] > KEPT:
        least = np.partition(alike, alike.shape[1] - KEPT, axis=1)[:, [alike.shape[1] - KEPT]]
        alike = np.where(alike >= least, alike, np.float32(0))
    return sparse.csr_array(np.maximum(alike, np.float32(0)))
