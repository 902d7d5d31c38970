"""The page of a sweep: what each setting did to the validation rank, and every trial."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from elgeo.report.pages.figures import point_plot
from elgeo.report.pages.markup import Entry, Section, figure, figures, number, page, paragraph, table


def sweep_page(name: str, varied: Sequence[str], rows: Sequence[Mapping[str, Any]], total: int) -> str:
    """One self-contained HTML page; `rows` are trials with `valid_mrr` and the varied settings, best first."""
    complete = [row for row in rows if row["valid_mrr"] is not None]
    plots = [
        figure(
            point_plot(
                [row[key] for row in complete],
                [row["valid_mrr"] for row in complete],
                f"{key} and validation MRR",
                key,
                "validation MRR",
            ),
            f"Each point is a trial: its {key}, and the MRR it reached on the validation axioms.",
        )
        for key in varied
        if complete
    ]
    header = ["trial", "state", "valid_mrr", *varied, "seconds", "error"]
    cells = [[_entry(row.get(key), key in varied) for key in header] for row in rows]
    words = f"{len(complete)} of {total} trials have a result."
    if complete:
        best = complete[0]
        chosen = ", ".join(f"{key} = {best[key]}" for key in varied)
        words += f" The best reached a validation MRR of {best['valid_mrr']:.4f} with {chosen}."
    sections = [
        Section("Summary", paragraph(words)),
        Section("What the settings do", figures(*plots) if plots else ""),
        Section("Trials", table("All trials, best first", [h.replace("_", " ") for h in header], cells, [0])),
    ]
    return page(f"Sweep {name}", "elgeo hyperparameter search", [s for s in sections if s.body])


def _entry(value: Any, is_setting: bool = False) -> Any:
    if is_setting and isinstance(value, float):
        return Entry(f"{value:g}", number=True)  # rates may be small
    if isinstance(value, int | float) and not isinstance(value, bool):
        return number(value)
    return "–" if value is None else str(value)
