"""What every fused step is made of: terms sorted into a list for each class, classes cut into parts, Adam on a number.

A term of a loss pulls or pushes two classes, so it stands in the list of both; whoever walks over the classes finds in
its list all that moves a class. Lists are in the order of the batch, whatever the number of threads.
"""

from __future__ import annotations

import math
from typing import Any

import numba

from elgeo.arrays import Ints, Longs
from elgeo.compilation import kernel

TAG_BITS = 7
"""The low bits of an entry's tag: the term's number times two, plus one on the side of `second`; the role is above."""
SHARES = 4
"""Parts in which a batch is sorted into lists at the same time."""
FAST = {"reassoc", "contract", "nsz", "arcp"}
NO_ROLE, ROW_AS_ROLE = -1, -2


@kernel
def expand(
    rows: Ints, columns: tuple[int, int, int], sizes: tuple[int, int], number: int, first: Ints, second: Ints, tag: Ints
) -> bool:
    """One term for each row of a table; False if an id is not a class or role.

    The role column may be `NO_ROLE`, or `ROW_AS_ROLE` for terms that look their row up in `given`.
    """
    for i in range(rows.shape[0]):
        a, b = rows[i, columns[0]], rows[i, columns[1]]
        role = rows[i, columns[2]] if columns[2] >= 0 else 0
        if not (0 <= a < sizes[0] and 0 <= b < sizes[0] and 0 <= role < sizes[1]):
            return False
        if columns[2] == ROW_AS_ROLE:
            role = i
        first[i], second[i] = a, b
        tag[i] = (role << TAG_BITS) | (number << 1)
    return True


@kernel(parallel=True)
def index(first: Ints, second: Ints, tag: Ints, cursor: Ints, start: Ints, other: Ints, tags: Ints) -> None:
    """Sort terms into a list for each class, in the order of the batch: a counting sort in `SHARES` parts."""
    count = first.shape[0]
    for share in numba.prange(SHARES):
        cursor[share] = 0
        for i in range(count * share // SHARES, count * (share + 1) // SHARES):
            cursor[share, first[i]] += 1
            cursor[share, second[i]] += 1
    place = 0
    for c in range(start.shape[0] - 1):
        start[c] = place
        for share in range(SHARES):
            length = cursor[share, c]
            cursor[share, c] = place
            place += length
    start[-1] = place
    for share in numba.prange(SHARES):
        for i in range(count * share // SHARES, count * (share + 1) // SHARES):
            a, b = first[i], second[i]
            place = cursor[share, a]
            cursor[share, a] = place + 1
            other[place], tags[place] = b, tag[i]
            place = cursor[share, b]
            cursor[share, b] = place + 1
            other[place], tags[place] = a, tag[i] | 1


@kernel
def divide(start: Ints, bounds: Longs) -> None:
    """Cut the classes into consecutive parts of about equal work: an entry costs 2, Adam on a class 3."""
    classes, parts = start.shape[0] - 1, bounds.shape[0] - 1
    total = 2 * start[classes] + 3 * classes
    part = 0
    for c in range(classes):
        while part < parts and parts * (2 * start[c] + 3 * c) >= part * total:
            bounds[part] = c
            part += 1
    bounds[part:] = classes


@kernel(fastmath=FAST, error_model="numpy", inline="always")
def moved(weight: Any, gradient: Any, mean: Any, square: Any, adam: tuple[Any, ...]) -> tuple[Any, Any, Any]:
    """Adam on one number: its new value, mean and mean square."""
    rate, root, mean_share, square_keep, square_share, epsilon = adam
    mean = mean + (gradient - mean) * mean_share
    square = square_keep * square + square_share * gradient * gradient
    return weight - rate * mean / (math.sqrt(square) * root + epsilon), mean, square
