"""Training by autograd and torch's Adam: the reference, the way to a GPU, and what any model can be trained with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from elgeo.errors import SettingError
from elgeo.models.contract import Arrays, Batch, Model, steps_taken
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
        self.adam = torch.optim.Adam(model.parameters.values(), fused=True)

    def step(self, batch: Mapping[str, Batch], learning_rate: float) -> dict[str, float]:
        losses = self._slopes(batch, self.model.penalty())
        self.move(learning_rate)
        return losses

    def gradients(self, batch: Mapping[str, Batch]) -> tuple[dict[str, float], Arrays]:
        losses = self._slopes(batch, None)
        return losses, {name: _grad(tensor).cpu().numpy() for name, tensor in self.model.parameters.items()}

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
        self.adam.zero_grad(set_to_none=False)
        if total.requires_grad:
            torch.autograd.backward(total)
        for tensor in self.model.parameters.values():
            tensor.grad = _grad(tensor)
        return {name: float(mean.detach()) for name, mean in means.items()}

    def move(self, learning_rate: float) -> None:
        """Take Adam's step along the gradients that the parameters have; it moves what no batch touches, too."""
        for group in self.adam.param_groups:
            group["lr"] = learning_rate
        self.adam.step()

    def state(self) -> Arrays:
        arrays: Arrays = {"step": np.zeros((), np.int64)}
        for name, tensor in self.model.parameters.items():
            state = self.adam.state.get(tensor, {})
            for ours, theirs in (("mean", "exp_avg"), ("square", "exp_avg_sq")):
                moment = state.get(theirs, torch.zeros_like(tensor)).detach().cpu().numpy()
                arrays[f"{ours}.{name}"] = np.array(moment, order="C")
            if state:
                arrays["step"] = np.array(int(state["step"]), np.int64)
        return arrays

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        steps = float(steps_taken(state))
        for name, tensor in self.model.parameters.items():
            self.adam.state[tensor] = {
                "step": torch.tensor(steps, dtype=torch.float32, device=self.device),
                "exp_avg": torch.from_numpy(state[f"mean.{name}"].copy()).to(tensor),
                "exp_avg_sq": torch.from_numpy(state[f"square.{name}"].copy()).to(tensor),
            }


def _grad(tensor: torch.Tensor) -> torch.Tensor:
    return torch.zeros_like(tensor) if tensor.grad is None else tensor.grad
