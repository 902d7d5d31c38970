"""The classes that a net looks at: the best by their scores and what stands around the very best, by plain lists."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from elgeo.models.placement.hierarchy import ToldHierarchy
from elgeo.models.placement.reranking.candidates import AROUND, BELOW, MOST, SHARE, candidates


def plainly(scores: list[float], told: set[tuple[int, int]], count: int) -> list[int]:
    """By the best score; among equals the first class."""

    def ordered(some: set[int]) -> list[int]:
        return sorted(some, key=lambda c: (-scores[c], c))

    best = ordered(set(range(len(scores))))[:count]
    above = {d for c, d in told if c in best[:AROUND]}
    further = {d for c, d in told if c in above}
    below = {c for c, d in told if d in best[:BELOW]}
    more = ordered((above | further | below) - set(best))[: count // SHARE]
    return ordered({*best[: count - len(more)], *more})


@pytest.mark.parametrize("classes", [37, MOST, MOST + 1, 611])
@pytest.mark.parametrize("parents", [0, 1, 9])
def test_candidates_are_those_of_plain_lists(classes: int, parents: int) -> None:
    chance = np.random.default_rng(classes + parents)
    told = {
        (int(c), int(d)) for d in chance.permutation(classes)[: 4 * parents] for c in chance.integers(0, classes, 40)
    }
    matrix = sparse.coo_array((np.ones(len(told)), tuple(np.array(sorted(told)).reshape(-1, 2).T)), (classes, classes))
    scores = chance.permutation(3 * classes).reshape(3, classes).astype(np.float32)  # no two alike
    found = candidates(scores, ToldHierarchy(sparse.csr_array(matrix)))
    assert found.shape == (3, min(MOST, classes))
    for row, mine in zip(scores.tolist(), found.tolist(), strict=True):
        assert mine == plainly(row, told, min(MOST, classes))


def test_no_candidate_is_worse_than_one_that_is_left_out() -> None:
    """Of enough rows that one that is cut a place too early shows."""
    scores = np.random.default_rng(333).permutation(20 * 611).reshape(20, 611).astype(np.float32)
    found = candidates(scores, ToldHierarchy(sparse.csr_array((611, 611), dtype=np.float32)))
    np.testing.assert_array_equal(found, np.argsort(-scores, axis=1)[:, :MOST])
