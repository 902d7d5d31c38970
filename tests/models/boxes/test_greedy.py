"""Half dimension after half dimension: everything asserted stays true, and what should be false becomes so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from elgeo.datasets.model import Dataset
from elgeo.models.boxes.attempts import attempt
from elgeo.models.boxes.greedy import GreedyFill
from elgeo.models.boxes.numbers import LAST, NOTHING
from elgeo.models.boxes.pool import AxiomPool
from elgeo.models.boxes.problem import Problem
from elgeo.reasoning.closure.modes import closure_of
from elgeo.reasoning.saturation.saturate import saturate
from tests.models.boxes.small_forms import dataset_of, with_tables
from tests.small_dataset import small_dataset


def filled(
    dataset: Dataset, dimension: int, proposals: int = 8, rounds: int = 2
) -> tuple[GreedyFill, AxiomPool, list[str]]:
    saturation = saturate(dataset.forms)
    generator, said = np.random.default_rng(0), list[str]()
    builder = GreedyFill(Problem.of(saturation), dimension, generator)
    pool = AxiomPool(dataset, closure_of(saturation, "complete"), 60, generator)
    builder.fill(pool, proposals, rounds, said.append, lambda: "so far so good")
    return builder, pool, said


def test_all_that_is_asserted_is_true_and_less_and_less_else() -> None:
    dataset = small_dataset(6, n_things=34, n_people=9, n_links=40)
    dataset = with_tables(dataset, **{form: dataset.forms[form][:0] for form in ("disjoint", "empty_existential")})
    builder, pool, _ = filled(dataset, 3)
    assert builder.filled == 6
    for form, rows in dataset.forms.tables.items():
        assert builder.halves.holds(form, rows).all(), form
    assert (builder.halves.roles[1:] != LAST).any()
    less, _, _ = filled(dataset, 1)
    novel = {}
    for number, part in enumerate(pool.parts):
        rows = AxiomPool(dataset, pool.closure, 10**4, np.random.default_rng(1)).parts[number].asserted
        drawn = rows[np.random.default_rng(2).integers(0, len(rows), 500)].copy()
        drawn[:, -1] = np.random.default_rng(3).integers(2, dataset.vocabulary.n_classes, 500)
        drawn = drawn[~pool.closure.contains(part.form, drawn)]
        novel[number] = [each.halves.holds(part.form, drawn).mean() for each in (less, builder)]
    assert all(after <= before for before, after in novel.values())
    assert np.mean([after for _, after in novel.values()]) < 0.6 * np.mean([before for before, _ in novel.values()])


def test_points_have_opposite_numbers_on_both_sides_of_a_dimension() -> None:
    dataset = dataset_of(
        individuals="ann bob", subclass="ann Person,bob Person,Person Animal", existential="ann knows bob"
    )
    builder, _, _ = filled(dataset, 2)
    points = [dataset.vocabulary.class_id(name) for name in ("ann", "bob")]
    numbers = builder.halves.classes[points].astype(int)
    assert (numbers[:, ::2] == -numbers[:, 1::2]).all()
    assert (numbers[0] != numbers[1]).any(), "two points are not one"
    for form, rows in dataset.forms.tables.items():
        assert builder.halves.holds(form, rows).all(), form
    ann = dataset.vocabulary.class_id("ann")
    person = dataset.vocabulary.class_id("Person")
    assert not builder.halves.holds("subclass", np.array([[person, ann]], np.int32)).any()


@pytest.mark.parametrize("even_the_least", [False, True])
def test_where_nothing_is_possible_a_half_dimension_says_little(
    monkeypatch: pytest.MonkeyPatch, even_the_least: bool
) -> None:
    """Every proposal fails: the least numbers are taken, or where they fail too everything is everywhere."""
    dataset = dataset_of(individuals="a", subclass="A B, a A", empty="E", existential="A r B")

    def nothing_is_possible(*arguments: Any) -> Any:
        possible, *rest = attempt(*arguments)
        return np.zeros_like(possible), *rest

    monkeypatch.setattr("elgeo.models.boxes.greedy.attempt", nothing_is_possible)
    if even_the_least:
        monkeypatch.setattr("elgeo.models.boxes.greedy.carry_out", lambda *arguments: (False, None))
    builder, _, _ = filled(dataset, 1)
    empty = [dataset.vocabulary.class_id(name) for name in ("⊥", "E")]
    others = [dataset.vocabulary.class_id(name) for name in ("A", "B")]
    assert builder.halves.classes[empty].tolist() == [[NOTHING, NOTHING]] * 2
    assert (builder.halves.classes[others] == (LAST if even_the_least else 0)).all()
    assert builder.halves.classes[dataset.vocabulary.class_id("a")].tolist() == [0, 0]
    assert (builder.halves.roles[1:] == (LAST if even_the_least else 0)).all()
    for form, rows in dataset.forms.tables.items():
        assert builder.halves.holds(form, rows).all(), form


def test_how_far_it_is_is_said_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that goes 6 s further with each look: a line after every second half dimension."""
    times = iter(range(0, 10**6, 6))
    monkeypatch.setattr("elgeo.models.boxes.greedy.time.monotonic", lambda: float(next(times)))
    _, _, said = filled(dataset_of(subclass="A B,B C", existential="A r B"), 3)
    # the clock is looked at twice before the first half dimension, then once after each
    assert said == [
        "dimension 0 of 3, so far so good, 30 s left",
        "dimension 1 of 3, so far so good, 18 s left",
        "dimension 2 of 3, so far so good, 6 s left",
    ]


