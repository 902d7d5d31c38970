"""A model with saved parameters: whatever shape these have, and without a hand in what they were taken from."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import elgeo
from elgeo.arrays import Table
from elgeo.models.contract import Arrays, Model, Scorer, Sizes

SIZES = Sizes(11, 2)


class Unnamed(Model):
    """A model of one's own, with parameters of several shapes; it has no name, so that it is not registered."""

    positive_forms = negative_forms = ()

    def initial(self, generator: np.random.Generator) -> Arrays:
        classes, roles = self.sizes.classes, self.sizes.roles
        shapes = {"scale": (), "table": (4, 3), "by_class": (classes, 2), "across": (2, classes), "by_role": (roles,)}
        shapes["both_ends"] = (2 * classes + 1, 3)
        return {name: np.asarray(generator.normal(size=shape), np.float32) for name, shape in shapes.items()}

    def loss(self, form: str, rows: torch.Tensor, negative: bool = False) -> torch.Tensor:
        raise NotImplementedError

    def holds(self, form: str, rows: Table, tolerance: float = 1e-4) -> Any:
        raise NotImplementedError

    def scorer(self) -> Scorer:
        raise NotImplementedError


class Counting(Unnamed):
    """One that keeps something of its own beside the parameters."""

    def __init__(self, sizes: Sizes, settings: Any = None, generator: np.random.Generator | None = None) -> None:
        super().__init__(sizes, settings, generator)
        self.numbers = np.arange(sizes.classes)


@pytest.mark.parametrize("kind", [Unnamed, Counting])
def test_parameters_may_have_any_shape(kind: type[Unnamed]) -> None:
    saved = kind(SIZES, None, np.random.default_rng(5)).arrays()
    found = kind.restored(SIZES, None, saved)
    assert found.sizes == SIZES
    for name, array in saved.items():
        np.testing.assert_array_equal(found.views()[name], array)
        np.testing.assert_array_equal(found.parameters[name].numpy(), array)


def test_what_a_model_keeps_beside_its_parameters_is_of_all_classes() -> None:
    saved = Counting(SIZES, None, np.random.default_rng(5)).arrays()
    assert len(Counting.restored(SIZES, None, saved).numbers) == SIZES.classes


@pytest.mark.parametrize("name", ["elem", "box2el", "transe"])
def test_moving_the_parameters_of_a_model_leaves_its_run_alone(name: str) -> None:
    run = elgeo.train("family", name, epochs=1, dimension=3)
    saved = {each: array.copy() for each, array in run.weights.items()}
    model = run.predictor()
    assert isinstance(model, Model)
    for tensor in model.parameters.values():
        tensor.detach().add_(1.0)
    for each, array in saved.items():
        np.testing.assert_array_equal(run.weights[each], array)
        np.testing.assert_array_equal(model.views()[each], array + np.float32(1.0))
