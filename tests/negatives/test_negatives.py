"""Corrupted axioms against a slow reasoner: never entailed, entailed to a fraction, refuted, of the right kind."""

from __future__ import annotations

from itertools import pairwise

import numba
import numpy as np
import pytest

from elgeo.arrays import Table
from elgeo.datasets import load
from elgeo.datasets.model import Dataset
from elgeo.errors import SettingError
from elgeo.negatives import MODES, Corrupter, corrupters
from elgeo.ontology.normal_forms import TAILED
from elgeo.reasoning import Reasoner
from tests.negatives.slow_truth import Truth
from tests.small_dataset import small_dataset

SEEDS = (0, 1)
LAST = {"subclass": 1, "conjunction": 2, "existential": 2, "left_existential": 2}
FIRST = {"subclass": 0, "conjunction": 0, "existential": 0, "left_existential": 1}
DATASETS = {seed: small_dataset(seed) for seed in SEEDS}
TRUTHS = {seed: Truth(DATASETS[seed]) for seed in SEEDS}


def drawn(corrupter: Corrupter, rounds: int = 20) -> tuple[np.ndarray, np.ndarray, int]:
    """Corrupted rows of many epochs, and the positives they were made from."""
    every = np.arange(len(corrupter.table))
    results = [corrupter.draw(every, seed) for seed in range(rounds)]
    rows = np.concatenate([result.rows for result in results])
    positives = corrupter.table[np.concatenate([result.positives for result in results])]
    return rows, positives, sum(result.dropped for result in results)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("mode", MODES)
def test_only_the_last_class_changes_and_keeps_its_kind(mode: str, seed: int) -> None:
    dataset = DATASETS[seed]
    made = corrupters(dataset, mode, entailed_fraction=0.5)
    assert list(made) == list(TAILED)
    for form, corrupter in made.items():
        rows, positives, _ = drawn(corrupter)
        assert rows.dtype == np.int32
        assert np.array_equal(rows[:, :-1], positives[:, :-1])
        assert rows[:, LAST[form]].min(initial=2) >= 2, "⊤ and ⊥ are never drawn"
        of_class = dataset.kinds.of_class
        assert np.array_equal(of_class[rows[:, -1]], of_class[positives[:, -1]])


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("mode", ["filtered", "hard"])
def test_filtered_and_hard_are_never_entailed_and_reach_every_other_class(mode: str, seed: int) -> None:
    dataset, truth = DATASETS[seed], TRUTHS[seed]
    for form, corrupter in corrupters(dataset, mode).items():
        rounds = 120
        rows, positives, dropped = drawn(corrupter, rounds)
        found = set(map(tuple, rows.tolist()))
        assert not any(truth.entailed(form, row) for row in found)
        kinds = dataset.kinds.of_class[positives[:, -1]]
        assert np.array_equal(dataset.kinds.of_class[rows[:, -1]], kinds)
        possible = {
            (*positive[:-1], int(other)): None
            for positive in map(tuple, np.unique(corrupter.table, axis=0).tolist())
            for other in dataset.kinds.members(int(dataset.kinds.of_class[positive[-1]]))
            if other > 1 and not truth.entailed(form, (*positive[:-1], int(other)))
        }
        assert found <= set(possible)
        if mode == "filtered":
            missed = len(possible) - len(found)
            assert missed <= 0.05 * len(possible), "every class that is not entailed has its chance"
        kinds_left = {(*row[:-1], int(dataset.kinds.of_class[row[-1]])) for row in possible}
        hopeless = [r for r in corrupter.table.tolist() if (*r[:-1], dataset.kinds.of_class[r[-1]]) not in kinds_left]
        assert dropped == rounds * len(hopeless)


def test_filtered_draws_are_uniform() -> None:
    dataset, truth = DATASETS[0], TRUTHS[0]
    corrupter = corrupters(dataset, "filtered", forms=["existential"], per_positive=4000)["existential"]
    number = int(np.flatnonzero(corrupter.table[:, 1] == 1)[3])
    head, role, _ = corrupter.table[number].tolist()
    allowed = [
        int(p) for p in dataset.kinds.members("person") if not truth.entailed("existential", (head, role, int(p)))
    ]
    counts = np.bincount(corrupter.draw(np.array([number]), 7).rows[:, 2], minlength=dataset.vocabulary.n_classes)
    assert set(np.flatnonzero(counts)) == set(allowed)
    expected = 4000 / len(allowed)
    assert ((counts[allowed] - expected) ** 2 / expected).sum() < 2 * len(allowed)


