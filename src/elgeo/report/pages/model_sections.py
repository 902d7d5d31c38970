"""What a page says of the models themselves: truth by normal form, a picture, predictions, how training went."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from elgeo.models.atlas.evidence import ITSELF
from elgeo.ontology.short_names import called
from elgeo.report.pages.figures import Curve, bar_plot, line_plot, shape_plot
from elgeo.report.pages.markup import Row, figure, figures, number, paragraph, table
from elgeo.report.pages.ranking_sections import evaluated
from elgeo.report.pages.shown_run import ShownRun
from elgeo.training.folder.history import Epoch

Value = Callable[[Epoch], float | None]


def truth(runs: Sequence[ShownRun]) -> str:
    parts = []
    for name, each in evaluated(runs):
        series = list(each.faithfulness.items())
        forms = list(dict.fromkeys(form for _, shares in series for form in shares))
        if not forms:
            continue
        bars = [(label, [shares.get(form, 0.0) for form in forms]) for label, shares in series]
        svg = bar_plot(forms, bars, f"Truth by normal form in {name}", "share of axioms that are true")
        rows: list[Row] = [[label, *(number(shares.get(form)) for form in forms)] for label, shares in series]
        caption = f"{name}: share of axioms that are true in the geometric model"
        parts.append(figures(figure(svg, caption + ".")) + table(caption, ["axioms", *forms], rows))
    return "".join(parts)


def evidence(runs: Sequence[ShownRun]) -> str:
    parts = []
    for run in runs:
        # that a class is not joined with itself is a rule, no evidence
        order = sorted(run.evidence.keys() - {ITSELF}, key=lambda name: (-run.evidence[name][1], name))
        rows: list[Row] = [[name, *map(number, run.evidence[name])] for name in order]
        if rows:
            caption = f"{run.name}: evidence, its weight, and what held-out axioms lose without it (of 1)"
            parts.append(table(caption, ["evidence", "weight", "worth"], rows))
        blocks = sorted(run.blocks, key=lambda name: -run.blocks[name])
        without: list[Row] = [[name, number(run.blocks[name])] for name in blocks]
        if without:
            caption = f"{run.name}: what held-out axioms lose if everything is made again without a block"
            parts.append(table(caption, ["block", "worth"], without))
    return "".join(parts)


def picture(runs: Sequence[ShownRun]) -> str:
    words = (
        "{}: {} of its classes, those that axioms speak of most and that can be told apart here. With more than two "
        "dimensions this is a projection, in which shapes that are apart may seem to overlap."
    )
    plots = [
        figure(shape_plot(run.picture, f"Classes of {run.name}"), words.format(run.name, len(run.picture)))
        for run in runs
        if run.picture
    ]
    return figures(*plots) if plots else ""


def predictions(runs: Sequence[ShownRun]) -> str:
    parts = []
    for run in runs:
        found = run.predictions
        if found is None or not len(found.rows):
            continue
        names, likely = found.dataset.vocabulary, found.probabilities
        rows: list[Row] = [
            [
                called(names, int(row[0])),
                called(names, int(row[-1])),
                *([] if likely is None else [number(float(likely[i]))]),
                number(float(score)),
                number(float(margin)),
                number(float(rank)),
                status,
                ", ".join(called(names, c) for c in near),
            ]
            for i, (row, score, margin, rank, status, near) in enumerate(
                zip(found.rows, found.scores, found.margins, found.ranks, found.status, found.neighbours, strict=True)
            )
        ]
        header = [
            "head",
            "tail",
            *([] if likely is None else ["probability"]),
            "score",
            "margin",
            "rank",
            "status",
            "nearest known",
        ]
        parts.append(table(f"{run.name}: the best axioms that are missing", header, rows))
        parts += [paragraph(f"{run.name}: {note}.") for note in found.notes]
    return "".join(parts)


def training(runs: Sequence[ShownRun]) -> str:
    plots = []
    trained = [run for run in runs if run.history]
    kinds: tuple[tuple[str, Value], ...] = (
        ("validation MRR", lambda epoch: epoch.valid_mrr),
        ("validation loss", lambda epoch: epoch.valid_loss),
    )
    for label, value in kinds:
        kept = [curve for run in trained if (curve := _curve(run.name, run, value, run.best_epoch))]
        if kept:
            svg = line_plot(kept, label, "epoch", label)
            plots.append(
                figure(svg, f"{label[0].upper()}{label[1:]} by epoch; the weights kept are those of the best.")
            )
    for run in trained:
        forms = list(dict.fromkeys(form for epoch in run.history for form in epoch.loss))
        curves = [curve for form in forms if (curve := _curve(form, run, _loss(form)))]
        svg = line_plot(curves, f"Loss of {run.name}", "epoch", "mean loss")
        plots.append(figure(svg, f"{run.name}: mean loss by normal form; a minus marks corrupted axioms."))
    rates = [curve for run in trained if (curve := _curve(run.name, run, lambda epoch: epoch.lr))]
    if rates:
        plots.append(figure(line_plot(rates, "Learning rate", "epoch", "learning rate"), "Learning rate by epoch."))
    return figures(*plots) if plots else ""


def _loss(form: str) -> Value:
    return lambda epoch: epoch.loss.get(form)


def _curve(label: str, run: ShownRun, value: Value, marked: int | None = None) -> Curve | None:
    """What the history says, where it says anything; an epoch may be pointed out."""
    points = [(epoch.epoch, found) for epoch in run.history if (found := value(epoch)) is not None]
    if not points:
        return None
    epochs = [epoch for epoch, _ in points]
    mark = (epochs.index(marked), "best epoch") if marked in epochs else None
    return Curve(label, epochs, [found for _, found in points], mark)
