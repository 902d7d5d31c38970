"""The best pairs of all, against sorting every pair; nearest known classes, against counting in sets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elgeo.arrays import Floats
from elgeo.errors import ElgeoError
from elgeo.evaluation.predictions.all_pairs import best_pairs
from elgeo.evaluation.predictions.neighbours import Joined, _most_in_common, nearest_known
from elgeo.evaluation.ranking import scoring
from elgeo.evaluation.ranking.known import Known
from elgeo.evaluation.ranking.scoring import Contest, Side
from tests.evaluation.matrix_scorer import MatrixScorer
from tests.evaluation.small_places import TablePredictor, places

N = 12


def sorted_pairs(matrix: Floats, asked: list[int], candidates: list[int], known: set[tuple[int, int]]) -> list[tuple]:  # type: ignore[type-arg]
    """(asked, answer, score, margin) of every pair that is not known, best first."""
    every = []
    for a in asked:
        left = [b for b in candidates if (a, b) not in known]
        for b in left:
            rivals = [matrix[a, c] for c in left if c != b]
            every.append((a, b, matrix[a, b], matrix[a, b] - max(rivals, default=matrix[a, b])))
    return sorted(every, key=lambda pair: (-pair[3], -pair[2], pair[0], pair[1]))


@settings(max_examples=60)
@given(
    seed=st.integers(0, 10**6),
    count=st.integers(1, 80),
    tolerance=st.sampled_from([0.0, 0.3, 2.5]),
    rows_at_once=st.integers(1, 5),
    levels=st.sampled_from([1, 3, 40]),
    dense=st.sampled_from([0.0, 0.3, 0.95]),
)
def test_the_best_pairs_of_all(
    seed: int, count: int, tolerance: float, rows_at_once: int, levels: int, dense: float
) -> None:
    generator = np.random.default_rng(seed)
    matrix = generator.integers(0, levels, (N, N)).astype(np.float64) / 4
    asked, candidates = (generator.permutation(N)[: generator.integers(1, N + 1)].astype(np.int32) for _ in range(2))
    known = np.argwhere(generator.random((N, N)) < dense)
    contest = Contest(MatrixScorer(matrix, tolerance, seed), 0, candidates)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scoring, "CHUNK_BYTES", 8 * rows_at_once * len(candidates))
        found = best_pairs(contest, asked, count, Known.of_pairs(known[:, 0], known[:, 1], N))
    expected = sorted_pairs(matrix, asked.tolist(), candidates.tolist(), {(int(a), int(b)) for a, b in known})
    shown = zip(*(column.tolist() for column in found), strict=True)
    assert list(shown) == expected[:count]


def test_pairs_that_bulk_scores_put_a_little_behind_are_looked_at() -> None:
    """Class 1 is ahead of its others by more than class 0, but bulk scores, off by one each, say otherwise."""
    scorer = MatrixScorer(np.array([[20.0, 9.5], [20.0, 9.0]]), 1.0)
    scorer.noisy = np.array([[20.9, 8.6], [19.1, 9.9]])
    classes = np.arange(2, dtype=np.int32)
    found = best_pairs(Contest(scorer, 0, classes), classes, 1, Known.nothing(2))
    assert (found.asked.tolist(), found.answers.tolist(), found.scores.tolist()) == ([1], [0], [20.0])


def test_a_class_that_has_all_its_answers_takes_no_place_of_another_ones() -> None:
    """Of class 0 everything is known: class 1 alone has pairs, the second of them far behind its first."""
    matrix = np.array([[3.0, 4.0, 9.0], [20.0, 2.0, 11.0]])
    classes = np.arange(2, dtype=np.int32)
    known = Known.of_pairs(np.array([0, 0, 1]), np.array([0, 2, 1]), 3)
    for tolerance in (0.0, 0.5):
        contest = Contest(MatrixScorer(matrix, tolerance), 0, np.array([2, 0], np.int32))
        found = best_pairs(contest, classes, 2, known)
        assert (found.asked.tolist(), found.answers.tolist()) == ([1, 1], [0, 2])
        assert (found.scores.tolist(), found.margins.tolist()) == ([20, 11], [9, -9])


def test_few_exact_scores_are_asked_for() -> None:
    """Of 250,000 pairs only those near the best of their class or near the last pair that is kept."""
    matrix = np.random.default_rng(3).normal(0, 100, (500, 500))
    scorer, classes = MatrixScorer(matrix, 0.01), np.arange(500, dtype=np.int32)
    found = best_pairs(Contest(scorer, 0, classes), classes, 300, Known.nothing(500))
    assert scorer.exact_pairs < 500 * 2 + 600
    assert found.scores.tolist() == matrix[found.asked, found.answers].tolist()


def test_a_score_that_is_no_number_is_refused() -> None:
    matrix = np.zeros((4, 4))
    matrix[2, 1] = np.nan
    contest = Contest(MatrixScorer(matrix), 0, np.arange(4, dtype=np.int32))
    with pytest.raises(ElgeoError, match="class 2 is not a number"):
        best_pairs(contest, np.arange(4, dtype=np.int32), 3, Known.nothing(4))


def test_the_answers_of_the_last_class_count_too() -> None:
    """Without a kernel: there an index beyond the classes would be an error."""
    joined = [(0, 4), (1, 4), (2, 4), (3, 4), (0, 1), (2, 1), (2, 0), (3, 0), (3, 1), (4, 0), (4, 1), (0, 3), (3, 3)]
    heads, tails = np.array(joined, np.int32).T
    owners, known = Known.of_pairs(tails, heads, 5), Known.of_pairs(heads, tails, 5)
    asked, answers = np.array([4, 0, 2, 1], np.int32), np.array([4, 4, 1, 0], np.int32)
    nearest = np.full((4, 3), -1, np.int32)
    _most_in_common.py_func(asked, answers, owners.start, owners.others, known.start, known.others, nearest)  # type: ignore[attr-defined]
    # of class 4 the answers are 0 and 1; 2 has both, 3 has both, 0 has one, 1 none
    assert nearest.tolist() == [[2, 3, 0], [3, 2, 1], [3, 0, 4], [2, 3, 4]]


@settings(max_examples=20)
@given(seed=st.integers(0, 10**6), count=st.integers(1, 6), side=st.sampled_from(["tail", "head"]))
def test_the_nearest_share_most(seed: int, count: int, side: Side) -> None:
    generator = np.random.default_rng(seed)
    dataset = places()
    classes = dataset.kinds.members("place")
    train = np.column_stack(
        [generator.choice(classes, 90), np.full(90, dataset.train[0, 1]), generator.choice(classes, 90)]
    ).astype(np.int32)
    dataset = replace(dataset, train=train)
    asked, answers = generator.choice(classes, (2, 40)).astype(np.int32)
    pairs = {(int(a), int(b)) if side == "tail" else (int(b), int(a)) for a, _, b in train}
    of = {int(c): {b for a, b in pairs if a == c} for c in classes}
    found = nearest_known(TablePredictor(np.zeros((1, 1))), Joined.of(dataset, side), asked, answers, count)
    for one, answer, near in zip(asked.tolist(), answers.tolist(), found, strict=True):
        owners = [c for c in sorted(of) if answer in of[c] and c != one]
        assert near == sorted(owners, key=lambda c: -len(of[c] & of[one]))[:count]
