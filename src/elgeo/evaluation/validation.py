"""One figure for how well a predictor ranks the validation axioms, quick enough to ask after every epoch."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from elgeo.datasets.model import Dataset
from elgeo.evaluation.measures.metrics import mrr
from elgeo.evaluation.ranking.known import Known
from elgeo.evaluation.ranking.rank_axioms import rank
from elgeo.evaluation.ranking.scoring import Contest
from elgeo.models.contract import Predictor


def validation_rank(dataset: Dataset, sample: int = 0, seed: int = 0) -> Callable[[Predictor], float]:
    """The filtered (by train) MRR of a predictor on the validation axioms, or on a sample of them (0: all)."""
    rows = dataset.valid
    if 0 < sample < len(rows):
        rows = rows[np.sort(np.random.default_rng([seed, 4]).choice(len(rows), sample, replace=False))]
    heads, tails = np.ascontiguousarray(rows[:, 0]), np.ascontiguousarray(rows[:, -1])
    known = Known.of_pairs(dataset.train[:, 0], dataset.train[:, -1], dataset.vocabulary.n_classes)
    candidates = dataset.candidates

    def measure(predictor: Predictor) -> float:
        contest = Contest(predictor.scorer(), dataset.target_role, candidates)
        return mrr(rank(contest, heads, tails, known).filtered)

    return measure
