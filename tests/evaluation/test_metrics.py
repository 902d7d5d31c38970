"""Metrics against their formulas written as loops, and against scikit-learn."""

from __future__ import annotations

import itertools
import math
import statistics
from collections import Counter, defaultdict
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elgeo.errors import SettingError
from elgeo.evaluation.measures import intervals, metrics
from elgeo.evaluation.ranking.ranks import Ranks


def random_ranks(seed: int, at_least: int = 0) -> Ranks:
    generator = np.random.default_rng(seed)
    n = int(generator.integers(at_least, 80))
    total = int(generator.integers(1, 150))
    candidates = generator.integers(1, total + 1, n)
    optimistic = generator.integers(1, candidates + 1)
    pessimistic = generator.integers(optimistic, candidates + 1)
    heads = generator.integers(0, 12, n).astype(np.int32)
    return Ranks(heads, np.zeros(n, np.int32), optimistic, pessimistic, candidates, total)


def slow_auc(values: list[float], n: int) -> float:
    """The paper's: the points at the distinct ranks, then (n, 1), joined by straight lines."""
    counts = Counter(values)
    points, seen = [], 0
    for r in sorted(counts):
        seen += counts[r]
        points.append((r, seen / len(values)))
    points.append((n, 1.0))
    return sum((x2 - x1) * (y1 + y2) / 2 for (x1, y1), (x2, y2) in itertools.pairwise(points)) / n


def slow_metrics(ranks: Ranks) -> dict[str, float]:
    values = [(o + p) / 2 for o, p in zip(ranks.optimistic.tolist(), ranks.pessimistic.tolist(), strict=True)]
    m, n = len(values), ranks.total
    by_chance = sum((c - 1) / 2 for c in ranks.candidates.tolist())
    return {
        **{f"hits@{k}": len([r for r in values if r <= k]) / m for k in (1, 3, 10, 100)},
        "mean_rank": sum(values) / m,
        "median_rank": statistics.median(values),
        "mrr": sum(1 / r for r in values) / m,
        "amri": 1 - sum(r - 1 for r in values) / by_chance if by_chance else math.nan,
        "auc": slow_auc(values, n),
        "auc_exact": 1 - (sum(values) / m - 1) / (n - 1) if n > 1 else math.nan,
        "tie_width": sum(p - o for o, p in zip(ranks.optimistic, ranks.pessimistic, strict=True)) / m,
    }


@settings(max_examples=80)
@given(st.integers(0, 10**6))
def test_metrics_equal_their_formulas(seed: int) -> None:
    ranks = random_ranks(seed, at_least=1)
    expected = slow_metrics(ranks)
    assert metrics.per_axiom(ranks).keys() == expected.keys()
    for name, value in metrics.per_axiom(ranks).items():
        assert value == pytest.approx(expected[name], nan_ok=True), name
    of_head = defaultdict(list)
    for i, head in enumerate(ranks.heads.tolist()):
        of_head[head].append(i)
    each = [slow_metrics(ranks.take(np.array(rows))) for rows in of_head.values()]
    for name, value in metrics.per_class(ranks).items():
        assert value == pytest.approx(sum(one[name] for one in each) / len(each), nan_ok=True), name


def test_a_rank_is_a_hit_up_to_its_number_and_no_farther() -> None:
    """A tie of two has a half for its average: 10.5 is no hit among the first ten."""
    optimistic = np.array([1, 1, 2, 3, 3, 9, 10, 10, 11, 99, 100, 100, 101])
    pessimistic = np.array([1, 2, 2, 3, 4, 10, 10, 11, 11, 100, 100, 101, 101])
    heads, full = np.array([5, 5, 5, 5, 8, 5, 5, 8, 8, 8, 8, 8, 5], np.int32), np.full(13, 200)
    found = Ranks(heads, np.zeros(13, np.int32), optimistic, pessimistic, full, 200)
    hits = {name: round(value * 13) for name, value in metrics.per_axiom(found).items() if name.startswith("hits")}
    assert hits == {"hits@1": 1, "hits@3": 4, "hits@10": 7, "hits@100": 11}
    by_class = metrics.by_class(found)
    np.testing.assert_allclose(by_class["hits@10"], [6 / 7, 1 / 6])
    np.testing.assert_allclose(by_class["hits@100"], [6 / 7, 5 / 6])


