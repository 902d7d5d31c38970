"""Counted ranks against a loop over candidates: ties, filters, subsets in any order, approximate scorers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elgeo.arrays import Floats, Ids, Places
from elgeo.errors import ElgeoError, SettingError
from elgeo.evaluation.ranking import scoring
from elgeo.evaluation.ranking.best import best
from elgeo.evaluation.ranking.counting import FEW, _tally, mark_close
from elgeo.evaluation.ranking.known import Known
from elgeo.evaluation.ranking.rank_axioms import rank
from elgeo.evaluation.ranking.scoring import Contest, Side
from tests.evaluation.matrix_scorer import MatrixScorer, slow_rank


def random_case(seed: int) -> tuple[np.random.Generator, int, Floats, Ids, Ids, Ids, Places, Places]:
    """Few different scores, so many ties; candidates a shuffled subset; known pairs from none to all."""
    generator = np.random.default_rng(seed)
    n = int(generator.integers(2, 30))
    matrix = generator.integers(0, generator.integers(1, 6), (n, n)).astype(np.float64)
    matrix[generator.random((n, n)) < 0.05] = -np.inf
    candidates = generator.permutation(n)[: generator.integers(1, n + 1)].astype(np.int32)
    n_axioms = int(generator.integers(0, 60))
    heads = generator.integers(0, n, n_axioms).astype(np.int32)
    answers = generator.choice(candidates, n_axioms).astype(np.int32)
    share = generator.choice([0.0, 0.1, 0.6, 1.0])
    known_heads, known_others = np.nonzero(generator.random((n, n)) < share)
    return generator, n, matrix, candidates, heads, answers, known_heads, known_others


@pytest.mark.slow
@settings(max_examples=150)
@given(
    seed=st.integers(0, 10**6),
    side=st.sampled_from(["tail", "head"]),
    without_head=st.booleans(),
    tolerance=st.sampled_from([0.0, 0.3, 1.7]),
)
def test_ranks_equal_a_loop_over_candidates(seed: int, side: Side, without_head: bool, tolerance: float) -> None:
    _, n, matrix, candidates, heads, answers, known_heads, known_others = random_case(seed)
    known = Known.of_pairs(known_heads, known_others, n)
    contest = Contest(MatrixScorer(matrix, tolerance, seed), 0, candidates, side)
    raw, filtered = rank(contest, heads, answers, known, without_head)

    def score_of(head: int, candidate: int) -> float:
        return matrix[head, candidate] if side == "tail" else matrix[candidate, head]

    for i, (head, answer) in enumerate(zip(heads, answers, strict=True)):
        true = set(known_others[known_heads == head].tolist())
        for ranks, removed in ((raw, set()), (filtered, true)):
            expected = slow_rank(score_of, head, answer, candidates, removed, without_head)
            assert (ranks.optimistic[i], ranks.pessimistic[i], ranks.candidates[i]) == expected
    assert raw.total == len(candidates)


@pytest.mark.slow
@settings(max_examples=60)
@given(seed=st.integers(0, 10**6), without_head=st.booleans(), tolerance=st.sampled_from([0.0, 0.3]))
def test_what_is_never_a_candidate_is_in_neither_rank(seed: int, without_head: bool, tolerance: float) -> None:
    generator, n, matrix, candidates, heads, answers, known_heads, known_others = random_case(seed)
    never_heads, never_others = np.nonzero(generator.random((n, n)) < generator.choice([0.0, 0.2, 0.8]))
    known, never = Known.of_pairs(known_heads, known_others, n), Known.of_pairs(never_heads, never_others, n)
    contest = Contest(MatrixScorer(matrix, tolerance, seed), 0, candidates)
    ranking = rank(contest, heads, answers, known, without_head, never)
    for i, (head, answer) in enumerate(zip(heads, answers, strict=True)):
        left_out = set(never_others[never_heads == head].tolist())
        true = set(known_others[known_heads == head].tolist())
        for ranks, removed in ((ranking.raw, left_out), (ranking.filtered, left_out | true)):
            expected = slow_rank(lambda asked, c: matrix[asked, c], head, answer, candidates, removed, without_head)
            assert (ranks.optimistic[i], ranks.pessimistic[i], ranks.candidates[i]) == expected


@settings(max_examples=60)
@given(seed=st.integers(0, 10**6), k=st.integers(1, 12), tolerance=st.sampled_from([0.0, 0.4, 1.7]))
def test_best_equals_sorting(seed: int, k: int, tolerance: float) -> None:
    generator, n, matrix, candidates, _, _, known_heads, known_others = random_case(seed)
    known = Known.of_pairs(known_heads, known_others, n)
    priority = generator.permutation(len(candidates))
    heads = np.arange(n, dtype=np.int32)
    found = best(Contest(MatrixScorer(matrix, tolerance), 0, candidates), heads, k, known, True, priority)
    for head in heads:
        left = [
            (-matrix[head, c], p, c)
            for c, p in zip(candidates, priority, strict=True)
            if c not in known.of(int(head)) and c != head
        ]
        expected = [int(c) for *_, c in sorted(left)[:k]]
        assert [int(c) for c in found.classes[head] if c >= 0] == expected
        assert found.scores[head][: len(expected)].tolist() == [matrix[head, c] for c in expected]


def test_among_equal_scores_the_first_by_priority_are_chosen() -> None:
    """One score above the others, then a plateau: whoever comes later and has priority takes the last place."""
    generator = np.random.default_rng(0)
    scores = np.zeros((20, 12))
    scores[np.arange(20), generator.integers(0, 12, 20)] = 1
    priority = generator.permutation(12)
    matrix = np.zeros((32, 32))
    matrix[:20, 20:] = scores
    contest = Contest(MatrixScorer(matrix), 0, np.arange(20, 32, dtype=np.int32))
    for k in (1, 2, 3, 7):
        found = best(contest, np.arange(20, dtype=np.int32), k, priority=priority).classes - 20
        assert found.tolist() == [
            [j for *_, j in sorted(zip(-row, priority, range(12), strict=True))[:k]] for row in scores
        ]


def test_average_rank_is_scipys() -> None:
    from scipy.stats import rankdata  # slow to load, for this test alone

    generator = np.random.default_rng(3)
    matrix = generator.integers(0, 7, (40, 40)).astype(np.float64)
    heads, answers = (a.astype(np.int32) for a in generator.integers(0, 40, (2, 300)))
    raw, _ = rank(Contest(MatrixScorer(matrix), 0, np.arange(40, dtype=np.int32)), heads, answers)
    expected = [rankdata(-matrix[h], method="average")[a] for h, a in zip(heads, answers, strict=True)]
    np.testing.assert_array_equal(raw.average, expected)


def test_many_axioms_of_one_head_and_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """More different true scores than the vectorised count takes, and chunks of one row."""
    generator = np.random.default_rng(5)
    matrix = generator.integers(0, 40, (60, 60)).astype(np.float64)
    candidates = generator.permutation(60)[:50].astype(np.int32)
    heads = np.repeat(np.arange(60), 50).astype(np.int32)
    answers = np.tile(candidates, 60)
    known_heads, known_others = generator.integers(0, 60, (2, 900))
    known = Known.of_pairs(known_heads, known_others, 60)
    whole = rank(Contest(MatrixScorer(matrix, 0.5), 0, candidates), heads, answers, known)
    monkeypatch.setattr(scoring, "CHUNK_BYTES", 1)
    split = rank(Contest(MatrixScorer(matrix, 0.5), 0, candidates), heads, answers, known)
    for one, other in zip(whole, split, strict=True):
        np.testing.assert_array_equal(one.optimistic, other.optimistic)
        np.testing.assert_array_equal(one.pessimistic, other.pessimistic)
    for i in generator.integers(0, len(heads), 200):
        expected = slow_rank(
            lambda asked, c: matrix[asked, c], heads[i], answers[i], candidates, set(known.of(heads[i]).tolist()), False
        )
        assert (whole.filtered.optimistic[i], whole.filtered.pessimistic[i], whole.filtered.candidates[i]) == expected


@pytest.mark.parametrize("n_levels", [1, FEW, FEW + 1, 3 * FEW])
def test_scores_above_and_at_each_level_are_counted(n_levels: int) -> None:
    """Both ways of counting; scores at, between and on both sides of the levels."""
    generator = np.random.default_rng(n_levels)
    levels = np.sort(generator.choice(200, n_levels, replace=False)).astype(np.float64)
    levels[0] = -np.inf
    scores = np.concatenate([generator.integers(-5, 205, 300), [levels[-1], -np.inf, levels[-1] + 1]])
    above, equal = np.full((2, n_levels), 77)
    _tally(scores, levels, above, equal)
    assert above.tolist() == [sum(x > level for x in scores) for level in levels]
    assert equal.tolist() == [sum(x == level for x in scores) for level in levels]


def test_one_candidate_and_everything_filtered() -> None:
    matrix = np.arange(9.0).reshape(3, 3)
    only = np.array([2], np.int32)
    raw, _ = rank(
        Contest(MatrixScorer(matrix), None, only), np.array([0, 2], np.int32), np.array([2, 2], np.int32), None, True
    )
    assert raw.average.tolist() == [1, 1]
    assert raw.candidates.tolist() == [1, 1]
    everything = Known.of_pairs(np.repeat(np.arange(3), 3), np.tile(np.arange(3), 3), 3)
    all_classes = np.arange(3, dtype=np.int32)
    _, filtered = rank(
        Contest(MatrixScorer(matrix), None, all_classes), np.array([1], np.int32), np.array([0], np.int32), everything
    )
    assert filtered.average.tolist() == [1]
    assert filtered.candidates.tolist() == [1]


@pytest.mark.parametrize("tolerance", [0.0, 0.1])
def test_a_plateau_ties_exactly(tolerance: float) -> None:
    """A collapsed model: every candidate has the same score, whatever the rounding of the bulk scores."""
    n = 200
    scorer = MatrixScorer(np.zeros((n, n)), tolerance)
    classes = np.arange(n, dtype=np.int32)
    raw, _ = rank(Contest(scorer, 0, classes), classes, classes[::-1])
    assert (raw.optimistic == 1).all()
    assert (raw.pessimistic == n).all()


def test_only_what_is_close_is_scored_again() -> None:
    n = 300
    matrix = np.random.default_rng(1).normal(size=(n, n)) * 100
    scorer = MatrixScorer(matrix, 1e-3)
    classes = np.arange(n, dtype=np.int32)
    rank(Contest(scorer, 0, classes), classes, classes)
    assert scorer.exact_pairs < 3 * n


@pytest.mark.parametrize("tolerance", [0.0, 0.1])
def test_not_a_number_is_refused(tolerance: float) -> None:
    matrix = np.zeros((4, 4))
    matrix[2, 3] = np.nan
    classes = np.arange(4, dtype=np.int32)
    contest = Contest(MatrixScorer(matrix, tolerance), 0, classes)
    for answer in (1, 3):
        with pytest.raises(ElgeoError, match="class 2 is not a number"):
            rank(contest, np.array([2], np.int32), np.array([answer], np.int32))
    with pytest.raises(ElgeoError, match="class 2 is not a number"):
        best(contest, classes, 2)


def test_bad_candidates_are_refused() -> None:
    scorer = MatrixScorer(np.zeros((4, 4)))
    with pytest.raises(SettingError, match="more than once"):
        Contest(scorer, 0, np.array([1, 2, 1], np.int32))
    with pytest.raises(SettingError, match="no candidates"):
        Contest(scorer, 0, np.array([], np.int32))
    with pytest.raises(SettingError, match="class 3, is not among the candidates"):
        rank(Contest(scorer, 0, np.array([1, 2], np.int32)), np.array([0], np.int32), np.array([3], np.int32))


@settings(max_examples=30)
@given(seed=st.integers(0, 10**6))
def test_known_pairs_are_a_set_of_pairs(seed: int) -> None:
    generator = np.random.default_rng(seed)
    n, more = (int(x) for x in generator.integers(1, 9, 2))
    heads, others = generator.integers(0, n, (2, int(generator.integers(0, 30))))
    known = Known.of_pairs(heads, others, n)
    pairs = set(zip(heads.tolist(), others.tolist(), strict=True))
    assert len(known.start) == n + 1
    assert known.others.tolist() == [b for _, b in sorted(pairs)]
    for head in range(n):
        assert known.of(head).tolist() == sorted(b for a, b in pairs if a == head)
    asked = np.indices((n, n)).reshape(2, -1)
    assert known.contains(*asked).tolist() == [(int(a), int(b)) in pairs for a, b in asked.T]

    taken_heads, taken_others = generator.integers(0, n, (2, 12))
    left = pairs - set(zip(taken_heads.tolist(), taken_others.tolist(), strict=True))
    rest = known.without(taken_heads, taken_others)
    assert len(rest.start) == n + 1
    assert {(a, int(b)) for a in range(n) for b in rest.of(a)} == left

    wider = known.covering(n + more)
    assert wider.n_classes == n + more
    assert [wider.of(a).tolist() for a in range(n)] == [known.of(a).tolist() for a in range(n)]
    assert all(len(wider.of(a)) == 0 for a in range(n, n + more))
    wide_pairs = np.indices((n + more, n + more)).reshape(2, -1)
    assert wider.contains(*wide_pairs).tolist() == [(int(a), int(b)) in pairs for a, b in wide_pairs.T]
    assert known.covering(n - 1).n_classes == n


def test_nothing_known_is_known_of_no_class() -> None:
    nothing = Known.nothing(5)
    assert nothing.start.tolist() == [0] * 6
    assert nothing.others.tolist() == []
    assert not nothing.contains(*np.indices((5, 5)).reshape(2, -1)).any()


def test_close_reaches_exactly_to_the_tolerance() -> None:
    """Halves are exact in binary, so what lies at the tolerance lies there exactly."""
    scores = np.array([[0.0, 0.5, 1.0, 1.5, 4.0, 4.5, 6.5], [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 6.0]])
    # the level after the last of the first row is that of the second, and must not count for the first
    levels, starts = np.array([0.5, 5.0, 7.0]), np.array([0, 2, 3])
    close = np.zeros(scores.shape, np.bool_)
    mark_close(scores, starts, levels, 0.5, close)
    assert close.tolist() == [[True, True, True, False, False, True, False], [False] * 7]
    mark_close(scores, np.array([0, 1, 2]), np.array([1.5, 2.0]), 0.5, close)
    assert close.tolist() == [
        [False, False, True, True, False, False, False],
        [False, False, False, True, True, True, False],
    ]


@settings(max_examples=40)
@given(seed=st.integers(0, 10**6), tolerance=st.sampled_from([0.0, 0.4, 1.7]))
def test_filtering_never_worsens_a_rank_and_names_do_not_matter(seed: int, tolerance: float) -> None:
    generator, n, matrix, candidates, heads, answers, known_heads, known_others = random_case(seed)
    known = Known.of_pairs(known_heads, known_others, n)
    ranking = rank(Contest(MatrixScorer(matrix, tolerance, seed), 0, candidates), heads, answers, known)
    assert (ranking.filtered.optimistic <= ranking.raw.optimistic).all()
    assert (ranking.filtered.pessimistic <= ranking.raw.pessimistic).all()
    assert (ranking.filtered.candidates <= ranking.raw.candidates).all()
    more = Known.of_pairs(
        np.append(known_heads, generator.integers(0, n, 9)), np.append(known_others, generator.integers(0, n, 9)), n
    )
    further = rank(Contest(MatrixScorer(matrix, tolerance, seed), 0, candidates), heads, answers, more).filtered
    assert (further.average <= ranking.filtered.average).all()

    new = generator.permutation(n).astype(np.int32)
    renamed = np.empty_like(matrix)
    renamed[np.ix_(new, new)] = matrix
    other = rank(
        Contest(MatrixScorer(renamed), 0, new[candidates]),
        new[heads],
        new[answers],
        Known.of_pairs(new[known_heads], new[known_others], n),
    )
    for one, two in zip(ranking, other, strict=True):
        assert one.optimistic.tolist() == two.optimistic.tolist()
        assert one.pessimistic.tolist() == two.pessimistic.tolist()
        assert one.candidates.tolist() == two.candidates.tolist()