@pytest.mark.parametrize("closure", ["complete", "paper"])
@pytest.mark.parametrize("fraction", [0.0, 0.3, 1.0])
def test_biased_has_the_fraction(fraction: float, closure: str) -> None:
    dataset, truth = DATASETS[0], TRUTHS[0]
    made = corrupters(dataset, "biased", entailed_fraction=fraction, closure=closure)
    for form, corrupter in made.items():
        for seed in range(10):
            rows, _, dropped = corrupter.draw(np.arange(len(corrupter.table)), seed)
            entailed = sum(truth.entailed(form, row) for row in map(tuple, rows.tolist()))
            wanted = fraction * len(corrupter.table)
            if closure == "complete":
                assert np.floor(wanted) <= entailed + (dropped if fraction == 1 else 0)
                assert entailed <= np.ceil(wanted)
            else:
                assert entailed >= np.floor(wanted) - dropped, "the paper's closure is sound"


def test_biased_is_right_in_the_long_run_of_small_batches() -> None:
    dataset, truth = DATASETS[0], TRUTHS[0]
    corrupter = corrupters(dataset, "biased", forms=["subclass"], entailed_fraction=0.25)["subclass"]
    entailed = sum(
        truth.entailed("subclass", tuple(row))
        for seed in range(400)
        for row in corrupter.draw(np.array([seed % len(corrupter.table)]), seed).rows.tolist()
    )
    assert entailed / 400 == pytest.approx(0.25, abs=0.07)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_refuted_leave_their_left_side_empty(seed: int) -> None:
    dataset, truth = DATASETS[seed], TRUTHS[seed]
    seen = 0
    for form, corrupter in corrupters(dataset, "refuted").items():
        rows, _, dropped = drawn(corrupter, 30)
        found = [tuple(row) for row in np.unique(rows, axis=0).tolist()]
        assert all(truth.refuted(form, found))
        assert len(rows) + dropped == 30 * len(corrupter.table)
        seen += len(found)
    assert seen > 20


def test_what_is_empty_in_any_case_has_no_refuted_axioms() -> None:
    dataset = load("family")
    closure = Reasoner(dataset.forms).closure("complete")
    for form, corrupter in corrupters(dataset, "refuted").items():
        rows, _, _ = drawn(corrupter, 10)
        assert not closure.contains(form, rows).any()


def test_hard_negatives_are_nearer_than_filtered_ones() -> None:
    dataset, truth = DATASETS[0], TRUTHS[0]
    shared = {}
    for mode in ("filtered", "hard"):
        rows, positives, _ = drawn(corrupters(dataset, mode, forms=["subclass"])["subclass"], 40)
        above = [set(truth._slow.subsumers[c]) - {0, 1} for c in range(dataset.vocabulary.n_classes)]
        shared[mode] = np.mean([len(above[a] & above[b]) for a, b in zip(rows[:, 1], positives[:, 1], strict=True)])
    assert shared["hard"] > 1.2 * shared["filtered"]


@pytest.mark.parametrize("mode", ["random", "filtered"])
@pytest.mark.parametrize("form", TAILED)
def test_the_head_can_be_corrupted(form: str, mode: str) -> None:
    dataset, truth = DATASETS[1], TRUTHS[1]
    corrupter = corrupters(dataset, mode, forms=[form], corrupt="head")[form]
    rows, positives, _ = drawn(corrupter, 4)
    others = [i for i in range(rows.shape[1]) if i != FIRST[form]]
    assert np.array_equal(rows[:, others], positives[:, others])
    assert np.array_equal(
        dataset.kinds.of_class[rows[:, FIRST[form]]], dataset.kinds.of_class[positives[:, FIRST[form]]]
    )
    if mode == "filtered" and form in ("subclass", "existential"):
        assert not any(truth.entailed(form, tuple(row)) for row in rows.tolist())