def test_no_axioms_have_no_metrics() -> None:
    ranks = random_ranks(1, at_least=1).take(np.zeros(0, np.int64))
    assert all(math.isnan(v) for v in metrics.per_axiom(ranks).values())
    assert all(math.isnan(v) for v in metrics.per_class(ranks).values())


@pytest.mark.slow
def test_exact_auc_is_scikit_learns() -> None:
    """For one true answer among n candidates the exact AUC is the area under the usual ROC curve, ties included."""
    from sklearn.metrics import roc_auc_score  # slow to load, for this test alone

    generator = np.random.default_rng(4)
    for _ in range(30):
        n = int(generator.integers(2, 50))
        scores = generator.integers(0, 5, n)
        answer = int(generator.integers(0, n))
        higher, same = (scores > scores[answer]).sum(), (scores == scores[answer]).sum()
        one = np.zeros(1, np.int32)
        ranks = Ranks(one, one, np.array([higher + 1]), np.array([higher + same]), np.array([n]), n)
        assert metrics.auc_exact(ranks) == pytest.approx(roc_auc_score(np.arange(n) == answer, scores))


def test_roc_curve_ends_at_one_and_has_the_papers_area() -> None:
    ranks = random_ranks(7, at_least=20)
    x, y = metrics.roc(ranks)
    assert (x[-1], y[-1]) == (1, 1)
    assert (np.diff(x) >= 0).all()
    assert (np.diff(y) >= 0).all()
    assert np.trapezoid(y, x) == pytest.approx(metrics.auc(ranks))
    none, counts = np.zeros(0, np.int32), np.zeros(0, np.int64)
    assert [len(axis) for axis in metrics.roc(Ranks(none, none, counts, counts, counts, 9))] == [0, 0]


def test_intervals_surround_the_metric_and_shrink() -> None:
    generator = np.random.default_rng(0)
    n = 4000
    optimistic = generator.geometric(0.02, n)
    ranks = Ranks(
        generator.integers(0, 400, n).astype(np.int32),
        np.zeros(n, np.int32),
        optimistic,
        optimistic,
        np.full(n, 5000),
        5000,
    )
    few = ranks.take(ranks.heads < 40)
    values = metrics.per_axiom(ranks)
    for name, interval in intervals.per_axiom_intervals(ranks, generator).items():
        assert interval.low <= values[name] <= interval.high
    wide, narrow = (intervals.per_axiom_intervals(r, generator)["mrr"] for r in (few, ranks))
    assert wide.high - wide.low > 2 * (narrow.high - narrow.low)
    values = metrics.per_class(ranks)
    for name, interval in intervals.per_class_intervals(ranks, generator).items():
        assert interval.low <= values[name] <= interval.high


def test_an_area_has_an_interval_where_there_is_something_to_be_ranked_among() -> None:
    one, first = np.ones(3, np.int32), np.ones(3, np.int64)
    for total in (1, 2):
        ranks = Ranks(one, one, first, first, first * total, total)
        found = intervals.per_axiom_intervals(ranks, np.random.default_rng(0))
        assert set(intervals.SCORES) - set(found) == ({"auc_exact"} if total == 1 else set())
        assert total == 1 or found["auc_exact"] == (1, 1)


def test_interval_covers_a_known_mean_as_often_as_it_says() -> None:
    """With one axiom a head, heads are independent: 95 % intervals should hold the true mean 95 times in 100."""
    generator = np.random.default_rng(11)
    true_mean, covered = 20.0, 0
    for _ in range(200):
        ranks_drawn = generator.geometric(1 / true_mean, 150)
        ranks = Ranks(
            np.arange(150, dtype=np.int32), np.zeros(150, np.int32), ranks_drawn, ranks_drawn, np.full(150, 999), 999
        )
        low, high = intervals.per_axiom_intervals(ranks, generator, resamples=200)["mean_rank"]
        covered += low <= true_mean <= high
    assert 175 <= covered <= 199


def test_a_metric_is_the_mean_of_what_its_axioms_contribute() -> None:
    every = (random_ranks(seed, at_least=20) for seed in range(99))
    ranks = next(each for each in every if 2 < each.total < 20)  # few candidates: one more or less would show
    for name in intervals.SCORES:
        assert intervals.axiom_values(ranks, name).mean() == pytest.approx(metrics.per_axiom(ranks)[name]), name


