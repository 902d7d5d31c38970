"""Training by autograd and torch's Adam: the reference, the way to a GPU, and what any model can be trained with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elgeo.deferred import torch
from elgeo.errors import SettingError
from elgeo.models.contract import Arrays, Batch, Model, steps_taken
from elgeo.models.engines.adam import Adam, gradient
from elgeo.models.engines.pieces import pieces


class TorchEngine:
    """Adam on a model's own `loss`, on any device."""

    def __init__(self, model: Model, device: str = "cpu") -> None:
        try:
            self.device = torch.device(device)
            model.parameters = {
                name: tensor.detach().to(self.device).clone().requires_grad_()
                for name, tensor in model.parameters.items()
            }
        except (RuntimeError, AssertionError) as error:
            raise SettingError(f"cannot train on {device!r}: {error}") from None
        self.model = model
        self.adam = Adam(model.parameters, fused=True)

    def step(self, batch: Mapping[str, Batch], learning_rate: float) -> dict[str, float]:
        losses = self._slopes(batch, self.model.penalty())
        self.move(learning_rate)
        return losses

    def gradients(self, batch: Mapping[str, Batch]) -> tuple[dict[str, float], Arrays]:
        losses = self._slopes(batch, None)
        return losses, {name: gradient(tensor).cpu().numpy() for name, tensor in self.model.parameters.items()}

    def _slopes(self, batch: Mapping[str, Batch], penalty: torch.Tensor | None) -> dict[str, float]:
        """The mean losses; the gradients of all of it are left with the parameters."""
        means: dict[str, torch.Tensor] = {}
        total = torch.zeros((), device=self.device)
        for piece in pieces(batch, lambda form, negative: negative):
            if len(piece.rows) == 0:
                means[piece.name] = torch.zeros(())
                continue
            indices = torch.from_numpy(piece.rows).to(self.device)
            means[piece.name] = self.model.loss(piece.form, indices, piece.loss).mean()
            total = total + piece.weight * means[piece.name]
        if penalty is not None:
            total = total + penalty
        self.adam.forget()
        if total.requires_grad:
            torch.autograd.backward(total)
        return {name: float(mean.detach()) for name, mean in means.items()}

    def move(self, learning_rate: float) -> None:
        """Take Adam's step along the gradients that the parameters have; it moves what no batch touches, too."""
        self.adam.step(learning_rate)

    def state(self) -> Arrays:
        arrays: Arrays = {"step": np.array(self.adam.steps, np.int64)}
        for ours, moments in (("mean", self.adam.means), ("square", self.adam.squares)):
            for name, moment in moments.items():
                arrays[f"{ours}.{name}"] = np.array(moment.cpu().numpy(), order="C")
        return arrays

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        self.adam.steps = steps_taken(state)
        for ours, moments in (("mean", self.adam.means), ("square", self.adam.squares)):
            for name, moment in moments.items():
                moment.copy_(torch.from_numpy(state[f"{ours}.{name}"]))
