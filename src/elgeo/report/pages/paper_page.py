"""The page of a reproduced table: our figures beside the paper's, and the figures that go with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from elgeo.evaluation.document import Roc
from elgeo.experiments.paper_tables import Figure
from elgeo.experiments.reproduce import FRACTIONS, Column
from elgeo.report.pages.figures import Curve, line_plot
from elgeo.report.pages.markup import Section, figure, figures, page, paragraph, table

Rows = Mapping[str, Mapping[str, Figure]]


def paper_page(
    name: str,
    tables: Mapping[str, tuple[Sequence[Column], Rows, Sequence[str]]],
    curves: Mapping[str, Mapping[str, Roc]],
) -> str:
    """One page; `tables` are (columns, rows, sentences) by dataset, `curves` ROC curves by dataset and label."""
    sections = []
    for dataset, (columns, rows, sentences) in tables.items():
        names = [column.name for column in columns]
        cells = [[row, *(found[column].text() for column in names)] for row, found in rows.items()]
        caption = f"{dataset}: mean over seeds ± standard deviation, and the paper's figure with the difference"
        body = table(caption, ["", *names], cells)
        plots = []
        if name == "biased-negatives":
            plots = [_biased(dataset, rows, metric) for metric in ("hits@10", "mean_rank")]
        if curves.get(dataset):
            lines = [Curve(label, roc.x, roc.y) for label, roc in curves[dataset].items()]
            svg = line_plot(lines, f"ROC curves, {dataset}", "rank / number of candidates", "share of axioms")
            plots.append(figure(svg, f"{dataset}: the share of axioms ranked so high, seed 0."))
        body += figures(*plots) if plots else ""
        body += "".join(paragraph(sentence) for sentence in sentences)
        sections.append(Section(dataset, body))
    return page(f"The paper's table: {name}", "figures of this data beside the paper's", sections)


def _biased(dataset: str, rows: Rows, metric: str) -> str:
    row = rows[f"filtered {metric} per axiom"]
    points = [(p, mean) for p in FRACTIONS if (mean := row[f"biased-{p:g}"].mean) is not None]
    curve = Curve(dataset, [x for x, _ in points], [y for _, y in points])
    svg = line_plot([curve], f"{dataset}: {metric}", "fraction of entailed negatives", f"filtered {metric}")
    return figure(svg, f"{dataset}: filtered {metric} by the fraction of negatives drawn from the entailed axioms.")
