"""Disjoint classes apart, dead ends, and proofs that some classes cannot be apart."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from elgeo import datasets
from elgeo.datasets.model import Dataset
from elgeo.models.boxes.disjoint import HIGH, Dimension, Way, dead_end, separate, ways
from elgeo.models.boxes.greedy import GreedyFill
from elgeo.models.boxes.halves import Halves
from elgeo.models.boxes.impossible import Proofs, proof
from elgeo.models.boxes.problem import Problem
from elgeo.reasoning.saturation.saturate import Saturation, saturate
from tests.models.boxes.small_forms import dataset_of


def prepared(dataset: Dataset) -> tuple[Saturation, Problem]:
    saturation = saturate(dataset.forms)
    return saturation, Problem.of(saturation)


def boxes(problem: Problem, dimensions: list[Dimension]) -> Halves:
    builder = GreedyFill(problem, len(dimensions), np.random.default_rng(0))
    for each in dimensions:
        builder.put(each)
    return builder.halves


def never(one: int, two: int) -> bool:
    return False


PETS = {
    "subclass": "Person Being, Animal Being, Dog Animal, Owner Person, ben Person, rex Dog",
    "existential": "ben has rex, Person knows Person",
    "left_existential": "has Animal Owner",
    "disjoint": "Person Animal, Dog Owner",
}


def test_one_dimension_keeps_apart_what_a_role_connects() -> None:
    dataset = dataset_of(**PETS)
    saturation, problem = prepared(dataset)
    found, failed = separate(problem, dataset.forms.disjoint, saturation.subsumees_of, never)
    assert len(failed) == 0
    assert len(found) == 1
    halves = boxes(problem, found)
    assert all(halves.holds(form, rows).all() for form, rows in dataset.forms.tables.items())
    assert halves.empty.tolist() == [name == "⊥" for name in dataset.vocabulary.classes]
    role = dataset.vocabulary.roles.index("has")
    assert found[0].widths[0][role] < 0 or found[0].widths[1][role] < 0


@pytest.mark.parametrize("domain", ["has ⊤ Person", "has ⊤ Owner"])
def test_the_domain_of_a_role_may_be_disjoint_from_something(domain: str) -> None:
    dataset = dataset_of(**PETS | {"left_existential": domain})
    saturation, problem = prepared(dataset)
    assert problem.bounded
    found, failed = separate(problem, dataset.forms.disjoint, saturation.subsumees_of, never)
    assert len(failed) == 0
    halves = boxes(problem, found)
    assert all(halves.holds(form, rows).all() for form, rows in dataset.forms.tables.items())
    assert halves.empty.sum() == 1


@pytest.mark.parametrize("name", ["family", "cell-tiny"])
def test_all_disjoint_classes_of_an_example_are_apart(name: str) -> None:
    dataset = datasets.load(name)
    saturation, problem = prepared(dataset)
    pairs = dataset.forms.disjoint
    satisfiable = pairs[~problem.empty[pairs].any(axis=1)]
    found, failed = separate(problem, satisfiable, saturation.subsumees_of, never)
    assert len(failed) == 0
    assert len(found) < len(pairs)  # they share
    halves = boxes(problem, found)
    for form, rows in dataset.forms.tables.items():
        assert form == "empty_existential" or halves.holds(form, rows).all()
    assert (halves.empty == problem.empty).all()
    sums = halves.classes[problem.points].astype(int)
    assert (sums[:, ::2] + sums[:, 1::2] == 0).all()  # an individual is a point


def test_a_dimension_says_which_pairs_it_separates() -> None:
    upper, lower = np.array([20, 0, 20, 5], np.int32), np.array([20, 3, -1, -5], np.int32)
    widths = np.array([0], np.int32)
    dimension = Dimension((upper, lower), (widths, widths), (HIGH, HIGH))
    pairs = np.array([[1, 2], [2, 1], [2, 3], [1, 3], [0, 1]], np.int32)
    assert dimension.separates(pairs).tolist() == [True, True, False, True, False]
    assert dimension.is_sound(np.zeros(4, np.bool_))
    assert not Dimension((upper, lower - 1), (widths, widths), (HIGH, HIGH)).is_sound(np.zeros(4, np.bool_))
    assert not Dimension((upper, lower), (widths, widths - 1), (HIGH, HIGH)).is_sound(np.zeros(4, np.bool_))


def test_nobody_has_what_nobody_can_have() -> None:
    dataset = dataset_of(
        subclass="Rock Thing, Toy Thing",
        existential="Child owns Toy, Child owns Dog, Dog likes Rock",
        empty_existential="owns Rock",
    )
    _, problem = prepared(dataset)
    rock, owns = dataset.vocabulary.classes.index("Rock"), dataset.vocabulary.roles.index("owns")
    dimension = dead_end(problem, owns, rock)
    assert dimension is not None
    halves = boxes(problem, [dimension])
    assert all(halves.holds(form, rows).all() for form, rows in dataset.forms.tables.items())
    assert halves.empty.sum() == 1
    toy = dataset.vocabulary.classes.index("Toy")
    assert not halves.holds("empty_existential", np.array([[owns, toy]], np.int32)).any()


WHOLES = {
    "subclass": "X D, Y C, Z D, Z G, E C, E G, E N",
    "existential": "X part Y, E part W, W part V, V part T",
    "left_existential": "part W N",
    "conjunction": "N G E",
    "disjoint": "C D",
    "chain": "part part part",
}
"""X of D is part of Y of C, so `part` would have to be unbounded; then G of Z would be in E, on the side of C."""


def test_what_cannot_be_apart_is_proved() -> None:
    dataset = dataset_of(**WHOLES)
    saturation, problem = prepared(dataset)
    assert saturation.consistent
    names = dataset.vocabulary.classes
    c, d = names.index("C"), names.index("D")
    found, failed = separate(problem, dataset.forms.disjoint, saturation.subsumees_of, never)
    assert (len(found), failed.tolist()) == (0, [sorted((c, d))] if c < d else [[c, d]])
    cases = proof(problem, saturation, c, d)
    assert cases is not None
    assert sorted((len(case.unbounded), names[case.witness]) for case in cases) == [(0, "X"), (1, "Z")]
    reason = Proofs(problem, saturation).reason(c, d, dataset.vocabulary)
    assert "if part reaches no further than 0, X would have to be on both sides" in reason
    assert "if part reaches without bound, Z would have to be on both sides" in reason


@pytest.mark.parametrize(
    ("form", "without"),
    [
        ("existential", "X part Y"),
        ("subclass", "Z G"),
        ("subclass", "E C"),
        ("chain", "part part part"),
        ("existential", "W part V"),
    ],
)
def test_each_step_of_the_proof_is_needed(form: str, without: str) -> None:
    rows = ", ".join(row for row in (each.strip() for each in WHOLES[form].split(",")) if row != without)
    axioms = {**WHOLES, form: rows} if rows else {k: v for k, v in WHOLES.items() if k != form}
    dataset = dataset_of(**axioms)
    saturation, problem = prepared(dataset)
    names = dataset.vocabulary.classes
    c, d = names.index("C"), names.index("D")
    assert proof(problem, saturation, c, d) is None
    assert "no dimension was found" in Proofs(problem, saturation).reason(c, d, dataset.vocabulary)
    if without not in ("W part V", "part part part"):  # the search is not complete: widths in between are not tried
        found, _ = separate(problem, dataset.forms.disjoint, saturation.subsumees_of, never)
        assert len(found) == 1
        assert boxes(problem, found).holds("disjoint", dataset.forms.disjoint).all()


def test_the_thorough_search_is_left_out_where_it_is_hopeless() -> None:
    dataset = dataset_of(**WHOLES)
    saturation, problem = prepared(dataset)
    asked = []

    def hopeless(one: int, two: int) -> bool:
        asked.append((one, two))
        return True

    assert len(separate(problem, dataset.forms.disjoint, saturation.subsumees_of, hopeless)[1]) == 1
    assert asked == [tuple(dataset.forms.disjoint[0].tolist())]


def test_quick_ways_are_among_the_thorough_ones() -> None:
    _, problem = prepared(datasets.load("cell-tiny"))
    assert set(ways(problem, False)) <= set(ways(problem, True))
    assert len(set(ways(problem, True))) == len(list(ways(problem, True)))


@pytest.mark.parametrize("order", ["Region Whole", "Whole Region"])
def test_a_region_is_apart_from_the_whole_it_is_part_of(order: str) -> None:
    """∃part.Whole contains Whole where `part` may stand still, and then Region would too: it has to lead away."""
    dataset = dataset_of(
        subclass="Whole Sheet, Region Sheet, Region N, Cell Thing",
        existential="Region part Whole, Whole part Cell",
        left_existential="part Whole N",
        conjunction="Sheet N Region",
        disjoint=order,
        chain="part part part",
    )
    saturation, problem = prepared(dataset)
    found, failed = separate(problem, dataset.forms.disjoint, saturation.subsumees_of, never)
    assert (len(found), len(failed)) == (1, 0)
    role = dataset.vocabulary.roles.index("part")
    assert min(found[0].widths[0][role], found[0].widths[1][role]) < 0
    halves = boxes(problem, found)
    assert all(halves.holds(form, rows).all() for form, rows in dataset.forms.tables.items())
    assert halves.empty.sum() == 1


@pytest.mark.parametrize("order", ["C D", "D C"])
def test_of_two_classes_that_could_lie_below_it_is_the_one_that_is_free(order: str) -> None:
    """N is smaller than G and would be lowered first, but Z of D is in N; with F and M it is the other way round."""
    dataset = dataset_of(
        subclass="E C, E G, E N, Z D, Z N, P G, Q G, S G, A C, A F, A M, Y D, Y M, P M, Q M, S M, P F, Q F, S F, I F",
        conjunction="G N E, M F A",
        disjoint=order,
    )
    saturation, problem = prepared(dataset)
    found, failed = separate(problem, dataset.forms.disjoint, saturation.subsumees_of, never)
    assert (len(found), len(failed)) == (1, 0)
    halves = boxes(problem, found)
    assert all(halves.holds(form, rows).all() for form, rows in dataset.forms.tables.items())
    assert halves.empty.sum() == 1


def test_ways_leave_free_none_one_or_all_of_the_roles_in_chains() -> None:
    problem: Any = SimpleNamespace(roles=SimpleNamespace(chain=np.array([[7, 2, 5], [2, 2, 5]])))
    found = list(ways(problem, thorough=False))
    kept = [(), (5, 7), (2, 7), (2, 5), (2, 5, 7)]
    assert found[:-6] == [Way(roles, 0, book) for roles in kept for book in range(2)]
    assert [(way.kept, way.width, way.book) for way in found[-6:]] == [((r,), -1, b) for r in (2, 5, 7) for b in (0, 1)]
    every = {way.kept for way in ways(problem, thorough=True)}
    assert every == {(), (2,), (5,), (7,), *kept}
