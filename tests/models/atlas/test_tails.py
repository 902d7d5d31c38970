"""Operators on tails: ridge regression of each tail on all others from its formula, tails with and without axioms."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import sparse

from elgeo.models.atlas.operators.tails import AlikeTails, Regression, Same
from elgeo.models.atlas.operators.target import Target


def target_of(x: NDArray[np.float64]) -> Target:
    """Heads from class 2 on, tails after them."""
    heads, tails = x.shape
    ids = np.arange(2, 2 + heads + tails, dtype=np.int32)
    axioms = sparse.csr_array((x > 0).astype(np.float32))
    told = (x > 0).sum(axis=0).astype(np.float64)
    return Target(1, ids[:heads], ids[heads:], axioms, axioms, told, len(ids) + 2, False)


def plain(x: NDArray[np.float64], features: NDArray[np.float64], ridge: float) -> NDArray[np.float64]:
    """R column by column: over tails with axioms I − P diag(1/diag P), for the others s P F fᵀ."""
    n = x.shape[1]
    warm = [t for t in range(n) if x[:, t].any()]
    gram = x[:, warm].T @ x[:, warm]
    s = np.trace(gram) / len(warm)
    f = features[warm]
    p = np.linalg.inv(gram + s * (f @ f.T + ridge * np.eye(len(warm))))
    r = np.zeros((n, n))
    for t in range(n):
        if t in warm:
            own = warm.index(t)
            r[warm, t] = np.eye(len(warm))[own] - p[:, own] / p[own, own]
        else:
            r[warm, t] = s * p @ f @ features[t]
    return r


@pytest.mark.parametrize(("cold", "columns"), [(3, 6), (25, 6), (3, 0), (0, 6)])
def test_regression_is_its_formula_however_many_tails_have_no_axiom(cold: int, columns: int) -> None:
    generator = np.random.default_rng(3)
    n_heads, n = 14, 31
    x = np.where(generator.random((n_heads, n)) < 0.4, generator.uniform(0.1, 2, (n_heads, n)), 0.0)
    x[0] = generator.uniform(0.1, 1, n)
    x[:, generator.permutation(n)[:cold]] = 0
    target = target_of(x)
    features = np.zeros((target.n_classes, columns))
    features[target.tails] = np.where(
        generator.random((n, columns)) < 0.6, generator.uniform(0.1, 1, (n, columns)), 0.0
    )
    found = Regression(
        target, sparse.csr_array(x.astype(np.float32)), sparse.csr_array(features.astype(np.float32)), 0.6
    )
    expected = plain(x, features[target.tails], 0.6)
    rows = np.where(generator.random((5, n)) < 0.5, generator.uniform(0.1, 1, (5, n)), 0.0).astype(np.float32)
    kept = rows * (x.any(axis=0))
    for made in (found.apply(sparse.csr_array(rows)), found.apply_sparse(sparse.csr_array(rows))):
        np.testing.assert_allclose(made, kept @ expected, rtol=1e-3, atol=1e-4)
    some = np.array([2, -1, 0, n - 1, *np.flatnonzero(~x.any(axis=0))[:2]])
    np.testing.assert_allclose(
        found.columns(some), np.where((some >= 0)[:, None], expected.T[some], 0), rtol=1e-3, atol=1e-4
    )


def test_the_same_and_the_alike_are_what_their_columns_say() -> None:
    generator = np.random.default_rng(5)
    n = 19
    x = (generator.random((9, n)) < 0.3).astype(np.float64)
    x[:, [4, 7]] = 0
    target = target_of(x)
    rows = generator.uniform(0, 1, (4, n)).astype(np.float32)
    features = sparse.csr_array(np.where(generator.random((target.n_classes, 5)) < 0.5, 1.0, 0.0).astype(np.float32))
    some = np.array([1, -1, n - 1, 0])
    for operator in (Same(target), AlikeTails(target, features, 0.7)):
        whole = operator.columns(np.arange(n))
        np.testing.assert_allclose(operator.apply(sparse.csr_array(rows)).toarray(), rows @ whole.T, rtol=1e-5)
        np.testing.assert_allclose(operator.columns(some), np.where((some >= 0)[:, None], whole[some], 0))
    assert (Same(target).columns(np.arange(n)) == np.eye(n)).all()
    alike = AlikeTails(target, features, 0.7).columns(np.arange(n))
    assert not alike.diagonal().any(), "a tail does not speak for itself"
    assert not alike[:, target.tail_counts == 0].any(), "tails without axioms speak for none"
    assert alike.any()
