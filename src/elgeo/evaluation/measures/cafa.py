"""The CAFA measures of function prediction: Fmax, weighted Fmax and Smin over propagated terms."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
from numba import prange

from elgeo.arrays import Array, Flags, Floats
from elgeo.compilation import kernel

THRESHOLDS = 1 << 16
"""At most so many thresholds: the scores of all true terms, or so many of them, evenly spaced, where they are more."""


class Cafa(NamedTuple):
    """The best of each measure over all thresholds."""

    fmax: float
    wfmax: float
    smin: float


class Proteins(NamedTuple):
    """A few proteins: the score of each term after propagation, which terms are true, which count at all."""

    scores: Floats
    true: Flags
    counted: Flags


def cafa(chunks: Callable[[], Iterable[Proteins]], accretion: Floats) -> Cafa:
    """Fmax, weighted Fmax and Smin of proteins given in chunks (asked for twice).

    pr(τ) = mean over proteins with a prediction of |P∩T|/|P|, rc(τ) = mean over all of |P∩T|/|T|,
    Fmax = max 2·pr·rc/(pr+rc); the weighted one counts a term as its information accretion.
    Smin = min √(ru² + mi²), ru and mi being the mean accretion of T∖P and of P∖T.
    Between two scores of true terms a lower τ only adds wrong terms, so only those scores are tried.
    Proteins without a true term do not take part.
    """
    levels = np.unique(np.concatenate([np.empty(0), *(part.scores[part.true & part.counted] for part in chunks())]))
    if len(levels) > THRESHOLDS:
        levels = levels[np.linspace(0, len(levels) - 1, THRESHOLDS).round().astype(np.int64)]
    if not len(levels):
        return Cafa(float("nan"), float("nan"), float("nan"))
    n, sums = 0, _Sums(len(levels))
    for part in chunks():
        true = part.true & part.counted
        takes_part = true.any(axis=1)
        histogram = np.zeros((int(takes_part.sum()), len(levels), 4))
        counted = np.ascontiguousarray(part.counted[takes_part])
        _histogram(
            part.scores[takes_part], np.ascontiguousarray(true[takes_part]), counted, accretion, levels, histogram
        )
        # what is predicted at a threshold is everything at it or above
        predicted = histogram[:, ::-1].cumsum(axis=1)[:, ::-1]
        sizes = np.stack([true[takes_part].sum(axis=1), true[takes_part] @ accretion], axis=1)
        sums.add(predicted, sizes)
        n += len(sizes)
    return sums.result(n)


class _Sums:
    """Sums over proteins of what the measures are means of, at each threshold; plain and weighted."""

    def __init__(self, n_levels: int) -> None:
        self.precision = np.zeros((n_levels, 2))
        self.recall = np.zeros((n_levels, 2))
        self.predicting = np.zeros((n_levels, 2))
        self.weighable = 0
        self.uncertainty = np.zeros(n_levels)
        self.misinformation = np.zeros(n_levels)
        self.nothing_predicted = 0.0

    def add(self, predicted: Floats, sizes: Floats) -> None:
        """`predicted` (proteins, thresholds, 4): terms, true terms, accretion of terms, accretion of true terms."""
        every, right = predicted[:, :, 0::2], predicted[:, :, 1::2]
        some = every > 0
        self.precision += np.divide(right, every, out=np.zeros_like(right), where=some).sum(axis=0)
        self.predicting += some.sum(axis=0)
        size = sizes[:, None, :]
        self.recall += np.divide(right, size, out=np.zeros_like(right), where=size > 0).sum(axis=0)
        self.weighable += int((sizes[:, 1] > 0).sum())
        self.uncertainty += (size[:, :, 1] - right[:, :, 1]).sum(axis=0)
        self.misinformation += (every[:, :, 1] - right[:, :, 1]).sum(axis=0)
        self.nothing_predicted += float(sizes[:, 1].sum())

    def result(self, n: int) -> Cafa:
        precision = self.precision / np.maximum(self.predicting, 1)
        recall = self.recall / np.array([n, max(self.weighable, 1)])
        both = precision + recall
        f = np.divide(2 * precision * recall, both, out=np.zeros_like(both), where=both > 0).max(axis=0)
        # predicting nothing at all is a threshold too
        distances = np.append(np.hypot(self.uncertainty, self.misinformation), self.nothing_predicted) / n
        return Cafa(float(f[0]), float(f[1]), float(distances.min()))


@kernel(parallel=True)
def _histogram(scores: Array, true: Array, counted: Array, accretion: Array, levels: Array, out: Array) -> None:
    """out[protein, highest level the score reaches] += (1, true, accretion, accretion if true)."""
    for i in prange(scores.shape[0]):
        for j in range(scores.shape[1]):
            if not counted[i, j]:
                continue
            low, high, x = 0, len(levels), scores[i, j]
            if x < levels[0]:
                continue
            while low < high:
                middle = (low + high) // 2
                if levels[middle] <= x:
                    low = middle + 1
                else:
                    high = middle
            out[i, low - 1, 0] += 1
            out[i, low - 1, 2] += accretion[j]
            if true[i, j]:
                out[i, low - 1, 1] += 1
                out[i, low - 1, 3] += accretion[j]


@kernel(parallel=True)
def propagate(scores: Array, order: Array, start: Array, above: Array) -> None:
    """Give every term, in place, the best score among the terms below it and itself.

    Column j has `above[start[j]:start[j + 1]]` directly above it; `order` has lower columns before higher ones.
    """
    for i in prange(scores.shape[0]):
        for j in order:
            x = scores[i, j]
            for k in range(start[j], start[j + 1]):
                if scores[i, above[k]] < x:
                    scores[i, above[k]] = x
