"""The regression of tails where there are too many for one dense matrix: each on its nearest ones alone."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from elgeo.arrays import Array
from elgeo.compilation import kernel
from elgeo.models.atlas.contexts.logic import Matrix
from elgeo.models.atlas.operators.dense import Dense
from elgeo.models.atlas.operators.selecting import largest
from elgeo.models.atlas.operators.sparse_products import dense_product
from elgeo.models.atlas.operators.target import Places, Target, take

COUNT = 150
"""Tails that one is regressed on: those whose heads are most nearly its own."""
AT_ONCE = 4096
"""Tails whose common heads are counted at a time."""
WHOLE = 8000
"""Tails with axioms up to which all common heads are held in one dense matrix, which is far quicker."""


def common_heads(scaled: Matrix, tails: Places) -> Dense:
    """X̂ᵀX̂ of some tails."""
    columns = sparse.csc_array(scaled)[:, tails]
    return dense_product(columns.T, columns.tocsr())  # by rows


class NeighbourRegression:
    """Column t of R: ridge regression of t on the tails nearest to it, (G_nn + s λ I)⁻¹ G_nt with G = X̂ᵀX̂.

    What the dense regression does with all tails; contexts stay out of it, and a tail without axioms is not reached.
    """

    def __init__(self, target: Target, scaled: Matrix, ridge: float, together: Dense | None = None) -> None:
        """`together` is X̂ᵀX̂ of the tails with axioms, where it is there already."""
        n = len(target.tails)
        diagonal = np.asarray(scaled.multiply(scaled).sum(axis=0), np.float64).ravel()
        warm = np.flatnonzero(diagonal)
        size = float(diagonal[warm].mean()) if len(warm) else 1.0
        columns = sparse.csc_array(scaled)
        rows, turned = sparse.csr_array(scaled), columns.T.tocsr()
        gram, place = together, np.full(n, -1, np.int64)
        place[warm] = np.arange(len(warm))
        if gram is None and len(warm) <= WHOLE:
            gram = common_heads(scaled, warm)
        found: list[Matrix] = []
        for first in range(0, n, AT_ONCE):
            if gram is not None:
                near, start = nearest_within(gram, warm, place[first : first + AT_ONCE], diagonal, COUNT)
                weights = regress_within(gram, place, near, start, first, size * ridge)
            else:
                shared = sparse.csr_array(turned[first : first + AT_ONCE] @ rows)
                shared.sort_indices()  # of equally near ones the first are taken
                near, start = nearest(shared.indptr, shared.indices, shared.data, diagonal, first, COUNT)
                weights = regress(columns.indptr, columns.indices, columns.data, near, start, first, size * ridge)
            shape = len(start) - 1, n
            found.append(sparse.csr_array((weights, near, start), shape, dtype=np.float32))
        self.matrix: Matrix = (
            sparse.vstack(found, format="csr") if found else sparse.csr_array((n, n), dtype=np.float32)
        )
        """Row t: the weights of the tails that t is regressed on."""
        self._turned: Matrix = self.matrix.T.tocsr()

    def apply(self, found: Matrix) -> Matrix:
        return sparse.csr_array(found @ self._turned)

    def columns(self, tails: Places) -> Dense:
        return np.asarray(take(self.matrix, tails).toarray(), np.float32)


@kernel
def nearest(
    start: Array, columns: Array, values: Array, diagonal: Array, first: int, count: int
) -> tuple[Array, Array]:
    """Of each row the `count` tails with the largest cosine, in order of their number; the row's own tail is none."""
    n = len(start) - 1
    ends = np.zeros(n + 1, np.int64)
    chosen = np.empty(min(len(columns), n * count), np.int64)
    filled = 0
    for i in range(n):
        row = columns[start[i] : start[i + 1]]
        likeness = np.empty(len(row), np.float64)
        for j in range(len(row)):
            own = row[j] == first + i
            likeness[j] = -1.0 if own else values[start[i] + j] / np.sqrt(diagonal[row[j]])
        filled = _choose(likeness, row, count, chosen, filled)
        ends[i + 1] = filled
    return chosen[:filled], ends


