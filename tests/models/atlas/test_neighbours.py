"""Regression of each tail on its nearest ones, beside a plain computation tail by tail."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import sparse

from elgeo.models.atlas import AtlasSettings
from elgeo.models.atlas.build import build
from elgeo.models.atlas.operators import neighbours
from elgeo.models.atlas.operators.neighbours import NeighbourRegression
from elgeo.models.atlas.operators.target import Target
from tests.models.atlas.plain_atlas import small_dataset

SHAPES = [("roles", False), ("same", False), ("same", True), ("subclass", False)]


def quiet(message: str) -> None:
    """No progress."""


def plain(x: np.ndarray, ridge: float, count: int) -> np.ndarray:
    """R: column t has the weights of the tails that t is regressed on."""
    gram, made = x.T @ x, np.zeros((x.shape[1], x.shape[1]))
    size = np.mean([gram[t, t] for t in range(len(gram)) if gram[t, t]])
    for t in range(len(gram)):
        cosine = {u: gram[u, t] / np.sqrt(gram[u, u]) for u in range(len(gram)) if u != t and gram[u, t] > 0}
        near = sorted(cosine, key=lambda u: -cosine[u])[:count]
        if near:
            made[near, t] = np.linalg.solve(gram[np.ix_(near, near)] + size * ridge * np.eye(len(near)), gram[near, t])
    return made


@pytest.mark.parametrize(("shape", "symmetric"), SHAPES)
@pytest.mark.parametrize("count", [3, 40])
@pytest.mark.parametrize("whole", [0, 1000])
def test_each_tail_is_regressed_on_its_nearest(
    shape: str, symmetric: bool, count: int, whole: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(neighbours, "COUNT", count)
    monkeypatch.setattr(neighbours, "WHOLE", whole)
    monkeypatch.setattr(neighbours, "AT_ONCE", 5)
    target = Target.of(small_dataset(np.random.default_rng(4), shape, symmetric))
    scaled = target.scaled(0.3, 0.1)  # odd powers: cosines are not equal by accident
    found = NeighbourRegression(target, scaled, 0.7)
    expected = plain(scaled.toarray().astype(np.float64), 0.7, count)
    n = len(target.tails)
    exact = np.linalg.norm(expected, axis=0)
    columns = found.columns(np.arange(n))
    if count == 40:  # with few, equal cosines leave a choice
        np.testing.assert_allclose(columns, expected.T, rtol=1e-3, atol=1e-5)
    else:
        same = np.isclose(np.linalg.norm(columns, axis=1), exact, rtol=1e-3, atol=1e-5)
        assert same.mean() > 0.7
        assert ((columns != 0).sum(axis=1) <= count).all()
    assert exact.any()
    rows = scaled.toarray()
    np.testing.assert_allclose(found.apply(scaled).toarray(), rows @ columns.T, rtol=1e-4, atol=1e-6)
    assert not found.columns(np.array([-1])).any()


def within(part: np.ndarray) -> np.ndarray:
    """The same, in the middle of memory that holds something else."""
    whole = np.concatenate([[2, 5, 1], part, [0, 3, 4]]).astype(part.dtype)
    return whole[3:-3]


def test_what_lies_beside_the_tails_in_memory_is_not_read() -> None:
    x = np.random.default_rng(1).integers(0, 3, (9, 7)).astype(np.float64)
    x[:, 5] = 0
    gram, columns, warm = x.T @ x, sparse.csc_array(x), np.array([0, 1, 2, 3, 4, 6])
    near, ends = np.array([1, 3, 6, 0, 2, 6]), np.array([0, 3, 3, 6, 6])  # of tails 2 to 5
    start, rows, values = (within(each) for each in (columns.indptr, columns.indices, columns.data))
    given, place = (within(near), within(ends)), within(np.array([0, 1, 2, 3, 4, -1, 5]))
    both = (
        neighbours.regress_within(gram[np.ix_(warm, warm)], place, *given, 2, 0.7),
        neighbours.regress(start, rows, values, *given, 2, 0.7),
    )
    for t, mine in ((2, slice(3)), (4, slice(3, 6))):
        few = near[mine]
        for found in both:
            expected = np.linalg.solve(gram[np.ix_(few, few)] + 0.7 * np.eye(3), gram[few, t])
            np.testing.assert_allclose(found[mine], expected, rtol=1e-9)


def test_many_tails_are_regressed_on_their_nearest() -> None:
    dataset = small_dataset(np.random.default_rng(4), "same")
    warm = int(np.count_nonzero(Target.of(dataset).tail_counts))
    near, every = "NeighbourRegression", "Regression"
    for dense, kind in ((0, near), (warm - 1, near), (warm, every), (1000, every)):
        evidence = build(dataset, AtlasSettings(dense=dense), quiet).evidence
        assert type(evidence.tails["regressed"]).__name__ == kind
        ids = evidence.target.heads[:4]
        rows = dict(zip(evidence.names, evidence.rows(ids), strict=True))
        r = evidence.tails["regressed"].columns(np.arange(len(evidence.target.tails))).T
        x = evidence.scaled.toarray()
        np.testing.assert_allclose(rows["itself · regressed"], (x @ r)[:4], rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("count", [1, 3, 7, 40])
def test_of_equally_near_tails_the_first_are_taken(seed: int, count: int) -> None:
    """Small whole numbers, so that many are equally near; powers of two on the diagonal, so that cosines are exact."""
    generator = np.random.default_rng(seed)
    n = 23
    warm = np.sort(generator.choice(n, 17, replace=False))
    place = np.full(n, -1, np.int64)
    place[warm] = np.arange(len(warm))
    gram = np.triu(generator.integers(0, 4, (17, 17)), 1).astype(np.float32)
    gram += gram.T
    diagonal = np.zeros(n)
    diagonal[warm] = generator.choice([4.0, 16.0, 64.0], 17)
    gram[np.arange(17), np.arange(17)] = diagonal[warm]
    expected = []
    for t in range(n):
        cosine = {u: gram[place[t], place[u]] / np.sqrt(diagonal[u]) for u in warm if u != t} if place[t] >= 0 else {}
        likely = sorted((u for u in cosine if cosine[u] > 0), key=lambda u: (-cosine[u], u))
        expected.append(sorted(likely[:count]))
    asked = slice(4, 21)
    near, ends = neighbours.nearest_within(gram, warm, place[asked], diagonal, count)
    assert [near[a:b].tolist() for a, b in itertools.pairwise(ends)] == expected[asked]
    whole = np.zeros((n, n), np.float32)
    whole[np.ix_(warm, warm)] = gram
    rows = sparse.csr_array(whole[asked])
    near, ends = neighbours.nearest(rows.indptr, rows.indices, rows.data, diagonal, 4, count)
    assert [near[a:b].tolist() for a, b in itertools.pairwise(ends)] == expected[asked]
