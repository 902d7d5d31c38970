"""Boxes of EL expressions against points: ∃r.C has every x with x − y in r for some y of C, ⊓ what is in both."""

from __future__ import annotations

import numpy as np
import pytest

from elgeo.errors import UnsupportedError
from elgeo.models import TransBox
from elgeo.models.box_models.regions import Region, Regions
from elgeo.ontology.vocabulary import BOTTOM, TOP, TOP_ROLE
from elgeo.reasoning.questions.expressions import NOTHING, And, Atom, Expression, Not, Self, Some
from tests.models.box_models.box_cases import irregular_model
from tests.models.model_contract import SIZES

GRID = np.linspace(-6, 6, 49)


def random_expression(generator: np.random.Generator, depth: int = 3) -> Expression:
    kind = generator.integers(4) if depth else 0
    if kind <= 1:
        return Atom(int(generator.integers(2, 10)))
    if kind == 2:
        return And(tuple(random_expression(generator, depth - 1) for _ in range(2)))
    return Some(int(generator.integers(1, 4)), random_expression(generator, depth - 1))


def on_grid(expression: Expression, classes: np.ndarray, roles: np.ndarray) -> np.ndarray:
    """Which points of the line's grid are in an expression, by trying every successor."""
    match expression:
        case Atom(c):
            return (classes[c, 0] <= GRID) & (classes[c, 1] >= GRID)
        case And(parts):
            return np.logical_and.reduce([on_grid(part, classes, roles) for part in parts])
        case Some(r, filler):
            inside = on_grid(filler, classes, roles)
            steps = GRID[:, None] - GRID[None]
            return ((roles[r, 0] <= steps) & (steps <= roles[r, 1]) & inside).any(axis=1)
    raise AssertionError


def test_the_box_of_an_expression_has_the_points_of_the_expression() -> None:
    generator = np.random.default_rng(1)
    # corners on the grid, so that sums of points of the grid fill sums of boxes
    low = np.round(generator.uniform(-8, 4, (12, 1))) / 4
    classes = np.hstack([low, low + np.round(generator.uniform(0, 8, (12, 1))) / 4])
    low = np.round(generator.uniform(-4, 2, (4, 1))) / 4
    roles = np.hstack([low, low + np.round(generator.uniform(0, 3, (4, 1))) / 4])
    regions = Regions(1, lambda c: Region(classes[c, :1], classes[c, 1:]), lambda r: Region(roles[r, :1], roles[r, 1:]))
    empty = true = 0
    for _ in range(400):
        left, right = random_expression(generator), random_expression(generator)
        for expression in (left, right):
            region = regions.of(expression)
            expected = (region.lower[0] <= GRID) & (region.upper[0] >= GRID)
            np.testing.assert_array_equal(expected, on_grid(expression, classes, roles), str(expression))
            empty += region.is_empty
        found = regions.includes(left, right, 0.0)
        inside = on_grid(left, classes, roles) <= on_grid(right, classes, roles)
        assert found.true == bool(inside.all())
        assert (found.distance == 0) == (found.score > 0)
        if not regions.of(left).is_empty and not regions.of(right).is_empty:
            assert (found.distance == 0) == found.true
        true += found.true
    assert empty > 20
    assert 20 < true < 380


def test_normal_forms_are_as_true_as_their_expressions() -> None:
    model = irregular_model("transbox", {"dimension": 2}, 5)
    assert isinstance(model, TransBox)
    c, d, e, r = 3, 4, 5, 1
    cases: list[tuple[str, tuple[int, ...], Expression, Expression]] = [
        ("subclass", (c, d), Atom(c), Atom(d)),
        ("existential", (c, r, d), Atom(c), Some(r, Atom(d))),
        ("left_existential", (r, c, d), Some(r, Atom(c)), Atom(d)),
        ("conjunction", (c, d, e), And((Atom(c), Atom(d))), Atom(e)),
        ("disjoint", (c, d), And((Atom(c), Atom(d))), Atom(BOTTOM)),
        ("empty", (c,), Atom(c), Atom(BOTTOM)),
        ("empty_existential", (r, c), Some(r, Atom(c)), Atom(BOTTOM)),
    ]
    generator = np.random.default_rng(6)
    seen = set()
    for number in range(150):
        arrays = model.arrays()
        for key in arrays:
            arrays[key] = generator.normal(0, 0.5, arrays[key].shape)
            if key in model.width_tables:
                arrays[key] *= generator.lognormal(0, 1, (len(arrays[key]), 1))
        if number % 5 == 0:
            arrays["offsets"][c] = 0.0
        model.load(arrays)
        for form, row, left, right in cases:
            found = model.includes(left, right, 0.0)
            assert found.true == bool(model.holds(form, np.array([row], np.int32), 0.0)[0]), (form, found)
            seen.add((form, found.true))
        score = model.scorer().pairs(np.array([c], np.int32), r, np.array([d], np.int32))[0]
        assert model.includes(Atom(c), Some(r, Atom(d))).score == pytest.approx(score)
    assert len(seen) == 2 * len(cases)


