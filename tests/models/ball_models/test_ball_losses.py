"""The reference losses and their gradients against plain numpy and finite differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from elgeo.errors import SettingError
from elgeo.models import Batch, ElEmbeddings, ElSettings, Sizes
from elgeo.models.ball_models.engine import FusedEngine
from elgeo.models.engines.torch_engine import TorchEngine
from elgeo.ontology.normal_forms import FORMS
from tests.models.ball_models.irregular_balls import SETTINGS, WITH_INCLUSION, irregular_model
from tests.models.ball_models.plain_balls import plain_loss
from tests.models.model_contract import ROLE_COLUMNS, SIZES, random_rows

LOSSES = [(form, False) for form in ElEmbeddings.positive_forms] + [
    (form, True) for form in ElEmbeddings.negative_forms
]


@pytest.mark.parametrize("settings", SETTINGS + WITH_INCLUSION, ids=str)
def test_losses_are_those_of_the_formulas(settings: ElSettings) -> None:
    model = irregular_model(settings)
    generator = np.random.default_rng(1)
    for form, negative in LOSSES:
        rows = random_rows(form, 60, generator)
        expected = [plain_loss(form, row, negative, settings, model.arrays()) for row in rows]
        losses = model.loss(form, torch.from_numpy(rows), negative).numpy()
        np.testing.assert_allclose(losses, expected, rtol=1e-12, atol=1e-13)
        assert (losses > 0).any()


def any_rows(form: str, count: int, generator: np.random.Generator, sizes: Sizes) -> np.ndarray:
    """Rows with any ids, ⊤, ⊥, the universal role and the last ones among them, and one class in two columns."""
    limits = [sizes.roles if column in ROLE_COLUMNS else sizes.classes for column in FORMS[form].columns]
    rows = generator.integers(0, limits, (count, len(limits)), dtype=np.int32)
    rows[0], rows[1] = 0, np.array(limits) - 1
    return rows


@pytest.mark.parametrize("settings", SETTINGS[1::3] + WITH_INCLUSION[1:], ids=str)
def test_losses_with_more_roles_than_classes_and_ids_at_the_edges(settings: ElSettings) -> None:
    sizes = Sizes(classes=4, roles=11)
    model = irregular_model(settings, 6, sizes)
    generator = np.random.default_rng(7)
    batch: dict[str, Any] = {}
    expected: dict[str, Any] = {}
    for form, negative in LOSSES:
        rows = any_rows(form, 30, generator, sizes)
        plain = [plain_loss(form, row, negative, settings, model.arrays()) for row in rows]
        losses = model.loss(form, torch.from_numpy(rows), negative).numpy()
        np.testing.assert_allclose(
            losses, plain, rtol=1e-9, atol=2e-4 if settings.conjunction == "inclusion" else 1e-12
        )
        batch[form] = Batch(batch[form].positives, rows, 1.0) if negative else Batch(rows, None, 1.0)
        expected[f"{form}-" if negative else form] = float(losses.mean())
    assert model.engine().step(batch, 0.01) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("settings", SETTINGS[::3] + WITH_INCLUSION[:1], ids=str)
@pytest.mark.parametrize(("form", "negative"), LOSSES)
def test_gradients_are_those_of_finite_differences(settings: ElSettings, form: str, negative: bool) -> None:
    model = irregular_model(settings, seed=2)
    rows = random_rows(form, 25, np.random.default_rng(3))
    for tensor in model.parameters.values():
        tensor.requires_grad_()
    model.loss(form, torch.from_numpy(rows), negative).sum().backward()
    arrays, step = model.arrays(), 1e-6

    def total() -> float:
        return sum(plain_loss(form, row, negative, settings, arrays) for row in rows)

    for name, tensor in model.parameters.items():
        gradient = np.zeros(tensor.shape) if tensor.grad is None else tensor.grad.numpy()
        numeric = np.empty(tensor.shape)
        for place in np.ndindex(*tensor.shape):
            value = arrays[name][place]
            arrays[name][place] = value + step
            above = total()
            arrays[name][place] = value - step
            numeric[place] = (above - total()) / (2 * step)
            arrays[name][place] = value
        np.testing.assert_allclose(gradient, numeric, rtol=1e-6, atol=1e-7)


def test_a_start_is_on_the_unit_sphere() -> None:
    model = ElEmbeddings(SIZES, ElSettings(dimension=7), np.random.default_rng(0))
    arrays = model.arrays()
    assert arrays["centres"].dtype == np.float32
    for name in ("centres", "roles"):
        np.testing.assert_allclose(np.linalg.norm(arrays[name], axis=1), 1, rtol=1e-6)
    assert arrays["radii"].min() < 0 < arrays["radii"].max()
    assert np.abs(arrays["radii"]).max() <= 1


def test_a_start_favours_no_direction_and_no_radius() -> None:
    arrays = ElEmbeddings(Sizes(6000, 2), ElSettings(dimension=3), np.random.default_rng(0)).arrays()
    assert np.abs(arrays["centres"].mean(axis=0)).max() < 0.05
    assert abs(arrays["radii"].mean()) < 0.05
    assert np.quantile(arrays["radii"], 0.01) < -0.95
    assert np.quantile(arrays["radii"], 0.99) > 0.95


def test_kernels_train_on_a_cpu_and_autograd_elsewhere() -> None:
    model = ElEmbeddings(SIZES, ElSettings(dimension=3))
    assert isinstance(model.engine(), FusedEngine)
    assert isinstance(model.engine("meta"), TorchEngine)


def test_settings_that_cannot_be_are_refused() -> None:
    for wrong in ({"dimension": 1}, {"radius": 0.0}, {"slope": -1.0}, {"activation": "elu"}, {"margin": float("nan")}):
        with pytest.raises(SettingError, match=next(iter(wrong))):
            ElSettings(**wrong)
