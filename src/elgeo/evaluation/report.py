"""`Report`: everything an evaluation found, as a table for people, a document for programs, and a plot."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from elgeo.evaluation.measures.intervals import Comparison, Interval
from elgeo.evaluation.measures.metrics import LOWER_IS_BETTER, per_axiom, per_class, roc
from elgeo.evaluation.ranking.ranks import Ranking, Ranks
from elgeo.evaluation.settings import EvaluationSettings

CURVE_POINTS = 201
NAMES = {"mrr": "MRR", "hits@10": "Hits@10", "mean_rank": "mean rank"}


@dataclass(frozen=True, eq=False)
class Report:
    """The outcome of `elgeo.evaluate`."""

    model: str
    dataset: str
    settings: EvaluationSettings
    rankings: Mapping[str, Ranking]
    """Of the model: `test`, all axioms of the split; and `novel`, `entailed`, `both` where asked for."""
    beside: Mapping[str, Ranking]
    """Of the baselines, and of other runs, on the same axioms."""
    intervals: Mapping[str, Mapping[str, Interval]] = field(default_factory=dict)
    """Of the filtered metrics, `per_axiom` and `per_class`."""
    comparisons: Mapping[str, Sequence[Comparison]] = field(default_factory=dict)
    """Paired tests of the model against each of those beside it, on filtered metrics."""
    semantic: Mapping[str, float] = field(default_factory=dict)
    top_entailed: Mapping[str, float] = field(default_factory=dict)
    faithfulness: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """Shares of true axioms by normal form: `asserted`, `entailed`, `random`."""
    collapse: Mapping[str, float] = field(default_factory=dict)

    def verdicts(self) -> list[str]:
        """A sentence for each baseline or run: does the model beat it, and on what?"""
        return [_verdict(self.model, other, found) for other, found in self.comparisons.items()]

    def to_dict(self) -> dict[str, Any]:
        """The document of `evaluate --json`; what is not defined is null."""
        test = self.rankings["test"]
        document: dict[str, Any] = {
            "model": self.model,
            "dataset": self.dataset,
            "split": self.settings.split,
            "filter": self.settings.filter,
            "axioms": len(test.raw),
            "candidates": test.raw.total,
            "raw": _metrics(test.raw),
            "filtered": _metrics(test.filtered),
        }
        for name in ("novel", "entailed", "both"):
            if name in self.rankings:
                found = self.rankings[name]
                document[name] = {"axioms": len(found.raw), **_metrics(found.filtered), "raw": _metrics(found.raw)}
        document["semantic"] = dict(self.semantic)
        document["faithfulness"] = {
            **self.faithfulness.get("asserted", {}),
            **{name: dict(self.faithfulness[name]) for name in ("entailed", "random") if name in self.faithfulness},
        }
        document["collapse"] = dict(self.collapse)
        if self.top_entailed:
            document["top_entailed"] = dict(self.top_entailed)
        document["beside"] = {
            name: {"raw": _metrics(ranking.raw), "filtered": _metrics(ranking.filtered)}
            for name, ranking in self.beside.items()
        }
        document["intervals"] = {
            name: {metric: list(interval) for metric, interval in found.items()}
            for name, found in self.intervals.items()
        }
        document["comparisons"] = {
            name: {c.metric: {"difference": c.difference, "interval": list(c.interval), "p": c.p_value} for c in found}
            for name, found in self.comparisons.items()
        }
        document["verdicts"] = self.verdicts()
        document["curves"] = {name: _points(ranks) for name, ranks in self._curves().items()}
        document["settings"] = dataclasses.asdict(self.settings)
        plain: dict[str, Any] = _plain(document)
        return plain

    def table(self) -> str:
        """The figures in columns, the baselines beside the model, and what they come to in words."""
        from elgeo.report.text_table import table

        return table(self)

    def plot(self, axes: Any = None) -> Any:
        """The ROC curves as in the paper's figures, on matplotlib axes; returns the axes."""
        from matplotlib import pyplot

        axes = axes if axes is not None else pyplot.figure().subplots()
        for name, ranks in self._curves().items():
            axes.plot(*roc(ranks), label=name)
        axes.plot([0, 1], [0, 1], color="grey", linewidth=0.8, linestyle=":")
        axes.set_xlabel("rank / number of candidates")
        axes.set_ylabel("share of axioms ranked so high")
        axes.set_title(f"{self.model} on {self.dataset}")
        axes.legend()
        return axes

    def _curves(self) -> dict[str, Ranks]:
        test = self.rankings["test"]
        curves = {f"{self.model}, raw": test.raw, f"{self.model}, filtered": test.filtered}
        for name, ranking in self.rankings.items():
            if name != "test":
                curves[f"{self.model}, {name}"] = ranking.filtered
        return curves | {name: ranking.filtered for name, ranking in self.beside.items()}


def _verdict(model: str, other: str, found: Sequence[Comparison]) -> str:
    better = [c for c in found if (c.difference < 0) == (c.metric in LOWER_IS_BETTER) and c.difference != 0]
    sure = [c for c in better if c.p_value < 0.05]
    names = " and ".join(NAMES[c.metric] for c in sure)
    if len(sure) == len(found):
        return f"{model} beats {other} on {names} (filtered)"
    if sure:
        rest = " and ".join(NAMES[c.metric] for c in found if c not in sure)
        return f"{model} beats {other} on {names} but not on {rest} (filtered)"
    return (
        f"{model} does not beat {other}: it is not clearly better on any of {', '.join(NAMES[c.metric] for c in found)}"
    )


def _metrics(ranks: Ranks) -> dict[str, dict[str, float]]:
    return {"per_axiom": per_axiom(ranks), "per_class": per_class(ranks)}


def _points(ranks: Ranks) -> dict[str, list[float]]:
    """A ROC curve with few enough points to store; the ends are kept."""
    x, y = roc(ranks)
    if len(x) > CURVE_POINTS:
        keep = np.unique(np.linspace(0, len(x) - 1, CURVE_POINTS).round().astype(np.int64))
        x, y = x[keep], y[keep]
    return {"x": x.tolist(), "y": y.tolist()}


def _plain(value: Any) -> Any:
    """JSON has no NaN: what is not defined becomes null."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