@kernel
def nearest_within(gram: Array, warm: Array, asked: Array, diagonal: Array, count: int) -> tuple[Array, Array]:
    """The same from X̂ᵀX̂ over the tails with axioms; `asked` are places in it, -1 of a tail that has none."""
    n, width = len(asked), len(warm)
    ends = np.zeros(n + 1, np.int64)
    chosen = np.empty(n * min(count, width), np.int64)
    length = np.sqrt(diagonal[warm])
    likeness = np.empty(width, np.float64)
    filled = 0
    for i in range(n):
        own = asked[i]
        if own >= 0:
            for j in range(width):
                likeness[j] = 0.0 if j == own else gram[own, j] / length[j]
            filled = _choose(likeness, warm, count, chosen, filled)
        ends[i + 1] = filled
    return chosen[:filled], ends


@kernel(inner=True)
def _choose(likeness: Array, tails: Array, count: int, chosen: Array, filled: int) -> int:
    """Put the `count` nearest tails, of equally near ones the first, after those chosen; gives the number of all."""
    some = 0
    for x in likeness:
        some += x > 0
    least, room = 0.0, count
    if some > count:
        least = largest(likeness, count)
        for x in likeness:
            room -= x > least  # what is left is for those that are exactly as near as the last
    for j in range(len(likeness)):
        if likeness[j] > least or (likeness[j] == least and least > 0 and room > 0):
            room -= likeness[j] == least
            chosen[filled] = tails[j]
            filled += 1
    return filled


@kernel
def regress(
    start: Array,
    rows: Array,
    values: Array,
    near: Array,
    ends: Array,
    first: int,
    ridge: float,
) -> Array:
    """The weights of each tail's nearest ones; `start`, `rows` and `values` are X̂ by columns."""
    found = np.empty(len(near), np.float64)
    width = 0
    for j in range(len(rows)):
        width = max(width, rows[j] + 1)
    place = np.full(width, -1, np.int64)
    for i in range(len(ends) - 1):
        mine = near[ends[i] : ends[i + 1]]
        k = len(mine)
        if not k:
            continue
        # the heads of the nearest, numbered from 0, and X̂ over them
        heads = 0
        for u in mine:
            for j in range(start[u], start[u + 1]):
                if place[rows[j]] < 0:
                    place[rows[j]] = heads
                    heads += 1
        x = np.zeros((k, heads), np.float64)
        for c in range(k):
            for j in range(start[mine[c]], start[mine[c] + 1]):
                x[c, place[rows[j]]] = values[j]
        y = np.zeros(heads, np.float64)
        for j in range(start[first + i], start[first + i + 1]):
            if place[rows[j]] >= 0:
                y[place[rows[j]]] = values[j]
        for u in mine:
            for j in range(start[u], start[u + 1]):
                place[rows[j]] = -1
        gram = np.dot(x, x.T)
        for c in range(k):
            gram[c, c] += ridge
        answer = np.dot(x, y)
        solve(gram, answer)
        found[ends[i] : ends[i + 1]] = answer
    return found


@kernel
def regress_within(gram: Array, place: Array, near: Array, ends: Array, first: int, ridge: float) -> Array:
    """The same from X̂ᵀX̂ over the tails with axioms; `place` says where each tail is in it."""
    found = np.empty(len(near), np.float64)
    for i in range(len(ends) - 1):
        mine = place[near[ends[i] : ends[i + 1]]]
        k = len(mine)
        if not k:
            continue
        part, y = np.empty((k, k), np.float64), np.empty(k, np.float64)
        for a in range(k):
            for b in range(a + 1):
                part[a, b] = gram[mine[a], mine[b]]
            part[a, a] += ridge
            y[a] = gram[mine[a], place[first + i]]
        solve(part, y)
        found[ends[i] : ends[i + 1]] = y
    return found


@kernel(inner=True, fastmath={"reassoc", "contract"})
def solve(matrix: Array, y: Array) -> None:
    """In place, y becomes G⁻¹y; of G, which is symmetric and positive definite, only the lower half is read.

    By Cholesky: quicker than LAPACK's own for a hundred rows, where calling it and pivoting take the most time.
    """
    n = len(y)
    for i in range(n):
        for j in range(i + 1):
            left = matrix[i, j]
            for k in range(j):
                left -= matrix[i, k] * matrix[j, k]
            matrix[i, j] = np.sqrt(left) if i == j else left / matrix[j, j]
    for i in range(n):
        left = y[i]
        for k in range(i):
            left -= matrix[i, k] * y[k]
        y[i] = left / matrix[i, i]
    for i in range(n - 1, -1, -1):
        y[i] /= matrix[i, i]
        for k in range(i):
            y[k] -= matrix[i, k] * y[i]
