"""All models side by side: a line for each, its ranks, what of it is entailed and what novel, and how much is true."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from elgeo.evaluation.document import Evaluation
from elgeo.experiments.paper_tables import Figure, figure_of
from elgeo.experiments.reproduce import Column

RANKS = ("hits@10", "hits@100", "mrr", "mean_rank", "auc")


def line_of(evaluations: Sequence[Evaluation]) -> dict[str, Figure]:
    """What one model came to, as means over seeds; all ranks are filtered and per axiom."""

    def mean(values: Sequence[float]) -> Figure:
        return figure_of([value for value in values if not math.isnan(value)], None)

    def apart(which: str, metric: str) -> list[float]:
        found = [each.apart[which].figures("filtered", "per_axiom") for each in evaluations if which in each.apart]
        return [figures.get(metric, math.nan) for figures in found]

    line = {
        metric: mean([each.test.figures("filtered", "per_axiom").get(metric, math.nan) for each in evaluations])
        for metric in RANKS
    }
    line |= {f"{which} mrr": mean(apart(which, "mrr")) for which in ("novel", "entailed")}
    shares = [_mean(each.faithfulness.get("asserted", {})) for each in evaluations]
    return line | {"asserted true": mean(shares)}


def models_text(title: str, columns: Sequence[Column], results: Mapping[str, Sequence[Evaluation]]) -> str:
    """A line for each model as Markdown."""
    lines = {column.name: line_of(results.get(column.name, ())) for column in columns}
    names = list(next(iter(lines.values()))) if lines else []
    rows = [f"## {title}", "", f"| | {' | '.join(names)} |", f"|---|{'---|' * len(names)}"]
    rows += [f"| {model} | {' | '.join(line[name].text() for name in names)} |" for model, line in lines.items()]
    return "\n".join(rows) + "\n"


def _mean(shares: Mapping[str, float]) -> float:
    """Over the normal forms that have axioms; nothing is known where there is no geometry."""
    known = [share for share in shares.values() if not math.isnan(share)]
    return sum(known) / len(known) if known else math.nan
