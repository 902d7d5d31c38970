"""Evidence from longer chains of axioms, which only the re-ranker weighs.

X has the training axioms (heads by tails), X̃ = D_h^−½ X D_t^−½. Rows are made for some heads at a time, from
matrices that are dense: for few heads and tails only.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np
from scipy import sparse

from elgeo.arrays import Array
from elgeo.compilation import kernel
from elgeo.models.atlas.contexts.likeness import likeness
from elgeo.models.atlas.contexts.logic import Matrix
from elgeo.models.atlas.operators.dense import Dense, fixed_product, inverse
from elgeo.models.atlas.operators.target import Places, Target

RANK = 128
"""Of the factorisations."""
FLOOR = np.float32(0.1)
"""Below so much of what chance gives, less is no news."""
STAY, GO = 1.02, 0.9
"""Spreading over a symmetric role: (1.02 I − 0.9 X̃)⁻¹."""


_TURNED = {
    "closest own tail": "closest own head",
    "own tail most like it": "own head most like it",
    "own tails alike, squared": "own heads alike, squared",
    "own tails like it, squared": "own heads like it, squared",
}
TURNED = {**_TURNED, **{other: one for one, other in _TURNED.items()}}
"""Of a symmetric role: the evidence for a pair that is this evidence for the pair the other way round.

