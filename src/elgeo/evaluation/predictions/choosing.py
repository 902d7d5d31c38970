"""The best pairs of all, asking the costly questions only about pairs that would be shown."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from elgeo.arrays import Flags, Ids
from elgeo.evaluation.predictions.all_pairs import Pairs, best_pairs
from elgeo.evaluation.ranking.known import Known
from elgeo.evaluation.ranking.scoring import Contest

Refused = Callable[[Ids, Ids], Flags]
"""Whether each pair of a class asked and an answer must not be shown."""


def choose(contest: Contest, asked: Ids, top: int, known: Known, refused: Refused, mirrored: bool) -> Pairs:
    """The `top` best pairs that are neither known nor refused; of a pair and its mirror only the better, if mirrored.

    Scores of different classes asked do not compare, so the best are those with the largest margins.
    The list of the k best is the beginning of that of the 2k best, so each pair is judged once.
    """
    # of two that mirror each other one is shown
    wanted, judged, kept = 2 * top if mirrored else top, 0, np.zeros(0, np.bool_)
    while True:
        found = best_pairs(contest, asked, wanted, known)
        new = found.take(slice(judged, None))
        kept = np.concatenate([kept, ~refused(new.asked, new.answers)])
        judged = len(found.scores)
        shown = kept & _first_of_mirrors(found) if mirrored else kept
        if shown.sum() >= top or judged < wanted:
            return found.take(np.flatnonzero(shown)[:top])
        wanted *= 2


def _first_of_mirrors(pairs: Pairs) -> Flags:
    """Whether no earlier pair is the same two classes."""
    both = np.sort(np.stack([pairs.asked, pairs.answers], axis=1), axis=1)
    first = np.zeros(len(both), np.bool_)
    first[np.unique(both, axis=0, return_index=True)[1]] = True
    return first
