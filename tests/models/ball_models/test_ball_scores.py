"""Scores of target axioms against the formulas, computed one by one with floats; what moves a score up and down."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from elgeo.models import ElEmbeddings, ElSettings, Sizes
from elgeo.models.ball_models.scores import BLOCK, BallScorer

SHAPES = [Sizes(classes=5, roles=9), Sizes(classes=2 * BLOCK + 3, roles=2)]
"""More roles than classes; more classes than one block of queries."""


def plain_score(model: ElEmbeddings, c: int, role: int | None, d: int) -> float:
    """−l(‖c+R−d‖ − r_c − r_d − γ) with a role, −l(‖c−d‖ + r_c − r_d − γ) without, a coordinate at a time."""
    arrays = {name: array.astype(np.float64).tolist() for name, array in model.arrays().items()}
    f, rho = arrays["centres"], arrays["radii"]
    shift = [0.0] * len(f[c]) if role is None else arrays["roles"][role]
    distance = math.sqrt(math.fsum((a + r - b) ** 2 for a, r, b in zip(f[c], shift, f[d], strict=True)))
    inner = distance + (abs(rho[c]) if role is None else -abs(rho[c])) - abs(rho[d]) - model.settings.margin
    slope = {"relu": 0.0, "leaky": model.settings.slope}[model.settings.activation]
    return -(inner if inner > 0 else slope * inner)


def irregular(sizes: Sizes, settings: ElSettings) -> ElEmbeddings:
    """Centres at all distances, radii of both signs from nearly nothing to more than the whole space."""
    generator = np.random.default_rng(sizes.classes)
    model = ElEmbeddings(sizes, settings, generator)
    arrays = model.arrays()
    arrays["centres"] *= generator.lognormal(0, 0.7, (sizes.classes, 1)).astype(np.float32)
    arrays["radii"] *= generator.lognormal(-0.3, 1.2, sizes.classes).astype(np.float32)
    model.load(arrays)
    return model


@pytest.mark.parametrize("sizes", SHAPES, ids=str)
@pytest.mark.parametrize(("activation", "margin"), list(itertools.product(("relu", "leaky"), (0.3, 0.0, -0.4))))
def test_scores_are_those_of_the_formula(activation: str, margin: float, sizes: Sizes) -> None:
    settings = ElSettings(dimension=3, activation=activation, slope=0.2, margin=margin)  # type: ignore[arg-type]
    model = irregular(sizes, settings)
    scorer = model.scorer()
    heads = np.arange(sizes.classes, dtype=np.int32)
    tails = np.arange(sizes.classes, dtype=np.int32)[::-1].copy()
    signs = set()
    for role in (None, 0, sizes.roles - 1):
        expected = np.array([[plain_score(model, c, role, d) for d in tails.tolist()] for c in heads.tolist()])
        np.testing.assert_allclose(scorer.tails(heads, role, tails), expected, rtol=1e-12, atol=1e-14)
        np.testing.assert_allclose(scorer.heads(heads, role, tails), expected.T, rtol=1e-12, atol=1e-14)
        pairs = scorer.pairs(np.repeat(heads, len(tails)), role, np.tile(tails, len(heads)))
        np.testing.assert_allclose(pairs, expected.ravel(), rtol=1e-12, atol=1e-14)
        signs |= set(np.sign(expected).ravel().tolist())
    assert signs >= ({-1.0, 0.0} if activation == "relu" else {-1.0, 1.0})


sides = st.floats(0.01, 3.0)


@hypothesis_settings(max_examples=25)
@given(st.lists(sides, min_size=2, max_size=4), sides, sides, st.floats(-1, 1), st.floats(0.01, 1), sides)
def test_a_score_falls_with_distance_and_rises_with_radii(
    shift: list[float], r_c: float, r_d: float, margin: float, slope: float, more: float
) -> None:
    """Of C ⊑ ∃R.D; in C ⊑ D the radius of C counts against it."""
    c = np.zeros((1, len(shift)))
    d, farther = np.array([shift]), np.array([shift]) * (1 + more)

    def score(r_c: float, r_d: float, target: np.ndarray = d, role: int | None = 0, margin: float = margin) -> float:
        scorer = BallScorer(np.concatenate([c, target]), np.array([r_c, r_d]), c, margin=margin, slope=slope)
        return float(scorer.pairs(np.array([0], np.int32), role, np.array([1], np.int32))[0])

    for role in (0, None):
        assert score(r_c, r_d, farther, role) < score(r_c, r_d, d, role) < score(r_c, r_d + more, d, role)
        assert score(r_c, r_d, d, role) < score(r_c, r_d, d, role, margin + more)
    assert score(r_c, r_d) < score(r_c + more, r_d)
    assert score(r_c, r_d, role=None) > score(r_c + more, r_d, role=None)
