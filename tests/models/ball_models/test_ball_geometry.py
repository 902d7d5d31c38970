"""Truth among balls against points drawn from them; the common part of two balls; what a zero loss promises."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from elgeo.errors import SettingError
from elgeo.models import ElEmbeddings, ElSettings, Sizes
from elgeo.models.ball_models.geometry import farthest_common_point, holds
from elgeo.models.ball_models.lens import forces, reach
from elgeo.ontology.normal_forms import FORMS


def points_in_ball(generator: np.random.Generator, centre: np.ndarray, radius: float, count: int) -> np.ndarray:
    """Points of a ball, half of them on its border."""
    directions = generator.normal(size=(count, len(centre)))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    lengths = np.where(np.arange(count) % 2, 1.0, generator.random(count) ** (1 / len(centre)))
    return centre + radius * lengths[:, None] * directions


@pytest.mark.slow
@given(st.integers(0, 10_000))
def test_the_farthest_common_point_is_the_farthest_of_many(seed: int) -> None:
    generator = np.random.default_rng(seed)
    dimension = int(generator.integers(2, 4))
    c, d, e = generator.normal(size=(3, 1, dimension)) * generator.choice([0.2, 1.0], (3, 1, 1))
    if seed % 5 == 0:
        e = [c, d, (c + d) / 2][seed % 3].copy()
    if seed % 11 == 0:
        d = c.copy()
    r_c, r_d = generator.uniform(0.05, 1.5, (2, 1))
    farthest = farthest_common_point(c, r_c, d, r_d, e)[0]
    points = np.concatenate(
        [points_in_ball(generator, c[0], r_c[0], 20_000), points_in_ball(generator, d[0], r_d[0], 20_000)]
    )
    common = (np.linalg.norm(points - c, axis=1) <= r_c[0] + 1e-12) & (
        np.linalg.norm(points - d, axis=1) <= r_d[0] + 1e-12
    )
    if np.linalg.norm(c - d) > r_c[0] + r_d[0]:
        assert farthest == -np.inf
        assert not common.any()
        return
    seen = np.linalg.norm(points[common] - e, axis=1).max(initial=0.0)
    assert seen <= farthest + 1e-9
    if common.sum() > 2000:
        assert farthest <= seen + 0.15 * min(r_c[0], r_d[0])
    bound, exists = (tensor.numpy() for tensor in reach(*map(torch.from_numpy, (c, r_c, d, r_d, e))))
    assert exists[0]
    assert farthest <= bound[0] + 1e-3


def ball_model(settings: ElSettings, centres: np.ndarray, radii: np.ndarray, roles: np.ndarray) -> ElEmbeddings:
    model = ElEmbeddings(Sizes(len(centres), len(roles)), settings)
    model.load({"centres": centres, "radii": radii, "roles": roles})
    return model


@pytest.mark.parametrize("form", ElEmbeddings.positive_forms)
def test_where_the_loss_promises_truth_there_is_truth(form: str) -> None:
    """At zero loss without a margin: for every form with inclusion; and what is true costs nothing, but for centres."""
    generator = np.random.default_rng(4)
    settings = ElSettings(
        dimension=2, activation="relu", radius=1e9, conjunction="inclusion", left_existential="inclusion"
    )
    count = 40_000
    width = {"subclass": 2, "existential": 2, "left_existential": 2, "disjoint": 2, "conjunction": 3}.get(form, 1)
    centres = generator.normal(size=(width * count, 2))
    radii = generator.choice([-1, 1], width * count) * generator.lognormal(-0.5, 1, width * count)
    radii[: width * 50] = 0.0
    roles = np.array([[0.3, -0.2]])
    model = ball_model(settings, centres, radii, roles)
    rows = np.arange(width * count, dtype=np.int32).reshape(count, width)
    if "existential" in form:
        rows = np.insert(rows, 1 if form == "existential" else 0, 0, axis=1)
    losses = model.loss(form, torch.from_numpy(rows)).numpy()
    truth = model.holds(form, rows, tolerance=1e-9)
    assert (losses == 0).any()
    assert truth[losses == 0].all()
    assert not truth.all()
    if form != "conjunction":
        assert np.array_equal(losses <= 1e-9, truth)


def test_overlap_does_not_promise_truth() -> None:
    centres, radii = np.array([[0.0, 0.0], [1.0, 0.0]]), np.array([1.0, 0.5])
    model = ball_model(
        ElSettings(dimension=2, left_existential="overlap", activation="relu"), centres, radii, centres[:1]
    )
    row = np.array([[0, 0, 1]], np.int32)
    assert float(model.loss("left_existential", torch.from_numpy(row))) == 0
    assert not model.holds("left_existential", row)[0]


def test_tolerance_is_how_far_a_border_may_be_crossed() -> None:
    centres, radii = np.array([[0.0, 0.0], [1.0, 0.0]]), np.array([0.5, 1.49])
    row = np.array([[0, 1]], np.int32)
    assert not holds("subclass", row, centres, radii, centres, tolerance=0.009)[0]
    assert holds("subclass", row, centres, radii, centres, tolerance=0.011)[0]
    # balls that touch have no more than a point of their borders in common: they are disjoint
    centres = np.array([[0.0, 0.0], [3.0, 4.0], [3.0, 4.0]])
    pairs = np.array([[0, 1], [1, 0], [0, 2]], np.int32)
    assert holds("disjoint", pairs, centres, np.array([2.0, 3.0, 3.5]), centres, 0.0).tolist() == [True, True, False]
    with pytest.raises(SettingError, match="chain"):
        holds("chain", np.zeros((1, 3), np.int32), centres, radii, centres, tolerance=0.0)


@pytest.mark.parametrize("form", ElEmbeddings.positive_forms)
@pytest.mark.parametrize("tolerance", [0.0, 0.3])
def test_truth_is_a_border_that_is_crossed_by_no_more_than_the_tolerance(form: str, tolerance: float) -> None:
    """Against the distances written out for each form; some rows lie on the border to the last bit."""
    random = np.random.default_rng(9)
    c, d, e, role = random.normal(size=(4, 400, 3))
    r_c, r_d, r_e = random.lognormal(-0.5, 1, (3, 400))
    c[0], role[0], r_c[0], r_d[0] = (
        d[0],
        0.0,
        0.5,
        0.5 - tolerance,
    )  # on the border, where tolerance may be added exactly
    if form.startswith("empty"):
        r_c[0] = tolerance

    def apart(x: np.ndarray) -> np.ndarray:
        return np.sqrt((x**2).sum(axis=1))

    crossed = {
        "subclass": lambda: apart(c - d) + r_c - r_d,
        "existential": lambda: apart(c + role - d) + r_c - r_d,
        "left_existential": lambda: apart(c - role - d) + r_c - r_d,
        "conjunction": lambda: farthest_common_point(c, r_c, d, r_d, e) - r_e,
        "disjoint": lambda: r_c + r_d - apart(c - d),
        "empty": lambda: r_c,
        "empty_existential": lambda: r_c,
    }[form]()
    rows = np.arange(400, dtype=np.int32)
    places = {"c": rows, "d": rows + 400, "e": rows + 800, "r": rows}
    table = np.column_stack([places[column] for column in FORMS[form].columns])
    found = holds(form, table, np.concatenate([c, d, e]), np.concatenate([r_c, r_d, r_e]), role, tolerance)
    certain = np.abs(crossed - tolerance) > 1e-12
    assert np.array_equal(found[certain], (crossed <= tolerance)[certain])
    assert found.any()
    assert not found.all()
    if form not in ("conjunction", "disjoint"):
        assert found[0]


@pytest.mark.slow
def test_the_inclusion_of_conjunctions_has_the_gradient_of_finite_differences() -> None:
    generator = np.random.default_rng(3)
    inputs = [
        torch.from_numpy(generator.normal(size=(60, 3)) if k in (0, 2, 4) else generator.uniform(0.2, 2, 60))
        for k in range(5)
    ]
    for tensor in inputs:
        tensor.requires_grad_()
    common = reach(*inputs)[1]
    assert 10 < int(common.sum()) < 60
    assert torch.autograd.gradcheck(lambda *each: reach(*each)[0][common], inputs, atol=1e-4)


def test_the_forces_of_common_parts_are_those_of_autograd() -> None:
    """Where the balls cross, where most of one lies in the other, and where they are apart."""
    generator, count, margin, slope = np.random.default_rng(5), 90, 0.9, 0.07
    balls = generator.normal(size=(3 * count, 3)), generator.uniform(0.2, 2, 3 * count)
    rows = generator.permutation(3 * count).astype(np.int32).reshape(count, 3)
    given = np.empty((count, 6))
    total = forces(rows, balls[0], balls[1] * generator.choice([-1, 1], 3 * count), margin, slope, given)

    centres, radii = (torch.from_numpy(each).requires_grad_() for each in balls)
    c, d, e = rows.T.astype(np.int64)
    farthest, common = reach(centres[c], radii[c], centres[d], radii[d], centres[e])
    costs = torch.nn.functional.leaky_relu(farthest - radii[e] - margin, slope)
    torch.where(common, costs, torch.zeros_like(costs)).sum().backward()
    assert total == pytest.approx(float(costs.detach()[common].sum()), rel=1e-12)
    assert centres.grad is not None
    assert radii.grad is not None
    by_centre, between = np.zeros((3 * count, 3)), ((c, d), (c, e), (d, e))
    for factor, (one, other) in zip(given.T, between, strict=False):
        by_centre[one] += factor[:, None] * (balls[0][one] - balls[0][other])
        by_centre[other] -= factor[:, None] * (balls[0][one] - balls[0][other])
    np.testing.assert_allclose(by_centre, centres.grad.numpy(), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(given[:, 3:], radii.grad.numpy()[rows], rtol=1e-9, atol=1e-12)

    square = ((balls[0][c] - balls[0][d]) ** 2).sum(axis=1)
    place = (square + balls[1][c] ** 2 - balls[1][d] ** 2) / (2 * square)
    there = common.numpy()
    assert min((there & (place < 0)).sum(), (there & (place > 1)).sum()) > 4
    crossing = there & (place > 0) & (place < 1)
    assert crossing.sum() > 20
    assert 5 < (costs.detach().numpy()[crossing] < 0).sum() < crossing.sum() - 5
    assert (~there).sum() > 5
