"""Adam's steps: the formulas in plain numbers, and torch's optimisers to the same bits without their compiler."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import torch

from elgeo.models.atlas.reranking.net import DECAY, RATE, one_cycle
from elgeo.models.engines.adam import Adam
from elgeo.models.engines.moments import Moments, adam_constants

SHAPES = {"table": (5, 3), "row": (4,), "untouched": (2, 1)}


def some_tensors(dtype: torch.dtype) -> dict[str, torch.Tensor]:
    generator = np.random.default_rng(4)
    return {name: torch.tensor(generator.normal(size=shape), dtype=dtype) for name, shape in SHAPES.items()}


def give_gradients(tensors: dict[str, torch.Tensor], generator: np.random.Generator) -> None:
    for name, tensor in tensors.items():
        if name != "untouched":
            tensor.grad = torch.tensor(generator.normal(size=tensor.shape), dtype=tensor.dtype)


@pytest.mark.parametrize("decay", [0.0, 0.3])
@pytest.mark.parametrize("fused", [False, True])
def test_the_steps_are_those_of_the_formulas(decay: float, fused: bool) -> None:
    tensors = some_tensors(torch.float64)
    plain = {name: tensor.numpy().copy() for name, tensor in tensors.items()}
    means, squares = ({name: np.zeros(shape) for name, shape in SHAPES.items()} for _ in range(2))
    adam, generator = Adam(tensors, decay=decay, fused=fused), np.random.default_rng(0)
    for taken, (rate, beta) in enumerate([(0.1, 0.9), (0.02, 0.85), (0.3, 0.85)], 1):
        give_gradients(tensors, generator)
        adam.step(rate, *([] if beta == 0.9 else [beta]))  # 0.9 where nothing is said
        assert adam.steps == taken
        for name, tensor in tensors.items():
            slope = np.zeros(SHAPES[name]) if tensor.grad is None else tensor.grad.numpy()
            means[name] = beta * means[name] + (1 - beta) * slope
            squares[name] = 0.999 * squares[name] + 0.001 * slope**2
            root = np.sqrt(squares[name] / (1 - 0.999**taken)) + 1e-8
            plain[name] = plain[name] * (1 - rate * decay) - rate / (1 - beta**taken) * means[name] / root
            np.testing.assert_allclose(tensor.numpy(), plain[name], rtol=1e-12)
            np.testing.assert_allclose(adam.means[name].numpy(), means[name], rtol=1e-12)
            np.testing.assert_allclose(adam.squares[name].numpy(), squares[name], rtol=1e-12)
    adam.forget()
    assert all(tensor.grad is not None and not tensor.grad.any() for tensor in tensors.values())


def test_a_cycle_rises_in_three_tenths_of_the_steps() -> None:
    rates, shares = zip(*(one_cycle(step, 40) for step in range(40)), strict=True)
    assert [rates[0], rates[11], rates[39]] == pytest.approx([RATE / 25, RATE, RATE / 250_000])
    assert [shares[0], shares[11], shares[39]] == pytest.approx([0.95, 0.85, 0.95])
    assert (np.diff(rates[:12]) > 0).all()
    assert (np.diff(rates[11:]) < 0).all()
    assert rates[25] == pytest.approx((RATE + RATE / 250_000) / 2), "half of the way down"


@pytest.mark.slow
def test_torch_s_own_optimisers_take_the_same_steps() -> None:
    for steps in (8, 40, 97):
        mine, theirs = some_tensors(torch.float32), some_tensors(torch.float32)
        for tensor in theirs.values():
            tensor.grad = torch.zeros_like(tensor)
        adam, generators = Adam(mine, decay=DECAY), [np.random.default_rng(steps) for _ in range(2)]
        reference = torch.optim.AdamW(theirs.values(), lr=RATE, weight_decay=DECAY)
        schedule = torch.optim.lr_scheduler.OneCycleLR(reference, RATE, total_steps=steps)
        for step in range(steps):
            give_gradients(mine, generators[0])
            give_gradients(theirs, generators[1])
            adam.step(*one_cycle(step, steps))
            reference.step()
            schedule.step()
            assert all(torch.equal(mine[name], theirs[name]) for name in SHAPES)


@pytest.mark.slow
def test_training_by_autograd_does_not_load_torch_s_compiler() -> None:
    """It takes longer to load than a small training takes."""
    code = "import sys, elgeo; elgeo.train('family', 'transe', epochs=1, dimension=3); "
    code += "print('torch._dynamo' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split()[-1] == "False"


def test_a_first_step_is_the_rate_but_where_a_slope_is_hardly_any() -> None:
    slopes = np.array([[0.5, -2.0, 1e-8], [-3e-9, 0.0, 4e-8]])
    moments = Moments.of(np.zeros((2, 3)))
    gradient = np.zeros_like(moments.old)
    gradient[:, :3] = slopes
    moments.move(gradient, adam_constants(0.01, 1))
    np.testing.assert_allclose(moments.new[:, :3], -0.01 * slopes / (np.abs(slopes) + 1e-8), rtol=1e-9)
