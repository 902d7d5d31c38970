"""Evaluations of several targets side by side: a line for each target and method, and all axioms together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from elgeo.evaluation.document import Evaluation, Measured, form_text
from elgeo.report.text_table import aligned

METRICS = ("hits@1", "hits@10", "hits@100", "mrr", "mean_rank")
"""Means over axioms, so that those of all targets together are means weighted by how many axioms each has."""
OVERALL = "all"


def by_target(found: Mapping[str, Evaluation]) -> dict[str, dict[str, Any]]:
    """Filtered figures of each method for each target and overall; overall only methods that all targets have."""
    return with_overall(
        {
            name: {
                "axioms": evaluation.test.axioms,
                "candidates": evaluation.candidates,
                "methods": _methods({evaluation.model: evaluation.test, **evaluation.beside}),
            }
            for name, evaluation in found.items()
        }
    )


def by_form(evaluation: Evaluation) -> dict[str, dict[str, Any]]:
    """The same of the normal forms of one evaluation; nothing where only the target is held out."""
    return with_overall(
        {
            form_text(form): {
                "axioms": next(iter(methods.values())).axioms,
                "candidates": evaluation.candidates,
                "methods": _methods(methods),
            }
            for form, methods in evaluation.forms.items()
        }
    )


def with_overall(targets: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Beside all targets the means over all their axioms, of the methods that all of them have."""
    if not targets:
        return {}
    shared = [
        m for m in next(iter(targets.values()))["methods"] if all(m in each["methods"] for each in targets.values())
    ]
    total = sum(each["axioms"] for each in targets.values())
    overall = {
        method: {
            metric: sum(each["axioms"] * each["methods"][method][metric] for each in targets.values()) / total
            for metric in METRICS
        }
        for method in shared
    }
    return {**targets, OVERALL: {"axioms": total, "methods": overall}}


def as_table(figures: Mapping[str, Mapping[str, Any]], named: str = "target") -> str:
    """For a terminal; `named` says what the lines are."""
    rows = [[named, "number" if named == "axioms" else "axioms", "method", *METRICS]]
    for name, found in figures.items():
        for method, values in found["methods"].items():
            cells = [f"{values[m]:,.1f}" if m == "mean_rank" else f"{values[m]:.3f}" for m in METRICS]
            rows.append([name, f"{found['axioms']:,}", method, *cells])
    return "\n".join(line.rstrip() for line in aligned(rows, right=(1, *range(3, 3 + len(METRICS)))))


def _methods(found: Mapping[str, Measured]) -> dict[str, dict[str, float]]:
    return {method: _figures(measured) for method, measured in found.items()}


def _figures(measured: Measured) -> dict[str, float]:
    values = measured.figures("filtered", "per_axiom")
    return {metric: values[metric] for metric in METRICS}
