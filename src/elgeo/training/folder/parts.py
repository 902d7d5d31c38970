"""A checkpoint in parts: each process has written its rows; whoever reads takes the rows it needs from all of them."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elgeo.documents import Fields
from elgeo.training.folder.tensors import DamagedError, load_arrays, save_arrays

_PART = re.compile(r"part-(\d+)-of-(\d+)\.safetensors")


@dataclass(frozen=True)
class OwnRows:
    """The rows of a table of `total` that one of `size` processes has: each `size`-th, from `rank` on.

    In turn, since ids that stand together are used together (a terminology, and the proteins beside it).
    """

    total: int
    rank: int
    size: int

    @property
    def numbers(self) -> range:
        return range(self.rank, self.total, self.size)

    @property
    def count(self) -> int:
        return len(self.numbers)

    @property
    def cut(self) -> slice:
        """What of a whole table they are."""
        return slice(self.rank, None, self.size)


@dataclass(frozen=True)
class WantedRows:
    """The rows that a reader of a checkpoint wants of the tables that have a row for each class."""

    rank: int = 0
    size: int = 1
    tables: frozenset[str] = frozenset()
    """Their names as a model has them; without any, everything is read."""

    def is_table(self, name: str) -> bool:
        """Whether an array of a checkpoint, `model/centres` or `engine/mean.centres`, is one of them."""
        return re.sub(r"^(mean|square)\.", "", name.rpartition("/")[2]) in self.tables

    def of_whole(self, name: str, array: NDArray[Any]) -> NDArray[Any]:
        """What is wanted of an array that is whole."""
        if not self.is_table(name) or not array.ndim:
            return array
        return np.array(array[OwnRows(len(array), self.rank, self.size).cut], order="C")


EVERYTHING = WantedRows()


def save_part(
    folder: Path, rows: OwnRows, tables: WantedRows, arrays: Mapping[str, NDArray[Any]], state: Mapping[str, Any]
) -> None:
    """Write the rows of one process, and what all processes have."""
    names = {name: rows.total for name in arrays if tables.is_table(name)}
    path = folder / f"part-{rows.rank}-of-{rows.size}.safetensors"
    save_arrays(path, arrays, {**state, "part": {"rank": rows.rank, "of": rows.size, "rows": names}})


def read_parts(folder: Path, chosen: WantedRows) -> tuple[dict[str, NDArray[Any]], Fields]:
    """The arrays of all parts put together, or the chosen rows of them, and the state."""
    found: dict[str, NDArray[Any]] = {}
    state: Fields | None = None
    size = _number_of_parts(folder)
    for rank in range(size):
        if (rank - chosen.rank) % math.gcd(size, chosen.size):
            continue  # no row of this part is wanted
        path = folder / f"part-{rank}-of-{size}.safetensors"
        arrays, state = load_arrays(path)
        part = state.table("part")
        if (part.whole("rank"), part.whole("of")) != (rank, size):
            raise DamagedError(f"{path} is damaged: it is another part")
        totals = part.counts("rows")
        for name, array in arrays.items():
            if name not in totals:
                found[name] = array
                continue
            if len(array) != OwnRows(totals[name], rank, size).count:
                raise DamagedError(f"{path} is damaged: {name} has not the rows of its part")
            wanted = np.arange(totals[name])[OwnRows(totals[name], chosen.rank, chosen.size).cut]
            room = found.setdefault(name, np.empty((len(wanted), *array.shape[1:]), array.dtype))
            here = wanted % size == rank
            if room.shape != (len(wanted), *array.shape[1:]) or room.dtype != array.dtype:
                raise DamagedError(f"{path} is damaged: {name} does not fit the other parts")
            room[here] = array[wanted[here] // size]
    assert state is not None
    return found, state


def _number_of_parts(folder: Path) -> int:
    matches = [match for path in folder.iterdir() if (match := _PART.fullmatch(path.name))]
    sizes = {int(match[2]) for match in matches}
    if len(sizes) != 1 or len(matches) != (size := sizes.pop()) or size < 1:
        raise DamagedError(f"{folder} is damaged: parts of it are missing")
    return size
