"""Metrics: pure functions of `Ranks`. The paper's "macro" is `per_axiom` here, its "micro" is `per_class`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Floats
from elgeo.evaluation.ranking.ranks import Ranks

NOT_DEFINED = float("nan")
"""What a metric is where its formula has nothing to say: no axioms, or one candidate to choose from."""


def hits(ranks: Ranks, k: int) -> float:
    """The share of answers with (average) rank at most k."""
    return _mean(ranks.average <= k)


def mean_rank(ranks: Ranks) -> float:
    """The mean of the average ranks."""
    return _mean(ranks.average)


def median_rank(ranks: Ranks) -> float:
    """The median of the average ranks."""
    return float(np.median(ranks.average)) if len(ranks) else NOT_DEFINED


def mrr(ranks: Ranks) -> float:
    """The mean of 1/rank."""
    return _mean(1.0 / ranks.average)


def amri(ranks: Ranks) -> float:
    """Adjusted mean rank index: 1 − Σ(rank − 1) / Σ(nᵢ − 1)/2. 1 is perfect, 0 is chance, −1 is worst.

    nᵢ is the number of candidates each answer was ranked among, after the filter.
    """
    by_chance = float((ranks.candidates - 1).sum()) / 2
    return 1.0 - float((ranks.average - 1).sum()) / by_chance if by_chance else NOT_DEFINED


def auc(ranks: Ranks) -> float:
    """The paper's AUC: trapezoids through (r, share of ranks ≤ r) at the ranks that occur, then (n, 1); divided by n.

    n is the number of candidates before the filter. Nothing is added before the first rank, so with few different ranks
    it falls short of `auc_exact`.
    """
    return float(_auc_of_groups(ranks, np.zeros(len(ranks), np.int64), 1)[0]) if len(ranks) else NOT_DEFINED


def auc_exact(ranks: Ranks) -> float:
    """1 − (mean rank − 1)/(n − 1), n being the number of candidates before the filter."""
    return 1.0 - (mean_rank(ranks) - 1) / (ranks.total - 1) if ranks.total > 1 else NOT_DEFINED


def tie_width(ranks: Ranks) -> float:
    """How many other candidates share the answer's score, in the mean."""
    return _mean(ranks.tie_widths)


def roc(ranks: Ranks) -> tuple[Floats, Floats]:
    """The paper's ROC curve: rank/n at the ranks that occur, and the share of ranks up to each; then (1, 1)."""
    if not len(ranks):
        return np.empty(0), np.empty(0)
    values, counts = np.unique(ranks.average, return_counts=True)
    shares = np.cumsum(counts) / len(ranks)
    return np.append(values / ranks.total, 1.0), np.append(shares, 1.0)


PER_AXIOM: dict[str, Callable[[Ranks], float]] = {
    **{f"hits@{k}": partial(hits, k=k) for k in (1, 3, 10, 100)},
    "mean_rank": mean_rank,
    "median_rank": median_rank,
    "mrr": mrr,
    "amri": amri,
    "auc": auc,
    "auc_exact": auc_exact,
    "tie_width": tie_width,
}
LOWER_IS_BETTER = frozenset({"mean_rank", "median_rank", "tie_width", "smin"})


def per_axiom(ranks: Ranks) -> dict[str, float]:
    """Every metric over all axioms [the paper's macro]."""
    return {name: metric(ranks) for name, metric in PER_AXIOM.items()}


def per_class(ranks: Ranks) -> dict[str, float]:
    """The mean over head classes of each class's own metric [the paper's micro]."""
    return {name: _mean(values) for name, values in by_class(ranks).items()}


def by_class(ranks: Ranks) -> dict[str, Floats]:
    """The metrics of each head class, in ascending order of the classes."""
    if not len(ranks):
        return {name: np.empty(0) for name in ("mean_rank", "mrr", "hits@10", "hits@100", "auc", "auc_exact")}
    _, group = np.unique(ranks.heads, return_inverse=True)
    sizes = np.bincount(group)

    def means(values: Floats) -> Floats:
        return np.bincount(group, values) / sizes

    ranks_by_class = means(ranks.average)
    n = ranks.total
    return {
        "mean_rank": ranks_by_class,
        "mrr": means(1.0 / ranks.average),
        "hits@10": means((ranks.average <= 10).astype(np.float64)),
        "hits@100": means((ranks.average <= 100).astype(np.float64)),
        "auc": _auc_of_groups(ranks, group, len(sizes)),
        "auc_exact": 1.0 - (ranks_by_class - 1) / (n - 1) if n > 1 else np.full(len(sizes), NOT_DEFINED),
    }


def _auc_of_groups(ranks: Ranks, group: NDArray[np.int64], n_groups: int) -> Floats:
    """The paper's AUC of each group of axioms, all groups at once."""
    values = ranks.average
    order = np.lexsort((values, group))
    group, values = group[order], values[order]
    sizes = np.bincount(group, minlength=n_groups)
    share = (np.arange(len(values)) - np.repeat(np.cumsum(sizes) - sizes, sizes) + 1) / sizes[group]
    # a point stands where a rank occurs for the last time in its group
    ends_group = np.append(group[1:] != group[:-1], True)
    point = ends_group | np.append(values[1:] != values[:-1], True)
    x, y, g, ends = values[point], share[point], group[point], ends_group[point]
    next_x = np.where(ends, ranks.total, np.append(x[1:], 0))
    next_y = np.where(ends, 1.0, np.append(y[1:], 0))
    return np.bincount(g, (next_x - x) * (y + next_y) / 2, n_groups) / ranks.total


def _mean(values: NDArray[np.bool_] | NDArray[np.int64] | Floats) -> float:
    return float(values.mean()) if len(values) else NOT_DEFINED
