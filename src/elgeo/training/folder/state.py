"""`State`: where a training stands, apart from its arrays; checked field by field when it is read from a checkpoint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from elgeo.documents import Fields


@dataclass(frozen=True)
class State:
    """All plain values that training needs to go on to the same bits.

    `epoch` epochs are complete, and `step` steps of the next one are taken.
    """

    epoch: int
    step: int
    generator: Mapping[str, Any]
    """The state of numpy's PCG64 at the start of the epoch."""
    learning_rate: float
    plateau_best: float | None
    bad_epochs: int
    best_epoch: int
    best_value: float | None
    sums: Mapping[str, float]
    """Of the losses of the steps taken."""
    seconds: float
    dropped: Mapping[str, int]
    """Corrupted axioms that could not be made in the steps taken."""

    def to_dict(self) -> dict[str, Any]:
        return {
            "epoch": self.epoch,
            "step": self.step,
            "generator": self.generator,
            "plateau": {
                "learning_rate": self.learning_rate,
                "best": self.plateau_best,
                "bad_epochs": self.bad_epochs,
            },
            "best": {"epoch": self.best_epoch, "value": self.best_value},
            "sums": dict(self.sums),
            "seconds": self.seconds,
            "dropped": dict(self.dropped),
        }

    @staticmethod
    def from_fields(fields: Fields) -> State:
        """What `to_dict` gave, checked."""
        plateau, best = fields.table("plateau"), fields.table("best")
        epoch = fields.whole("epoch")
        return State(
            epoch,
            fields.whole("step"),
            _generator(fields.table("generator")),
            plateau.number("learning_rate", 0),
            plateau.or_none(plateau.number, "best"),
            plateau.whole("bad_epochs"),
            best.whole("epoch", 0, epoch),
            best.or_none(best.number, "value"),
            fields.numbers("sums"),
            fields.number("seconds", 0),
            fields.counts("dropped"),
        )


def _generator(fields: Fields) -> dict[str, Any]:
    kind = np.random.PCG64.__name__
    if fields.text("bit_generator") != kind:
        raise fields.error(f"has to be {kind}", "bit_generator")
    numbers = fields.table("state")
    return {
        "bit_generator": kind,
        "state": {name: numbers.whole(name, 0, 2**128 - 1) for name in ("state", "inc")},
        "has_uint32": fields.whole("has_uint32", 0, 1),
        "uinteger": fields.whole("uinteger", 0, 2**32 - 1),
    }
