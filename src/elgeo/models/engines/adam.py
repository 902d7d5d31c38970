"""`Adam`: torch's own steps without its optimiser classes, which load torch's compiler first (seconds)."""

from __future__ import annotations

from collections.abc import Mapping

from elgeo.deferred import torch
from elgeo.models.engines.moments import BETAS, EPSILON


class Adam:
    """Named tensors that are moved along their gradients, and the running means that belong to them.

    With `decay`, weights shrink by themselves (AdamW); `fused`: all of a step in one call of torch.
    """

    def __init__(self, tensors: Mapping[str, torch.Tensor], *, decay: float = 0.0, fused: bool = False) -> None:
        self.tensors = dict(tensors)
        self.means = {name: torch.zeros_like(tensor) for name, tensor in self.tensors.items()}
        self.squares = {name: torch.zeros_like(tensor) for name, tensor in self.tensors.items()}
        self._decay, self._fused = decay, fused
        self.steps = 0

    @property
    def steps(self) -> int:
        return self._taken

    @steps.setter
    def steps(self, taken: int) -> None:
        """Torch counts for each tensor by itself, beside it."""
        self._taken = taken
        self._counts = [torch.tensor(float(taken), device=tensor.device) for tensor in self.tensors.values()]

    def forget(self) -> None:
        """Begin with gradients of zero."""
        for tensor in self.tensors.values():
            tensor.grad = gradient(tensor).zero_()

    def step(self, rate: float, beta: float = BETAS[0]) -> None:
        """Along the gradients that the tensors have; what has none has a gradient of zero."""
        from torch.optim.adam import adam  # loads torch

        self._taken += 1
        with torch.no_grad():
            adam(
                list(self.tensors.values()),
                [gradient(tensor) for tensor in self.tensors.values()],
                list(self.means.values()),
                list(self.squares.values()),
                [],
                self._counts,
                foreach=False,
                fused=self._fused,
                decoupled_weight_decay=self._decay > 0,
                amsgrad=False,
                beta1=beta,
                beta2=BETAS[1],
                lr=rate,
                weight_decay=self._decay,
                eps=EPSILON,
                maximize=False,
            )


def gradient(tensor: torch.Tensor) -> torch.Tensor:
    return torch.zeros_like(tensor) if tensor.grad is None else tensor.grad