def test_top_is_everything_and_what_is_not_el_is_refused() -> None:
    model = irregular_model("transbox", {})
    assert isinstance(model, TransBox)
    thing, nothing = Atom(TOP), Atom(BOTTOM)
    assert model.includes(Atom(5), thing) == (True, 0.0, 1.0)
    assert model.includes(nothing, Atom(5)).true
    assert not model.includes(thing, Atom(5)).true
    assert model.includes(thing, Some(TOP_ROLE, Atom(5))).true
    assert model.includes(Some(2, nothing), nothing).true
    assert model.includes(Some(2, thing), thing).true
    arrays = model.arrays()
    arrays["role_centres"][1] = 0.0
    arrays["role_centres"][2], arrays["role_offsets"][2] = 3.0, 1.0
    model.load(arrays)
    assert model.includes(thing, Self(1)).true
    for place in (3.0, -3.0, 0.75, -0.75):  # from 2 to 4, from −4 to −2, and nearer to 0 than 1
        arrays["role_centres"][3], arrays["role_offsets"][3] = place, min(abs(place), 1.25) - 0.25
        model.load(arrays)
        assert not model.includes(thing, Self(3)).true
    assert not model.includes(thing, Self(2)).true
    for centre in (1.0, -1.0):  # 0 is on a border
        arrays["role_centres"][3], arrays["role_offsets"][3] = centre, 1.0
        model.load(arrays)
        assert model.includes(thing, Self(3)).true
    assert model.includes(Self(2), nothing).true
    with pytest.raises(UnsupportedError, match="EL has no other"):
        model.includes(Atom(3), Not(Atom(4)))
    with pytest.raises(UnsupportedError, match="no class http://x/unknown"):
        model.includes(Atom(-1, "http://x/unknown"), Atom(4))


def test_what_is_as_wide_as_is_tolerated_is_empty() -> None:
    boxes = {
        5: Region(np.array([1.0, -2.0]), np.array([7.0, 6.0])),
        6: Region(np.array([5.0, -9.0]), np.array([9.0, 9.0])),
    }
    regions = Regions(2, boxes.__getitem__, boxes.__getitem__)
    for left, width in ((Atom(5), 5.0), (And((Atom(5), Atom(6))), 2.0)):
        assert regions.includes(left, NOTHING, width) == (True, width, -width)
        assert not regions.includes(left, NOTHING, width * (1 - 1e-9)).true
    everything, both = Atom(TOP), And((Atom(6), Atom(5)))
    for whole, same in (
        (And((Atom(5), everything)), Atom(5)),
        (And((Atom(5), Atom(5))), Atom(5)),
        (And((both, And((everything, Atom(6))))), both),
        (Some(6, both), both),
        (Some(TOP_ROLE, Atom(5)), Atom(5)),
    ):
        assert regions.includes(whole, NOTHING, 0.0) == regions.includes(same, NOTHING, 0.0)


def test_between_boxes_that_do_not_meet_there_is_a_place() -> None:
    boxes = {
        5: Region(np.array([0.0, 0.0]), np.array([1.0, 4.0])),
        6: Region(np.array([3.0, 1.0]), np.array([5.0, 2.0])),
    }
    roles = {1: Region(np.array([-1.0, 0.0]), np.array([1.0, 0.5]))}
    both = And((Atom(5), Atom(6)))
    assert Regions(2, boxes.__getitem__, roles.__getitem__).of(both).is_empty
    place = Regions(2, boxes.__getitem__, roles.__getitem__, between=True).of(Some(1, both))
    np.testing.assert_array_equal(place.lower, [0, 1])
    np.testing.assert_array_equal(place.upper, [4, 2.5])