The rest is the same both ways, factors but for what their rank leaves out.
"""


class Chains:
    """Scores of pairs that use more axioms at once than L X̂ R does."""

    def __init__(self, target: Target, contexts: Matrix, surprising: tuple[Dense, Dense] | None = None) -> None:
        """`contexts` are features with a row for each class id; `surprising` what the property is, if it is known."""
        self._target, self._contexts, self._given = target, contexts, surprising
        self._x: Matrix = sparse.csr_array(target.axioms, dtype=np.float32)
        self._heads_of: Matrix = self._x.T.tocsr()
        self._even: Matrix = target.scaled(0.5, 0.5)
        self._even_back: Matrix = self._even.T.tocsr()
        self.makers: dict[str, Callable[[Places], Dense]] = {
            "three steps": self._three,
            "low rank": lambda at: fixed_product(self._factors[0][at], self._factors[1]),
            "surprise": lambda at: self._surprise[at],
            "surprise, low rank": lambda at: fixed_product(self.surprising[0][at], self.surprising[1]),
            "closest own tail": lambda at: closest(self._x.indptr, self._x.indices, at, self._tails_alike),
            "closest own head": lambda at: closest_turned(
                self._heads_of.indptr, self._heads_of.indices, self._heads_alike[at]
            ),
            "own tails alike, squared": lambda at: self._of_tails(at, self._tails_alike),
            "own heads alike, squared": lambda at: np.asarray(self._heads_alike[at] ** 2 @ self._even),
        }
        if contexts.shape[1]:
            self.makers |= {
                "own tail most like it": lambda at: closest(self._x.indptr, self._x.indices, at, self._tail_contexts),
                "own head most like it": lambda at: closest_turned(
                    self._heads_of.indptr, self._heads_of.indices, self._head_contexts[at]
                ),
                "own tails like it, squared": lambda at: self._of_tails(at, self._tail_contexts),
                "own heads like it, squared": lambda at: np.asarray(self._head_contexts[at] ** 2 @ self._even),
            }
        if target.symmetric:
            self.makers |= {
                "two steps": lambda at: (self._even[at] @ self._even).toarray(),
                "four steps": lambda at: np.asarray(self._three(at) @ self._even),
                "common neighbours": lambda at: (self._x[at] @ self._x).toarray(),
                "rare common neighbours": lambda at: (self._x[at] @ self._weighed_log).toarray(),
                "shared out": lambda at: (self._x[at] @ self._weighed).toarray(),
                "spread": lambda at: self._spread[at],
            }

    def _of_tails(self, at: Places, values: Dense) -> Dense:
        return sums_of_squares(self._even.indptr, self._even.indices, self._even.data, at, values)

    def _three(self, at: Places) -> Dense:
        return np.asarray((self._even[at] @ self._even_back).toarray() @ self._even)

    @cached_property
    def _weighed(self) -> Matrix:
        return sparse.diags_array((1 / np.maximum(self._target.head_counts, 1)).astype(np.float32)) @ self._x

    @cached_property
    def _weighed_log(self) -> Matrix:
        return sparse.diags_array((1 / np.log(np.maximum(self._target.head_counts, 2))).astype(np.float32)) @ self._x

    @cached_property
    def _spread(self) -> Dense:
        n = len(self._target.heads)
        made = np.float32(STAY) * np.eye(n, dtype=np.float32) - np.float32(GO) * self._even.toarray()
        return inverse(made)

    @cached_property
    def _tails_alike(self) -> Dense:
        return _cosine(self._heads_of)

    @cached_property
    def _heads_alike(self) -> Dense:
        return self._tails_alike if self._target.symmetric else _cosine(self._x)

    @cached_property
    def _tail_contexts(self) -> Dense:
        return _compared(self._contexts[self._target.tails])

    @cached_property
    def _head_contexts(self) -> Dense:
        return self._tail_contexts if self._target.symmetric else _compared(self._contexts[self._target.heads])

    @cached_property
    def _factors(self) -> tuple[Dense, Dense]:
        return factors(self._even, RANK)

    @cached_property
    def _surprise(self) -> Dense:
        """How much more often than by chance short paths join head and tail, as a logarithm."""
        target, even = self._target, self._even
        made = (self._even @ self._even_back).toarray() @ even / np.float32(4)
        if target.symmetric:
            made += (even @ even).toarray() / np.float32(2)
        made = np.asarray(made + even, np.float32)
        made /= np.sqrt(np.maximum(target.head_counts, 1)).astype(np.float32)[:, None]
        made /= np.sqrt(np.maximum(target.tail_counts, 1)).astype(np.float32)
        made *= np.float32(target.axioms.nnz)
        return np.asarray(np.log(np.maximum(made, FLOOR) / FLOOR), np.float32)

    @cached_property
    def surprising(self) -> tuple[Dense, Dense]:
        """Factors of `surprise`."""
        return self._given or factors(self._surprise, RANK)


def _cosine(rows: Matrix) -> Dense:
    length = np.sqrt(np.maximum(np.diff(rows.indptr), 1))
    unit = sparse.csr_array(sparse.diags_array((1 / length).astype(np.float32)) @ rows)
    return _compared(unit)


def _compared(rows: Matrix) -> Dense:
    found = likeness(rows, rows)
    np.fill_diagonal(found, 0)
    return found


def factors(matrix: Matrix, rank: int) -> tuple[Dense, Dense]:
    """L and R of the best L R of a rank, by products with random vectors; always the same ones."""
    n = matrix.shape[1]
    wide = min(rank + 32, *matrix.shape)
    found = np.random.default_rng(0).standard_normal((n, wide), np.float32)
    turned: Matrix = matrix.T  # of a sparse or a dense matrix
    for _ in range(4):
        left, _ = np.linalg.qr(np.asarray(matrix @ found))
        found, _ = np.linalg.qr(np.asarray(turned @ left))
    left = np.asarray(matrix @ found)
    u, values, v = np.linalg.svd(left, full_matrices=False)
    return (u[:, :rank] * values[:rank]).astype(np.float32), np.ascontiguousarray((v[:rank] @ found.T), np.float32)


@kernel
def closest(start: Array, members: Array, at: Array, values: Array) -> Array:
    """For each row asked and each column, the largest value of that column among the row's members; 0 without any."""
    made = np.zeros((len(at), values.shape[1]), np.float32)
    for i in range(len(at)):
        for j in range(start[at[i]], start[at[i] + 1]):
            row = values[members[j]]
            for k in range(len(row)):
                made[i, k] = max(made[i, k], row[k])
    return made


@kernel
def closest_turned(start: Array, members: Array, values: Array) -> Array:
    """For each row of values and each list of members, the largest of the row's values among these."""
    made = np.zeros((len(values), len(start) - 1), np.float32)
    for i in range(len(values)):
        for k in range(len(start) - 1):
            for j in range(start[k], start[k + 1]):
                made[i, k] = max(made[i, k], values[i, members[j]])
    return made


@kernel
def sums_of_squares(start: Array, members: Array, weights: Array, at: Array, values: Array) -> Array:
    """For each row asked and each column, the sum of the squared values of that column over the row's members."""
    made = np.zeros((len(at), values.shape[1]), np.float32)
    for i in range(len(at)):
        for j in range(start[at[i]], start[at[i] + 1]):
            row, weight = values[members[j]], weights[j]
            for k in range(len(row)):
                made[i, k] += weight * row[k] * row[k]
    return made
