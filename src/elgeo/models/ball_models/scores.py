"""Scores of target axioms among balls, one at a time or one against many, by the same arithmetic to the last bit."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Floats, Ids
from elgeo.compilation import kernel
from elgeo.models.room import in_room

BLOCK = 8
"""Queries that share one walk over the candidates, so that a candidate is fetched once for all of them."""


class BallScorer:
    """C ⊑ ∃R.D: −l(‖c+R−d‖ − r_c − r_d − γ). C ⊑ D: −l(‖c−d‖ + r_c − r_d − γ), or with − r_c where
    `subclass_meets`. All in double precision.

    `tails` and `heads` come out of the same kernel as `pairs`, difference by difference and not through a matrix
    product, so that what is equal is equal everywhere and ties need no second look.
    """

    tolerance = 0.0

    def __init__(
        self,
        centres: NDArray[Any],
        radii: NDArray[Any],
        roles: NDArray[Any],
        *,
        margin: float,
        slope: float,
        subclass_meets: bool = False,
    ) -> None:
        # a table may be mapped from a file that is larger than memory: what is used of it becomes double precision
        self._centres, self._radii, self._roles = centres, radii, roles
        self._margin, self._slope, self._subclass_meets = margin, slope, subclass_meets

    def pairs(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        """Scores of (heads[i], tails[i])."""
        return in_room(len(heads), self._width, lambda part: self._paired(heads[part], role, tails[part]))

    def tails(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        """Scores of every head against every tail, (heads, tails)."""
        rows = self._moved(heads, role)
        return in_room(len(tails), self._width, lambda part: self._scored(rows, self._placed(tails[part])), axis=1)

    def heads(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        """Scores of every tail against every head, (tails, heads)."""
        rows = self._placed(tails)
        return in_room(len(heads), self._width, lambda part: self._scored(rows, self._moved(heads[part], role)), axis=1)

    @property
    def _width(self) -> int:
        return int(self._centres.shape[1])

    def _paired(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        return self._scored(self._moved(heads, role), self._placed(tails), paired=True)[:, 0]

    def _moved(self, heads: Ids, role: int | None) -> tuple[Floats, Floats]:
        """Heads after the translation, and the sign their radius has in the score."""
        centres, radii = self._placed(heads)
        if role is None:
            return centres, radii if self._subclass_meets else -radii
        return centres + self._roles[role].astype(np.float64), radii

    def _placed(self, tails: Ids) -> tuple[Floats, Floats]:
        return self._centres[tails].astype(np.float64), -self._radii[tails].astype(np.float64)

    def _scored(self, rows: tuple[Floats, Floats], points: tuple[Floats, Floats], paired: bool = False) -> Floats:
        out = np.empty((len(rows[0]), 1 if paired else len(points[0])))
        _score(*rows, *points, int(paired), self._margin, self._slope, out)
        return out


@kernel(parallel=True, fastmath={"reassoc", "contract"}, error_model="numpy")
def _score(
    rows: Floats,
    row_radii: Floats,
    points: Floats,
    point_radii: Floats,
    step: int,
    margin: float,
    slope: float,
    out: Floats,
) -> None:
    """out[i, j] = −l(‖rows[i] − points[j + i·step]‖ + radii − γ); `step` is 1 for pairs, else 0."""
    n, m = out.shape
    for block in numba.prange((n + BLOCK - 1) // BLOCK):
        low = block * BLOCK
        for j in range(m):
            for i in range(low, min(low + BLOCK, n)):
                p = j + i * step
                square = 0.0
                for k in range(rows.shape[1]):
                    difference = rows[i, k] - points[p, k]
                    square += difference * difference
                inner = np.sqrt(square) + (row_radii[i] + point_radii[p]) - margin
                out[i, j] = -inner if inner > 0.0 else -slope * inner
