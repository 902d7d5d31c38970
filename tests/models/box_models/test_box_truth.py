"""Truth among boxes against points drawn from them; scores against the plain formula; what a zero loss promises."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from elgeo.models import Sizes
from elgeo.models.box_models.model import BoxModel
from tests.models.box_models.box_cases import CASES, IDS, irregular_model
from tests.models.box_models.plain_boxes import Box, PlainBoxes
from tests.models.model_contract import SIZES, random_rows

NAMES = ["elbe", "box2el", "transbox"]


def points_of(box: Box, generator: np.random.Generator) -> np.ndarray:
    """Points of a box: its corners, and some within."""
    centre, width = box
    n = len(centre)
    corners = np.array(np.meshgrid(*[[-1.0, 1.0]] * n)).reshape(n, -1).T
    return centre + np.concatenate([corners, generator.uniform(-1, 1, (200, n))]) * width


def contains(box: Box, points: np.ndarray) -> np.ndarray:
    return (np.abs(points - box[0]) <= box[1] + 1e-9).all(axis=1)


def near_models(name: str) -> BoxModel:
    """Boxes that are often in each other: few dimensions, widths of very different size, centres close by."""
    model = irregular_model(name, {"dimension": 2}, 11, Sizes(60, 12))
    arrays = model.arrays()
    for key in arrays:
        arrays[key] *= 1.0 if key in model.width_tables else 0.3
    model.load(arrays)
    return model


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_truth_is_truth_of_the_points(name: str) -> None:
    model = near_models(name)
    plain = PlainBoxes(model)
    generator = np.random.default_rng(1)
    for form in model.positive_forms:
        rows = random_rows(form, 300, generator, model.sizes)
        found = model.holds(form, rows, 0.0)
        assert model.holds(form, rows[:0]).shape == (0,)
        assert model.holds(form, rows, tolerance=1e9).all()
        if form.startswith("empty"):
            assert not found.any()
            continue
        for row, true in zip(rows.tolist(), found, strict=True):
            if form == "conjunction":
                c, d, e = (plain.cls(x) for x in row)
                points = np.concatenate([points_of(c, generator), points_of(d, generator)])
                lower, upper = plain.common(row)
                if (lower <= upper).all():
                    points = np.concatenate([points, points_of(((lower + upper) / 2, (upper - lower) / 2), generator)])
                points = points[contains(c, points) & contains(d, points)]
                expected = bool(contains(e, points).all())
            elif form == "disjoint":
                lower, upper = plain.common(row)
                expected = not (lower < upper).all()
            else:
                expected = all(contains(b, points_of(a, generator)).all() for a, b in plain.pairs(form, row))
            assert true == expected, (form, row)
        assert not found.all()
        assert found.any(), form


@pytest.mark.parametrize("name", NAMES)
def test_width_zero_is_read_as_empty_where_emptiness_is_asked(name: str) -> None:
    model = irregular_model(name, {})
    arrays = model.arrays()
    for key in model.width_tables:
        arrays[key][3] = 0.0
    model.load(arrays)
    assert model.holds("empty", np.array([[3], [4]], np.int32)).tolist() == [True, False]
    assert model.holds("empty_existential", np.array([[3, 3], [2, 4]], np.int32)).tolist() == [True, False]


@pytest.mark.parametrize("name", NAMES)
def test_a_loss_of_zero_on_the_safe_side_is_truth(name: str) -> None:
    model = near_models(name)
    assert model.settings.margin_side == "safe"
    generator = np.random.default_rng(4)
    seen = 0
    for form in model.positive_forms:
        rows = random_rows(form, 400, generator, model.sizes)
        losses = model.loss(form, torch.from_numpy(rows)).numpy()
        assert model.holds(form, rows, 0.0)[losses == 0].all(), form
        seen += int((losses == 0).sum())
    assert seen > 20


@pytest.mark.parametrize(("name", "settings"), CASES[::3], ids=IDS[::3])
@pytest.mark.parametrize("by", ["inclusion", "centres"])
def test_scores_are_those_of_the_formula(name: str, settings: dict[str, Any], by: str) -> None:
    model = irregular_model(name, {**settings, "score": by})
    plain, scorer = PlainBoxes(model), model.scorer()
    every = np.arange(SIZES.classes, dtype=np.int32)
    signs = set()
    for role in (None, 2):
        found = scorer.tails(every, role, every)
        form = "subclass" if role is None else "existential"
        for c in every.tolist():
            for d in every.tolist():
                row = (c, d) if role is None else (c, role, d)
                assert found[c, d] == pytest.approx(plain.score(form, row, by == "centres"), rel=1e-12, abs=1e-14)
        signs |= set(np.sign(found).ravel().tolist())
    assert -1.0 in signs
    assert (1.0 in signs) == (by == "inclusion")


@pytest.mark.parametrize("name", NAMES)
def test_pictures_and_exports_have_widths_that_are_not_negative(name: str) -> None:
    model = irregular_model(name, {})
    shapes = model.picture(np.array([3, 5], np.int32))
    assert len(shapes) == 2
    assert all(shape.width >= 0 and shape.height >= 0 and not shape.round for shape in shapes)
    exported = model.embeddings()
    assert len(exported) == len(model.parameters)
    for key, array in exported.items():
        assert not key.endswith("offsets") or (array >= 0).all()


def test_boxes_that_touch_are_apart_and_a_box_is_in_itself() -> None:
    model = irregular_model("elbe", {"dimension": 2}, 1, SIZES)
    arrays = model.arrays()
    arrays["centres"][2:5] = [[0.0, 0.0], [2.0, 0.5], [0.0, 0.0]]
    arrays["offsets"][2:5] = [[1.0, 1.0], [-1.0, 1.0], [1.0, -1.0]]
    model.load(arrays)
    rows = np.array([[2, 3], [2, 4]], np.int32)
    assert model.holds("disjoint", rows, 0.0).tolist() == [True, False]
    assert model.holds("subclass", np.array([[2, 4], [4, 2], [2, 3]], np.int32), 0.0).tolist() == [True, True, False]
    # what two boxes that touch have in common is their border: it is within neither a third box nor nothing
    away, there = 5, 2
    arrays["centres"][away], arrays["offsets"][away] = [9.0, 9.0], [0.5, 0.5]
    model.load(arrays)
    common = np.array([[2, 3, away], [2, 3, there]], np.int32)
    assert model.holds("conjunction", common, 0.0).tolist() == [False, True]
