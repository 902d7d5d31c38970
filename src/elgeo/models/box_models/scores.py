"""Scores of target axioms among boxes: how far one box is outside the other, one pair at a time or one against many."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Floats, Ids
from elgeo.compilation import kernel
from elgeo.models.box_models.terms import BoxTerm
from elgeo.models.box_models.truth import summed
from elgeo.models.room import in_room

BLOCK = 8
"""Queries that share one walk over the candidates, so that a candidate is fetched once for all of them."""
ROUNDING = 8 * float(np.finfo(np.float64).eps)
"""How far outside, by what is summed, the border of a box may be by rounding alone: it was corners before."""


class Side(NamedTuple):
    """Centres and widths of some boxes, (boxes, terms, dimensions): what one side adds to Δ and to w of each term."""

    centres: Floats
    widths: Floats


class TermScorer:
    """−‖relu(|Δ| + w)‖, the mean over the terms; where that is 0 but for rounding, 1 / (1 + ‖Δ‖): nearer is better.

    `by_centres` leaves widths out, −‖Δ‖, as the authors of box models rank. Bulk and pairs come from one kernel, so
    that what is equal is equal everywhere.
    """

    tolerance = 0.0

    def __init__(
        self, tables: Mapping[str, NDArray[Any]], terms: Mapping[str, Sequence[BoxTerm]], *, by_centres: bool
    ) -> None:
        self._tables = tables
        self._terms, self._by_centres = terms, by_centres

    def pairs(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        """Scores of (heads[i], tails[i])."""
        width = self._width(role)
        return in_room(len(heads), width, lambda part: self._paired(heads[part], role, tails[part]))

    def tails(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        """Scores of every head against every tail, (heads, tails)."""
        rows, width = self._left(heads, role), self._width(role)
        return in_room(len(tails), width, lambda part: self._scored(rows, self._right(role, tails[part])), axis=1)

    def heads(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        """Scores of every tail against every head, (tails, heads)."""
        rows, width = self._right(role, tails), self._width(role)
        return in_room(len(heads), width, lambda part: self._scored(rows, self._left(heads[part], role)), axis=1)

    def _width(self, role: int | None) -> int:
        """Numbers of one box in a `Side`."""
        return 2 * len(self._terms_of(role)) * int(self._tables["centres"].shape[1])

    def _terms_of(self, role: int | None) -> Sequence[BoxTerm]:
        return self._terms["subclass" if role is None else "existential"]

    def _paired(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        return self._scored(self._left(heads, role), self._right(role, tails), paired=True)[:, 0]

    def _left(self, heads: Ids, role: int | None) -> Side:
        ids: dict[str, Any] = {"c": heads} if role is None else {"c": heads, "r": np.full(len(heads), role)}
        return self._side(role, ids, len(heads))

    def _right(self, role: int | None, tails: Ids) -> Side:
        return self._side(role, {"d": tails}, len(tails))

    def _side(self, role: int | None, ids: Mapping[str, Any], count: int) -> Side:
        """What the columns in `ids` add to each term."""
        terms = self._terms_of(role)
        look: Callable[[str, str], Floats] = lambda table, column: self._tables[table][ids[column]].astype(np.float64)  # noqa: E731
        shape = (count, len(terms), self._tables["centres"].shape[1])
        side = Side(np.zeros(shape), np.zeros(shape))
        for i, term in enumerate(terms):
            mine = [[part for part in parts if part.column in ids] for parts in (term.centre, term.width)]
            side.centres[:, i] = summed(mine[0], look)
            side.widths[:, i] = summed(mine[1], look, absolute=True)
        return side

    def _scored(self, rows: Side, points: Side, paired: bool = False) -> Floats:
        out = np.empty((len(rows.centres), 1 if paired else len(points.centres)))
        _score(*rows, *points, _slack(rows), _slack(points), int(paired), self._by_centres, out)
        return out


def _slack(side: Side) -> Floats:
    """What each box of a side may add to ‖relu(|Δ| + w)‖, summed over the terms, where nothing is outside."""
    count, terms, dimension = side.centres.shape
    reach = (np.abs(side.centres) + np.abs(side.widths)).reshape(count, terms * dimension).max(axis=1)
    return np.asarray(ROUNDING * terms * np.sqrt(dimension) * reach)


@kernel(parallel=True, fastmath={"reassoc", "contract"}, error_model="numpy")
def _score(
    rows: Floats,
    row_widths: Floats,
    points: Floats,
    point_widths: Floats,
    row_slack: Floats,
    point_slack: Floats,
    step: int,
    by_centres: bool,
    out: Floats,
) -> None:
    """out[i, j] = the score of row i with point j + i·step; `step` is 1 for pairs, else 0."""
    n, m = out.shape
    terms, dimension = rows.shape[1], rows.shape[2]
    for block in numba.prange((n + BLOCK - 1) // BLOCK):
        low = block * BLOCK
        for j in range(m):
            for i in range(low, min(low + BLOCK, n)):
                p = j + i * step
                outside, apart = 0.0, 0.0
                for t in range(terms):
                    crossed, square = 0.0, 0.0
                    for k in range(dimension):
                        distance = abs(rows[i, t, k] + points[p, t, k])
                        x = max(distance + (row_widths[i, t, k] + point_widths[p, t, k]), 0.0)
                        crossed += x * x
                        square += distance * distance
                    outside += np.sqrt(crossed)
                    apart += np.sqrt(square)
                if by_centres:
                    out[i, j] = -apart / terms
                elif outside > row_slack[i] + point_slack[p]:
                    out[i, j] = -outside / terms
                else:
                    out[i, j] = 1.0 / (1.0 + apart / terms)
