"""The best pairs of all, asking the costly questions only about pairs that would be shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from elgeo.arrays import Flags, Floats, Ids, Places
from elgeo.evaluation.ranking.best import best
from elgeo.evaluation.ranking.known import Known
from elgeo.evaluation.ranking.scoring import Contest

Refused = Callable[[Ids, Ids], Flags]
"""Whether each pair of a class asked and an answer must not be shown."""


class Pairs(NamedTuple):
    """Classes asked, their answers and the scores, best first."""

    asked: Ids
    answers: Ids
    scores: Floats
    margins: Floats
    """How far an answer is ahead of the next best one of its class; if it is not the best, how far behind that."""

    def take(self, which: Flags | Places | slice) -> Pairs:
        return Pairs(self.asked[which], self.answers[which], self.scores[which], self.margins[which])


def choose(contest: Contest, asked: Ids, top: int, known: Known, refused: Refused, mirrored: bool) -> Pairs:
    """The `top` best pairs that are neither known nor refused; of a pair and its mirror only the better, if mirrored.

    Scores of different classes asked do not compare, so the best are those with the largest margins.
    The list of the k best is the beginning of that of the 2k best, so each pair is judged once.
    """
    wanted, judged, kept = top, 0, np.zeros(0, np.bool_)
    while True:
        found = _best_pairs(contest, asked, wanted, known)
        new = found.take(slice(judged, None))
        kept = np.concatenate([kept, ~refused(new.asked, new.answers)])
        judged = len(found.scores)
        shown = kept & _first_of_mirrors(found) if mirrored else kept
        if shown.sum() >= top or judged < wanted:
            return found.take(np.flatnonzero(shown)[:top])
        wanted *= 2


def _best_pairs(contest: Contest, asked: Ids, count: int, known: Known) -> Pairs:
    """The `count` pairs with the largest margins; equal ones by their scores, then in the order of the classes."""
    found = best(contest, asked, max(count, 2), known)  # a margin needs two
    behind = found.scores - found.scores[:, :1]
    if found.scores.shape[1] > 1:
        # an answer that is alone has nothing to be ahead of
        behind[:, 0] = np.nan_to_num(found.scores[:, 0] - found.scores[:, 1])
    row, column = np.nonzero(found.classes >= 0)
    every = Pairs(asked[row], found.classes[row, column], found.scores[row, column], behind[row, column])
    return every.take(np.lexsort((every.answers, every.asked, -every.scores, -every.margins))[:count])


def _first_of_mirrors(pairs: Pairs) -> Flags:
    """Whether no earlier pair is the same two classes."""
    both = np.sort(np.stack([pairs.asked, pairs.answers], axis=1), axis=1)
    first = np.zeros(len(both), np.bool_)
    first[np.unique(both, axis=0, return_index=True)[1]] = True
    return first
