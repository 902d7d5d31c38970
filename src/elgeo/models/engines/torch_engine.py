"""Training by autograd and torch's Adam: the reference, the way to a GPU, and what any model can be trained with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from elgeo.errors import SettingError
from elgeo.models.contract import Arrays, Batch, Model, steps_taken


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
        means: dict[str, torch.Tensor] = {}
        total = torch.zeros((), device=self.device)
        for form, (positives, negatives, weight) in batch.items():
            for rows, name, negative in ((positives, form, False), (negatives, f"{form}-", True)):
                if rows is None:
                    continue
                if len(rows) == 0:
                    means[name] = torch.zeros(())
                    continue
                indices = torch.from_numpy(np.ascontiguousarray(rows)).to(self.device)
                means[name] = self.model.loss(form, indices, negative).mean()
                total = total + weight * means[name]
        penalty = self.model.penalty()
        if penalty is not None:
            total = total + penalty
        for group in self.adam.param_groups:
            group["lr"] = learning_rate
        self.adam.zero_grad(set_to_none=False)
        if total.requires_grad:
            torch.autograd.backward(total)
        for tensor in self.model.parameters.values():
            if tensor.grad is None:  # Adam goes on moving what this batch does not touch
                tensor.grad = torch.zeros_like(tensor)
        self.adam.step()
        return {name: float(mean.detach()) for name, mean in means.items()}

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
