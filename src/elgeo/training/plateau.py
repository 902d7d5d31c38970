"""When the learning rate falls and when training ends: both watch one number."""

from __future__ import annotations

import math
from dataclasses import dataclass

THRESHOLD = 1e-4
"""The relative improvement below which an epoch counts as none, as in torch's ReduceLROnPlateau."""
SMALLEST_CHANGE = 1e-8


@dataclass
class Plateau:
    """The learning rate falls by `factor` when the number has not improved for more than `patience` epochs.

    Step by step as torch's `ReduceLROnPlateau` with its defaults (relative threshold 1e-4, no cooldown).
    """

    learning_rate: float
    patience: int
    factor: float
    higher_is_better: bool = False
    best: float | None = None
    bad_epochs: int = 0

    def step(self, value: float) -> None:
        """Take the number of an epoch into account."""
        if self.best is None or self._better(value, self.best):
            self.best, self.bad_epochs = value, 0
        else:
            self.bad_epochs += 1
        if self.bad_epochs > self.patience:
            self.bad_epochs = 0
            lower = self.learning_rate * self.factor
            if self.learning_rate - lower > SMALLEST_CHANGE:
                self.learning_rate = lower

    def _better(self, value: float, best: float) -> bool:
        if self.higher_is_better:
            return value > best * (1 + THRESHOLD)
        return value < best * (1 - THRESHOLD)


@dataclass
class BestEpoch:
    """The best epoch so far; training ends when it is more than `patience` epochs ago (0: never)."""

    patience: int
    higher_is_better: bool = False
    epoch: int = 0
    value: float = math.nan

    def step(self, epoch: int, value: float) -> bool:
        """Whether this epoch is the best so far."""
        better = value > self.value if self.higher_is_better else value < self.value
        if math.isnan(self.value) or better:
            self.epoch, self.value = epoch, value
            return True
        return False

    def is_over(self, epoch: int) -> bool:
        """Whether `patience` epochs have passed without a better one."""
        return self.patience > 0 and epoch - self.epoch >= self.patience
