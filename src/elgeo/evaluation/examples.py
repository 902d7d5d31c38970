"""The best and the worst ranked held-out axioms, each with what may be behind its rank."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from elgeo.arrays import Places, Table
from elgeo.datasets.model import Dataset
from elgeo.evaluation.document import Example
from elgeo.evaluation.measures.knowledge import of_target, overall
from elgeo.evaluation.predictions.neighbours import Joined, nearest_known
from elgeo.evaluation.ranking.best import best
from elgeo.evaluation.ranking.known import Known
from elgeo.evaluation.ranking.ranks import Ranks
from elgeo.evaluation.ranking.scoring import Contest
from elgeo.models.contract import Predictor
from elgeo.ontology.short_names import called

SHOWN = 5
NEAR = 3


def best_and_worst(ranks: Ranks) -> dict[str, Places]:
    """Which axioms to show: the best and the worst ranked, of one class asked only the first; none is in both."""
    order = np.argsort(ranks.average, kind="stable")
    at_front = _of_different_heads(ranks, order)
    left = order[~np.isin(order, at_front)]
    return {"best": at_front, "worst": _of_different_heads(ranks, left[::-1])}


def _of_different_heads(ranks: Ranks, order: Places) -> Places:
    _, first = np.unique(ranks.heads[order], return_index=True)
    return order[np.sort(first)[:SHOWN]]


def examples(
    predictor: Predictor, dataset: Dataset, contest: Contest, rows: Table, ranks: Ranks, known: Known | None
) -> dict[str, list[Example]]:
    """The axioms to show, with what training knows of them, what ties with them, and what came before them."""
    return {
        name: _described(predictor, dataset, contest, rows[at], ranks.take(at), known)
        for name, at in best_and_worst(ranks).items()
    }


def _described(
    predictor: Predictor, dataset: Dataset, contest: Contest, rows: Table, ranks: Ranks, known: Known | None
) -> list[Example]:
    names = dataset.vocabulary
    target, anywhere = of_target(dataset, rows), overall(dataset, rows)
    first, own = best(contest, ranks.heads, NEAR, known), contest.exact(ranks.heads, ranks.answers)
    near = nearest_known(predictor, Joined.of(dataset, contest.side), ranks.heads, ranks.answers, NEAR)
    found = []
    for i, row in enumerate(rows):
        reasons = [
            f"the {end} is in {_times(of, 'training axiom')} of the target, in {_times(total, 'axiom')} of any form"
            for end, of, total in (
                ("head", int(target.head[i]), int(anywhere.head[i])),
                ("tail", int(target.tail[i]), int(anywhere.tail[i])),
            )
        ]
        if ranks.tie_widths[i]:
            reasons.append(f"{_times(int(ranks.tie_widths[i]), 'other candidate')} with the same score")
        if near[i]:
            reasons.append(f"alike and known to have this answer: {_list(dataset, near[i])}")
        above = [int(c) for c in first.classes[i][first.scores[i] > own[i]] if c != ranks.heads[i]]
        if above:
            reasons.append(f"ranked first instead: {_list(dataset, above)}")
        head, tail = (called(names, int(c)) for c in row[[0, -1]])
        found.append(Example(head, tail, float(ranks.average[i]), int(ranks.candidates[i]), reasons))
    return found


def _list(dataset: Dataset, classes: Sequence[int]) -> str:
    return ", ".join(called(dataset.vocabulary, c) for c in classes)


def _times(number: int, what: str) -> str:
    return f"no {what}" if number == 0 else f"1 {what}" if number == 1 else f"{number:,} {what}s"
