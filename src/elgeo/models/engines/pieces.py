"""`Piece`: the rows of one form in a batch, corrupted or not; what an engine goes through in a step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from elgeo.arrays import Table
from elgeo.models.contract import Batch

Asked = TypeVar("Asked")


class Piece(NamedTuple, Generic[Asked]):
    """Rows, what their mean loss weighs, and what an engine has to know of them (`loss`)."""

    name: str
    form: str
    rows: Table
    weight: float
    loss: Asked


def pieces(batch: Mapping[str, Batch], loss_of: Callable[[str, bool], Asked]) -> Iterator[Piece[Asked]]:
    """The pieces of a batch; `loss_of` a form, and whether its rows are corrupted."""
    for form, (positives, negatives, weight, shares) in batch.items():
        for rows, negative in ((positives, False), (negatives, True)):
            if rows is not None:
                name, own = f"{form}-" if negative else form, weight * shares[negative]
                yield Piece(name, form, np.ascontiguousarray(rows, np.int32), own, loss_of(form, negative))
