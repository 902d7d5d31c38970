"""Counted baselines against loops over the axioms, and on real interactions against published figures."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from elgeo.datasets.model import Dataset
from elgeo.models import CommonNeighbours, Naive, SymmetricNaive
from elgeo.models.baselines import NeighbourGraph
from tests.models.model_contract import SIZES, random_dataset

EVERY = np.arange(SIZES.classes, dtype=np.int32)


@pytest.mark.parametrize("seed", range(3))
def test_naive_is_the_frequency_of_the_tail(seed: int) -> None:
    dataset = random_dataset(np.random.default_rng(seed))
    for role in (None, 1, 2):
        edges = [(c, d) for c, d in dataset.forms.subclass]
        if role is not None:
            edges = [(c, d) for c, r, d in dataset.forms.existential if r == role]
        plain = Naive.fit(dataset).scorer().tails(EVERY[:2], role, EVERY)
        symmetric = SymmetricNaive.fit(dataset).scorer().tails(EVERY[:2], role, EVERY)
        for x in EVERY:
            assert plain[1, x] == pytest.approx(sum(d == x for _, d in edges) / len(edges))
            assert symmetric[0, x] == pytest.approx(sum((d == x) + (c == x) for c, d in edges) / (2 * len(edges)))


@pytest.mark.parametrize("seed", range(3))
def test_common_neighbours_order_by_adamic_adar_then_degree(seed: int) -> None:
    dataset = random_dataset(np.random.default_rng(seed))
    neighbours: dict[int, set[int]] = {int(x): set() for x in EVERY}
    for c, r, d in dataset.forms.existential.tolist():
        if r == 1:
            neighbours[c].add(d)
            neighbours[d].add(c)
    scores = CommonNeighbours.fit(dataset).scorer().tails(EVERY, 1, EVERY)
    # whoever asks of some, again or of others, gets the same
    scorer = CommonNeighbours.fit(dataset).scorer()
    for some in (EVERY[3:11], EVERY[3:11], EVERY[2:10], EVERY[5:6]):
        np.testing.assert_array_equal(scorer.tails(EVERY[4:9], 1, some), scores[np.ix_(EVERY[4:9], some)])
        np.testing.assert_array_equal(scorer.heads(some, 1, EVERY[4:9]), scorer.heads(EVERY, 1, EVERY)[4:9][:, some])
    ties = 0
    for c in EVERY.tolist():
        exact = {
            d: (sum(1 / np.log(len(neighbours[z])) for z in sorted(neighbours[c] & neighbours[d])), len(neighbours[d]))
            for d in EVERY.tolist()
            if d != c
        }
        for d, (common, _) in exact.items():
            assert scores[c, d] == pytest.approx(common, abs=1e-6)
            assert scores[c, c] < scores[c, d]
        for d, (common, degree) in exact.items():
            for other, (its_common, its_degree) in exact.items():
                if abs(common - its_common) > 1e-6:
                    assert (scores[c, d] > scores[c, other]) == (common > its_common)
                else:
                    ties += 1
                    assert (scores[c, d] > scores[c, other]) == (degree > its_degree)
    assert ties > 100


@pytest.mark.parametrize(("nodes", "edges"), [(2, 1), (30, 60), (400, 9000)])
def test_sums_and_degrees_share_a_double_without_loss(nodes: int, edges: int) -> None:
    """What the score is made of can be read off it again, to the last bit; and most bits are used."""
    random = np.random.default_rng(nodes)
    hubs = 1 / np.arange(1, nodes + 1)
    heads, tails = (random.choice(nodes, edges, p=hubs / hubs.sum()) for _ in range(2))
    tails = np.where(heads == tails, (tails + 1) % nodes, tails)
    graph = NeighbourGraph(heads, tails, nodes)
    classes = np.unique([heads, tails]).astype(np.int32)
    sums, degrees = graph.sums(classes, classes), graph.degree_of(classes)
    whole = graph.score(sums, degrees) * 2.0 ** (graph.bits + graph.degree_bits)
    assert np.array_equal(whole // 2**graph.degree_bits, sums)
    assert np.array_equal(whole % 2**graph.degree_bits, np.broadcast_to(degrees, sums.shape))
    assert 2**45 < whole.max() < 2**53 or nodes == 2
    assert np.array_equal(graph.weight, np.round(graph.weight))


def test_a_role_that_only_joins_classes_with_themselves_scores_nothing() -> None:
    graph = NeighbourGraph(np.array([3, 1]), np.array([3, 1]), 5)
    classes = np.arange(5, dtype=np.int32)
    assert not graph.score(graph.sums(classes, classes), graph.degree_of(classes)).any()


def test_a_role_without_training_axioms_scores_nothing() -> None:
    dataset = random_dataset(np.random.default_rng(0))
    for baseline in (Naive, CommonNeighbours):
        scores = baseline.fit(dataset).scorer().tails(EVERY[:1], 0, EVERY[1:])
        assert not scores.any()


@pytest.mark.slow
def test_real_interactions_have_the_published_ranks(yeast: Dataset) -> None:
    assert len(yeast.candidates) == 5508
    degree = filtered_ranks(yeast, Naive)
    assert 1 - (degree.mean() - 1) / 5507 == pytest.approx(0.821, abs=0.0006)
    shared = filtered_ranks(yeast, CommonNeighbours)
    assert (shared <= 10).mean() == pytest.approx(0.412, abs=0.0006)
    assert (shared <= 100).mean() == pytest.approx(0.782, abs=0.0006)
    assert shared.mean() == pytest.approx(260, abs=1)


def filtered_ranks(dataset: Dataset, baseline: Callable[..., object]) -> np.ndarray:
    scorer = baseline.fit(dataset).scorer()  # type: ignore[attr-defined]
    known: dict[int, list[int]] = {}
    for c, _, d in dataset.train.tolist():
        known.setdefault(c, []).append(d - 2)
    ranks = []
    for part in np.array_split(dataset.test, 20):
        scores = scorer.tails(part[:, 0], 1, dataset.candidates).copy()
        for row, (c, _, d) in zip(scores, part.tolist(), strict=True):
            true = row[d - 2]
            row[known.get(c, [])] = -np.inf
            row[d - 2] = true
            ranks.append(1 + (row > true).sum() + ((row == true).sum() - 1) / 2)
    return np.array(ranks)
