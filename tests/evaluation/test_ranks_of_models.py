"""Ranks of every registered model and baseline against a loop over candidates, a score at a time."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from elgeo.evaluation.ranking.known import Known
from elgeo.evaluation.ranking.rank_axioms import rank
from elgeo.evaluation.ranking.scoring import Contest, Side
from elgeo.models import names
from tests.evaluation.matrix_scorer import slow_rank
from tests.models.model_contract import SIZES, predictor_named


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize(("role", "side"), [(None, "tail"), (1, "tail"), (3, "head")])
def test_ranks_are_those_of_scores_one_by_one(name: str, role: int | None, side: Side) -> None:
    scorer = predictor_named(name).scorer()
    generator = np.random.default_rng(11)
    candidates = generator.permutation(np.arange(2, SIZES.classes))[:17].astype(np.int32)
    heads = generator.choice(generator.permutation(np.arange(2, SIZES.classes))[:5], 30).astype(np.int32)
    answers = generator.choice(candidates, 30).astype(np.int32)
    pairs = np.argwhere(generator.random((SIZES.classes, SIZES.classes)) < 0.2)
    known = Known.of_pairs(pairs[:, 0], pairs[:, 1], SIZES.classes)

    @cache
    def score_of(asked: int, candidate: int) -> float:
        head, tail = (asked, candidate) if side == "tail" else (candidate, asked)
        return float(scorer.pairs(np.array([head], np.int32), role, np.array([tail], np.int32))[0])

    raw, filtered = rank(Contest(scorer, role, candidates, side), heads, answers, known)
    for i, (head, answer) in enumerate(zip(heads.tolist(), answers.tolist(), strict=True)):
        for ranks, removed in ((raw, set[int]()), (filtered, set(pairs[pairs[:, 0] == head, 1].tolist()))):
            expected = slow_rank(score_of, head, answer, candidates, removed, False)
            assert (ranks.optimistic[i], ranks.pessimistic[i], ranks.candidates[i]) == expected
