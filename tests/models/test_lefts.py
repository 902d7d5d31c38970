"""Scores of C ⊓ D ⊑ E and ∃R.C ⊑ D: the shapes of left sides by plain loops, and truth where a score says so."""

from __future__ import annotations

import numpy as np
import pytest

from elgeo.models import Model, find, names
from elgeo.models.lefts import LEFT_FORMS, PlacesLefts
from tests.models.model_contract import SIZES, random_rows

PLACING = [name for name in names() if issubclass(find(name), PlacesLefts)]
Arrays = dict[str, np.ndarray]


def model_named(name: str, spread: float = 1.0) -> Model:
    cls = find(name)
    assert issubclass(cls, Model)
    model = cls(SIZES, cls.Settings(dimension=3), np.random.default_rng(5))
    wide = {"offsets", "radii", "deltas", "role_offsets", "head_offsets"}
    model.load({key: array * spread if key in wide else array for key, array in model.arrays().items()})
    return model


def plain_left(model: Model, form: str, left: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Corners of the box of a left side."""
    arrays: Arrays = {key: array.astype(float) for key, array in model.arrays().items()}
    if model.name == "boxel":
        lower, upper = arrays["corners"], arrays["corners"] + np.exp(arrays["deltas"])
    else:
        lower = arrays["centres"] - np.abs(arrays["offsets"])
        upper = arrays["centres"] + np.abs(arrays["offsets"])
    if form == "conjunction":
        c, d = left
        return np.maximum(lower[c], lower[d]), np.minimum(upper[c], upper[d])
    r, c = left
    if model.name == "boxel":
        scale = np.abs(arrays["scalings"][r]) + 1e-8
        return (lower[c] - arrays["translations"][r]) / scale, (upper[c] - arrays["translations"][r]) / scale
    if model.name == "elbe":
        return lower[c] - arrays["role_vectors"][r], upper[c] - arrays["role_vectors"][r]
    if model.name == "transbox":
        middle, wide = arrays["role_centres"][r], np.abs(arrays["role_offsets"][r])
        return lower[c] + middle - wide, upper[c] + middle + wide
    assert model.name == "box2el"
    middle, wide = arrays["head_centres"][r] - arrays["bumps"][c], np.abs(arrays["head_offsets"][r])
    return middle - wide, middle + wide


def plain_score(model: Model, box: tuple[np.ndarray, np.ndarray], e: int) -> float:
    lower, upper = box
    arrays: Arrays = {key: array.astype(float) for key, array in model.arrays().items()}
    if model.name == "boxel":
        other = arrays["corners"][e], arrays["corners"][e] + np.exp(arrays["deltas"][e])
        common = np.minimum(upper, other[1]) - np.maximum(lower, other[0])
        return float(sum(np.log(np.log1p(np.exp(common)))) - sum(np.log(np.log1p(np.exp(upper - lower)))))
    centre, wide = arrays["centres"][e], np.abs(arrays["offsets"][e])
    middle, half = (lower + upper) / 2, np.abs(upper - lower) / 2
    outside = np.sqrt(
        sum(max(abs(a - b) + h - w, 0) ** 2 for a, b, h, w in zip(middle, centre, half, wide, strict=True))
    )
    return float(-outside if outside > 0 else 1 / (1 + np.linalg.norm(middle - centre)))


@pytest.mark.parametrize("form", LEFT_FORMS)
@pytest.mark.parametrize("name", [name for name in PLACING if "box" in name or name == "elbe"])
def test_left_sides_are_boxes_of_their_own(name: str, form: str) -> None:
    model = model_named(name)
    assert isinstance(model, PlacesLefts)
    lefts = random_rows(form, 12, np.random.default_rng(1))[:, :-1]
    every = np.arange(SIZES.classes, dtype=np.int32)
    heads = (SIZES.classes + np.arange(len(lefts))).astype(np.int32)
    scorer = model.with_lefts(form, lefts)
    found = scorer.tails(heads, None, every)
    for i, left in enumerate(lefts.tolist()):
        box = plain_left(model, form, left)
        for e in every.tolist():
            assert found[i, e] == pytest.approx(plain_score(model, box, e), rel=1e-5, abs=1e-6)
    # the classes are where they were
    np.testing.assert_array_equal(scorer.tails(every, None, every), model.scorer().tails(every, None, every))
    np.testing.assert_array_equal(scorer.pairs(heads, None, heads * 0 + 3), found[:, 3])


@pytest.mark.parametrize("name", ["elem", "emelpp"])
def test_left_sides_of_balls_are_balls(name: str) -> None:
    model = model_named(name)
    assert isinstance(model, PlacesLefts)
    arrays = {key: array.astype(float) for key, array in model.arrays().items()}
    centres, radii = arrays["centres"], np.abs(arrays["radii"])
    every = np.arange(SIZES.classes, dtype=np.int32)
    rows = random_rows("left_existential", 9, np.random.default_rng(2))
    heads = (SIZES.classes + np.arange(9)).astype(np.int32)
    found = model.with_lefts("left_existential", rows[:, :-1]).tails(heads, None, every)
    sign = -1 if name == "emelpp" else 1
    for i, (r, c, _) in enumerate(rows.tolist()):
        for e in every.tolist():
            inner = np.linalg.norm(centres[c] - arrays["roles"][r] - centres[e]) + sign * radii[c] - radii[e]
            inner -= model.settings.margin
            slope = model.settings.slope_below
            assert found[i, e] == pytest.approx(-inner if inner > 0 else -slope * inner, abs=1e-6)


def test_the_common_part_of_two_balls_is_in_its_ball_and_touches_it() -> None:
    """By points of the common part, drawn at random."""
    model = model_named("elem", spread=2.0)
    assert isinstance(model, PlacesLefts)
    shapes = model.embeddings()
    centres, radii = shapes["class_centres"].astype(float), shapes["class_radii"].astype(float)
    generator = np.random.default_rng(3)
    rows = random_rows("conjunction", 40, generator)[:, :2]
    scorer = model.with_lefts("conjunction", rows)
    ball, radius = scorer._centres[SIZES.classes :], scorer._radii[SIZES.classes :]  # type: ignore[attr-defined]
    checked = 0
    for (c, d), middle, wide in zip(rows.tolist(), ball, radius, strict=True):
        points = generator.uniform(-2, 2, (40_000, 3))
        common = (np.linalg.norm(points - centres[c], axis=1) <= radii[c]) & (
            np.linalg.norm(points - centres[d], axis=1) <= radii[d]
        )
        if common.sum() < 100:
            continue
        checked += 1
        reached = np.linalg.norm(points[common] - middle, axis=1).max()
        assert reached <= wide + 1e-6
        assert reached >= 0.7 * wide
    assert checked > 3


@pytest.mark.parametrize("form", LEFT_FORMS)
@pytest.mark.parametrize("name", [name for name in PLACING if ("box" in name and name != "boxel") or name == "elbe"])
def test_what_scores_above_zero_is_true(name: str, form: str) -> None:
    model = model_named(name, spread=0.3)
    assert isinstance(model, PlacesLefts)
    generator = np.random.default_rng(4)
    rows = random_rows(form, 400, generator)
    heads = (SIZES.classes + np.arange(400)).astype(np.int32)
    scores = model.with_lefts(form, rows[:, :-1]).pairs(heads, None, np.ascontiguousarray(rows[:, -1]))
    true = model.holds(form, rows, 0.0)
    assert true[scores > 0].all()
    if form == "left_existential":
        np.testing.assert_array_equal(true, scores > 0)
