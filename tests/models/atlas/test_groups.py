"""Groups are found where there are any, and what they add is shared out among axioms to the last bit that counts."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import squareform

from elgeo.models.atlas import build as building
from elgeo.models.atlas.build import build
from elgeo.models.atlas.clustering import clustered, cut
from elgeo.models.atlas.contexts.logic import Matrix
from elgeo.models.atlas.evidence import DRAWN, GROUPED, GROUPINGS
from elgeo.models.atlas.groups import LARGE, SMALL, Groups
from elgeo.models.atlas.operators.target import Target
from elgeo.models.atlas.settings import AtlasSettings
from tests.models.atlas.plain_atlas import PlainAtlas, small_dataset
from tests.models.atlas.plain_groups import PlainGroups


def target_of(axioms: np.ndarray, first: int = 2) -> Target:
    """A symmetric role among classes from an id on."""
    n = len(axioms)
    ids = np.arange(first, first + n, dtype=np.int32)
    matrix = sparse.csr_array(axioms.astype(np.float32))
    return Target(1, ids, ids, matrix, matrix, axioms.sum(axis=0).astype(float), first + n, True)


def planted(
    generator: np.random.Generator, sizes: tuple[int, ...], near: float, far: float
) -> tuple[Target, np.ndarray]:
    """Axioms within hidden groups, and some between them."""
    group = generator.permutation(np.repeat(np.arange(len(sizes)), sizes))
    chance = np.where(group[:, None] == group, near, far)
    upper = np.triu(generator.random(chance.shape) < chance, 1)
    return target_of((upper | upper.T).astype(float)), group


def features(generator: np.random.Generator, group: np.ndarray, had: float, else_had: float) -> Matrix:
    """Three features for each group, by class id."""
    kinds = np.repeat(np.unique(group), 3)
    rows = generator.random((len(group), len(kinds))) < np.where(group[:, None] == kinds, had, else_had)
    return sparse.csr_array(np.vstack([np.zeros((2, len(kinds))), rows]).astype(np.float32))


def none(target: Target) -> Matrix:
    return sparse.csr_array((target.n_classes, 0), dtype=np.float32)


def together(members: np.ndarray) -> np.ndarray:
    best = members.argmax(axis=1)
    return best[:, None] == best


@pytest.mark.parametrize("seed", range(3))
def test_hidden_groups_are_found_by_axioms_and_features(seed: int) -> None:
    generator = np.random.default_rng(seed)
    target, group = planted(generator, (9, 7, 12, 8, 6, 10), 0.7, 0.04)
    told = features(generator, group, 0.7, 0.03)
    groups, true = Groups(target, none(target), told), group[:, None] == group
    found = together(groups.grouping.members)
    assert (found & ~true).sum() <= 0.05 * found.sum()
    score = groups.rows(np.arange(len(group)))
    unknown = ~np.eye(len(group), dtype=bool) & (target.axioms.toarray() == 0)
    assert np.median(score[true & unknown]) > 5 * np.median(score[~true & unknown])


def test_features_alone_place_a_class_without_axioms() -> None:
    generator = np.random.default_rng(4)
    target, group = planted(generator, (9, 9, 9, 9), 0.8, 0.02)
    axioms = target.axioms.toarray()
    axioms[5], axioms[:, 5] = 0, 0
    told = features(generator, group, 0.95, 0.01)
    found = Groups(target_of(axioms), none(target), told)
    same = np.flatnonzero((group == group[5]) & (np.arange(len(group)) != 5))
    row = found.rows(np.array([5]))[0]
    others = np.flatnonzero(group != group[5])
    assert row[same].min() > row[others].max()


@pytest.mark.parametrize("name", GROUPINGS)
@pytest.mark.parametrize("seed", range(3))
def test_shares_of_axioms_and_of_none_add_up(name: str, seed: int) -> None:
    evidence = build(small_dataset(np.random.default_rng(seed), "same", True), AtlasSettings(), lambda _: None).evidence
    groups = evidence.groups[name]
    rows = groups.rows(np.arange(len(evidence.target.heads)))
    for head, tail in ((0, 3), (7, 2), (11, 20), (4, 4)):
        added, without = groups.shares(head, tail)
        assert added.shape == (evidence.target.axioms.nnz,)
        assert (added >= 0).all()
        assert added.sum() + without == pytest.approx(rows[head, tail], rel=1e-5)
        assert without > 0


INNER = np.repeat(np.arange(9), (6, 8, 7, 5, 9, 8, 6, 7, 8))
"""Small groups, three in each of three large ones."""


def nested(generator: np.random.Generator) -> Target:
    """Axioms mostly within small groups, some within large ones, few between these."""
    chance = np.where(INNER[:, None] == INNER, 0.6, np.where(INNER[:, None] // 3 == INNER // 3, 0.2, 0.02))
    upper = np.triu(generator.random(chance.shape) < chance, 1)
    return target_of((upper | upper.T).astype(float))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_groups_within_groups_are_as_written_plainly(seed: int) -> None:
    generator = np.random.default_rng(seed)
    target, told = nested(generator), features(generator, INNER, 0.6, 0.05)
    axioms = np.zeros((target.n_classes, target.n_classes))
    axioms[2:, 2:] = target.axioms.toarray()
    sets = [set(np.flatnonzero(row).tolist()) for row in told.toarray()]
    found = Groups(target, none(target), told)
    plain = PlainGroups(axioms, sets, 0 * axioms, target.heads.tolist())
    assert plain.large is not None
    assert plain.large.z.shape[1] == 3
    np.testing.assert_allclose(found.grouping.members, plain.z, atol=1e-6)
    rows = found.rows(np.arange(plain.n))
    np.testing.assert_allclose(rows, plain.scores(2 + plain.n)[2:, 2:], rtol=1e-4)
    for head, tail in ((3, 9), (20, 20), (50, 1)):
        added, rest = found.shares(head, tail)
        assert added.sum() + rest == pytest.approx(rows[head, tail], rel=1e-5)
        heads, tails = np.nonzero(plain.x)
        for k in range(0, len(added), 37):
            assert added[k] == pytest.approx(plain.share(head, tail, heads[k], tails[k]), rel=1e-6)


@pytest.mark.slow
def test_a_share_is_what_its_axiom_adds() -> None:
    dataset = small_dataset(np.random.default_rng(9), "same", True)
    evidence, plain = build(dataset, AtlasSettings(), lambda _: None).evidence, PlainAtlas(dataset).groups()
    added, _ = evidence.groups[GROUPED].shares(6, 15)
    heads, tails = evidence.target.axioms.tocoo().coords
    expected = [plain.share(6, 15, i, j) for i, j in zip(heads, tails, strict=True)]
    np.testing.assert_allclose(added, expected, rtol=1e-4)


def test_pairs_of_small_groups_are_judged_by_the_large_ones_they_lie_in() -> None:
    target = nested(np.random.default_rng(5))
    score = Groups(target, none(target), none(target)).rows(np.arange(len(INNER)))
    unknown, large = target.axioms.toarray() == 0, INNER[:, None] // 3 == INNER // 3
    near, far = score[unknown & large & (INNER[:, None] != INNER)], score[unknown & ~large]
    assert np.median(near) > 3 * np.median(far)


def test_rows_are_the_same_alone_and_among_others() -> None:
    target, _ = planted(np.random.default_rng(2), (9, 7, 30), 0.6, 0.05)
    found = Groups(target, none(target), none(target))
    every = found.rows(np.arange(46))
    assert every.dtype == np.float32
    for place in (0, 17, 45):
        assert np.array_equal(found.rows(np.array([place]))[0], every[place])
    assert not found.rows(np.array([-1, 3]))[0].any()
    assert np.array_equal(found.rows(np.array([-1, 3]))[1], every[3])


@pytest.mark.parametrize("n", [1, 2, 3, 7])
@pytest.mark.parametrize("joined", [0.0, 1.0])
def test_very_few_classes(n: int, joined: float) -> None:
    axioms = joined * (1 - np.eye(n))
    found = Groups(target_of(axioms), none(target_of(axioms)), none(target_of(axioms)))
    assert found.grouping.members.shape[1] <= -(-n // SMALL.each)
    np.testing.assert_allclose(found.grouping.members.sum(axis=1), 1)
    assert np.isfinite(found.rows(np.arange(n))).all()


def test_the_first_groups_hold_what_is_alike() -> None:
    axioms = sparse.csr_array(np.kron(np.eye(4), np.ones((6, 6)) - np.eye(6)))
    alone = cut(clustered(axioms, sparse.csr_array((24, 0))), 6)
    assert sorted(np.bincount(alone).tolist()) == [6, 6, 6, 6]
    assert all(len(set(alone[k : k + 6].tolist())) == 1 for k in range(0, 24, 6))
    # contexts count twice as much as axioms
    contexts = sparse.csr_array(np.tile(np.eye(4), (6, 1)).astype(np.float32))
    by_contexts = cut(clustered(axioms, contexts), 6)
    assert all(len(set(by_contexts[k::4].tolist())) == 1 for k in range(4))
    assert not cut(clustered(axioms, contexts), LARGE.each).any()


def test_the_tree_is_by_a_third_of_axioms_and_two_thirds_of_contexts() -> None:
    generator, n = np.random.default_rng(4), 17
    axioms, contexts = generator.random((n, n)) < 0.3, generator.random((n, 9)) * (generator.random((n, 9)) < 0.4)
    axioms = np.triu(axioms, 1) | np.triu(axioms, 1).T
    contexts[5] = contexts[3] = contexts[4]
    axioms[3], axioms[:, 3] = axioms[4], axioms[:, 4]  # alike in all but what they are themselves
    contexts /= np.maximum(np.linalg.norm(contexts, axis=1, keepdims=True), 1e-9)
    apart = np.zeros((n, n))
    for a in range(n):
        for b in range(n):
            ours, theirs = ({*np.flatnonzero(axioms[c]).tolist(), c} for c in (a, b))
            shared = len(ours & theirs) / np.sqrt(len(ours) * len(theirs))
            apart[a, b] = 0 if a == b else 1 - shared / 3 - 2 / 3 * (contexts[a] @ contexts[b])
    tree = clustered(*(sparse.csr_array(each.astype(np.float32)) for each in (axioms, contexts)))
    np.testing.assert_allclose(tree, linkage(squareform(apart), "average"), atol=1e-5)


@pytest.mark.slow
def test_groups_are_for_symmetric_roles_that_are_not_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(1)
    for shape, symmetric in (("roles", False), ("same", False), ("subclass", False), ("same", True)):
        dataset = small_dataset(generator, shape, symmetric)
        assert (GROUPED in build(dataset, AtlasSettings(), lambda _: None).evidence.names) == symmetric
    monkeypatch.setattr(building, "DRAWN_UP_TO", 24)
    assert DRAWN in build(dataset, AtlasSettings(), lambda _: None).evidence.names
    monkeypatch.setattr(building, "DRAWN_UP_TO", 23)
    assert DRAWN not in build(dataset, AtlasSettings(), lambda _: None).evidence.names
    monkeypatch.setattr(building, "LARGEST", 24)
    assert GROUPED in build(dataset, AtlasSettings(), lambda _: None).evidence.names
    monkeypatch.setattr(building, "LARGEST", 23)
    assert GROUPED not in build(dataset, AtlasSettings(), lambda _: None).evidence.names
