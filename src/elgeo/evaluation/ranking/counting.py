"""The kernels that count: how many candidates score above, and how many exactly as high as, each true answer."""

from __future__ import annotations

import numpy as np
from numba import prange

from elgeo.arrays import Array
from elgeo.compilation import kernel
from elgeo.keys import lower_bound

FEW = 24
"""Up to so many different true scores in a row, comparing with each (vectorised) beats a bisection."""


@kernel
def _tally(scores: Array, levels: Array, above: Array, equal: Array) -> None:
    """For each of the ascending, different levels: how many scores are above it, how many are equal to it."""
    n_levels = len(levels)
    if n_levels <= FEW:
        for j in range(n_levels):
            level, higher, same = levels[j], 0, 0
            for k in range(len(scores)):
                higher += scores[k] > level
                same += scores[k] == level
            above[j], equal[j] = higher, same
        return
    above[:] = 0
    equal[:] = 0
    for x in scores:
        below = lower_bound(levels, 0, len(levels), x)
        if below < n_levels and levels[below] == x:
            equal[below] += 1
        if below > 0:
            above[below - 1] += 1  # made a running sum from the right at the end
    for j in range(n_levels - 2, -1, -1):
        above[j] += above[j + 1]


@kernel
def _contains(values: Array, x: int) -> bool:
    place = lower_bound(values, 0, len(values), x)
    return bool(place < len(values) and values[place] == x)


@kernel
def _scores_of(classes: Array, but: Array, scores: Array, position: Array) -> tuple[Array, int]:
    """The scores of those of the classes that are candidates and not among `but`, first in the array; how many."""
    found, n_found = np.empty(len(classes), np.float64), 0
    for c in classes:
        if position[c] >= 0 and not _contains(but, c):
            found[n_found] = scores[position[c]]
            n_found += 1
    return found, n_found


@kernel(parallel=True)
def count_ranks(
    scores: Array,
    heads: Array,
    starts: Array,
    answers: Array,
    true_scores: Array,
    ascending: Array,
    position: Array,
    known_start: Array,
    known: Array,
    never_start: Array,
    never: Array,
    out: Array,
    faulty: Array,
) -> None:
    """Fill `out[axiom]` with (optimistic, pessimistic, candidates) raw, then the same filtered.

    Row i of `scores` are the exact scores of `heads[i]` against all candidates; its axioms are
    `starts[i]:starts[i + 1]`. `ascending` has the true scores sorted row by row: sorting here would be half of what is
    compiled. `position` maps a class to its candidate number or -1. `faulty[i]` is set where a score is not a number.
    `known` is taken out of the filtered ranks, `never` out of both; an answer stays.
    """
    n_candidates = scores.shape[1]
    for i in prange(len(heads)):
        row, head, first, last = scores[i], heads[i], starts[i], starts[i + 1]
        levels, n_levels = np.empty(last - first, np.float64), 0
        for a in range(first, last):
            if a == first or ascending[a] != ascending[a - 1]:
                levels[n_levels] = ascending[a]
                n_levels += 1
        levels = levels[:n_levels]
        above, equal = np.empty(n_levels, np.int64), np.empty(n_levels, np.int64)
        _tally(row, levels, above, equal)
        wrong = 0
        for j in range(n_candidates):
            wrong += row[j] != row[j]
        faulty[i] = wrong > 0

        row_never = never[never_start[head] : never_start[head + 1]]
        row_known = known[known_start[head] : known_start[head + 1]]
        left_out, n_left_out = _scores_of(row_never, row_never[:0], row, position)
        removed, n_removed = _scores_of(row_known, row_never, row, position)
        above_left_out, equal_left_out = np.empty(n_levels, np.int64), np.empty(n_levels, np.int64)
        above_removed, equal_removed = np.empty(n_levels, np.int64), np.empty(n_levels, np.int64)
        _tally(left_out[:n_left_out], levels, above_left_out, equal_left_out)
        _tally(removed[:n_removed], levels, above_removed, equal_removed)

        for a in range(first, last):
            j = lower_bound(levels, 0, len(levels), true_scores[a])
            stays = 1 if _contains(row_never, answers[a]) else 0
            kept = 1 if not stays and _contains(row_known, answers[a]) else 0
            higher = above[j] - above_left_out[j]
            same = equal[j] - equal_left_out[j] + stays
            among = n_candidates - n_left_out + stays
            out[a, 0] = higher + 1
            out[a, 1] = higher + same
            out[a, 2] = among
            higher -= above_removed[j]
            same -= equal_removed[j] - kept
            out[a, 3] = higher + 1
            out[a, 4] = higher + same
            out[a, 5] = among - n_removed + kept


@kernel(parallel=True)
def mark_close(scores: Array, starts: Array, levels: Array, tolerance: float, close: Array) -> None:
    """Mark the scores within the tolerance of one of their row's levels (`starts[i]:starts[i + 1]`, ascending)."""
    for i in prange(scores.shape[0]):
        row_levels = levels[starts[i] : starts[i + 1]]
        if len(row_levels) == 1:
            low, high = row_levels[0] - tolerance, row_levels[0] + tolerance
            for j in range(scores.shape[1]):
                close[i, j] = low <= scores[i, j] <= high
        else:
            for j in range(scores.shape[1]):
                x = scores[i, j]
                place = lower_bound(row_levels, 0, len(row_levels), x - tolerance)
                close[i, j] = place < len(row_levels) and row_levels[place] <= x + tolerance
