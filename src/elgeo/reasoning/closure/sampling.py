"""The kernel that draws entailed tails; random numbers are a function of a seed and the row."""

from __future__ import annotations

import numpy as np

from elgeo.arrays import Flags, Ints, Starts
from elgeo.compilation import kernel
from elgeo.keys import GOLDEN, mixed_number

TRIES = 16
"""Draws for one row before an exact pass over its tails takes over."""

_TO_UNIT = 2.0**-53


@kernel(inline="always")
def draw(seed: np.uint64, row: int, attempt: int, size: int) -> int:
    """A number below `size`, from the seed, the row and the attempt alone (SplitMix64). Callable from kernels."""
    counter = np.uint64(row) * np.uint64(TRIES + 1) + np.uint64(attempt)
    return int(np.float64(mixed_number(seed + counter * GOLDEN) >> np.uint64(11)) * _TO_UNIT * size)


@kernel
def draw_entailed(
    start: Starts,
    tails: Ints,
    unsatisfiable: Flags,
    n_roles: int,
    heads: Ints,
    roles: Ints,
    own: Ints,
    allowed: Flags,
    everything: Ints,
    seed: np.uint64,
) -> Ints:
    """For each head and role one of its allowed tails, each with the same probability; -1 where there is none.

    `everything` are the allowed classes: an unsatisfiable head entails them all. Row i never gets the class `own[i]`.
    """
    chosen = np.full(heads.size, -1, np.int32)
    for i in range(heads.size):
        values = tails
        key = np.int64(heads[i]) * n_roles + roles[i]
        low, high = start[key], start[key + 1]
        if unsatisfiable[heads[i]]:
            values, low, high = everything, np.int64(0), np.int64(everything.size)
        if low == high:
            continue
        for attempt in range(TRIES):
            tail = values[low + draw(seed, i, attempt, high - low)]
            if allowed[tail] and tail != own[i]:
                chosen[i] = tail
                break
        if chosen[i] >= 0:
            continue
        count = 0
        for k in range(low, high):
            count += allowed[values[k]] and values[k] != own[i]
        if count == 0:
            continue
        rank = draw(seed, i, TRIES, count)
        for k in range(low, high):
            if allowed[values[k]] and values[k] != own[i]:
                if rank == 0:
                    chosen[i] = values[k]
                    break
                rank -= 1
    return chosen
