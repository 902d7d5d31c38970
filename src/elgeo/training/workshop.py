"""`Workshop`: where the parameters of a model lie while it is trained, and how they are moved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Floats, Table
from elgeo.deferred import torch
from elgeo.errors import SettingError
from elgeo.models.contract import Arrays, Batch, Engine, Model, Predictor
from elgeo.training.batches import WHOLE, Portion

E = TypeVar("E", bound=Engine)


class Workshop(Protocol):
    """What a training asks of the place where the parameters are: one process, or several with a part in each.

    Where there are several, all of them ask the same; what they get is the same but for `arrays` and `state`.
    """

    @property
    def share(self) -> Portion:
        """Which part of every batch this process is given."""

    def step(self, batch: Mapping[str, Batch], learning_rate: float) -> dict[str, float]:
        """One step of Adam on what all processes were given; the mean losses of all of it, as an `Engine` says them."""

    def arrays(self) -> Arrays:
        """Copies of the parameters that are kept here."""

    def state(self) -> Arrays:
        """What must be saved beside them so that training goes on to the same bits."""

    def load(self, arrays: Mapping[str, NDArray[Any]], state: Mapping[str, NDArray[Any]]) -> None:
        """Take parameters and state that were saved."""

    def losses(self, form: str, rows: Table, negative: bool) -> Floats:
        """The loss of each row; all processes ask for the same rows."""

    def measured(self, measure: Callable[[Predictor], float]) -> float:
        """A figure of the whole model."""

    def gathered(self, rows: Table) -> Table:
        """The rows that all processes were given."""

    def totals(self, counts: Mapping[str, int]) -> dict[str, int]:
        """The sums of what all processes have counted."""

    def agreed(self, flag: bool) -> bool:
        """Whether it is so in one of the processes."""


class InOneProcess:
    """All parameters here, moved by the model's own engine."""

    share = WHOLE

    def __init__(self, model: Model, device: str = "cpu") -> None:
        self.model, self._device = model, device
        self.engine = model.engine(device)

    def step(self, batch: Mapping[str, Batch], learning_rate: float) -> dict[str, float]:
        return self.engine.step(batch, learning_rate)

    def arrays(self) -> Arrays:
        return self.model.arrays()

    def state(self) -> Arrays:
        return self.engine.state()

    def load(self, arrays: Mapping[str, NDArray[Any]], state: Mapping[str, NDArray[Any]]) -> None:
        self.model.load(arrays)
        self.engine = restored(self.model.engine(self._device), state)

    def losses(self, form: str, rows: Table, negative: bool) -> Floats:
        return losses_of(self.model, form, rows, negative)

    def measured(self, measure: Callable[[Predictor], float]) -> float:
        return measure(self.model)

    def gathered(self, rows: Table) -> Table:
        return rows

    def totals(self, counts: Mapping[str, int]) -> dict[str, int]:
        return dict(counts)

    def agreed(self, flag: bool) -> bool:
        return flag


def losses_of(model: Model, form: str, rows: Table, negative: bool) -> Floats:
    """The loss of each row in a model that has all that is in them."""
    device = next(iter(model.parameters.values())).device
    with torch.no_grad():
        loss = model.loss(form, torch.from_numpy(np.ascontiguousarray(rows)).to(device), negative)
    return np.asarray(loss.double().cpu().numpy())


def restored(engine: E, state: Mapping[str, NDArray[Any]]) -> E:
    """A new engine that goes on from a state, which has to be of its shape."""
    check_shapes(engine.state(), state)
    engine.load_state(state)
    return engine


def check_shapes(expected: Arrays, found: Mapping[str, NDArray[Any]]) -> None:
    """Refuse arrays of a checkpoint that are not what is needed."""
    for name, array in expected.items():
        if name not in found or (found[name].shape, found[name].dtype) != (array.shape, array.dtype):
            raise SettingError(
                f"{name} of the checkpoint does not fit: it has to be {array.dtype} of shape {array.shape}."
                " Was it trained on another dataset or dimension?"
            )