def test_what_is_empty_is_ranked_by_what_lies_between() -> None:
    boxes = {
        5: Region(np.array([0.0, 0.0]), np.array([1.0, 4.0])),
        6: Region(np.array([4.0, 1.0]), np.array([5.0, 2.0])),  # with 5: from (1, 1) to (4, 2)
        7: Region(np.array([2.0, 1.0]), np.array([3.0, 2.0])),
        8: Region(np.array([0.0, 0.0]), np.array([9.0, 9.0])),
        9: Region(np.array([8.0, 1.0]), np.array([9.0, 2.0])),
    }
    roles = {1: Region(np.array([1.0, 0.0]), np.array([1.0, 0.0]))}
    regions = Regions(2, boxes.__getitem__, roles.__getitem__)
    gap = And((Atom(5), Atom(6)))
    for left, right, expected in (
        (gap, Atom(8), (True, 0.0, 1 / (1 + np.hypot(2.0, 3.0)))),
        (gap, Atom(7), (True, 1.0, -1.0)),  # by 1 at either side: in each dimension the larger counts
        (gap, Atom(9), (True, 7.0, -7.0)),
        (Atom(7), gap, (False, 0.0, 1.0)),
        (Atom(9), gap, (False, 5.0, -5.0)),
        (Atom(9), Some(1, gap), (False, 4.0, -4.0)),
        (Some(1, gap), Atom(9), (True, 6.0, -6.0)),
        (And((Some(1, gap), Atom(8))), Atom(9), (True, 6.0, -6.0)),
    ):
        found = regions.includes(left, right, 0.0)
        assert found == pytest.approx(expected), (left, right)


def test_what_is_apart_is_the_better_the_farther_it_is() -> None:
    boxes = {
        c: Region(np.array([low, 0.0]), np.array([low + 2, 2.0])) for c, low in ((4, 0.0), (5, 1.0), (6, 3.0), (7, 9.0))
    }
    regions = Regions(2, boxes.__getitem__, boxes.__getitem__)
    near, far, deep = (And((Atom(4), Atom(c))) for c in (6, 7, 5))
    assert regions.includes(deep, NOTHING, 0.0) == (False, 1.0, -1.0)
    assert regions.includes(near, NOTHING, 0.0) == (True, 0.0, 1 / 2)  # 1 apart, then 7
    assert regions.includes(far, NOTHING, 0.0) == (True, 0.0, 7 / 8)
    # what is within an existential is empty where it is, and no more than that
    assert regions.includes(And((Atom(4), Some(5, near))), NOTHING, 0.0).true
    assert regions.includes(Some(4, far), NOTHING, 0.0) == (True, 0.0, 7 / 8)
    for nothing in (NOTHING, And((Atom(4), NOTHING)), Some(4, NOTHING)):
        for right in (Atom(5), NOTHING, near):
            assert regions.includes(nothing, right, 0.0) == (True, 0.0, 1.0)
        for left in (Atom(4), deep, far):
            assert regions.includes(left, nothing, 0.0) == regions.includes(left, NOTHING, 0.0)


def test_axioms_and_predictions_of_what_is_empty_have_the_same_score() -> None:
    model = irregular_model("transbox", {"dimension": 2}, 5, SIZES)
    assert isinstance(model, TransBox)
    arrays = model.arrays()
    arrays["offsets"] /= 4
    model.load(arrays)
    expressions: list[Expression] = [And((Atom(4), Atom(7))), And((Atom(6), Some(1, And((Atom(3), Atom(8))))))]
    assert all(model._regions().of(expression).is_empty for expression in expressions)
    every = np.arange(9, SIZES.classes, dtype=np.int32)
    asked = (SIZES.classes + np.arange(len(expressions))).astype(np.int32)
    scorer = model.with_expressions(expressions)
    above, below = scorer.tails(asked, None, every), scorer.heads(every, None, asked)
    for i, expression in enumerate(expressions):
        found = [(model.includes(expression, Atom(int(c))), model.includes(Atom(int(c)), expression)) for c in every]
        np.testing.assert_allclose([one.score for one, _ in found], above[i], rtol=1e-9)
        np.testing.assert_allclose([other.score for _, other in found], below[i], rtol=1e-9)
        assert all(one.true and not other.true for one, other in found)
        assert len({one.score for one, _ in found}) == len({other.score for _, other in found}) == len(every)


