"""The k best candidates of each class, without sorting the others."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange
from numpy.typing import NDArray

from elgeo.arrays import Array, Floats, Ids
from elgeo.compilation import kernel
from elgeo.evaluation.ranking.known import Known
from elgeo.evaluation.ranking.scoring import Contest


class Best(NamedTuple):
    """A row for each class asked, best first; -1 and NaN where there are fewer than k candidates."""

    classes: Ids
    scores: Floats


def best(
    contest: Contest,
    heads: Ids,
    k: int,
    known: Known | None = None,
    without_head: bool = False,
    priority: NDArray[np.integer] | None = None,
) -> Best:
    """The k best candidates of each head that are not known already.

    Among equal scores the smaller `priority` (one number for each candidate) comes first, by default the smaller class.
    """
    k = min(k, len(contest.candidates))
    n_classes = 1 + max(int(heads.max(initial=0)), int(contest.candidates.max()))
    known = Known.nothing(n_classes) if known is None else known.covering(n_classes)
    position = contest.positions(known.n_classes)
    order = np.argsort(contest.candidates if priority is None else priority, kind="stable")
    precedence = np.empty(len(order), np.int64)
    precedence[order] = np.arange(len(order))
    classes = np.full((len(heads), k), -1, np.int32)
    values = np.full((len(heads), k), np.nan)
    tolerance = contest.scorer.tolerance
    mine = contest.mine(heads)
    for part in contest.chunks(heads, mine):
        rows = heads[part]
        scores = contest.bulk(rows)
        if np.isnan(scores).any():
            contest.refuse(int(rows[np.isnan(scores).any(axis=1).argmax()]))
        allowed = np.ones(scores.shape, np.bool_)
        for i, head in enumerate(rows):
            places = position[known.of(int(head))]
            allowed[i, places[places >= 0]] = False
            if without_head and position[head] >= 0:
                allowed[i, position[head]] = False
        chosen = np.full((len(rows), k), -1, np.int64)
        _select(scores, allowed, precedence, chosen)
        if tolerance > 0:
            # the k-th score is right within the tolerance; only what is near it can change the choice
            last = np.where(chosen[:, -1] >= 0, np.take_along_axis(scores, chosen[:, -1:], 1)[:, 0], np.inf)
            contest.sharpen(scores, rows, np.arange(len(rows) + 1), last, 2 * tolerance)
            chosen[:] = -1
            _select(scores, allowed, precedence, chosen)
            found, column = np.nonzero(chosen >= 0)
            cells = chosen[found, column]
            scores[found, cells] = contest.exact(rows[found], contest.candidates[cells])
            _reorder(scores, precedence, chosen)
        found, column = np.nonzero(chosen >= 0)
        cells = chosen[found, column]
        classes[part][found, column] = contest.candidates[cells]
        values[part][found, column] = scores[found, cells]
    return Best(contest.processes.joined(classes[mine]), contest.processes.joined(values[mine]))


@kernel
def _comes_before(score: float, precedence: int, other_score: float, other_precedence: int) -> bool:
    return score > other_score or (score == other_score and precedence < other_precedence)


@kernel(parallel=True)
def _select(scores: Array, allowed: Array, precedence: Array, chosen: Array) -> None:
    """Insertion into a short sorted list: almost every candidate fails the first comparison."""
    k = chosen.shape[1]
    for i in prange(scores.shape[0]):
        row, filled = chosen[i], 0
        for j in range(scores.shape[1]):
            if not allowed[i, j]:
                continue
            x, p = scores[i, j], precedence[j]
            if filled == k and not _comes_before(x, p, scores[i, row[k - 1]], precedence[row[k - 1]]):
                continue
            place = filled if filled < k else k - 1
            filled = min(filled + 1, k)
            while place > 0 and _comes_before(x, p, scores[i, row[place - 1]], precedence[row[place - 1]]):
                row[place] = row[place - 1]
                place -= 1
            row[place] = j


@kernel
def _reorder(scores: Array, precedence: Array, chosen: Array) -> None:
    for i in range(chosen.shape[0]):
        row = chosen[i]
        for a in range(1, len(row)):
            j, place = row[a], a
            if j < 0:
                break
            while place > 0 and _comes_before(
                scores[i, j], precedence[j], scores[i, row[place - 1]], precedence[row[place - 1]]
            ):
                row[place] = row[place - 1]
                place -= 1
            row[place] = j
