"""Ranks by counting: one pass over the scores gives the raw and the filtered ranks of all axioms."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Ids
from elgeo.errors import SettingError
from elgeo.evaluation.ranking.counting import count_ranks
from elgeo.evaluation.ranking.known import Known
from elgeo.evaluation.ranking.ranks import Ranking, Ranks
from elgeo.evaluation.ranking.scoring import Contest


def rank(
    contest: Contest,
    heads: Ids,
    answers: Ids,
    known: Known | None = None,
    without_head: bool = False,
    never: Known | None = None,
) -> Ranking:
    """The rank of each true answer among the contest's candidates.

    Candidates known to be true of the head are removed from the filtered ranks; what is in `never` is no candidate of
    the head at all, and with `without_head` the head itself is not. The answer always is. Heads may repeat; each is
    scored once.
    """
    n_classes = 1 + max(int(a.max(initial=0)) for a in (heads, answers, contest.candidates))
    n_classes = max(n_classes, *(each.n_classes for each in (known, never) if each is not None), 0)
    known, never = (Known.nothing(n_classes) if each is None else each.covering(n_classes) for each in (known, never))
    if without_head:
        never = never.extended(heads, heads)
    position = contest.positions(n_classes)
    if len(answers) and position[answers].min() < 0:
        missing = int(answers[position[answers].argmin()])
        raise SettingError(f"the true answer, {contest.label(missing)}, is not among the candidates")

    order = np.lexsort((answers, heads))
    sorted_answers = answers[order].astype(np.int32)
    asked, starts = np.unique(heads[order], return_index=True)
    starts = np.append(starts, len(heads)).astype(np.int64)
    asked = asked.astype(np.int32)
    counted = np.empty((len(heads), 6), np.int64)
    mine = contest.mine(asked)
    for part in contest.chunks(asked, mine):
        rows = asked[part]
        bounds = starts[part.start : part.stop + 1]
        axioms = slice(bounds[0], bounds[-1])
        bounds = bounds - bounds[0]
        true = sorted_answers[axioms]
        row_of_axiom = np.repeat(np.arange(len(rows)), np.diff(bounds))
        scores = contest.bulk(rows)
        tolerance = contest.scorer.tolerance
        if tolerance > 0:
            true_scores = contest.exact(rows[row_of_axiom], true)
            contest.sharpen(scores, rows, bounds, _ascending(true_scores, row_of_axiom), tolerance)
        # read back, so that the answer ties with itself whatever the scorer's rounding
        true_scores = scores[row_of_axiom, position[true]]
        faulty = np.zeros(len(rows), np.bool_)
        count_ranks(
            scores,
            rows,
            bounds,
            true,
            true_scores,
            _ascending(true_scores, row_of_axiom),
            position,
            known.start,
            known.others,
            never.start,
            never.others,
            counted[axioms],
            faulty,
        )
        if faulty.any():
            contest.refuse(int(rows[faulty.argmax()]))

    result = np.empty_like(counted)
    result[order] = contest.processes.joined(counted[starts[mine.start] : starts[mine.stop]])
    total = len(contest.candidates)
    return Ranking(_ranks(heads, answers, result[:, :3], total), _ranks(heads, answers, result[:, 3:], total))


def _ascending(scores: NDArray[np.float64], rows: NDArray[np.int64]) -> NDArray[np.float64]:
    """Scores sorted within their rows, which ascend."""
    return scores[np.lexsort((scores, rows))]


def _ranks(heads: Ids, answers: Ids, counted: NDArray[np.int64], total: int) -> Ranks:
    optimistic, pessimistic, candidates = np.ascontiguousarray(counted.T)
    return Ranks(heads.astype(np.int32), answers.astype(np.int32), optimistic, pessimistic, candidates, total)
