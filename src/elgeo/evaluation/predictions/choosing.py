"""The best pairs of all, asking the costly questions only about pairs that would be shown."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from elgeo.arrays import Flags, Ids
from elgeo.evaluation.predictions.all_pairs import Pairs, best_pairs
from elgeo.evaluation.ranking.known import Known
from elgeo.evaluation.ranking.scoring import Contest

SPARE = 1000
"""Pairs that are kept at least: some will be refused."""
Refused = Callable[[Ids, Ids], Flags]
"""Whether each pair of a class asked and an answer must not be shown."""


def choose(contest: Contest, asked: Ids, top: int, known: Known, refused: Refused, mirrored: bool) -> Pairs:
    """The `top` best pairs that are neither known nor refused; of a pair and its mirror only the better, if mirrored.

    Scores of different classes asked do not compare, so the best are those with the largest margins.
    The list of the k best is the beginning of that of the 2k best, so each pair is judged once.
    """
    # scoring all pairs takes long, and keeping more of them costs little; of two that mirror each other one is shown
    wanted, kept = max(SPARE, 2 * top if mirrored else top), np.zeros(0, np.bool_)
    while True:
        found = best_pairs(contest, asked, wanted, known)
        first = _first_of_mirrors(found) if mirrored else np.ones(len(found.scores), np.bool_)
        while (kept & first[: len(kept)]).sum() < top and len(kept) < len(found.scores):
            new = found.take(slice(len(kept), len(kept) + (2 * top if mirrored else top)))
            kept = np.concatenate([kept, ~refused(new.asked, new.answers)])
        shown = np.flatnonzero(kept & first[: len(kept)])
        if len(shown) >= top or len(found.scores) < wanted:
            return found.take(shown[:top])
        wanted *= 2


def _first_of_mirrors(pairs: Pairs) -> Flags:
    """Whether no earlier pair is the same two classes."""
    both = np.sort(np.stack([pairs.asked, pairs.answers], axis=1), axis=1)
    first = np.zeros(len(both), np.bool_)
    first[np.unique(both, axis=0, return_index=True)[1]] = True
    return first
