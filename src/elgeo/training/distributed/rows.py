"""How rows of classes are found, fetched from the processes that have them, and their gradients given back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from elgeo.arrays import Ints, Longs
from elgeo.compilation import kernel
from elgeo.deferred import torch
from elgeo.training.distributed.processes import Processes

_NOWHERE = -1


class Distinct(NamedTuple):
    """The classes of some rows, each once, by their owners; and where each place of the rows finds its class."""

    classes: Ints
    counts: Longs
    """How many are of each owner."""
    places: Ints


class Finder:
    """Finds the distinct classes among many ids without sorting: it remembers where it has put each class."""

    def __init__(self, classes: int, owners: int) -> None:
        self._owners = owners
        self._place = np.full(classes, _NOWHERE, np.int32)

    def distinct(self, ids: Ints) -> Distinct:
        classes, counts, places = np.empty(len(ids), np.int32), np.zeros(self._owners, np.int64), np.empty_like(ids)
        found = _distinct(ids, self._place, counts, classes, places)
        return Distinct(classes[:found], counts, places)


@kernel
def _distinct(ids: Ints, place: Ints, counts: Longs, classes: Ints, places: Ints) -> int:
    """Class c belongs to owner c mod owners; classes of an owner come in the order in which they are met."""
    owners, found = counts.shape[0], 0
    met = np.empty_like(ids)
    for c in ids:
        if place[c] == _NOWHERE:
            place[c] = 0
            met[found] = c
            found += 1
            counts[c % owners] += 1
    start = np.zeros(owners, np.int64)
    for owner in range(1, owners):
        start[owner] = start[owner - 1] + counts[owner - 1]
    for i in range(found):
        c = met[i]
        place[c] = start[c % owners]
        classes[place[c]] = c
        start[c % owners] += 1
    for i in range(ids.shape[0]):
        places[i] = place[ids[i]]
    for i in range(found):
        place[met[i]] = _NOWHERE
    return found


class RowExchange:
    """Rows of this process's tables that others have asked for, and rows of others that it has."""

    def __init__(self, processes: Processes, wanted: Distinct, asked: Sequence[int], device: torch.device) -> None:
        self._processes = processes
        self._wanted, self._asked = wanted.counts.tolist(), list(asked)
        ids = torch.from_numpy(wanted.classes).to(device)
        # the rows of an owner are those of every `size`-th class
        self._here = torch.div(
            processes.exchanged(ids, self._wanted, self._asked), processes.size, rounding_mode="floor"
        )

    def rows(self, tables: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        """The rows wanted of all tables, in the order of the classes wanted."""
        widths = [_width(table) for table in tables]
        packed = torch.cat(
            [table[self._here].reshape(-1, width) for table, width in zip(tables, widths, strict=True)], 1
        )
        found = torch.split(self._processes.exchanged(packed, self._asked, self._wanted), widths, dim=1)
        return [part.reshape(-1, *table.shape[1:]).contiguous() for part, table in zip(found, tables, strict=True)]

    def give_back(self, gradients: Sequence[torch.Tensor], sums: Sequence[torch.Tensor]) -> None:
        """Add the gradients of the rows wanted to `sums` where the rows are, in the order of the ranks."""
        widths = [_width(gradient) for gradient in gradients]
        packed = torch.cat([each.reshape(-1, width) for each, width in zip(gradients, widths, strict=True)], 1)
        came = self._processes.exchanged(packed, self._wanted, self._asked)
        # of one process each row comes once at most: nothing is added to in an order of chance
        for here, part in zip(torch.split(self._here, self._asked), torch.split(came, self._asked), strict=True):
            for total, own in zip(sums, torch.split(part, widths, dim=1), strict=True):
                total[here] += own.reshape(-1, *total.shape[1:])


def _width(table: torch.Tensor) -> int:
    return int(np.prod(table.shape[1:], dtype=np.int64))
