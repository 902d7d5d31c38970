"""Half dimension after half dimension: everything asserted stays true, and what should be false becomes so."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from elgeo.datasets.model import Dataset
from elgeo.models.boxes.attempts import attempt
from elgeo.models.boxes.greedy import GreedyFill
from elgeo.models.boxes.impossible import _forced, _unbounded
from elgeo.models.boxes.numbers import INFINITE
from elgeo.models.boxes.pool import AxiomPool
from elgeo.models.boxes.problem import Problem
from elgeo.models.boxes.rules import rules_of
from elgeo.reasoning.closure.modes import closure_of
from elgeo.reasoning.saturation.saturate import saturate
from tests.models.boxes.plain_fixpoint import random_tables
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
    # a role whose two widths add up to less than nothing relates nothing
    roles = builder.halves.roles.astype(int)
    assert ((roles[:, ::2] + roles[:, 1::2]) >= 0).all()
    assert (roles != INFINITE).any()
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
    assert (builder.halves.roles[:, 1::2] == INFINITE).all()


def test_where_nothing_is_possible_a_half_dimension_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every proposal fails: classes and roles stay unbounded there, empty ones empty."""
    dataset = dataset_of(subclass="A B", empty="E", existential="A r B")

    def nothing_is_possible(*arguments: Any) -> Any:
        possible, *rest = attempt(*arguments)
        return np.zeros_like(possible), *rest

    monkeypatch.setattr("elgeo.models.boxes.greedy.attempt", nothing_is_possible)
    builder, _, _ = filled(dataset, 1)
    empty = [dataset.vocabulary.class_id(name) for name in ("⊥", "E")]
    assert builder.halves.classes[empty].tolist() == [[-1, -1]] * 2
    assert (np.delete(builder.halves.classes, empty, axis=0) == INFINITE).all()
    assert (builder.halves.roles == INFINITE).all()
    assert (builder.halves.limits == INFINITE).all()


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


def test_classes_above_an_unbounded_existential_are_unbounded_too() -> None:
    n, roles, generator = 14, 4, np.random.default_rng(0)
    nothing, equal = np.zeros(n, np.bool_), np.zeros(n, np.int64)
    sizes = set()
    for _ in range(30):
        tables = random_tables(generator, n, roles, 6)
        infinite = generator.random(roles) < 0.4
        reached = {0} | {d for r, _, d in tables["left_existential"].tolist() if infinite[r]}
        for _ in range(n):
            reached |= {d for c, d in tables["subclass"].tolist() if c in reached}
        found = _unbounded(rules_of(n, tables, nothing, equal), n, infinite)
        assert set(np.flatnonzero(found).tolist()) == reached
        sizes.add(len(reached))
    assert len(sizes) > 4


def test_of_two_parts_the_bounded_one_lies_below_where_the_other_does_not_end() -> None:
    n, roles, generator = 14, 4, np.random.default_rng(2)
    nothing, equal, none = np.zeros(n, np.bool_), np.zeros(n, np.int64), np.zeros(roles, np.bool_)
    bounded = np.zeros(n, np.bool_)
    sides = set()
    for _ in range(40):
        tables = random_tables(generator, n, roles, 9)
        rules, unbounded = rules_of(n, tables, nothing, equal), generator.random(n) < 0.5
        above = {e: generator.permutation(n)[:11] for e in range(n)}
        saturation: Any = SimpleNamespace(subsumers_of=above.__getitem__)
        for e in range(n):
            expected = set()
            for one, two, result in tables["conjunction"].tolist():
                if result == e and {one, two} <= set(above[e].tolist()) and unbounded[one] != unbounded[two]:
                    expected.add(two if unbounded[one] else one)
                    sides.add(bool(unbounded[one]))
            plain = list(_forced(rules, saturation, e, bounded, none))
            assert list(_forced(rules, saturation, e, unbounded, none))[: len(plain)] == plain
            assert set(list(_forced(rules, saturation, e, unbounded, none))[len(plain) :]) == expected
    assert sides == {False, True}
