"""The best pairs of all classes asked and their answers: a chunk of scores at a time, keeping only the best so far."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from elgeo.arrays import Flags, Floats, Ids, Places
from elgeo.evaluation.ranking.known import Known
from elgeo.evaluation.ranking.scoring import Contest


class Pairs(NamedTuple):
    """Classes asked, their answers and the scores, best first."""

    asked: Ids
    answers: Ids
    scores: Floats
    margins: Floats
    """How far an answer is ahead of the next best one of its class; if it is not the best, how far behind that."""

    def take(self, which: Flags | Places | slice) -> Pairs:
        return Pairs(self.asked[which], self.answers[which], self.scores[which], self.margins[which])

    def best(self, count: int) -> Pairs:
        """The largest margins first; equal ones by their scores, then in the order of the classes."""
        return self.take(np.lexsort((self.answers, self.asked, -self.scores, -self.margins))[:count])

    @staticmethod
    def joined(one: Pairs, other: Pairs) -> Pairs:
        return Pairs(
            np.concatenate([one.asked, other.asked]),
            np.concatenate([one.answers, other.answers]),
            np.concatenate([one.scores, other.scores]),
            np.concatenate([one.margins, other.margins]),
        )


def best_pairs(contest: Contest, asked: Ids, count: int, known: Known) -> Pairs:
    """The `count` best pairs that are not known, in the order of `Pairs.best`."""
    known = known.covering(1 + max(int(asked.max(initial=0)), int(contest.candidates.max())))
    position = contest.positions(known.n_classes)
    kept = Pairs(asked[:0], contest.candidates[:0], np.empty(0), np.empty(0))
    for part in contest.chunks(asked):
        heads = asked[part]
        least = kept.margins[-1] if len(kept.margins) == count else -np.inf
        kept = Pairs.joined(kept, _promising(contest, heads, _allowed(heads, position, known), count, least)).best(
            count
        )
    return kept


def _allowed(heads: Ids, position: Ids, known: Known) -> Flags:
    """Whether each candidate may be an answer of each head."""
    allowed = np.ones((len(heads), int(position.max()) + 1), np.bool_)
    for i, head in enumerate(heads.tolist()):
        places = position[known.of(head)]
        allowed[i, places[places >= 0]] = False
    return allowed


def _promising(contest: Contest, heads: Ids, allowed: Flags, count: int, least: float) -> Pairs:
    """Pairs of one chunk, at least all that can be among the `count` best with margins of `least` or more."""
    scores, tolerance = contest.bulk(heads), contest.scorer.tolerance
    if np.isnan(scores).any():
        contest.refuse(int(heads[np.isnan(scores).any(axis=1).argmax()]))
    scores[~allowed] = -np.inf
    first, second = _two_best(contest, heads, scores)
    leads = np.where(first > -np.inf, _margins(first, first, second), -np.inf)
    if len(heads) >= count:
        # scores are right within the tolerance: so is the margin that `count` pairs of this chunk reach
        least = max(least, np.partition(leads, -count)[-count] - tolerance)
    if least > tolerance:  # only the best answer of a head is ahead of all others
        row = np.flatnonzero(leads >= least - tolerance)
        column = scores[row].argmax(axis=1)
    else:
        margins = _margins(scores, first[:, None], second[:, None])
        if allowed.sum() > count:
            least = max(least, np.partition(margins[allowed], -count)[-count] - tolerance)
        row, column = np.nonzero(allowed & (margins >= least - tolerance))
    answers, found = contest.candidates[column], scores[row, column]
    if tolerance > 0:
        found = contest.exact(heads[row], answers)
    return Pairs(heads[row], answers, found, _margins(found, first[row], second[row]))


def _two_best(contest: Contest, heads: Ids, scores: Floats) -> tuple[Floats, Floats]:
    """The best and the second best score of each row, exact; what is near them becomes exact in `scores`."""
    tolerance = contest.scorer.tolerance
    if tolerance > 0:
        best = scores.argmax(axis=1)
        rows = np.flatnonzero(scores[np.arange(len(heads)), best] > -np.inf)
        second = _largest(scores)[1]
        contest.sharpen(
            scores, heads, np.arange(len(heads) + 1), np.where(second > -np.inf, second, np.inf), 2 * tolerance
        )
        scores[rows, best[rows]] = contest.exact(heads[rows], contest.candidates[best[rows]])
    return _largest(scores)


def _largest(scores: Floats) -> tuple[Floats, Floats]:
    if scores.shape[1] == 1:
        return scores[:, 0].copy(), np.full(len(scores), -np.inf)
    rows, best = np.arange(len(scores)), scores.argmax(axis=1)
    first = scores[rows, best]
    scores[rows, best] = -np.inf
    second = scores.max(axis=1)
    scores[rows, best] = first
    return first, second


def _margins(scores: Floats, first: Floats, second: Floats) -> Floats:
    """How far scores are ahead of the best other one of their row; what is alone has nothing to be ahead of."""
    rival = np.where(scores == first, np.where(second > -np.inf, second, first), first)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.nan_to_num(scores - rival, posinf=np.inf, neginf=-np.inf))
