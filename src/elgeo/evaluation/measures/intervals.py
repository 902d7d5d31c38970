"""How sure a metric is: bootstrap intervals over heads, and a paired test of two runs on the same axioms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from elgeo.arrays import Floats, Longs
from elgeo.errors import SettingError
from elgeo.evaluation.measures.metrics import by_class
from elgeo.evaluation.ranking.ranks import Ranks

RESAMPLES = 1000
BLOCK = 64
"""Resamples made at once; bounds memory at BLOCK × heads."""

SCORES = ("hits@1", "hits@3", "hits@10", "hits@100", "mean_rank", "mrr", "auc_exact", "tie_width")
"""The metrics that are means over axioms, so that a resample of heads needs only sums."""


class Interval(NamedTuple):
    """A percentile bootstrap interval."""

    low: float
    high: float


class Comparison(NamedTuple):
    """The difference of two runs (first minus second) on the same axioms."""

    metric: str
    difference: float
    interval: Interval
    p_value: float
    """Of a sign-flip test over heads: how often chance alone would give a difference this large, either way."""


def axiom_values(ranks: Ranks, metric: str) -> Floats:
    """The contribution of each axiom to a metric that is a mean over axioms."""
    if metric.startswith("hits@"):
        return (ranks.average <= int(metric[5:])).astype(np.float64)
    if metric == "mean_rank":
        return ranks.average
    if metric == "mrr":
        return 1.0 / ranks.average
    if metric == "auc_exact":
        return 1.0 - (ranks.average - 1) / (ranks.total - 1)
    if metric == "tie_width":
        return ranks.tie_widths.astype(np.float64)
    raise SettingError(f"{metric} is not a mean over axioms; there are {', '.join(SCORES)}")


def per_axiom_intervals(
    ranks: Ranks, generator: np.random.Generator, resamples: int = RESAMPLES, level: float = 0.95
) -> dict[str, Interval]:
    """Intervals of the `SCORES`: heads are drawn with replacement, each with all of its axioms."""
    names = [name for name in SCORES if name != "auc_exact" or ranks.total > 1]
    if not len(ranks):
        return {}
    _, group = np.unique(ranks.heads, return_inverse=True)
    sums = np.stack([np.bincount(group, axiom_values(ranks, name)) for name in names] + [np.bincount(group)], axis=1)
    draws = np.concatenate([counts @ sums for counts in _resamples(len(sums), resamples, generator)])
    return _percentiles(names, draws[:, :-1] / draws[:, -1:], level)


def per_class_intervals(
    ranks: Ranks, generator: np.random.Generator, resamples: int = RESAMPLES, level: float = 0.95
) -> dict[str, Interval]:
    """Intervals of the per-class metrics, by drawing head classes with replacement."""
    if not len(ranks):
        return {}
    values = by_class(ranks)
    table = np.stack(list(values.values()), axis=1)
    draws = np.concatenate([counts @ table for counts in _resamples(len(table), resamples, generator)])
    return _percentiles(list(values), draws / len(table), level)


def compare(
    first: Ranks,
    second: Ranks,
    metric: str,
    generator: np.random.Generator,
    resamples: int = RESAMPLES,
    level: float = 0.95,
) -> Comparison:
    """Is one run better than another on the same axioms? Heads are the independent units, not axioms."""
    if not (np.array_equal(first.heads, second.heads) and np.array_equal(first.answers, second.answers)):
        raise SettingError("only ranks of the same axioms in the same order can be compared")
    if not len(first):
        raise SettingError("there are no axioms to compare on")
    differences = axiom_values(first, metric) - axiom_values(second, metric)
    _, group = np.unique(first.heads, return_inverse=True)
    sums, sizes = np.bincount(group, differences), np.bincount(group)
    observed = sums.sum() / len(differences)
    table = np.stack([sums, sizes], axis=1)
    draws = np.concatenate([counts @ table for counts in _resamples(len(sums), resamples, generator)])
    interval = _percentiles([metric], (draws[:, :1] / draws[:, 1:]), level)[metric]
    at_least = 0
    for first_of_block in range(0, resamples, BLOCK):
        size = min(BLOCK, resamples - first_of_block)
        signs = generator.integers(0, 2, (size, len(sums))) * 2.0 - 1.0
        # the slack keeps differences that are equal but for rounding from counting as smaller
        at_least += int((np.abs(signs @ sums) >= abs(sums.sum()) * (1 - 1e-12)).sum())
    return Comparison(metric, float(observed), interval, (at_least + 1) / (resamples + 1))


def _resamples(n: int, resamples: int, generator: np.random.Generator) -> Iterator[Longs]:
    for first in range(0, resamples, BLOCK):
        size = min(BLOCK, resamples - first)
        drawn = generator.integers(0, n, (size, n)) + np.arange(size)[:, None] * n
        yield np.bincount(drawn.ravel(), minlength=size * n).reshape(size, n)


def _percentiles(names: list[str], draws: Floats, level: float) -> dict[str, Interval]:
    edge = (1 - level) / 2
    low, high = np.quantile(draws, [edge, 1 - edge], axis=0)
    return {name: Interval(float(a), float(b)) for name, a, b in zip(names, low, high, strict=True)}