@pytest.mark.parametrize("resamples", [1, 63, 64, 65, 130])
def test_as_many_signs_are_turned_as_are_asked_for(resamples: int) -> None:
    """All of 60 heads are better by as much: no turned signs give as large a difference, but the observed ones do."""
    heads, none, full = np.arange(60, dtype=np.int32), np.zeros(60, np.int32), np.full(60, 9)
    first, second = (Ranks(heads, none, full * 0 + rank, full * 0 + rank, full, 9) for rank in (2, 5))
    found = intervals.compare(first, second, "mean_rank", np.random.default_rng(1), resamples)
    assert (found.difference, found.interval) == (-3, (-3, -3))
    assert found.p_value == 1 / (resamples + 1)
    assert intervals.compare(first, first, "mean_rank", np.random.default_rng(1), resamples).p_value == 1


def test_an_interval_has_as_much_of_the_resamples_as_its_level() -> None:
    """Of the means of 900 heads that are 1 or 3 half of them are within 0.674 deviations, nine of ten within 1.645."""
    heads, none = np.arange(900, dtype=np.int32), np.zeros(900, np.int32)
    places = np.where(heads % 2, 3, 1)
    ranks = Ranks(heads, none, places, places, np.full(900, 7), 7)
    for level, deviations in ((0.5, 0.674), (0.9, 1.645)):
        for of in (intervals.per_axiom_intervals, intervals.per_class_intervals):
            low, high = of(ranks, np.random.default_rng(2), 6000, level)["mean_rank"]
            assert (2 - low) * 30 == pytest.approx(deviations, rel=0.1)
            assert (high - 2) * 30 == pytest.approx(deviations, rel=0.1)


def test_paired_test() -> None:
    generator = np.random.default_rng(0)
    n = 1000
    heads = generator.integers(0, 100, n).astype(np.int32)
    answers = np.zeros(n, np.int32)
    worse = generator.integers(20, 200, n)
    better = worse - generator.integers(0, 15, n)
    full = np.full(n, 300)
    a, b = Ranks(heads, answers, better, better, full, 300), Ranks(heads, answers, worse, worse, full, 300)
    result = intervals.compare(a, b, "mrr", generator)
    assert result.difference == pytest.approx(metrics.mrr(a) - metrics.mrr(b))
    assert 0 < result.interval.low <= result.difference <= result.interval.high
    assert result.p_value < 0.01
    assert intervals.compare(a, a, "mean_rank", generator).p_value == 1
    shuffled = generator.permutation(worse)
    c = Ranks(heads, answers, shuffled, shuffled, full, 300)
    assert intervals.compare(b, c, "mean_rank", generator).p_value > 0.01
    with pytest.raises(SettingError, match="same axioms"):
        intervals.compare(a, b.take(np.arange(n - 1)), "mrr", generator)
    for other in (replace(a, heads=a.heads[::-1]), replace(a, answers=a.answers + 1)):
        with pytest.raises(SettingError, match="same axioms"):
            intervals.compare(a, other, "mrr", generator)
    with pytest.raises(SettingError, match="not a mean over axioms"):
        intervals.compare(a, b, "auc", generator)


def test_the_paired_test_turns_the_signs_of_heads() -> None:
    """Sums that are equal but for rounding count as equal: ranks of heads are compared by 0.1, 0.2, 0.3 and so on."""
    heads = np.repeat(np.arange(5, dtype=np.int32), [1, 2, 3, 1, 3])
    first = np.array([10, 5, 2, 2, 10, 1, 5, 10, 5, 2])
    second = np.array([5, 10, 10, 1, 5, 2, 10, 2, 2, 10])
    full, none = np.full(len(heads), 20), np.zeros(len(heads), np.int32)
    one, other = (Ranks(heads, none, ranks, ranks, full, 20) for ranks in (first, second))
    differences = [Fraction(1, int(a)) - Fraction(1, int(b)) for a, b in zip(first, second, strict=True)]
    sums = [sum((d for d, h in zip(differences, heads, strict=True) if h == head), Fraction(0)) for head in range(5)]
    turned = [
        abs(sum((s * d for s, d in zip(signs, sums, strict=True)), Fraction(0)))
        for signs in itertools.product((1, -1), repeat=5)
    ]
    own = abs(sum(sums, Fraction(0)))
    expected = sum(each >= own for each in turned) / len(turned)
    assert sum(each == own for each in turned) > 2
    found = intervals.compare(one, other, "mrr", np.random.default_rng(0), resamples=20_000)
    assert found.p_value == pytest.approx(expected, abs=0.015)
