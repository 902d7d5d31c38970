"""The kernels that choose: the most alike of each sparse row, and the best candidates of each head."""

from __future__ import annotations

import numpy as np

from elgeo.arrays import Array
from elgeo.compilation import kernel


@kernel(inner=True)
def largest(row: Array, count: int) -> float:
    """The count-th largest; numpy's own takes seconds to compile."""
    row, place = row.copy(), len(row) - count
    low, high = 0, len(row) - 1
    while low < high:
        middle, i, j = row[(low + high) // 2], low, high
        while i <= j:
            while row[i] < middle:
                i += 1
            while row[j] > middle:
                j -= 1
            if i <= j:
                row[i], row[j] = row[j], row[i]
                i, j = i + 1, j - 1
        if place <= j:
            high = j
        elif place >= i:
            low = i
        else:
            break
    return float(row[place])


@kernel
def keep_nearest(start: Array, columns: Array, values: Array, own: Array, count: int, power: float) -> None:
    """In place, rows of likeness become weights that sum to 1: the `count` largest, raised to a power.

    Column `own[i]` gets no weight, nor does anything below the count-th largest; what equals it is kept.
    """
    for i in range(len(start) - 1):
        first, last = start[i], start[i + 1]
        row = values[first:last]
        for j in range(first, last):
            if columns[j] == own[i] or values[j] < 0:
                values[j] = 0
        least = largest(row, count) if len(row) > count else 0.0
        top = 0.0
        for x in row:
            top = max(top, x)
        total = 0.0
        for j in range(first, last):
            if values[j] < least or top == 0:
                values[j] = 0
            else:
                values[j] = (values[j] / top) ** power
            total += values[j]
        for j in range(first, last):
            if total > 0:
                values[j] /= total


@kernel
def mark_best(values: Array, allowed: Array, count: int, chosen: Array) -> None:
    """Mark the `count` largest allowed values of each row; among equals the first."""
    best = np.empty(count, np.int64)
    for i in range(values.shape[0]):
        filled = 0
        for j in range(values.shape[1]):
            if not allowed[i, j] or (filled == count and values[i, j] <= values[i, best[count - 1]]):
                continue
            place = filled if filled < count else count - 1
            filled = min(filled + 1, count)
            while place > 0 and values[i, j] > values[i, best[place - 1]]:
                best[place] = best[place - 1]
                place -= 1
            best[place] = j
        for k in range(filled):
            chosen[i, best[k]] = True
