"""Training axioms that are held out as new ones would be found: shares, parts and heads by plain counting."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from elgeo.datasets.model import Dataset
from elgeo.models.atlas.operators.target import Ids, Target
from elgeo.models.atlas.weighing import heldout, standing
from tests.models.atlas.plain_atlas import small_dataset

N = 400


def with_axioms(counts: list[int], seed: int = 0) -> tuple[Dataset, Ids]:
    """A dataset whose i-th head has `counts[i]` training axioms and nothing held out, and the heads."""
    dataset = small_dataset(np.random.default_rng(2), "subclass", n=N)
    generator = np.random.default_rng(seed)
    heads = np.arange(2, 2 + len(counts), dtype=np.int32)
    rows = [(h, t) for h, n in zip(heads, counts, strict=True) for t in 2 + generator.permutation(N - 2)[:n]]
    train = np.array(rows, np.int32)[generator.permutation(len(rows))]
    return replace(dataset, train=train, valid=dataset.valid[:0], test=dataset.test[:0]), heads


def some_counts(shares: list[float], seed: int) -> list[int]:
    return [int(n) for n in np.random.default_rng(seed).choice(len(shares), 300, p=shares)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shares", "wanted"),
    [
        ([0.01, 0.7, 0.2, 0.05, 0.04], 60),
        ([0.8, 0.15, 0.05], 40),
        ([0.0, 0.5, 0.5], 5000),
        ([0.3, 0.3, 0.4], 7),
        ([0.5, 0.05, 0.45], 200),
    ],
)
def test_heads_keep_as_many_axioms_as_heads_have(shares: list[float], wanted: int) -> None:
    counts = some_counts(shares, wanted)
    dataset, heads = with_axioms(counts)
    parts = standing.standing_parts(dataset, heads, wanted, np.random.default_rng(1))
    told, held = Counter(dataset.train[:, 0].tolist()), [tuple(row) for part in parts for row in part.tolist()]
    assert len(parts) <= standing.PARTS
    assert all(len(part) <= len(dataset.train) / standing.PARTS for part in parts)
    assert all(max(Counter(part[:, 0].tolist()).values()) == 1 for part in parts)
    assert len(set(held)) == len(held)
    assert set(held) <= {tuple(row) for row in dataset.train.tolist()}
    bare, only = counts.count(0) / len(counts), sum(told[head] == 1 for head, _ in held)
    several = sum(n for n in counts if n > 1)
    room = min(wanted, several / (1 - bare), counts.count(1) / bare if bare else np.inf)
    if len(parts) < standing.PARTS:
        assert abs(len(held) - room) <= 1
        assert abs(only - bare * len(held)) <= 1


@pytest.mark.slow
def test_without_a_head_that_has_two_nothing_can_be_held_out() -> None:
    dataset, heads = with_axioms([1] * 50)
    assert not standing.standing_parts(dataset, heads, 20, np.random.default_rng(0))


def test_turns_are_how_often_a_head_stood_before() -> None:
    heads = np.random.default_rng(4).integers(0, 9, 57)
    expected = [heads[:i].tolist().count(head) for i, head in enumerate(heads.tolist())]
    assert standing.turns(heads).tolist() == expected
    assert standing.turns(heads[:0]).tolist() == []


@pytest.mark.slow
def test_a_random_split_is_weighed_on_random_parts_and_a_back_test_half_on_heads_as_they_stand() -> None:
    dataset, _ = with_axioms(some_counts([0.0, 0.4, 0.3, 0.3], 3))
    row = dataset.train[:1]
    released = replace(dataset, test=row, record={"made_by": "releases"})
    assert standing.is_asked_as_it_stands(dataset)
    assert standing.is_asked_as_it_stands(released)
    assert not standing.is_asked_as_it_stands(replace(dataset, test=row))
    assert not standing.is_asked_as_it_stands(replace(dataset, valid=row))
    assert not standing.is_asked_as_it_stands(replace(dataset, symmetric=True))
    told = Counter(dataset.train[:, 0].tolist())

    def parts_of(data: Dataset) -> list[np.ndarray]:
        return heldout.training_parts(data, Target.of(data), 250, np.random.default_rng(0))

    by_chance = parts_of(replace(dataset, test=row))
    assert len(by_chance) == heldout.FOLDS
    assert sum(map(len, by_chance)) == len(dataset.train)
    found = parts_of(released)
    assert sum(map(len, found[-heldout.FOLDS :])) == len(dataset.train), "then parts by chance"
    standing_first = [head for part in found[: -heldout.FOLDS] for head in part[:, 0].tolist()]
    bare = np.mean([told[head] == 0 for head in Target.of(released).heads.tolist()])
    assert 115 <= len(standing_first) <= 125, "half of what is wanted"
    assert sum(told[head] == 1 for head in standing_first) <= 125 * bare + 1
