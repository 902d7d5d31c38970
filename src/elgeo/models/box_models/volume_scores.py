"""Scores of target axioms by volume: the log of the share of one box that lies in another."""

from __future__ import annotations

import math

import numba
import numpy as np

from elgeo.arrays import Floats, Ids
from elgeo.compilation import kernel

Boxes = tuple[Floats, Floats]


class VolumeScorer:
    """C ⊑ D: log(vol(C ∩ D) / vol(C)); C ⊑ ∃R.D: the same of the image of C under the map of R. In double precision."""

    tolerance = 0.0

    def __init__(self, lower: Floats, upper: Floats, scale: Floats, shift: Floats) -> None:
        self._lower, self._upper, self._scale, self._shift = lower, upper, scale, shift

    def pairs(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        """Scores of (heads[i], tails[i])."""
        out = np.empty((len(heads), 1))
        _score(*self._image(heads, role), *self._boxes(tails), 1, out)
        return out[:, 0]

    def tails(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        """Scores of every head against every tail, (heads, tails)."""
        out = np.empty((len(heads), len(tails)))
        _score(*self._image(heads, role), *self._boxes(tails), 0, out)
        return out

    def heads(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        """Scores of every tail against every head, (tails, heads)."""
        return np.ascontiguousarray(self.tails(heads, role, tails).T)

    def _image(self, heads: Ids, role: int | None) -> Boxes:
        lower, upper = self._boxes(heads)
        if role is None:
            return lower, upper
        scale, shift = self._scale[role], self._shift[role]
        return scale * lower + shift, scale * upper + shift

    def _boxes(self, classes: Ids) -> Boxes:
        return self._lower[classes], self._upper[classes]


@kernel(inner=True, inline="always")
def _log_width(x: float) -> float:
    """log softplus(x); far below zero softplus(x) is exp(x)."""
    if x < -30.0:
        return x
    return math.log(math.log1p(math.exp(-abs(x))) + max(x, 0.0))


@kernel(parallel=True, error_model="numpy")
def _score(lower: Floats, upper: Floats, tail_lower: Floats, tail_upper: Floats, step: int, out: Floats) -> None:
    """out[i, j] = the score of row i with point j + i·step; `step` is 1 for pairs, else 0."""
    for i in numba.prange(out.shape[0]):
        own = 0.0
        for k in range(lower.shape[1]):
            own += _log_width(upper[i, k] - lower[i, k])
        for j in range(out.shape[1]):
            p = j + i * step
            both = 0.0
            for k in range(lower.shape[1]):
                both += _log_width(min(upper[i, k], tail_upper[p, k]) - max(lower[i, k], tail_lower[p, k]))
            out[i, j] = both - own
