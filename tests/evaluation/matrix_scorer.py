"""A scorer whose scores are a table, and the slow, obvious twin of the ranking."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from elgeo.arrays import Floats, Ids


class MatrixScorer:
    """Scores read from a matrix (classes x classes); bulk scores are off by up to `tolerance`."""

    def __init__(self, matrix: Floats, tolerance: float = 0.0, seed: int = 0) -> None:
        self.matrix = np.asarray(matrix, np.float64)
        self.tolerance = tolerance
        noise = np.random.default_rng(seed).uniform(-0.999, 0.999, self.matrix.shape)
        self.noisy = self.matrix + noise * tolerance
        self.exact_pairs = 0

    def pairs(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        self.exact_pairs += len(heads)
        return self.matrix[heads, tails]

    def tails(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        return self.noisy[np.ix_(heads, tails)]

    def heads(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        return self.noisy[np.ix_(heads, tails)].T


def slow_rank(
    score_of: Callable[[int, int], float], head: int, answer: int, candidates: Ids, known: set[int], without_head: bool
) -> tuple[int, int, int]:
    """(optimistic, pessimistic, candidates) of one answer, by looking at one candidate after the other."""
    higher = same = among = 0
    for candidate in candidates:
        if candidate != answer and (candidate in known or (without_head and candidate == head)):
            continue
        among += 1
        higher += score_of(head, candidate) > score_of(head, answer)
        same += score_of(head, candidate) == score_of(head, answer)
    return higher + 1, higher + same, among
