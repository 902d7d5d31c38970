"""Axioms that should become false: what is drawn, kept, struck out, and how much of it is estimated to be left."""

from __future__ import annotations

import numpy as np
import pytest

from elgeo.datasets.model import Dataset
from elgeo.models.boxes import pool as pools
from elgeo.models.boxes.greedy import AWAY
from elgeo.models.boxes.grow import grow
from elgeo.models.boxes.halves import Halves
from elgeo.models.boxes.numbers import LAST, NOTHING
from elgeo.models.boxes.pool import CODES, AxiomPool, exchanged, parts_of
from elgeo.models.boxes.problem import Problem
from elgeo.models.boxes.tables import close
from elgeo.ontology.vocabulary import TOP_ROLE
from elgeo.reasoning.closure.base import Closure
from elgeo.reasoning.closure.modes import closure_of
from elgeo.reasoning.saturation.saturate import saturate
from tests.models.boxes.small_forms import dataset_of, with_tables
from tests.small_dataset import small_dataset


@pytest.fixture(scope="module")
def dataset() -> Dataset:
    """With an axiom of the universal role, which is never made false; nothing is disjoint, so one dimension will do."""
    made = small_dataset(6, n_things=34, n_people=9, n_links=40)
    more = np.concatenate([made.forms["existential"], [[3, TOP_ROLE, 4]]]).astype(np.int32)
    none = {form: made.forms[form][:0] for form in ("disjoint", "empty_existential")}
    return with_tables(made, existential=more, **none)


@pytest.fixture(scope="module")
def closure(dataset: Dataset) -> Closure:
    return closure_of(saturate(dataset.forms), "complete")


def some_halves(dataset: Dataset) -> Halves:
    """One dimension in which all that is asserted is true, and about half of the rest."""
    problem, generator = Problem.of(saturate(dataset.forms)), np.random.default_rng(1)
    halves = Halves.unplaced(problem.n_classes, problem.n_roles, 1)
    values = np.where(generator.random(problem.n_classes) < 0.3, 2, 0).astype(np.int32)
    tables = np.tile(np.arange(LAST + 1, dtype=np.int32), (problem.n_roles, 1))
    close(tables, problem.axioms.roles)
    grow(values, tables, problem.axioms.rules, problem.axioms.roles)
    halves.classes[:, 0], halves.roles[:, 0] = values, tables[:, AWAY]
    halves.classes[problem.empty] = NOTHING
    return halves


def test_parts_are_the_axioms_by_form_and_role(dataset: Dataset) -> None:
    found = {(part.form, part.role): sorted(part.asserted.tolist()) for part in parts_of(dataset)}
    expected: dict[tuple[str, int], list[list[int]]] = {}
    for form, column in (("subclass", None), ("conjunction", None), ("existential", 1), ("left_existential", 0)):
        for row in dataset.forms[form].tolist():
            role = -1 if column is None else row[column]
            if role != TOP_ROLE:
                expected.setdefault((form, role), []).append(row)
    assert found == {key: sorted(rows) for key, rows in expected.items()}
    assert len(found) == len(parts_of(dataset))
    bare = with_tables(dataset, conjunction=dataset.forms["conjunction"][:0])
    assert "conjunction" not in {part.form for part in parts_of(bare)}


def test_the_last_class_is_exchanged_for_any_of_its_kind(dataset: Dataset) -> None:
    for part in parts_of(dataset):
        rows = exchanged(part, dataset.kinds, 600, np.random.default_rng(0))
        assert len(rows) == 600
        tails: dict[tuple[int, ...], set[int]] = {}
        for row in part.asserted.tolist():
            kind = dataset.kinds.of_class[row[-1]]
            tails.setdefault(tuple(row[:-1]), set()).update(dataset.kinds.members(int(kind)).tolist())
        assert all(row[-1] in tails[tuple(row[:-1])] for row in rows.tolist())
        wanted = set().union(*tails.values())
        assert set(rows[:, -1].tolist()) == wanted, "600 draws should reach every class"
        assert {tuple(row[:-1]) for row in rows.tolist()} >= set(list(tails)[:20])


@pytest.mark.parametrize("size", [40, 10**6])
def test_what_is_drawn_is_true_and_does_not_follow(
    dataset: Dataset, closure: Closure, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pools, "BLOCK", 1000)
    halves = some_halves(dataset)
    pool = AxiomPool(dataset, closure, size, np.random.default_rng(2))
    pool.refill(halves)
    partly = 0
    for number, part in enumerate(pool.parts):
        rows = pool.of_part(number)
        assert halves.holds(part.form, rows).all()
        assert not closure.contains(part.form, rows).any()
        assert len(rows) <= min(size, 8 * 1000)
        # of all that could be drawn and does not follow: how much is true
        every = exchanged(part, dataset.kinds, 20_000, np.random.default_rng(3))
        novel = every[~closure.contains(part.form, every)]
        true = halves.holds(part.form, novel).mean()
        partly += bool(0.1 < true < 0.9)
        assert pool.shares[number] == pytest.approx(true, abs=0.03 if size > 8000 else 0.12)
    assert partly > 1
    assert (len(pool) > 3000) == (size > 8000), "blocks are drawn until there is enough"
    assert len(pool) == sum(len(pool.of_part(k)) for k in range(len(pool.parts)))
    assert pool.sizes.tolist() == [max(1, len(pool.of_part(k))) for k in range(len(pool.parts))]


