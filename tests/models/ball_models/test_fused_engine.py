"""The fused kernels against autograd and torch's Adam, for every setting, and their bits across threads."""

from __future__ import annotations

import numba
import numpy as np
import pytest
import torch

from elgeo.errors import SettingError
from elgeo.models import Batch, ElEmbeddings, ElSettings, Sizes
from elgeo.models.ball_models.engine import FusedEngine
from elgeo.models.engines.torch_engine import TorchEngine
from tests.models.ball_models.irregular_balls import SETTINGS, WITH_INCLUSION, irregular_model
from tests.models.model_contract import SIZES, random_batch

BETA = 0.9


def twins(settings: ElSettings, dtype: torch.dtype) -> tuple[ElEmbeddings, ElEmbeddings]:
    return irregular_model(settings, 4).to(dtype), irregular_model(settings, 4).to(dtype)


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 1e-5), (torch.float64, 1e-12)])
@pytest.mark.parametrize("settings", SETTINGS + WITH_INCLUSION, ids=str)
def test_one_step_has_the_losses_and_gradients_of_autograd(
    settings: ElSettings, dtype: torch.dtype, tolerance: float
) -> None:
    ours, theirs = twins(settings, dtype)
    batch = random_batch(ours, np.random.default_rng(5))
    fused, reference = FusedEngine(ours), TorchEngine(theirs)
    losses, expected = fused.step(batch, 0.01), reference.step(batch, 0.01)
    assert losses == pytest.approx(expected, rel=tolerance, abs=tolerance)
    assert set(losses) == set(expected)
    # from nothing, Adam's mean after one step is the gradient times 1 − β
    for name in ours.parameters:
        gradient, twin = (engine.state()[f"mean.{name}"] / (1 - BETA) for engine in (fused, reference))
        assert np.abs(twin).max() > 0.01
        np.testing.assert_allclose(gradient, twin, rtol=tolerance, atol=tolerance)


@pytest.mark.slow
@pytest.mark.parametrize("settings", SETTINGS[::2] + WITH_INCLUSION[:1], ids=str)
def test_many_steps_stay_with_torch_adam(settings: ElSettings) -> None:
    ours, theirs = twins(settings, torch.float64)
    fused, reference = FusedEngine(ours), TorchEngine(theirs)
    generator = np.random.default_rng(6)
    for number in range(12):
        batch = random_batch(ours, generator)
        rate = 0.001 / (1 + number % 3)
        assert fused.step(batch, rate) == pytest.approx(reference.step(batch, rate), rel=1e-7)
    for name, array in theirs.arrays().items():
        np.testing.assert_allclose(ours.arrays()[name], array, rtol=1e-7, atol=1e-8)
    for name, array in reference.state().items():
        np.testing.assert_allclose(fused.state()[name], array, rtol=1e-6, atol=1e-9)


def test_a_checkpoint_of_one_engine_goes_on_with_the_other() -> None:
    ours, theirs = twins(SETTINGS[0], torch.float64)
    batch = random_batch(ours, np.random.default_rng(5))
    fused = FusedEngine(ours)
    fused.step(batch, 0.01)
    theirs.load(ours.arrays())
    reference = TorchEngine(theirs)
    reference.load_state(fused.state())
    assert fused.step(batch, 0.01) == pytest.approx(reference.step(batch, 0.01), rel=1e-9)
    assert int(reference.state()["step"]) == int(fused.state()["step"]) == 2


def test_any_number_of_threads_gives_the_same_bits() -> None:
    sizes = Sizes(3000, 5)
    generator = np.random.default_rng(8)
    rows = generator.integers([0, 0, 0], [3000, 5, 300], (20_000, 3), dtype=np.int32)
    results = []
    most = numba.get_num_threads()
    try:
        for threads in (1, most, most):
            numba.set_num_threads(threads)
            model = ElEmbeddings(sizes, ElSettings(dimension=20), np.random.default_rng(1))
            engine = model.engine()
            losses = [engine.step({"existential": Batch(rows, rows[::-1], 1.0)}, 0.01) for _ in range(3)]
            results.append((losses, model.arrays()))
    finally:
        numba.set_num_threads(most)
    for losses, arrays in results[1:]:
        assert losses == results[0][0]
        assert all(np.array_equal(arrays[name], array) for name, array in results[0][1].items())


def test_balls_in_one_place_have_no_direction_to_go() -> None:
    """At distance 0, at radius 0 and on the sphere autograd takes 0 for the derivative; so do the kernels."""
    for settings in (ElSettings(dimension=4, regularisation="strict"), ElSettings(dimension=4)):
        models = []
        for _ in range(2):
            model = ElEmbeddings(SIZES, settings, np.random.default_rng(0)).to(torch.float64)
            arrays = model.arrays()
            arrays["centres"][:] = [1.0, 0.0, 0.0, 0.0]
            arrays["centres"][5] = 0.0
            arrays["radii"][3] = 0.0
            model.load(arrays)
            models.append(model)
        ours, theirs = models
        rows = np.array([[3, 4], [4, 6], [5, 7]], np.int32)
        batch = {"subclass": Batch(rows, rows[:0], 1.0), "empty": Batch(rows[:, :1], None, 0.5)}
        fused, reference = FusedEngine(ours), TorchEngine(theirs)
        assert fused.step(batch, 0.01) == pytest.approx(reference.step(batch, 0.01))
        for name in ("mean.centres", "mean.radii"):
            np.testing.assert_allclose(fused.state()[name], reference.state()[name], atol=1e-12)


def test_rows_that_are_not_the_models_never_reach_a_kernel() -> None:
    engine = ElEmbeddings(SIZES, ElSettings(dimension=4)).engine()
    for row in ([0, 1, SIZES.classes], [-1, 1, 2], [3, SIZES.roles, 2]):
        with pytest.raises(SettingError, match="existential"):
            engine.step({"existential": Batch(np.array([row], np.int32), None, 1.0)}, 0.01)
