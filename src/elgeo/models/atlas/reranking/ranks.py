"""Places in a list as evidence: ln(rank) of a score among the scores of a row or of a column, from a few of them."""

from __future__ import annotations

import numpy as np

from elgeo.arrays import Floats
from elgeo.compilation import kernel
from elgeo.models.atlas.operators.dense import Dense

STEPS = 2
"""Ranks that are kept for each doubling."""


def levels(n: int) -> Floats:
    """The ranks whose scores are kept: 1, 2, 3, 4, 6, 8, 11, … up to n."""
    count = int(np.ceil(STEPS * np.log2(max(n, 2)))) + 1
    return np.unique(np.minimum(np.round(2 ** (np.arange(count) / STEPS)), n)).astype(np.float64)


def marks(scores: Dense, kept: Floats) -> Dense:
    """The scores of each row at the ranks kept; -inf are those that do not count."""
    ordered = np.sort(scores, axis=1)
    return np.ascontiguousarray(ordered[:, scores.shape[1] - kept.astype(np.int64)])


@kernel
def log_ranks(scores: Dense, row_marks: Dense, ranks: Floats, by_column: bool) -> Dense:
    """ln(rank) of each score by the marks of its row, or of its column; between marks by proportion of the score.

    What is below all marks that count has the rank of the last of them.
    """
    made = np.empty_like(scores)
    logs = np.log(ranks)
    n = len(ranks)
    for i in range(scores.shape[0]):
        for j in range(scores.shape[1]):
            mark = row_marks[j] if by_column else row_marks[i]
            x = scores[i, j]
            low, high = 0, n  # marks before `low` are above x
            while low < high:
                middle = (low + high) // 2
                if mark[middle] > x:
                    low = middle + 1
                else:
                    high = middle
            if low == 0:
                made[i, j] = 0
            elif low == n:
                made[i, j] = logs[n - 1]
            else:
                width = mark[low - 1] - mark[low]
                part = (mark[low - 1] - x) / width if np.isfinite(width) else 0.0
                made[i, j] = logs[low - 1] + part * (logs[low] - logs[low - 1])
    return made
