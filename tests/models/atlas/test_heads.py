"""Operators on heads: who is most like a class among the heads with axioms, from the formula, for heads and others."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from elgeo.models.atlas.operators.heads import AlikeHeads, Itself
from elgeo.models.atlas.operators.target import Target

POWER, COUNT = 1.7, 3


@pytest.mark.parametrize("symmetric", [False, True])
def test_alike_heads_are_the_nearest_that_have_axioms(symmetric: bool) -> None:
    """Likeness to a power, the largest few, their sum 1; nobody is like itself, heads without axioms are silent."""
    generator = np.random.default_rng(8)
    heads = np.array([3, 4, 6, 7, 9, 10, 12, 15], np.int32)
    tails = heads if symmetric else np.array([2, 5, 8, 11, 13], np.int32)
    x = (generator.random((len(heads), len(tails))) < 0.4).astype(np.float32)
    x[[0, 2, 7], 1] = 1
    x[[3, 5]] = 0
    axioms = sparse.csr_array(x)
    target = Target(1, heads, tails, axioms, axioms, x.sum(axis=0).astype(np.float64), 17, symmetric)
    features = np.where(generator.random((17, 6)) < 0.6, generator.uniform(0.1, 1, (17, 6)), 0).astype(np.float32)
    alike = AlikeHeads(target, sparse.csr_array(features), POWER, COUNT)
    for asked in ([3, 15, 7, 10, 3], [4, 8, 3], [5, 16]):  # heads with axioms and without, and what is no head
        expected = np.zeros((len(asked), len(heads)))
        for i, one in enumerate(asked):
            likeness = {k: float(features[one] @ features[h]) for k, h in enumerate(heads) if h != one and x[k].any()}
            best = sorted(likeness, key=lambda k: -likeness[k])[:COUNT]
            whole = sum(likeness[k] ** POWER for k in best)
            for k in best:
                expected[i, k] = likeness[k] ** POWER / whole
        np.testing.assert_allclose(alike.rows(np.array(asked, np.int32)).toarray(), expected, rtol=1e-4, atol=1e-6)


def test_a_heads_own_axioms_are_its_own() -> None:
    heads, axioms = np.array([2, 4, 5], np.int32), sparse.csr_array(np.eye(3, 2, dtype=np.float32))
    target = Target(1, heads, np.array([3, 6], np.int32), axioms, axioms, np.ones(2), 7, False)
    assert Itself(target).rows(np.array([5, 3, 2], np.int32)).toarray().tolist() == [[0, 0, 1], [0, 0, 0], [1, 0, 0]]
