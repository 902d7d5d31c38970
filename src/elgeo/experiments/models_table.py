"""All models side by side: a line for each, its ranks, what of it is entailed and what novel, and how much is true."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from elgeo.evaluation.document import Evaluation, form_text
from elgeo.experiments.paper_tables import Figure, Results, figure_of
from elgeo.experiments.reproduce import Column

RANKS = ("hits@10", "hits@100", "mrr", "mean_rank", "auc")
TOGETHER = "all forms together"


def parts_of(results: Results) -> dict[str, Results]:
    """The evaluations by what they are of: where several forms are held out, of all of them, then of each.

    What is known of the target alone, such as novel and entailed axioms apart, stands with the target's form. A model
    that cannot score a form has nothing there, nor of all of them.
    """
    every = [each for found in results.values() for each in found]
    forms = list(dict.fromkeys(form for each in every for form in each.forms))
    if not forms:
        return {"": results}
    target, *others = forms
    parts = {TOGETHER: _of_a_form(results, None), form_text(target): results}
    return parts | {form_text(form): _of_a_form(results, form) for form in others}


def _of_a_form(results: Results, form: str | None) -> Results:
    """The evaluations as if the axioms of a form, or all together, had been all that was held out."""
    found: dict[str, list[Evaluation]] = {}
    for column, evaluations in results.items():
        found[column] = []
        for each in evaluations:
            methods = each.together if form is None else each.forms.get(form, {})
            if each.model in methods:
                found[column].append(replace(each, test=methods[each.model], apart={}, curves={}))
    return found


def line_of(evaluations: Sequence[Evaluation], setting: str = "filtered") -> dict[str, Figure]:
    """What one model came to, as means over seeds; all ranks are per axiom."""

    def mean(values: Sequence[float]) -> Figure:
        return figure_of([value for value in values if not math.isnan(value)], None)

    def apart(which: str, metric: str) -> list[float]:
        found = [each.apart[which].figures(setting, "per_axiom") for each in evaluations if which in each.apart]
        return [figures.get(metric, math.nan) for figures in found]

    line = {
        metric: mean([each.test.figures(setting, "per_axiom").get(metric, math.nan) for each in evaluations])
        for metric in RANKS
    }
    line |= {f"{which} mrr": mean(apart(which, "mrr")) for which in ("novel", "entailed")}
    shares = [_mean(each.faithfulness.get("asserted", {})) for each in evaluations]
    return line | {"asserted true": mean(shares)}


def models_text(
    title: str, columns: Sequence[Column], results: Mapping[str, Sequence[Evaluation]], setting: str = "filtered"
) -> str:
    """A line for each model as Markdown; columns in which no model has a figure are left out."""
    lines = {column.name: line_of(results.get(column.name, ()), setting) for column in columns}
    names = list(next(iter(lines.values()))) if lines else []
    names = [name for name in names if any(line[name].mean is not None for line in lines.values())] or names
    rows = [f"## {title}", "", f"| | {' | '.join(names)} |", f"|---|{'---|' * len(names)}"]
    rows += [f"| {model} | {' | '.join(line[name].text() for name in names)} |" for model, line in lines.items()]
    return "\n".join(rows) + "\n"


def _mean(shares: Mapping[str, float]) -> float:
    """Over the normal forms that have axioms; nothing is known where there is no geometry."""
    known = [share for share in shares.values() if not math.isnan(share)]
    return sum(known) / len(known) if known else math.nan
