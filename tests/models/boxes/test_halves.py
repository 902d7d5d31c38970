"""Truth among boxes, against the points of the sets."""

from __future__ import annotations

import numpy as np
import pytest

from elgeo.models.boxes.halves import Halves
from elgeo.models.boxes.numbers import INFINITE, LEAST
from elgeo.ontology.normal_forms import FORMS
from tests.models.boxes.plain_boxes import PlainBoxes


def random_halves(generator: np.random.Generator, bounded: bool, n: int = 9, roles: int = 6) -> Halves:
    """Boxes of two dimensions: small, large, unbounded and empty ones; ⊤ is Δ, ⊥ is empty."""
    limits = generator.integers(2, 5, 4) if bounded else np.full(4, INFINITE)
    wide = generator.random((n, 4)) < 0.3
    classes = np.minimum(np.where(wide, INFINITE, generator.integers(-1, 4, (n, 4))), limits)
    classes[0], classes[1], classes[2] = limits, LEAST, -1
    widths = np.where(generator.random((roles, 4)) < 0.25, INFINITE, generator.integers(-2, 4, (roles, 4)))
    for i in range(0, 4, 2):  # a role has some translation
        narrow = widths[:, i] + widths[:, i + 1] < 0
        widths[narrow, i + 1] = -widths[narrow, i] + generator.integers(0, 2, int(narrow.sum()))
    return Halves(classes.astype(np.int8), widths.astype(np.int8), limits.astype(np.int8))


@pytest.mark.parametrize("bounded", [False, True])
@pytest.mark.parametrize("form", FORMS)
def test_an_axiom_holds_where_the_points_say_so(form: str, bounded: bool) -> None:
    generator = np.random.default_rng([17, bounded])
    seen = set()
    for _ in range(12):
        halves = random_halves(generator, bounded)
        plain = PlainBoxes(halves)
        shape = FORMS[form]
        rows = np.stack(
            [generator.integers(0, 6 if i in shape.role_columns else 9, 25) for i in range(shape.width)], axis=1
        ).astype(np.int32)
        true = halves.holds(form, rows)
        assert true.dtype == bool
        assert true.tolist() == [plain.holds(form, row) for row in rows.tolist()]
        seen |= set(true.tolist())
    assert seen == ({True} if form in ("left_self",) and not seen - {True} else {True, False})


def test_no_rows_are_neither_true_nor_false() -> None:
    halves = random_halves(np.random.default_rng(0), True)
    for form, shape in FORMS.items():
        assert halves.holds(form, np.empty((0, shape.width), np.int32)).shape == (0,)


def test_the_forms_are_known_by_the_names_of_the_field() -> None:
    halves = random_halves(np.random.default_rng(0), False)
    rows = np.array([[2, 3], [4, 5], [0, 4]], np.int32)
    assert (halves.holds("GCI0", rows) == halves.holds("subclass", rows)).all()


def test_corners_are_those_of_the_boxes() -> None:
    classes = np.array([[INFINITE, 2], [LEAST, LEAST], [3, -1]], np.int8)
    halves = Halves(classes, np.array([[1, 0]], np.int8), np.array([INFINITE, 2], np.int8))
    corners = halves.corners()
    assert corners["class_upper"][:, 0].tolist()[::2] == [np.inf, 3]
    assert corners["class_lower"][:, 0].tolist()[::2] == [-2, 1]
    assert np.isnan(corners["class_upper"][1, 0])
    assert np.isnan(corners["class_lower"][1, 0])
    assert (corners["role_upper"].tolist(), corners["role_lower"].tolist()) == ([[1]], [[0]])
    assert halves.dimension == 1
    assert halves.empty.tolist() == [False, True, False]


def test_the_first_dimensions_are_boxes_of_their_own() -> None:
    halves = random_halves(np.random.default_rng(3), True)
    first = halves.narrowed(1)
    assert first.dimension == 1
    assert (first.classes == halves.classes[:, :2]).all()
    assert (first.roles == halves.roles[:, :2]).all()
    assert (first.limits == halves.limits[:2]).all()
