"""Numbers that stand for rows or ids: told apart, sorted, found again, spread. Once for all rooms."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Array, Flags, Longs, Table, Words
from elgeo.compilation import kernel

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""The step between the seeds of successive random numbers."""
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_30, _27, _31 = np.uint64(30), np.uint64(27), np.uint64(31)

Number = TypeVar("Number", bound=np.generic)
Bits = TypeVar("Bits", np.uint64, Words)


def mixed(numbers: Bits) -> Bits:
    """Spread the bits (SplitMix64), so that numbers in sequence look random; different ones stay different."""
    once: Any = (numbers ^ (numbers >> _30)) * _FIRST
    twice: Any = (once ^ (once >> _27)) * _SECOND
    found: Bits = twice ^ (twice >> _31)
    return found


mixed_number = kernel(inline="always")(mixed)
"""The same to one number, in kernels."""


@kernel(inline="always")
def lower_bound(values: Array, low: int, high: int, value: Any) -> int:
    """The first position of the ascending `values[low:high]` that is not below `value`."""
    while low < high:
        middle = (low + high) >> 1
        if values[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low


def distinct(numbers: NDArray[Number]) -> NDArray[Number]:
    """The different numbers, ascending. `np.unique` hashes, which is many times slower on numbers with regular gaps."""
    ordered = np.sort(numbers)
    first = np.ones(len(ordered), np.bool_)
    first[1:] = ordered[1:] != ordered[:-1]
    found: NDArray[Number] = ordered[first]
    return found


def row_numbers(*tables: Array) -> list[Longs]:
    """A number for each row of tables of one width, equal for equal rows and for no others, whatever the ids."""
    whole = np.concatenate(tables)
    keys = whole[:, 0].astype(np.int64)
    for column in whole.T[1:]:
        # the numbers of what is left of a column are below 2³¹, as its ids are
        _, keys = np.unique(keys << 31 | column, return_inverse=True)
    return np.split(keys, np.cumsum([len(table) for table in tables])[:-1])


def contained(rows: Table, table: Table) -> Flags:
    """Whether each row is one of the table's rows."""
    wanted, known = row_numbers(rows, table)
    return np.isin(wanted, known)