def test_how_long_it_takes_is_told_by_what_was_filled_now(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two of eight half dimensions are there before; the first of the six others is there after 12 s."""
    dataset = dataset_of(subclass="A B,B C", existential="A r B")
    saturation, generator, said = saturate(dataset.forms), np.random.default_rng(0), list[str]()
    builder = GreedyFill(Problem.of(saturation), 4, generator)
    builder.put(builder.halves.classes[:, :2], builder.halves.roles[:, :2])
    times = iter(range(0, 10**6, 6))
    monkeypatch.setattr("elgeo.models.boxes.greedy.time.monotonic", lambda: float(next(times)))
    pool = AxiomPool(dataset, closure_of(saturation, "complete"), 60, generator)
    builder.fill(pool, 4, 1, said.append, lambda: "")
    assert [line.split(", ")[-1] for line in said] == ["30 s left", "18 s left", "6 s left"]


def test_where_nothing_more_becomes_false_fewer_proposals_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []

    def nothing_becomes_false(*arguments: Any) -> Any:
        *rest, refuted = attempt(*arguments)
        tried.append(len(refuted))
        return *rest, refuted * 0

    monkeypatch.setattr("elgeo.models.boxes.greedy.attempt", nothing_becomes_false)
    monkeypatch.setattr(AxiomPool, "strike", lambda pool, values, tables: None)
    dataset = dataset_of(subclass="A B,B C", existential="A r B")
    builder, pool, _ = filled(dataset, 6, proposals=20, rounds=2)
    assert len(pool)
    assert tried == [20, 10] * 8 + [16] * 4  # eight half dimensions in vain, then one round of sixteen for each
    for form, rows in dataset.forms.tables.items():
        assert builder.halves.holds(form, rows).all(), form
    tried.clear()
    filled(dataset_of(subclass="A B,B A"), 1, proposals=20, rounds=2)
    assert tried == [16] * 2  # nothing can become false: all of it follows


def test_a_point_that_something_lies_in_is_the_one_in_the_middle() -> None:
    """Everything that has a child is in {ann}, so ∃has.⊤ is a point, and it has the middle in every dimension."""
    dataset = dataset_of(
        individuals="ann bob",
        subclass="ann Person, bob Person",
        existential="ann has bob",
        left_existential="has Person ann",
    )
    builder, _, _ = filled(dataset, 3)
    ann, bob = (builder.halves.classes[dataset.vocabulary.class_id(name)] for name in ("ann", "bob"))
    assert (ann == 0).all()
    assert (bob != 0).any()
    for form, rows in dataset.forms.tables.items():
        assert builder.halves.holds(form, rows).all(), form


def test_of_what_is_possible_the_proposal_that_makes_most_false_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    taken, others = list[np.ndarray](), list[np.ndarray]()

    def the_fourth_is_best(*arguments: Any) -> Any:
        possible, values, tables, refuted = attempt(*arguments)
        assert possible.all()
        possible[6] = False
        refuted[:] = np.array([0, 4, 0, 5, 1, 0, 9, 4])[:, None]
        taken.append(values[3].copy())
        others.append(values[1].copy())
        return possible, values, tables, refuted

    monkeypatch.setattr("elgeo.models.boxes.greedy.attempt", the_fourth_is_best)
    monkeypatch.setattr(AxiomPool, "strike", lambda pool, values, tables: None)
    builder, _, _ = filled(dataset_of(subclass="A B,B C", existential="A r B"), 3, proposals=8, rounds=1)
    named = slice(2, None)  # ⊥ has nothing
    assert builder.halves.classes[named].T.tolist() == [values[named].tolist() for values in taken]
    assert not np.array_equal(taken, others)
