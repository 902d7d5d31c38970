"""Losses of box models against a plain loop and finite differences; the fused engine against autograd."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest
import torch

from elgeo.errors import SettingError
from elgeo.models import Batch, Sizes
from elgeo.models.box_models.engine import BoxEngine
from elgeo.models.engines.torch_engine import TorchEngine
from elgeo.ontology.normal_forms import FORMS
from tests.models.box_models.box_cases import CASES, IDS, irregular_model
from tests.models.box_models.plain_boxes import PlainBoxes
from tests.models.model_contract import SIZES, random_batch, random_rows

BETA = 0.9


@pytest.mark.parametrize(("name", "settings"), CASES, ids=IDS)
def test_every_loss_is_that_of_a_plain_loop(name: str, settings: dict[str, Any]) -> None:
    model = irregular_model(name, settings)
    plain = PlainBoxes(model)
    generator = np.random.default_rng(2)
    for negative, forms in ((False, model.positive_forms), (True, model.negative_forms)):
        for form in forms:
            rows = random_rows(form, 25, generator)
            expected = [(plain.negative if negative else plain.positive)(form, row) for row in rows.tolist()]
            losses = model.loss(form, torch.from_numpy(rows), negative)
            np.testing.assert_allclose(losses.numpy(), expected, rtol=1e-12, atol=1e-14, err_msg=form)
            assert max(expected) > 0.01


def rows_at_the_edges(form: str, count: int, generator: np.random.Generator, sizes: Sizes) -> np.ndarray:
    """Rows of different classes and roles, the first and the last ones among them."""
    shape, rows = FORMS[form], np.empty((count, FORMS[form].width), np.int32)
    for columns, many in ((shape.class_columns, sizes.classes), (shape.role_columns, sizes.roles)):
        ids = generator.permuted(np.tile(np.arange(many), (count, 1)), axis=1)
        ids[0], ids[1] = np.arange(many), np.arange(many)[::-1]
        rows[:, columns] = ids[:, : len(columns)]
    return rows


@pytest.mark.parametrize(("name", "settings"), CASES[::2], ids=IDS[::2])
def test_losses_with_more_roles_than_parts_and_ids_at_the_edges(name: str, settings: dict[str, Any]) -> None:
    sizes = Sizes(4, 70)
    model, twin = (irregular_model(name, settings, 6, sizes) for _ in range(2))
    plain, generator = PlainBoxes(model), np.random.default_rng(7)
    batch: dict[str, Batch] = {}
    expected: dict[str, float] = {}
    for form in model.positive_forms:
        rows = rows_at_the_edges(form, 30, generator, sizes)
        batch[form] = Batch(rows, rows[::-1] if form in model.negative_forms else None, 1.0)
        expected[form] = float(np.mean([plain.positive(form, row) for row in rows.tolist()]))
        if form in model.negative_forms:
            expected[f"{form}-"] = float(np.mean([plain.negative(form, row) for row in rows.tolist()]))
    losses, gradients = BoxEngine(model).gradients(batch)
    assert losses == pytest.approx(expected, rel=1e-11)
    for key, gradient in TorchEngine(twin).gradients(batch)[1].items():
        np.testing.assert_allclose(gradients[key], gradient, rtol=1e-10, atol=1e-12, err_msg=key)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "settings"), CASES, ids=IDS)
def test_gradients_are_finite_differences_of_the_plain_loop(name: str, settings: dict[str, Any]) -> None:
    generator = np.random.default_rng(3)
    model = irregular_model(name, settings)
    batch = random_batch(model, generator)
    engine = BoxEngine(model)
    arrays = {key: array.copy() for key, array in model.arrays().items()}
    engine.step(batch, 1e-9)
    state = engine.state()
    twin = irregular_model(name, settings)

    def total(changed: dict[str, np.ndarray]) -> float:
        twin.load(changed)
        plain = PlainBoxes(twin)
        penalty = twin.penalty()
        value = 0.0 if penalty is None else float(penalty)
        for form, (positives, negatives, weight, _) in batch.items():
            value += weight * float(np.mean([plain.positive(form, row) for row in positives.tolist()]))
            if negatives is not None:
                value += weight * float(np.mean([plain.negative(form, row) for row in negatives.tolist()]))
        return float(value)

    for key, array in arrays.items():
        gradient = state[f"mean.{key}"] / (1 - BETA)
        places = [tuple(generator.integers(size) for size in array.shape) for _ in range(4)]
        places.append(np.unravel_index(np.abs(gradient).argmax(), gradient.shape))
        for place in places:
            ends = []
            for sign in (1, -1):
                moved = {**arrays, key: array.copy()}
                moved[key][place] += sign * 1e-6
                ends.append(total(moved))
            assert gradient[place] == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-4, abs=1e-6), (key, place)


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 2e-4), (torch.float64, 1e-11)])
@pytest.mark.parametrize(("name", "settings"), CASES, ids=IDS)
def test_one_step_has_the_losses_and_gradients_of_autograd(
    name: str, settings: dict[str, Any], dtype: torch.dtype, tolerance: float
) -> None:
    ours, theirs = (irregular_model(name, settings, 4).to(dtype) for _ in range(2))
    batch = random_batch(ours, np.random.default_rng(5))
    fused, reference = BoxEngine(ours), TorchEngine(theirs)
    losses, expected = fused.step(batch, 0.01), reference.step(batch, 0.01)
    assert losses == pytest.approx(expected, rel=tolerance, abs=tolerance)
    assert set(losses) == set(expected)
    for key in ours.parameters:
        gradient, twin = (engine.state()[f"mean.{key}"] / (1 - BETA) for engine in (fused, reference))
        assert np.abs(twin).max() > 1e-3
        np.testing.assert_allclose(gradient, twin, rtol=tolerance, atol=tolerance, err_msg=key)


@pytest.mark.parametrize(("name", "settings"), CASES[::4], ids=IDS[::4])
def test_many_steps_stay_with_torch_adam_and_go_on_with_either(name: str, settings: dict[str, Any]) -> None:
    ours, theirs = (irregular_model(name, settings, 4) for _ in range(2))
    fused: Any = BoxEngine(ours)
    reference: Any = TorchEngine(theirs)
    generator = np.random.default_rng(6)
    for number in range(8):
        batch = random_batch(ours, generator)
        rate = 0.001 / (1 + number % 3)
        assert fused.step(batch, rate) == pytest.approx(reference.step(batch, rate), rel=1e-6)
    for key, array in theirs.arrays().items():
        np.testing.assert_allclose(ours.arrays()[key], array, rtol=1e-6, atol=1e-8)
    theirs.load(ours.arrays())
    other = TorchEngine(theirs)
    other.load_state(fused.state())
    assert fused.step(batch, 0.01) == pytest.approx(other.step(batch, 0.01), rel=1e-9)


@pytest.mark.parametrize("order", [[4, 7, 4], [7, 4, 4]])
@pytest.mark.parametrize("name", ["elbe", "box2el", "transbox"])
def test_a_class_that_is_on_both_sides_pulls_its_own_centre_nowhere(name: str, order: list[int]) -> None:
    # C ⊓ D ⊑ C with C in D: the middle of the common part is C's own, exactly or but for rounding
    model = irregular_model(name, {"dimension": 4, "margin": 0.3})
    arrays = model.arrays()
    arrays["centres"][4], arrays["offsets"][4] = [0.5, -0.5, 0.1, 0.7], [0.25, -0.25, 0.3, 0.2]
    arrays["centres"][7], arrays["offsets"][7] = 0.0, 9.0
    model.load(arrays)
    losses, gradients = BoxEngine(model).gradients({"conjunction": Batch(np.array([order], np.int32), None, 1.0)})
    assert losses["conjunction"] > 0.01
    np.testing.assert_allclose(gradients["centres"], 0, atol=1e-12)


@pytest.mark.parametrize("name", ["elbe", "box2el", "transbox"])
def test_a_class_that_is_met_with_itself_hears_of_each_border_once(name: str) -> None:
    # C ⊓ C ⊑ D: all borders are the same, and yet the loss has no kink there
    model, twin = (irregular_model(name, {"margin": 0.3}) for _ in range(2))
    rows = [[4, 4, 7], [7, 7, 4], [4, 4, 9]]
    _, gradients = BoxEngine(model).gradients({"conjunction": Batch(np.array(rows, np.int32), None, 1.0)})
    arrays = model.arrays()
    for key in ("centres", "offsets"):
        for place in ((c, k) for c in (4, 7) for k in range(3)):
            ends = []
            for sign in (1, -1):
                moved = {**arrays, key: arrays[key].copy()}
                moved[key][place] += sign * 1e-6
                twin.load(moved)
                ends.append(np.mean([PlainBoxes(twin).positive("conjunction", row) for row in rows]))
            assert gradients[key][place] == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-4, abs=1e-6), (key, place)
        assert np.abs(gradients[key][[4, 7]]).max(axis=1).min() > 0.01


def test_any_number_of_threads_gives_the_same_bits() -> None:
    sizes = Sizes(2000, 5)
    rows = np.random.default_rng(8).integers([0, 0, 0], [2000, 5, 300], (9000, 3), dtype=np.int32)
    results = []
    most = numba.get_num_threads()
    try:
        for threads in (1, most):
            numba.set_num_threads(threads)
            model = irregular_model("box2el", {"dimension": 40}, sizes=sizes).to(torch.float32)
            engine = model.engine()
            batch = {"existential": Batch(rows, rows[::-1], 1.0), "conjunction": Batch(rows[:, [0, 2, 1]], None, 0.5)}
            results.append(([engine.step(batch, 0.01) for _ in range(3)], model.arrays()))
    finally:
        numba.set_num_threads(most)
    (losses, arrays), (again, arrays_again) = results
    assert losses == again
    assert all(np.array_equal(arrays_again[key], array) for key, array in arrays.items())


def test_rows_that_are_not_the_models_never_reach_a_kernel() -> None:
    engine = irregular_model("elbe", {}).engine()
    for row in ([0, 1, SIZES.classes], [-1, 1, 2], [3, SIZES.roles, 2]):
        with pytest.raises(SettingError, match="existential"):
            engine.step({"existential": Batch(np.array([row], np.int32), None, 1.0)}, 0.01)
    with pytest.raises(SettingError, match="no negative loss for 'disjoint'"):
        irregular_model("elbe", {}).loss("disjoint", torch.zeros((1, 2), dtype=torch.int32), negative=True)
    with pytest.raises(SettingError, match="truth of 'chain'"):
        irregular_model("elbe", {}).holds("chain", np.zeros((1, 3), np.int32))
