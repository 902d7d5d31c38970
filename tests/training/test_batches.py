"""Epochs: every axiom once, shorter tables again and again, weights by share, the same batches from the same state."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from elgeo.datasets.model import Kinds
from elgeo.negatives import corrupters
from elgeo.training.batches import Batches, Portion
from tests.small_dataset import small_dataset

SIZES = {"subclass": 23, "conjunction": 4, "existential": 50}


def batches(batch: int = 10, weighting: str = "frequency") -> Batches:
    tables = {form: np.arange(size * 2, dtype=np.int32).reshape(size, 2) for form, size in SIZES.items()}
    return Batches(tables, {}, batch, weighting)


def test_an_epoch_has_the_steps_of_the_longest_table() -> None:
    made = batches()
    steps = list(made.epoch(np.random.default_rng(0)))
    assert len(steps) == made.steps == 5
    assert [len(step["subclass"].positives) for step in steps] == [10, 10, 3, 10, 10]
    assert [len(step["conjunction"].positives) for step in steps] == [4] * 5
    assert made.axioms == 43 + 20 + 50


def test_every_axiom_is_seen_as_often_as_the_tables_cycle() -> None:
    seen: dict[str, Counter[Any]] = {form: Counter() for form in SIZES}
    for step in batches().epoch(np.random.default_rng(1)):
        for form, batch in step.items():
            seen[form].update(batch.positives[:, 0].tolist())
    assert set(seen["existential"].values()) == {1}
    assert set(seen["conjunction"].values()) == {5}
    assert sorted(set(seen["subclass"].values())) == [1, 2]
    assert all(len(seen[form]) == size for form, size in SIZES.items())


def test_an_epoch_may_have_fewer_or_more_steps_and_goes_on_to_other_axioms() -> None:
    made = replace(batches(), fixed_steps=2)
    generator = np.random.default_rng(0)
    epochs = [np.concatenate([step["existential"].positives[:, 0] for step in made.epoch(generator)]) for _ in range(2)]
    assert [len(set(seen.tolist())) for seen in epochs] == [20, 20]
    assert set(epochs[0].tolist()) != set(epochs[1].tolist())
    assert made.axioms == 20 + 8 + 20
    longer = list(replace(batches(), fixed_steps=7).epoch(generator))
    assert [len(step["existential"].positives) for step in longer] == [10] * 7
    assert made.weights == batches().weights


def test_weights_are_shares_of_the_steps() -> None:
    assert batches().weights == {"subclass": 3 / 9, "conjunction": 1 / 9, "existential": 5 / 9}
    assert set(batches(weighting="none").weights.values()) == {1.0}


def test_what_could_not_be_drawn_is_counted_until_counting_starts_again() -> None:
    dataset = small_dataset()
    pair = np.array([1 if name == "http://x/T_000" else 0 for name in dataset.vocabulary.classes], np.int16)
    alone = replace(dataset, kinds=Kinds(("many", "one"), pair))
    top = int(np.flatnonzero(pair)[0])
    unsatisfiable = dataset.vocabulary.classes.index("http://x/T_039")
    children, parents = alone.forms.subclass.T
    hopeless = int(((parents == top) | (children == unsatisfiable)).sum())
    made = Batches({"subclass": alone.forms.subclass}, corrupters(alone, "filtered", forms=["subclass"]), 11, "none")
    made.start_counting()
    generator = np.random.default_rng(0)
    for epochs in (1, 2):
        drawn = [step["subclass"].negatives for step in made.epoch(generator)]
        seen = sum(0 if rows is None else len(rows) for rows in drawn)
        assert seen == len(alone.forms.subclass) - hopeless
        assert made.dropped == {"subclass": epochs * hopeless}
    made.start_counting()
    assert made.dropped == {"subclass": 0}


def test_shuffles_and_negatives_are_fresh_in_every_epoch_and_step() -> None:
    dataset = small_dataset()
    made = Batches({"existential": dataset.forms.existential}, corrupters(dataset, "random"), 300, "frequency")
    generator = np.random.default_rng(0)
    first, second = (next(made.epoch(generator))["existential"] for _ in range(2))
    assert not np.array_equal(first.positives, second.positives)
    assert first.negatives is not None
    assert second.negatives is not None
    assert not np.array_equal(np.sort(first.negatives, axis=0), np.sort(second.negatives, axis=0))


def test_the_same_axioms_have_other_negatives_in_every_step() -> None:
    dataset = small_dataset()
    same = {"existential": np.repeat(dataset.forms.existential[:1], 60, axis=0)}
    dataset = replace(dataset, forms=replace(dataset.forms, tables={**dataset.forms.tables, **same}))
    made = Batches(same, corrupters(dataset, "random", forms=["existential"]), 20, "none")
    generator = np.random.default_rng(0)
    drawn = {np.asarray(step["existential"].negatives).tobytes() for _ in range(3) for step in made.epoch(generator)}
    assert len(drawn) == 9


@pytest.mark.parametrize("skip", [0, 1, 3, 5])
def test_skipping_leaves_the_rest_and_the_generator_as_they_are(skip: int) -> None:
    dataset = small_dataset()
    made = Batches(
        {form: dataset.forms[form] for form in ("subclass", "existential")}, corrupters(dataset, "random"), 60, "none"
    )
    whole, part = np.random.default_rng(5), np.random.default_rng(5)
    expected = list(made.epoch(whole))[skip:]
    found = list(made.epoch(part, skip))
    assert len(expected) == len(found)
    for one, other in zip(expected, found, strict=True):
        for form in one:
            assert np.array_equal(one[form].positives, other[form].positives)
            mine, theirs = one[form].negatives, other[form].negatives
            assert (mine is None) == (theirs is None)
            assert mine is None or theirs is None or np.array_equal(mine, theirs)
    assert whole.bit_generator.state == part.bit_generator.state


def test_shares_make_up_the_batches_of_one_process() -> None:
    dataset = small_dataset(2)
    tables = {form: dataset.forms[form] for form in ("subclass", "conjunction", "existential")}
    made = Batches(tables, corrupters(dataset, "refuted", forms=list(tables)), 37, "frequency")
    shared = [replace(made, share=Portion(rank, 3)) for rank in range(3)]
    for each in (made, *shared):
        each.start_counting()
    steps = [list(each.epoch(np.random.default_rng(4))) for each in (made, *shared)]
    for whole, *parts in zip(*steps, strict=True):
        for form, batch in whole.items():
            assert np.array_equal(np.concatenate([part[form].positives for part in parts]), batch.positives)
            negatives = np.concatenate([part[form].negatives for part in parts])
            assert np.array_equal(negatives, batch.negatives)
            lengths = [len(part[form].positives) for part in parts]
            assert max(lengths) - min(lengths) <= 1
            assert {part[form].weight for part in parts} == {batch.weight}
    for form, dropped in made.dropped.items():
        assert sum(each.dropped[form] for each in shared) == dropped
    assert sum(made.dropped.values()) > 0