def test_filtered_heads_of_two_sided_forms_are_never_entailed() -> None:
    dataset = DATASETS[1]
    for form in ("conjunction", "left_existential"):
        rows, _, _ = drawn(corrupters(dataset, "filtered", forms=[form], corrupt="head")[form], 4)
        tables = {**dataset.forms.tables, form: np.concatenate([dataset.forms[form], rows])}
        # the new left sides have to have classes of their own in the twin, but must not be axioms
        truth = Truth(dataset)
        twin = Truth(_with_tables(dataset, tables))
        truth._sides = twin._sides
        assert not any(truth.entailed(form, tuple(row)) for row in rows.tolist())


def _with_tables(dataset: Dataset, tables: dict[str, Table]) -> Dataset:
    import dataclasses

    return dataclasses.replace(dataset, forms=dataclasses.replace(dataset.forms, tables=tables))


def test_both_sides_by_a_coin() -> None:
    corrupter = corrupters(DATASETS[0], "filtered", forms=["existential"], corrupt="both")["existential"]
    rows, positives, _ = drawn(corrupter, 10)
    heads, tails = rows[:, 0] != positives[:, 0], rows[:, 2] != positives[:, 2]
    assert not (heads & tails).any()
    assert tails.mean() == pytest.approx(0.5, abs=0.05)


def test_each_positive_gets_its_number_of_negatives() -> None:
    corrupter = corrupters(DATASETS[0], "filtered", forms=["existential"], per_positive=3)["existential"]
    rows, positives, dropped = corrupter.draw(np.array([4, 9, 2]), 1)
    assert positives.tolist() == [4, 4, 4, 9, 9, 9, 2, 2, 2]
    assert dropped == 0
    assert len(np.unique(rows[:3], axis=0)) > 1


@pytest.mark.parametrize("mode", MODES)
def test_the_seed_alone_decides_whatever_the_threads(mode: str) -> None:
    made = corrupters(DATASETS[0], mode, entailed_fraction=0.4)
    again = corrupters(DATASETS[0], mode, entailed_fraction=0.4)
    threads = numba.get_num_threads()
    for form, corrupter in made.items():
        every = np.arange(len(corrupter.table))
        first = corrupter.draw(every, 3)
        try:
            numba.set_num_threads(1)
            second = again[form].draw(every, 3)
        finally:
            numba.set_num_threads(threads)
        assert np.array_equal(first.rows, second.rows)
        if len(first.rows) > 20:
            assert not np.array_equal(first.rows, corrupter.draw(every, 4).rows)


def test_a_row_without_any_allowed_class_is_dropped_and_counted() -> None:
    import dataclasses

    from elgeo.datasets.model import Kinds

    dataset = DATASETS[0]
    # a kind of the first thing and its subclass alone: below them everything of the kind is entailed
    child, parent = next((c, d) for c, d in dataset.forms.subclass.tolist() if d == 2)
    of_class = dataset.kinds.of_class.copy()
    of_class[[child, parent]] = 4
    lonely = dataclasses.replace(dataset, kinds=Kinds((*dataset.kinds.names, "pair"), of_class))
    corrupter = corrupters(lonely, "filtered", forms=["subclass"])["subclass"]
    number = int(np.flatnonzero((corrupter.table == (child, parent)).all(axis=1))[0])
    result = corrupter.draw(np.array([number, number]), 0)
    assert (len(result.rows), result.dropped) == (0, 2)


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(SettingError, match="they are random"):
        corrupters(DATASETS[0], "invented")
    with pytest.raises(SettingError, match="leave corrupt at tail"):
        corrupters(DATASETS[0], "hard", corrupt="head")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("corrupt", ["tail", "head", "both"])
def test_parts_are_drawn_as_in_the_whole(mode: str, corrupt: str) -> None:
    if corrupt != "tail" and mode in ("biased", "refuted", "hard"):
        return
    made = corrupters(DATASETS[0], mode, corrupt=corrupt, per_positive=3, entailed_fraction=0.4)
    for corrupter in made.values():
        numbers = np.random.default_rng(1).permutation(len(corrupter.table))
        for seed in (5, 2**63 - 1):
            whole = corrupter.draw(numbers, seed)
            bounds = [0, 0, len(numbers) // 3, len(numbers) // 2, len(numbers)]
            parts = [corrupter.draw(numbers, seed, slice(*pair)) for pair in pairwise(bounds)]
            assert np.array_equal(np.concatenate([part.rows for part in parts]), whole.rows)
            assert np.array_equal(np.concatenate([part.positives for part in parts]), whole.positives)
            assert sum(part.dropped for part in parts) == whole.dropped
