"""EmEL++: its losses of roles, the unclipped negative, its score of C ⊑ D, and the fused engine against autograd."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from elgeo.models import EmElPlusPlus
from elgeo.models.ball_models.emelpp import EmElSettings
from elgeo.models.ball_models.engine import FusedEngine
from elgeo.models.engines.torch_engine import TorchEngine
from tests.models.model_contract import SIZES, random_batch, random_rows

CASES: list[dict[str, Any]] = [
    {"margin": 0.1},
    {"margin": -0.1, "clipped_negatives": True, "activation": "leaky", "regularisation": "relaxed", "radius": 0.7},
]


def irregular(settings: dict[str, Any], dtype: torch.dtype = torch.float64) -> EmElPlusPlus:
    generator = np.random.default_rng(2)
    model = EmElPlusPlus(SIZES, EmElSettings(dimension=3, **settings), generator)
    arrays = {name: array.astype(np.float64) for name, array in model.arrays().items()}
    for name in arrays:
        arrays[name] *= generator.lognormal(0, 0.5, (len(arrays[name]), *[1] * (arrays[name].ndim - 1)))
    model.load(arrays)
    return model.to(dtype)


def plain_role_loss(model: EmElPlusPlus, row: list[int]) -> float:
    roles, s = model.arrays()["roles"], model.settings
    vectors = [roles[r] for r in row]
    left, right = (vectors[0] + vectors[1], vectors[2]) if len(row) == 3 else vectors
    cosine = left @ right / (np.linalg.norm(left) * np.linalg.norm(right))
    excess = [float(np.linalg.norm(vector)) - s.radius for vector in vectors]
    reg = sum(abs(x) if s.regularisation == "strict" else max(x, 0) for x in excess)
    return float(max(np.linalg.norm(right - left) - s.margin, 0) + abs(1 - cosine) + reg)


@pytest.mark.parametrize("settings", CASES, ids=str)
def test_the_losses_of_roles_are_those_of_a_plain_loop(settings: dict[str, Any]) -> None:
    model = irregular(settings)
    for form in ("subrole", "chain"):
        rows = random_rows(form, 20, np.random.default_rng(3))
        expected = [plain_role_loss(model, row) for row in rows.tolist()]
        np.testing.assert_allclose(model.loss(form, torch.from_numpy(rows)).numpy(), expected, rtol=1e-7, atol=1e-7)


def test_an_axiom_about_roles_is_true_where_their_translations_say_so() -> None:
    model = irregular({})
    arrays = model.arrays()
    arrays["roles"][2] = arrays["roles"][0] + arrays["roles"][1]
    arrays["roles"][3] = arrays["roles"][1]
    model.load(arrays)
    chains = np.array([[0, 1, 2], [1, 0, 2], [0, 3, 2], [1, 1, 2], [0, 0, 2], [0, 1, 3]], np.int32)
    assert model.holds("chain", chains).tolist() == [True, True, True, False, False, False]
    assert model.holds("subrole", np.array([[1, 3], [3, 1], [0, 1], [2, 2]], np.int32)).tolist() == [1, 1, 0, 1]


def test_a_corrupted_existential_is_pushed_apart_without_end_unless_it_is_clipped() -> None:
    rows = random_rows("existential", 50, np.random.default_rng(4))
    f, rho, roles = (irregular({}).arrays()[key] for key in ("centres", "radii", "roles"))
    c, r, d = rows.T
    inner = np.abs(rho)[c] + np.abs(rho)[d] - np.linalg.norm(f[c] + roles[r] - f[d], axis=1)
    reg = np.abs(np.linalg.norm(f[c], axis=1) - 1) + np.abs(np.linalg.norm(f[d], axis=1) - 1)
    assert (inner < 0).any()
    for clipped, expected in ((False, inner + reg), (True, np.maximum(inner, 0) + reg)):
        model = irregular({"clipped_negatives": clipped})
        np.testing.assert_allclose(model.loss("existential", torch.from_numpy(rows), True).numpy(), expected, rtol=1e-9)


@pytest.mark.parametrize("settings", CASES, ids=str)
def test_the_fused_engine_takes_the_steps_of_autograd(settings: dict[str, Any]) -> None:
    ours, theirs = irregular(settings), irregular(settings)
    fused, reference = ours.engine(), TorchEngine(theirs)
    assert isinstance(fused, FusedEngine)
    generator = np.random.default_rng(5)
    for _ in range(5):
        batch = random_batch(ours, generator)
        assert fused.step(batch, 0.003) == pytest.approx(reference.step(batch, 0.003), rel=1e-7, abs=1e-9)
    for key, array in reference.state().items():
        np.testing.assert_allclose(fused.state()[key], array, rtol=1e-6, atol=1e-9)
    empty = {form: each._replace(positives=each.positives[:0]) for form, each in batch.items() if form == "subrole"}
    assert fused.step(empty, 0.01) == {"subrole": 0.0}


def test_a_role_is_one_translation() -> None:
    model = irregular({})
    arrays = model.arrays()
    arrays["roles"][2], arrays["roles"][3] = arrays["roles"][1], arrays["roles"][1] * 2
    model.load(arrays)
    assert model.holds("subrole", np.array([[1, 2], [1, 3]], np.int32), 1e-9).tolist() == [True, False]
    assert model.holds("chain", np.array([[1, 2, 3], [1, 3, 2]], np.int32), 1e-9).tolist() == [True, False]
    assert model.holds("subclass", np.array([[3, 3]], np.int32)).all()
    # equal to the last bit is true without any tolerance
    assert model.holds("subrole", np.array([[3, 3], [1, 3]], np.int32), 0.0).tolist() == [True, False]


def test_subclasses_score_by_how_far_the_balls_are_apart() -> None:
    model = irregular({"margin": 0.1})
    f, rho = model.arrays()["centres"], np.abs(model.arrays()["radii"])
    every = np.arange(SIZES.classes, dtype=np.int32)
    apart = np.linalg.norm(f[:, None] - f[None], axis=2) - rho[:, None] - rho[None] - 0.1
    np.testing.assert_allclose(model.scorer().tails(every, None, every), -np.maximum(apart, 0), rtol=1e-9, atol=1e-12)