def test_the_share_of_each_part_is_that_of_what_was_drawn(
    dataset: Dataset, closure: Closure, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pools, "BLOCK", 37)
    halves, generator = some_halves(dataset), np.random.default_rng(7)
    pool = AxiomPool(dataset, closure, 10**6, np.random.default_rng(7))
    pool.refill(halves)
    for number, part in enumerate(pool.parts):
        rows = np.concatenate([exchanged(part, dataset.kinds, 37, generator) for _ in range(pools.BLOCKS)])
        true, follows = halves.holds(part.form, rows), closure.contains(part.form, rows)
        assert true[follows].all()
        assert pool.shares[number] == pytest.approx((true & ~follows).sum() / (~follows).sum(), rel=1e-12)
        assert pool.of_part(number).tolist() == rows[true & ~follows].tolist()


def test_boxes_that_are_everything_have_every_axiom_left(dataset: Dataset, closure: Closure) -> None:
    pool = AxiomPool(dataset, closure, 30, np.random.default_rng(2))
    assert len(pool) == 0
    assert pool.sizes.tolist() == [1] * len(pool.parts)
    pool.refill(Halves.unplaced(dataset.vocabulary.n_classes, dataset.vocabulary.n_roles, 2))
    assert pool.shares.tolist() == pytest.approx([1] * len(pool.parts), abs=1e-3)


def test_rows_for_kernels_have_the_number_of_their_form_and_part(dataset: Dataset, closure: Closure) -> None:
    pool = AxiomPool(dataset, closure, 15, np.random.default_rng(2))
    pool.refill(some_halves(dataset))
    forms, parts, rows = pool.rows()
    place = 0
    for number, part in enumerate(pool.parts):
        for row in pool.of_part(number).tolist():
            assert (forms[place], parts[place]) == (CODES[part.form], number)
            assert rows[place].tolist() == (row if len(row) == 3 else [*row, 0])
            place += 1
    assert place == len(rows) == len(forms) == len(parts)


def test_what_becomes_false_is_struck_out_and_drawn_again_when_half_is_gone(dataset: Dataset, closure: Closure) -> None:
    halves = some_halves(dataset)
    pool = AxiomPool(dataset, closure, 60, np.random.default_rng(2))
    pool.refill(halves)
    number = next(k for k, part in enumerate(pool.parts) if part.form == "subclass")
    before, share = pool.of_part(number).copy(), pool.shares.copy()
    tails = before[:, 1].tolist()
    values = np.full(dataset.vocabulary.n_classes, 5, np.int32)
    values[tails[0]] = 4
    tables = np.full((dataset.vocabulary.n_roles, LAST + 1), LAST, np.int32)
    gone = [values[c] > values[d] for c, d in before.tolist()]
    assert 0 < sum(gone) <= len(before) / 2
    pool.strike(values, tables)
    assert pool.of_part(number).tolist() == before[~np.array(gone)].tolist()
    assert pool.shares[number] == pytest.approx(share[number] * (1 - sum(gone) / len(before)))
    left = pool.of_part(number).copy()
    pool.refill(halves)
    assert pool.of_part(number).tolist() == left.tolist(), "most of it is there yet"

    n = len(values)
    values = (np.bincount(before[:, 0], minlength=n) - np.bincount(tails, minlength=n)).astype(np.int32)
    values = np.clip(values - values.min(), 0, LAST).astype(np.int32)
    pool.strike(values, tables)
    few = pool.of_part(number).copy()
    assert 2 * len(few) < len(before)
    pool.refill(halves)
    assert len(few) < len(pool.of_part(number)) <= 60
    assert pool.of_part(number)[: len(few)].tolist() == few.tolist(), "what is left is kept"


def test_a_part_is_drawn_again_when_less_than_half_of_it_is_left(dataset: Dataset, closure: Closure) -> None:
    halves = some_halves(dataset)
    pool = AxiomPool(dataset, closure, 60, np.random.default_rng(2))
    pool.refill(halves)
    full = list(pool._rows)
    many = [number for number, rows in enumerate(full) if len(rows) > 20]
    assert len(many) > 2
    for share, again in ((0.6, False), (0.4, True)):
        left = [rows[: round(share * len(rows))] for rows in full]
        pool._rows = list(left)
        pool.refill(halves)
        for number in many:
            assert pool.of_part(number)[: len(left[number])].tolist() == left[number].tolist()
            assert (len(pool.of_part(number)) > len(left[number])) == again


def test_a_part_that_nothing_was_found_for_is_not_drawn_again() -> None:
    dataset = dataset_of(subclass="A B, B A")  # whatever is exchanged, all of it follows
    halves = Halves.unplaced(dataset.vocabulary.n_classes, dataset.vocabulary.n_roles, 1)
    pool = AxiomPool(dataset, closure_of(saturate(dataset.forms), "complete"), 20, np.random.default_rng(0))
    untouched = pool.generator.bit_generator.state
    pool.refill(halves)
    drawn = pool.generator.bit_generator.state
    assert drawn != untouched
    pool.refill(halves)
    assert pool.generator.bit_generator.state == drawn
    assert len(pool) == 0
