"""What an editor would begin with: the first parent that clashes with nothing, and whatever is sure."""

from __future__ import annotations

from elgeo.evaluation.placing.placements import SURE, chosen
from elgeo.evaluation.placing.suggestions import Placed, Proposal, Suggestion


def made(*suggestions: tuple[int, float, str]) -> list[Suggestion]:
    return [Suggestion(number, share, verdict=verdict) for number, share, verdict in suggestions]


def test_the_first_parent_and_what_is_sure() -> None:
    parents = made(
        (7, 0.4, "contradicts the given axioms"),
        (3, 0.2, "follows from 9"),
        (5, SURE, ""),
        (9, 0.9, "follows from 5"),
        (2, SURE - 0.01, ""),
        (4, 0.6, ""),
    )
    relations = {1: made((8, SURE, ""), (6, 0.7, "follows from 8"), (2, 0.1, "")), 2: made((8, 0.2, ""))}
    placed = Placed(Proposal("something new"), (), parents, relations)
    assert [each.class_id for each in placed.first_parents] == [3]
    above, beside = chosen(placed)
    assert [each.class_id for each in above] == [3, 5, 4]
    assert {role: [each.class_id for each in found] for role, found in beside.items()} == {1: [8]}


def test_a_first_parent_that_is_sure_is_named_once() -> None:
    placed = Placed(Proposal("something new"), (), made((5, 0.5, ""), (2, 0.1, "")))
    assert [each.class_id for each in chosen(placed)[0]] == [5]
