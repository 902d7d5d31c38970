"""What engines say of gradients, against autograd on the sum written out; parts of a batch add up to all of it."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from elgeo.models.contract import REGISTRY, Batch, Model
from elgeo.models.engines.torch_engine import TorchEngine
from tests.models.model_contract import SIZES, random_batch

MODELS = sorted(
    name for name, cls in REGISTRY.items() if issubclass(cls, Model) and cls.__module__.startswith("elgeo.")
)


def made(name: str) -> Model:
    cls = REGISTRY[name]
    assert issubclass(cls, Model)
    return cls(SIZES, cls.Settings(dimension=5), np.random.default_rng(2)).to(torch.float64)


def by_hand(model: Model, batch: dict[str, Batch]) -> dict[str, np.ndarray]:
    """The gradient of Σ weight · (mean positive + mean negative loss)."""
    model.parameters = {name: tensor.clone().requires_grad_() for name, tensor in model.parameters.items()}
    total = torch.zeros((), dtype=torch.float64)
    for form, each in batch.items():
        total = total + each.weight * model.loss(form, torch.from_numpy(each.positives)).mean()
        if each.negatives is not None:
            total = total + each.weight * model.loss(form, torch.from_numpy(each.negatives), negative=True).mean()
    torch.autograd.backward(total)
    return {name: tensor.grad.numpy() for name, tensor in model.parameters.items() if tensor.grad is not None}


@pytest.mark.parametrize("name", MODELS)
def test_gradients_are_those_of_autograd_and_nothing_moves(name: str) -> None:
    model = made(name)
    batch = random_batch(model, np.random.default_rng(5))
    expected = by_hand(made(name), batch)
    for engine in (model.engine(), TorchEngine(made(name))):
        before = model.arrays()
        losses, gradients = engine.gradients(batch)
        assert set(losses) == {*batch, *(f"{form}-" for form, each in batch.items() if each.negatives is not None)}
        for parameter, gradient in gradients.items():
            np.testing.assert_allclose(gradient, expected[parameter], rtol=1e-9, atol=1e-11)
        again = engine.gradients(batch)[1]
        for parameter, gradient in again.items():
            np.testing.assert_allclose(gradient, expected[parameter], rtol=1e-9, atol=1e-11)
            np.testing.assert_array_equal(model.arrays()[parameter], before[parameter])
    twin = made(name)
    assert model.engine().step(batch, 0.01) == twin.engine().step(batch, 0.01), "gradients leave no trace"


@pytest.mark.parametrize("name", MODELS)
def test_parts_of_a_batch_add_up(name: str) -> None:
    model = made(name)
    batch = random_batch(model, np.random.default_rng(6))
    expected = by_hand(made(name), batch)
    engine, total = model.engine(), {parameter: np.zeros_like(array) for parameter, array in model.arrays().items()}
    for parts in (slice(0, 2), slice(2, None)):  # of tables of every length
        part = {
            form: Batch(
                each.positives[parts],
                None if each.negatives is None else each.negatives[parts],
                each.weight,
                (
                    len(each.positives[parts]) / len(each.positives),
                    1.0 if each.negatives is None else len(each.negatives[parts]) / len(each.negatives),
                ),
            )
            for form, each in batch.items()
        }
        for parameter, gradient in engine.gradients(part)[1].items():
            total[parameter] += gradient
    for parameter, gradient in total.items():
        np.testing.assert_allclose(gradient, expected[parameter], rtol=1e-9, atol=1e-11)
