"""Truth among boxes, against the points of the sets."""

from __future__ import annotations

import numpy as np
import pytest

from elgeo.models.boxes.halves import Halves
from elgeo.models.boxes.numbers import LAST, NOTHING, POINTS
from elgeo.ontology.normal_forms import FORMS
from tests.models.boxes.plain_boxes import PlainBoxes, random_halves, sampled_truth


@pytest.mark.parametrize("form", [pytest.param(form, marks=[pytest.mark.slow] * (form == "chain")) for form in FORMS])
def test_an_axiom_holds_where_the_points_say_so(form: str) -> None:
    generator = np.random.default_rng(17)
    seen = set()
    for _ in range(8):
        halves = random_halves(generator)
        plain = PlainBoxes(halves)
        shape = FORMS[form]
        rows = np.stack(
            [generator.integers(0, 6 if i in shape.role_columns else 9, 20) for i in range(shape.width)], axis=1
        ).astype(np.int32)
        true = halves.holds(form, rows)
        assert true.dtype == bool
        assert true.tolist() == [plain.holds(form, row) for row in rows.tolist()]
        seen |= set(true.tolist())
    assert seen == {True, False}


@pytest.mark.parametrize("form", ["existential", "left_existential"])
def test_no_sampled_point_speaks_against_what_holds_and_most_of_what_does_not_is_found_out(form: str) -> None:
    generator = np.random.default_rng(5)
    agreed = wrong = 0
    for _ in range(6):
        halves = random_halves(generator)
        rows = np.stack([generator.integers(0, 9, 12) for _ in range(3)], axis=1).astype(np.int32)
        column = 1 if form == "existential" else 0
        rows[:, column] = generator.integers(0, 6, 12)
        for row, true in zip(rows.tolist(), halves.holds(form, rows).tolist(), strict=True):
            sampled = sampled_truth(halves, form, row, generator)
            assert sampled or not true, (form, row)
            agreed, wrong = agreed + (sampled == true and not true), wrong + (sampled != true)
    assert agreed > 2 * wrong
    assert agreed > 10


def test_no_rows_are_neither_true_nor_false() -> None:
    halves = random_halves(np.random.default_rng(0))
    for form, shape in FORMS.items():
        assert halves.holds(form, np.empty((0, shape.width), np.int32)).shape == (0,)


def test_the_forms_are_known_by_the_names_of_the_field() -> None:
    halves = random_halves(np.random.default_rng(0))
    rows = np.array([[2, 3], [4, 5], [0, 4]], np.int32)
    assert (halves.holds("GCI0", rows) == halves.holds("subclass", rows)).all()


def test_the_box_of_an_existential_is_that_of_its_points() -> None:
    generator = np.random.default_rng(8)
    for _ in range(5):
        halves = random_halves(generator)
        plain = PlainBoxes(halves)
        for role in range(6):
            numbers = halves.some(role, np.arange(9, dtype=np.int32)).astype(int)
            for c in range(9):
                for i, points in enumerate(plain.some(plain.roles[role], plain.classes[c])):
                    high, low = numbers[c, 2 * i : 2 * i + 2]
                    assert points == set(range(-low, high + 1))


def test_corners_are_those_of_the_boxes() -> None:
    classes = np.array([[LAST, LAST], [NOTHING, NOTHING], [3, -1]], np.int8)
    roles = np.full((1, 2, POINTS), NOTHING, np.int8)
    roles[0, :, 5] = 2, 1
    halves = Halves(classes, roles)
    corners = halves.corners()
    assert corners["class_upper"][:, 0].tolist()[::2] == [LAST, 3]
    assert corners["class_lower"][:, 0].tolist()[::2] == [-LAST, 1]
    assert np.isnan(corners["class_upper"][1, 0])
    assert np.isnan(corners["class_lower"][1, 0])
    for name, expected in (("role_upper", 2), ("role_lower", -1)):
        assert corners[name].shape == (1, POINTS)
        assert np.flatnonzero(~np.isnan(corners[name][0])).tolist() == [5]
        assert corners[name][0, 5] == expected
    assert halves.dimension == 1
    assert halves.empty.tolist() == [False, True, False]


def test_corners_of_roles_are_those_of_what_is_related_to_each_point() -> None:
    halves = random_halves(np.random.default_rng(6), dimension=3)
    plain, corners = PlainBoxes(halves), halves.corners()
    empty = 0
    for r in range(6):
        lower, upper = (corners[name][r].reshape(3, POINTS) for name in ("role_lower", "role_upper"))
        for i in range(3):
            for y in range(-LAST, LAST + 1):
                points = {x for x, z in plain.roles[r][i] if z == y}
                found = lower[i, y + LAST], upper[i, y + LAST]
                assert found == (min(points), max(points)) if points else np.isnan(found).all()
                empty += not points
    assert empty > 10


def test_the_first_dimensions_are_boxes_of_their_own() -> None:
    halves = random_halves(np.random.default_rng(3))
    first = halves.narrowed(1)
    assert first.dimension == 1
    assert (first.classes == halves.classes[:, :2]).all()
    assert (first.roles == halves.roles[:, :2]).all()
