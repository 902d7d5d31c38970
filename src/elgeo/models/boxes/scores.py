"""Scores of axioms among boxes: how far they are from true, then how near the boxes are."""

from __future__ import annotations

import numpy as np
from numba import prange

from elgeo.arrays import Floats, Ids
from elgeo.compilation import kernel
from elgeo.models.boxes.halves import Halves
from elgeo.models.boxes.truth import Bytes

MOST = 8
"""A half dimension counts at most so much, however far apart its numbers are."""
NEAR = 20
"""Numbers further apart than this are as far apart as can be where only ties are to be broken."""


@kernel(parallel=True)
def _bulk(left: Bytes, right: Bytes) -> Floats:
    """Scores of every left against every right side."""
    scores = np.empty((len(left), len(right)))
    for i in prange(len(left)):
        for j in range(len(right)):
            scores[i, j] = _score(left[i], right[j])
    return scores


@kernel
def _each(left: Bytes, right: Bytes) -> Floats:
    """Scores of left[i] against right[i]."""
    scores = np.empty(len(left))
    for i in range(len(left)):
        scores[i] = _score(left[i], right[i])
    return scores


@kernel(inner=True, inline="always")
def _score(left: Bytes, right: Bytes) -> float:
    """−Σ min(v_left − v_right, MOST) where that is positive; ties by Σ |v_left − v_right|, as a fraction."""
    beyond, apart = np.int32(0), np.int32(0)
    for k in range(len(left)):
        difference = np.int16(np.int16(left[k]) - np.int16(right[k]))
        beyond += min(max(difference, np.int16(0)), np.int16(MOST))
        apart += min(abs(difference), np.int16(NEAR))
    return -float(beyond) - float(apart) / (NEAR * len(left) + 1)


class BoxScorer:
    """Scores of C ⊑ ∃r.D, or of C ⊑ D, from half dimensions; whole numbers, so that bulk and pairs agree exactly."""

    tolerance = 0.0

    def __init__(self, halves: Halves) -> None:
        self._halves = halves

    def pairs(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        return np.asarray(_each(self._halves.classes[heads], self._right(role, tails)))

    def tails(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        return np.asarray(_bulk(self._halves.classes[heads], self._right(role, tails)))

    def heads(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        return np.ascontiguousarray(self.tails(heads, role, tails).T)

    def _right(self, role: int | None, tails: Ids) -> Bytes:
        if role is None:
            return np.ascontiguousarray(self._halves.classes[tails])
        return np.ascontiguousarray(self._halves.some(role, tails))
