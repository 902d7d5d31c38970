"""Isotonic regression of shares: the non-decreasing steps that are nearest to what was counted."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from elgeo.arrays import Flags, Floats

LEAST = 20
"""No share rests on fewer suggestions than this, if there are so many at all."""


class Steps(NamedTuple):
    """Blocks of values, ascending: the least and the largest value, the share that was true, and of how many."""

    low: Floats
    high: Floats
    share: Floats
    number: Floats

    def at(self, values: Floats) -> Floats:
        """The share of each value; straight lines between blocks, and at the ends what the last block has."""
        ends = np.stack([self.low, self.high], axis=1).ravel()
        return np.asarray(np.interp(values, ends, np.repeat(self.share, 2)))


def isotonic(values: Floats, true: Flags, least: int = LEAST) -> Steps:
    """The least squares fit of non-decreasing shares; equal values, and the fewest of `least` neighbours, share one.

    Adjacent blocks that violate the order are pooled until none does.
    """
    order = np.argsort(values, kind="stable")
    values, true = values[order], true[order]
    pooled: list[list[float]] = []  # low, high, number of true ones, number
    for first, last in _groups(values, least):
        pooled.append([float(values[first]), float(values[last - 1]), float(true[first:last].sum()), last - first])
        while len(pooled) > 1 and pooled[-2][2] * pooled[-1][3] >= pooled[-1][2] * pooled[-2][3]:
            last_block = pooled.pop()
            pooled[-1][1] = last_block[1]
            pooled[-1][2] += last_block[2]
            pooled[-1][3] += last_block[3]
    low, high, right, number = np.array(pooled, np.float64).reshape(-1, 4).T
    return Steps(low, high, right / number, number)


def _groups(values: Floats, least: int) -> list[tuple[int, int]]:
    """Runs of sorted values, each of at least so many (the last may take in the one before), none cut at equals."""
    starts = np.flatnonzero(np.concatenate([[True], np.diff(values) > 0])) if len(values) else np.empty(0, np.int64)
    bounds = [0]
    for start in starts.tolist():
        if start - bounds[-1] >= least:
            bounds.append(start)
    if len(bounds) > 1 and len(values) - bounds[-1] < least:
        bounds.pop()
    return list(zip(bounds, [*bounds[1:], len(values)], strict=True)) if len(values) else []
