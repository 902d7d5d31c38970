"""What a page says of probabilities: what they are, how far they hold, and the curve that shows it."""

from __future__ import annotations

from collections.abc import Sequence

from elgeo.report.pages.figures import Curve, line_plot
from elgeo.report.pages.markup import Row, figure, figures, number, paragraph, table
from elgeo.report.pages.shown_run import ShownRun

MEANING = (
    "The probability of a suggestion is the share of suggestions with such a {by} that were validation axioms, among "
    "the first hundred of each class; true axioms that nobody has written down count as untrue. Here it is held "
    "against test."
)


def reliability(runs: Sequence[ShownRun]) -> str:
    parts, plots = [], []
    for run in runs:
        if run.calibration is None:
            continue
        calibration, holds = run.calibration
        parts.append(paragraph(MEANING.format(by=calibration.by)))
        if holds is None:
            continue
        parts.append(paragraph(f"{run.name}: {holds.words()}."))
        rows: list[Row] = [[number(b.probability), number(b.true), number(b.number)] for b in holds.bins]
        header = ["probability, in the mean", "share that is true", "suggestions"]
        parts.append(table(f"{run.name}: suggestions by probability, bins of as many true ones each", header, rows))
        most = max(max(b.probability, b.true) for b in holds.bins)
        curves = [
            Curve(run.name, [b.probability for b in holds.bins], [b.true for b in holds.bins]),
            Curve("as promised", [0, most], [0, most]),
        ]
        svg = line_plot(curves, f"Reliability of {run.name}", "probability", "share of suggestions that are true")
        plots.append(figure(svg, f"{run.name}: on the dotted line a probability is what it says."))
    return "".join([*dict.fromkeys(parts), figures(*plots) if plots else ""])
