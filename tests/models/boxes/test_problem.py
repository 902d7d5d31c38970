"""What the construction of boxes works on: which classes are points, which of them are pinned, which axioms count."""

from __future__ import annotations

from elgeo.arrays import Flags
from elgeo.datasets.model import Dataset
from elgeo.models.boxes.problem import Problem
from elgeo.reasoning.saturation.saturate import saturate
from tests.models.boxes.small_forms import dataset_of


def named(dataset: Dataset, flags: Flags) -> set[str]:
    return {name for name, flag in zip(dataset.vocabulary.classes, flags, strict=True) if flag}


def problem_of(dataset: Dataset) -> Problem:
    saturation = saturate(dataset.forms)
    return Problem.of(saturation.unconditional or saturation)


def test_points_are_individuals_and_what_lies_in_one() -> None:
    """`Alone` lies in {ann}; `Void` would too, but can have no point; `bob` is an individual that nothing lies in."""
    dataset = dataset_of(
        individuals="ann bob",
        subclass="Alone ann, Alone Person, ann Person, bob Person, Void ann",
        empty="Void",
        existential="Person likes ⊤, Person U bob, Void likes Person, Alone likes bob",
    )
    problem = problem_of(dataset)
    assert named(dataset, problem.points) == {"ann", "bob", "Alone"}
    assert named(dataset, problem.empty) == {"⊥", "Void"}
    assert not problem.pinned.any()
    # neither what the universal role says nor what is said of nothing asks anything of boxes
    names, roles = dataset.vocabulary.classes, dataset.vocabulary.roles
    rows = {(names[c], roles[r], names[d]) for c, r, d in problem.axioms.existential.tolist()}
    assert rows == {("Person", "likes", "⊤"), ("Alone", "likes", "bob")}


def test_points_are_pinned_by_what_is_none_and_lies_in_them() -> None:
    """∃has.Person lies in {ann}, A ⊓ B in {bob}; what of A and {cat} lies in {dan} is a point itself."""
    dataset = dataset_of(
        individuals="ann bob cat dan",
        left_existential="has Person ann, has A C",
        conjunction="A B bob, A cat dan, cat B dan, A C B",
        existential="ann has A",
    )
    problem = problem_of(dataset)
    assert named(dataset, problem.pinned) == {"ann", "bob"}
