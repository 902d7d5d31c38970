"""Groups drawn by chance are drawn from the joint probability of everything, and their scores are sums over axioms."""

from __future__ import annotations

from math import exp, lgamma

import numpy as np
import pytest
from scipy import sparse

from elgeo.models.atlas.clustering import clustered
from elgeo.models.atlas.sampled import groups as sampled
from elgeo.models.atlas.sampled.groups import SampledGroups
from elgeo.models.atlas.sampled.moving import there
from elgeo.models.atlas.sampled.rates import if_any
from elgeo.models.atlas.sampled.told import Unseen, likely, tables
from tests.models.atlas.plain_drawn import PlainDrawn

INNER = np.repeat(np.arange(6), (3, 6, 5, 7, 4, 6))
"""Small groups, two in each of three large ones."""


def irregular(generator: np.random.Generator, one_way: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Axioms within small groups, within large ones and beyond; features of groups and some by chance."""
    n = len(INNER)
    chance = np.where(INNER[:, None] == INNER, 0.7, np.where(INNER[:, None] // 2 == INNER // 2, 0.25, 0.06))
    prone = np.minimum(np.outer(*2 * [generator.lognormal(0, 0.4, n)]) * chance, 0.95)
    axioms = np.triu(generator.random((n, n)) < prone, 1)
    axioms |= axioms.T & (generator.random((n, n)) < 0.8 if one_way else True)
    axioms[4] &= one_way
    axioms[:, 4] &= one_way
    features = generator.random((n, 12)) < np.where(np.arange(12) // 2 == INNER[:, None], 0.7, 0.1)
    return axioms.astype(float), features[:, features.sum(axis=0) >= 2].astype(float)


def found(axioms: np.ndarray, features: np.ndarray) -> tuple[SampledGroups, np.ndarray]:
    matrix = sparse.csr_array(axioms)
    tree = clustered(matrix, sparse.csr_array(features.astype(np.float32)))
    return SampledGroups(matrix, sparse.csr_array(features), tree), tree


def numbered(groups: np.ndarray) -> list[int]:
    """The same whatever the numbers."""
    return [groups.tolist().index(group) for group in groups.tolist()]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_every_draw_is_from_the_joint_probability(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing_filled_in(n: int, features: int) -> Unseen:
        made = tables(n, features)
        made.gain[:], made.lacked[:] = np.nan, np.nan  # not what another test left in memory
        return made

    monkeypatch.setattr(sampled, "SEED", seed)
    monkeypatch.setattr(sampled, "tables", nothing_filled_in)
    axioms, features = irregular(np.random.default_rng(seed), seed % 2 == 1)
    made, tree = found(axioms, features)
    plain = PlainDrawn(axioms, features, tree, range(len(INNER)), seed)
    assert len(made.draws) == len(plain.drawn) == 30
    for draw, expected in zip(made.draws, plain.drawn, strict=True):
        assert numbered(draw.state.small) == numbered(expected.small)
        assert numbered(draw.state.large[draw.state.small]) == numbered(expected.large)
        np.testing.assert_allclose(draw.state.theta, expected.theta, rtol=1e-9)
    assert len({tuple(numbered(draw.state.small)) for draw in made.draws}) > 5
    rows = made.rows(np.arange(len(INNER)))
    np.testing.assert_allclose(rows, plain.scores(len(INNER)), rtol=1e-6)
    np.testing.assert_array_equal(made.columns(np.array([3, -1])), rows[:, [3, 3]] * np.array([1, 0]))
    heads, tails = np.nonzero(axioms)
    for head, tail in ((0, 2), (8, 30), (12, 19), (5, 5)):
        added, rest = made.shares(head, tail)
        assert added.sum() + rest == pytest.approx(rows[head, tail], rel=1e-6)
        for k in range(0, len(heads), 7):
            assert added[k] == pytest.approx(plain.share(head, tail, heads[k], tails[k]), rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_hidden_groups_are_found(seed: int) -> None:
    generator = np.random.default_rng(seed)
    group = np.repeat(np.arange(12), 8)
    chance = np.where(group[:, None] == group, 0.7, np.where(group[:, None] // 3 == group // 3, 0.15, 0.01))
    axioms = np.triu(generator.random(chance.shape) < chance, 1).astype(float)
    features = generator.random((96, 36)) < np.where(group[:, None] == np.arange(36) // 3, 0.7, 0.03)
    made, _ = found(axioms + axioms.T, features.astype(float))
    for draw in made.draws[::10]:
        small, large = draw.state.small, draw.state.large[draw.state.small]
        assert (group[:, None] == group)[small[:, None] == small].mean() > 0.95
        assert (small[:, None] == small)[group[:, None] == group].mean() > 0.9
        assert (group[:, None] // 3 == group // 3)[large[:, None] == large].mean() > 0.9


@pytest.mark.parametrize("n", [1, 2, 3, 7])
@pytest.mark.parametrize("joined", [0.0, 1.0])
@pytest.mark.parametrize("itself", [0.0, 1.0])
def test_very_few_classes(n: int, joined: float, itself: float) -> None:
    axioms = joined * (1 - np.eye(n)) + itself * np.eye(n)
    features = np.ones((n, 1)) if itself else np.zeros((n, 0))
    made, tree = found(axioms, features)
    rows = made.rows(np.arange(n))
    assert rows.dtype == np.float32
    assert np.isfinite(rows).all()
    assert (rows > 0).all()
    added, rest = made.shares(n - 1, 0)
    assert added.shape == (np.count_nonzero(axioms),)
    assert added.sum() + rest == pytest.approx(rows[n - 1, 0], rel=1e-5)
    if n > 1:
        np.testing.assert_allclose(rows, PlainDrawn(axioms, features, tree, range(n)).scores(n), rtol=1e-6)


def test_expected_axioms_and_chances_by_their_formulas() -> None:
    """As far as doubles go, where little is expected too."""
    for x in (1e-12, 3e-7, 9e-6, 1.1e-5, 0.02, 0.7, 6.0, 30.0):
        assert if_any.py_func(x) == pytest.approx(-x / np.expm1(-x), rel=1e-10)  # type: ignore[attr-defined]
        assert there.py_func(x) == pytest.approx(np.log(np.expm1(x)), rel=1e-10)  # type: ignore[attr-defined]
    factorials = np.array([lgamma(k + 1) for k in range(130)])
    for often in (0.004, 0.3, 0.95):
        for m, n in ((0, 0), (0, 1), (1, 1), (0, 7), (3, 7), (7, 7), (2, 120), (119, 120)):
            found = likely.py_func(m, n, np.log(often), np.log1p(-often), factorials)  # type: ignore[attr-defined]
            typical = exp(lgamma(m + 1) + lgamma(n - m + 1) - lgamma(n + 2))
            assert found == pytest.approx(np.log(0.02 * typical + 0.98 * often**m * (1 - often) ** (n - m)), rel=1e-9)


def test_the_same_axioms_give_the_same_bits() -> None:
    axioms, features = irregular(np.random.default_rng(8))
    one, other = (found(axioms, features)[0] for _ in range(2))
    every = one.rows(np.arange(len(INNER)))
    assert np.array_equal(every, other.rows(np.arange(len(INNER))))
    assert np.array_equal(one.rows(np.array([-1, 9]))[1], every[9])
    assert not one.rows(np.array([-1, 9]))[0].any()
