"""An evaluation as plain text: one column for each predictor and setting, one line for each metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from elgeo.evaluation.document import Averages, Evaluation
from elgeo.evaluation.measures.intervals import Interval
from elgeo.evaluation.measures.knowledge import Breakdown
from elgeo.evaluation.measures.metrics import NOT_DEFINED
from elgeo.messages import as_shown
from elgeo.messages import counted as plural

FILTERS = {
    "none": "nothing",
    "train": "training axioms",
    "train+valid": "training and validation axioms",
    "closure": "entailed axioms",
}
PER_AXIOM = "per axiom [paper: macro]"
SUMMARY = ("hits@1", "hits@10", "hits@100", "mean_rank", "mrr", "auc")
"""The metrics that are looked at first."""
COUNTED = {"target": "training axioms of the target", "overall": "training axioms of any form"}
"""What is counted in the breakdown by what training knows."""


def summary(evaluation: Evaluation) -> str:
    """What is looked at first, on a screen: the usual measures of each axiom, truth in the model, who is better."""
    lines = [*_heading(evaluation), *_averages(evaluation, "per_axiom", PER_AXIOM, SUMMARY)]
    if evaluation.faithfulness:
        lines += ["", *aligned(_faithfulness(evaluation.faithfulness))]
    if verdicts := evaluation.verdicts():
        lines += ["", *(verdict.words for verdict in verdicts)]
    return "\n".join(line.rstrip() for line in lines)


def table(evaluation: Evaluation) -> str:
    """The whole evaluation for a terminal."""
    lines = _heading(evaluation)
    for average, title in (("per_axiom", PER_AXIOM), ("per_class", "per class [paper: micro]")):
        lines += [*_averages(evaluation, average, title), ""]
    lines.pop()
    for title, values in (
        ("semantic (filtered)", evaluation.semantic),
        ("share of the best that is entailed", evaluation.top_entailed),
        ("signs of collapse", evaluation.collapse),
    ):
        if values:
            lines += ["", title, *aligned([[f"  {name}", _number(value)] for name, value in values.items()])]
    if evaluation.faithfulness:
        lines += ["", *aligned(_faithfulness(evaluation.faithfulness))]
    if evaluation.knowledge:
        lines += ["", *aligned(knowledge_rows(evaluation.knowledge))]
    if verdicts := evaluation.verdicts():
        lines += ["", *(verdict.words for verdict in verdicts)]
    return "\n".join(line.rstrip() for line in lines)


def knowledge_rows(knowledge: Breakdown) -> list[list[str]]:
    """A heading, then a row for each end and amount of which there are axioms."""
    rows, others = (
        [],
        dict.fromkeys(
            name
            for ends in knowledge.values()
            for shares in ends.values()
            for share in shares.values()
            for name in share.beside
        ),
    )
    for counted, ends in knowledge.items():
        rows.append([f"filtered, by {COUNTED.get(counted, counted)}", "axioms", "mrr", "hits@10", "mean_rank"])
        rows[-1] += [f"mrr of {name}" for name in others]
        for end, shares in ends.items():
            for amount, share in shares.items():
                if share.axioms:
                    figures = [_number(share.figures[name]) for name in ("mrr", "hits@10", "mean_rank")]
                    figures += [_number(share.beside.get(name, NOT_DEFINED)) for name in others]
                    rows.append([f"  {end}: {amount}", f"{share.axioms:,}", *figures])
    return rows


def _heading(evaluation: Evaluation) -> list[str]:
    settings, test = evaluation.settings, evaluation.test
    return [
        f"{evaluation.model} on {evaluation.dataset}: {plural(test.axioms, f'{settings.split} axiom')}, each "
        f"{settings.side} ranked among {evaluation.candidates:,} candidates",
        f"filtered: {FILTERS[settings.filter]} removed from the candidates",
        "",
    ]


def _averages(evaluation: Evaluation, average: str, title: str, metrics: Sequence[str] | None = None) -> list[str]:
    """A line for each metric, or for those that are named; the baselines beside the model."""
    columns = {"raw": evaluation.test.raw, "filtered": evaluation.test.filtered}
    columns |= {name: found.filtered for name, found in {**evaluation.apart, **evaluation.beside}.items()}
    heading = [title, *columns, "95 % of filtered" if evaluation.intervals else ""]
    rows = _block(columns, average, evaluation.intervals.get(average, {}))
    return aligned([heading, *(row for row in rows if metrics is None or row[0] in metrics)])


def _block(columns: Mapping[str, Averages], average: str, intervals: Mapping[str, Interval]) -> list[list[str]]:
    found: dict[str, Mapping[str, float]] = {name: getattr(each, average) for name, each in columns.items()}
    rows = []
    for metric in next(iter(found.values())):
        interval = intervals.get(metric)
        low_high = f"{_number(interval.low)} – {_number(interval.high)}" if interval else ""
        rows.append([metric, *(_number(found[name].get(metric, NOT_DEFINED)) for name in columns), low_high])
    return rows


def _faithfulness(shares: Mapping[str, Mapping[str, float]]) -> list[list[str]]:
    forms = list(dict.fromkeys(form for found in shares.values() for form in found))
    rows = [
        [f"  {form}", *(_number(found[form]) if form in found else "–" for found in shares.values())] for form in forms
    ]
    return [["true in the model", *shares], *rows]


def aligned(rows: Sequence[Sequence[str]], right: Sequence[int] | None = None) -> list[str]:
    """Columns of equal width; those in `right`, by default all but the first, are set to the right."""
    rows = [list(map(as_shown, row)) for row in rows]
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
