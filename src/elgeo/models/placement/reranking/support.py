"""Kernels over the hierarchy, for some candidates of each term: the best value and the belief below and above."""

from __future__ import annotations

import numpy as np

from elgeo.arrays import Array
from elgeo.compilation import kernel


@kernel
def best_member(values: Array, candidates: Array, start: Array, members: Array, without: float) -> Array:
    """For each row and candidate the largest of the row's values among the candidate's members."""
    made = np.full(candidates.shape, np.float32(without), np.float32)
    for i in range(len(candidates)):
        for k in range(candidates.shape[1]):
            first, last = start[candidates[i, k]], start[candidates[i, k] + 1]
            if last > first:
                best = values[i, members[first]]
                for j in range(first + 1, last):
                    best = max(best, values[i, members[j]])
                made[i, k] = best
    return made


@kernel
def shared(belief: Array, candidates: Array, start: Array, above: Array, size: int) -> Array:
    """(2, row, candidate): the belief in those candidates that are below each, and in those that are above it."""
    made = np.zeros((2, *candidates.shape), np.float32)
    own, below = np.zeros(size, np.float32), np.zeros(size, np.float32)
    for i in range(len(candidates)):
        for k in range(candidates.shape[1]):
            own[candidates[i, k]] = belief[i, k]
        for k in range(candidates.shape[1]):
            for j in range(start[candidates[i, k]], start[candidates[i, k] + 1]):
                below[above[j]] += belief[i, k]
                made[1, i, k] += own[above[j]]
        for k in range(candidates.shape[1]):
            made[0, i, k] = below[candidates[i, k]]
        for k in range(candidates.shape[1]):
            own[candidates[i, k]] = 0
            for j in range(start[candidates[i, k]], start[candidates[i, k] + 1]):
                below[above[j]] = 0
    return made
