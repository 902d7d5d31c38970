"""A report as plain text: one column for each predictor and setting, one line for each metric."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from elgeo.evaluation.measures.intervals import Interval
from elgeo.evaluation.measures.metrics import per_axiom, per_class
from elgeo.evaluation.ranking.ranks import Ranks
from elgeo.evaluation.report import Report

FILTERS = {
    "none": "nothing",
    "train": "training axioms",
    "train+valid": "training and validation axioms",
    "closure": "entailed axioms",
}


def table(report: Report) -> str:
    """The whole report for a terminal."""
    settings, test = report.settings, report.rankings["test"]
    lines = [
        f"{report.model} on {report.dataset}: {len(test.raw):,} {settings.split} axioms, each "
        f"{settings.side} ranked among {test.raw.total:,} candidates",
        f"filtered: {FILTERS[settings.filter]} removed from the candidates",
        "",
    ]
    columns = {"raw": test.raw, "filtered": test.filtered}
    columns |= {name: ranking.filtered for name, ranking in report.rankings.items() if name != "test"}
    columns |= {name: ranking.filtered for name, ranking in report.beside.items()}
    per_axiom_rows = _block(columns, per_axiom, report.intervals.get("per_axiom", {}))
    per_class_rows = _block(columns, per_class, report.intervals.get("per_class", {}))
    heading = [*columns, "95 % of filtered" if report.intervals else ""]
    lines += aligned([["per axiom [paper: macro]", *heading], *per_axiom_rows])
    lines += ["", *aligned([["per class [paper: micro]", *heading], *per_class_rows])]
    for title, values in (
        ("semantic (filtered)", report.semantic),
        ("share of the best that is entailed", report.top_entailed),
        ("signs of collapse", report.collapse),
    ):
        if values:
            lines += ["", title, *aligned([[f"  {name}", _number(value)] for name, value in values.items()])]
    if report.faithfulness:
        lines += ["", *aligned(_faithfulness(report.faithfulness))]
    if verdicts := report.verdicts():
        lines += ["", *verdicts]
    return "\n".join(line.rstrip() for line in lines)


def _block(
    columns: Mapping[str, Ranks], metrics: Callable[[Ranks], dict[str, float]], intervals: Mapping[str, Interval]
) -> list[list[str]]:
    found = {name: metrics(ranks) for name, ranks in columns.items()}
    rows = []
    for metric in next(iter(found.values())):
        interval = intervals.get(metric)
        low_high = f"{_number(interval.low)} – {_number(interval.high)}" if interval else ""
        rows.append([metric, *(_number(found[name][metric]) for name in columns), low_high])
    return rows


def _faithfulness(shares: Mapping[str, Mapping[str, float]]) -> list[list[str]]:
    forms = list(dict.fromkeys(form for found in shares.values() for form in found))
    rows = [
        [f"  {form}", *(_number(found[form]) if form in found else "–" for found in shares.values())] for form in forms
    ]
    return [["true in the model", *shares], *rows]


def aligned(rows: Sequence[Sequence[str]], right: Sequence[int] | None = None) -> list[str]:
    """Columns of equal width; those in `right`, by default all but the first, are set to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    numbers = range(1, len(widths)) if right is None else right
    return [
        "  ".join(
            cell.rjust(width) if i in numbers else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]


def _number(value: float) -> str:
    if value != value:
        return "–"
    return f"{value:.4f}" if abs(value) < 10 else f"{value:,.1f}"