def test_expressions_are_scored_by_their_boxes() -> None:
    """A box stands in the middle between its corners and is half as wide as they are apart."""
    model = irregular_model("transbox", {"dimension": 2}, 5, SIZES)
    assert isinstance(model, TransBox)
    arrays = model.arrays()
    arrays["offsets"] += 3.0  # wide enough to meet
    model.load(arrays)
    expressions: list[Expression] = [
        And((Atom(4), Atom(7))),
        Some(2, Atom(5)),
        And((Atom(6), Some(1, And((Atom(3), Atom(8)))))),
    ]
    every = np.arange(9, SIZES.classes, dtype=np.int32)  # not those in them, on whose borders they lie
    asked = (SIZES.classes + np.arange(len(expressions))).astype(np.int32)
    scorer = model.with_expressions(expressions)
    found = scorer.tails(asked, None, every)
    for expression, scores in zip(expressions, found, strict=True):
        assert not model._regions().of(expression).is_empty, expression
        expected = [model.includes(expression, Atom(int(c))).score for c in every]
        np.testing.assert_allclose(scores, expected, rtol=1e-4, atol=1e-5)
    assert len(np.unique(found)) > len(every)


@pytest.mark.parametrize("place", [0.0, 300.0])
def test_what_lies_on_a_border_is_inside_whatever_is_rounded(place: float) -> None:
    """C ⊓ D ⊑ C, and D ⊑ C ⊓ D where D is a part of C: corners are equal, middles and half widths are rounded."""
    model = irregular_model("transbox", {"dimension": 7}, 9, SIZES)
    assert isinstance(model, TransBox)
    arrays = model.arrays()
    arrays["centres"] += np.float32(place)
    arrays["offsets"] = np.abs(arrays["offsets"]) + np.float32(3.0)
    small, large = 5, 6
    arrays["centres"][large] = arrays["centres"][small]
    arrays["offsets"][large] = arrays["offsets"][small] + np.float32(0.7)
    model.load(arrays)
    pairs = [(c, d) for c in range(2, SIZES.classes) for d in range(c + 1, SIZES.classes)]
    expressions: list[Expression] = [And((Atom(c), Some(1, Atom(d)))) for c, d in pairs]
    asked = (SIZES.classes + np.arange(len(pairs))).astype(np.int32)
    found = model.with_expressions(expressions).pairs(asked, None, np.array([c for c, _ in pairs], np.int32))
    meets = np.array([not model._regions().of(expression).is_empty for expression in expressions])
    assert meets.sum() > len(pairs) / 2
    assert (found[meets] > 0).all()
    both: list[Expression] = [And((Atom(large), Atom(small)))]
    scorer = model.with_expressions(both)
    at, part, whole = (np.array([x], np.int32) for x in (SIZES.classes, small, large))
    assert scorer.pairs(part, None, at)[0] == pytest.approx(1.0)
    assert scorer.pairs(at, None, part)[0] == pytest.approx(1.0)
    assert scorer.pairs(at, None, whole)[0] > 0
    assert scorer.pairs(whole, None, at)[0] == pytest.approx(-0.7 * np.sqrt(7), rel=1e-4)
    arrays["offsets"][large] = arrays["offsets"][small]
    arrays["offsets"][large, 3] += np.spacing(np.float32(3.0))
    model.load(arrays)
    assert model.with_expressions(both).pairs(whole, None, at)[0] < 0  # the least by which parameters differ


def test_no_expressions_are_no_more_boxes() -> None:
    model = irregular_model("transbox", {"dimension": 2}, 5, SIZES)
    assert isinstance(model, TransBox)
    every = np.arange(2, SIZES.classes, dtype=np.int32)
    for scorer in (model.with_expressions([]), model.scorer()):
        found = scorer.tails(every, 1, every)
        assert found.shape == (len(every), len(every))
    np.testing.assert_array_equal(model.with_expressions([]).tails(every, 1, every), found)
