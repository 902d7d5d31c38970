"""Every trained model: the derivatives of each loss beside differences of the loss itself."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from elgeo.models import Model, find, names
from tests.models.model_contract import SIZES, random_rows

MODELS = [name for name in names() if issubclass(find(name), Model)]
STEP = 1e-6


def losses_of(name: str) -> list[tuple[str, bool]]:
    cls = find(name)
    assert issubclass(cls, Model)
    return [(form, False) for form in cls.positive_forms] + [(form, True) for form in cls.negative_forms]


@pytest.mark.parametrize(("name", "form", "negative"), [(name, *each) for name in MODELS for each in losses_of(name)])
def test_derivatives_are_those_of_the_loss(name: str, form: str, negative: bool) -> None:
    """Along random directions; a kink of relu or of a norm between the two points is as good as never hit."""
    cls = find(name)
    assert issubclass(cls, Model)
    model = cls(SIZES, cls.Settings(dimension=4), np.random.default_rng(3)).to(torch.float64)
    generator = torch.Generator().manual_seed(7)
    rows = torch.from_numpy(random_rows(form, 25, np.random.default_rng(11)))

    def noise(tensor: torch.Tensor) -> torch.Tensor:
        return torch.randn(tensor.shape, generator=generator, dtype=torch.float64)

    # away from where models begin: norms of 1 are kinks of what keeps them near 1
    begin = {key: tensor + 0.1 * noise(tensor) for key, tensor in model.parameters.items()}

    def total(at: float, way: dict[str, torch.Tensor]) -> torch.Tensor:
        model.parameters = {key: tensor + at * way[key] for key, tensor in begin.items()}
        return model.loss(form, rows, negative).sum()

    model.parameters = {key: tensor.clone().requires_grad_() for key, tensor in begin.items()}
    torch.autograd.backward(model.loss(form, rows, negative).sum())
    gradients = {
        key: torch.zeros_like(tensor) if tensor.grad is None else tensor.grad
        for key, tensor in model.parameters.items()
    }
    for _ in range(6):
        way = {key: noise(tensor) for key, tensor in begin.items()}
        expected = float(total(STEP, way) - total(-STEP, way)) / (2 * STEP)
        found = sum(float((gradients[key] * way[key]).sum()) for key in begin)
        assert found == pytest.approx(expected, rel=1e-4, abs=1e-5)


@pytest.mark.parametrize("name", MODELS)
def test_a_penalty_has_the_derivatives_it_should(name: str) -> None:
    cls = find(name)
    assert issubclass(cls, Model)
    settings = {"bump_weight": 0.7} if name == "box2el" else {"role_weight": 0.7} if name == "transbox" else {}
    model = cls(SIZES, cls.Settings(dimension=4, **settings), np.random.default_rng(3)).to(torch.float64)
    begin = {key: 3 * tensor for key, tensor in model.parameters.items()}
    model.parameters = {key: tensor.clone().requires_grad_() for key, tensor in begin.items()}
    penalty = model.penalty()
    assert (penalty is not None) == (name in ("box2el", "transbox", "elbe") and bool(model.penalties()))  # type: ignore[attr-defined]
    if penalty is None:
        return
    torch.autograd.backward(penalty)
    for key, tensor in model.parameters.items():
        if tensor.grad is None:
            continue
        change = torch.zeros_like(begin[key])
        change[1, 2] = STEP
        values = []
        for sign in (1, -1):
            model.parameters = {k: t + sign * change if k == key else t for k, t in begin.items()}
            there = model.penalty()
            assert there is not None
            values.append(float(there))
        assert float(tensor.grad[1, 2]) == pytest.approx((values[0] - values[1]) / (2 * STEP), rel=1e-5, abs=1e-8)
