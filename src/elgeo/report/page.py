"""The page of one or several runs: what was set, how training went, how good the ranking is, what it predicts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from elgeo.report.figures import Curve, ball_plot, bar_plot, line_plot
from elgeo.report.markup import Cell, Section, figure, figures, number, page, paragraph, table
from elgeo.report.subject import Subject

METRICS = {
    "mrr": "MRR",
    "hits@1": "Hits@1",
    "hits@3": "Hits@3",
    "hits@10": "Hits@10",
    "hits@100": "Hits@100",
    "mean_rank": "mean rank",
    "median_rank": "median rank",
    "amri": "AMRI",
    "auc": "AUC (paper)",
    "auc_exact": "AUC (exact)",
    "tie_width": "tie width",
}
SEMANTIC = {
    "lin_hits@1": "Lin Hits@1",
    "lin_hits@10": "Lin Hits@10",
    "lin_hits@100": "Lin Hits@100",
    "superclass_mean_rank": "mean rank with credit for superclasses",
    "superclass_mrr": "MRR with credit for superclasses",
    "fmax": "Fmax",
    "wfmax": "weighted Fmax",
    "smin": "Smin",
}


def run_page(subjects: Sequence[Subject]) -> str:
    """One self-contained HTML page."""
    names = [s.name for s in subjects]
    title = f"Run {names[0]}" if len(names) == 1 else f"{len(names)} runs side by side"
    datasets = sorted({str(s.evaluation.get("dataset")) for s in subjects if s.evaluation.get("dataset")})
    subtitle = f"elgeo report on {', '.join(datasets)}" if datasets else "elgeo report"
    sections = [
        Section("Summary", _summary(subjects)),
        Section("Ranking", _ranking(subjects)),
        Section("ROC curves", _roc(subjects)),
        Section("Meaning", _semantic(subjects)),
        Section("Truth in the model", _faithfulness(subjects)),
        Section("Balls", _balls(subjects)),
        Section("Predictions", _predictions(subjects)),
        Section("Training", _training(subjects)),
        Section("Settings", _settings(subjects)),
    ]
    return page(title, subtitle, [section for section in sections if section.body])


def _summary(subjects: Sequence[Subject]) -> str:
    parts = []
    for s in subjects:
        evaluation = s.evaluation
        if not evaluation:
            parts.append(paragraph(f"{s.name} has not been evaluated yet: run `elgeo evaluate` on it."))
            continue
        parts.append(
            paragraph(
                f"{s.name}: {evaluation['axioms']:,} axioms of the {evaluation['split']} split, each ranked among "
                f"{evaluation['candidates']:,} candidates; the filtered setting takes out what is known from "
                f"{evaluation['filter']}."
            )
        )
        parts += [paragraph(verdict, "verdict") for verdict in evaluation.get("verdicts", [])]
    return "".join(parts)


Row = list[Cell | str]


def _ranking(subjects: Sequence[Subject]) -> str:
    evaluated = [s for s in subjects if s.evaluation]
    if not evaluated:
        return ""
    parts = []
    for setting in ("filtered", "raw"):
        for average, paper in (("per_axiom", "macro"), ("per_class", "micro")):
            metrics = list(evaluated[0].evaluation[setting][average])
            rows: list[Row] = []
            models = []
            for s in evaluated:
                intervals = s.evaluation.get("intervals", {}).get(average, {}) if setting == "filtered" else {}
                models.append(len(rows))
                label = f"{s.name} ({s.evaluation['model']})"
                rows.append([label, *_metric_cells(s.evaluation[setting][average], metrics, intervals)])
            for name, beside in _baselines(evaluated).items():
                rows.append([name, *_metric_cells(beside[setting][average], metrics, {})])
            caption = f"{setting.capitalize()}, {average.replace('_', ' ')} [the paper's {paper}]"
            if setting == "filtered":
                caption += "; 95 % intervals by bootstrap over heads"
            parts.append(table(caption, ["", *(METRICS.get(m, m) for m in metrics)], rows, models))
    collapse = {s.name: s.evaluation.get("collapse", {}) for s in evaluated}
    keys = list(dict.fromkeys(key for found in collapse.values() for key in found))
    if keys:
        rows = [[key.replace("_", " "), *(number(collapse[s.name].get(key)) for s in evaluated)] for key in keys]
        parts.append(table("Ties and signs of collapse", ["", *(s.name for s in evaluated)], rows))
    return "".join(parts)


def _baselines(subjects: Iterable[Subject]) -> dict[str, Any]:
    """What stands beside the runs, once; where runs were asked different questions, whose it is."""
    found: dict[str, Any] = {}
    for s in subjects:
        for name, beside in s.evaluation.get("beside", {}).items():
            if found.setdefault(name, beside) != beside:
                found[f"{name}, beside {s.name}"] = beside
    return found


def _metric_cells(
    values: Mapping[str, Any], metrics: Sequence[str], intervals: Mapping[str, Sequence[float]]
) -> list[Cell]:
    cells = []
    for metric in metrics:
        note = ""
        if metric in intervals and None not in intervals[metric]:
            low, high = (number(v, 3).text for v in intervals[metric][:2])
            note = f"{low} to {high}"
        cells.append(number(values.get(metric), note=note))
    return cells


def _roc(subjects: Sequence[Subject]) -> str:
    plots = []
    for s in subjects:
        curves = s.evaluation.get("curves")
        if curves:
            lines = [Curve(name, points["x"], points["y"]) for name, points in curves.items()]
            svg = line_plot(lines, f"ROC curves of {s.name}", "rank / number of candidates", "share of axioms")
            plots.append(
                figure(svg, f"{s.name}: the share of test axioms whose rank is at most the one on the left axis.")
            )
    return figures(*plots) if plots else ""


def _semantic(subjects: Sequence[Subject]) -> str:
    found = [(s.name, s.evaluation["semantic"]) for s in subjects if s.evaluation.get("semantic")]
    keys = list(dict.fromkeys(key for _, values in found for key in values))
    if not keys:
        return ""
    rows = [[name, *(number(values.get(key)) for key in keys)] for name, values in found]
    words = "Measures that credit a prediction near the truth: similarity in the hierarchy, and the CAFA measures."
    return paragraph(words) + table("Semantic measures", ["", *(SEMANTIC.get(k, k) for k in keys)], rows)


def _faithfulness(subjects: Sequence[Subject]) -> str:
    parts = []
    for s in subjects:
        found = s.evaluation.get("faithfulness", {})
        asserted = {form: share for form, share in found.items() if not isinstance(share, Mapping)}
        series = [("asserted", asserted), *((k, found[k]) for k in ("entailed", "random") if k in found)]
        forms = [form for form in asserted if any(values.get(form) is not None for _, values in series)]
        if not forms:
            continue
        bars = [(label, [values.get(form) or 0.0 for form in forms]) for label, values in series]
        svg = bar_plot(forms, bars, f"Truth by normal form in {s.name}", "share of axioms that are true")
        rows = [[label, *(number(values.get(form)) for form in forms)] for label, values in series]
        caption = f"{s.name}: share of axioms that are true in the geometric model"
        parts.append(figures(figure(svg, caption + ".")) + table(caption, ["axioms", *forms], rows))
    return "".join(parts)


def _balls(subjects: Sequence[Subject]) -> str:
    plots = [
        figure(
            ball_plot(s.balls, f"Balls of {s.name}"),
            f"{s.name}: some of its classes. With more than two dimensions this is a projection, in which balls that "
            "are apart may seem to overlap.",
        )
        for s in subjects
        if s.balls
    ]
    return figures(*plots) if plots else ""


def _predictions(subjects: Sequence[Subject]) -> str:
    parts = []
    for s in subjects:
        if s.predictions:
            header = list(s.predictions[0])
            rows = [[_plain(row[key]) for key in header] for row in s.predictions]
            parts.append(
                table(f"{s.name}: the best axioms that are missing", [h.replace("_", " ") for h in header], rows)
            )
    return "".join(parts)


def _training(subjects: Sequence[Subject]) -> str:
    plots = []
    trained = [s for s in subjects if s.history]
    for s in trained:
        forms = list(dict.fromkeys(form for line in s.history for form in line.get("loss", {})))
        curves = [_history_curve(form, s, "loss", form) for form in forms]
        svg = line_plot([c for c in curves if c], f"Loss of {s.name}", "epoch", "mean loss")
        plots.append(figure(svg, f"{s.name}: mean loss by normal form; a minus marks corrupted axioms."))
    for key, label in (("valid_loss", "validation loss"), ("valid_mrr", "validation MRR"), ("lr", "learning rate")):
        curves = [_history_curve(s.name, s, key) for s in trained]
        kept = [c for c in curves if c]
        if kept:
            svg = line_plot(kept, label.capitalize(), "epoch", label)
            plots.append(figure(svg, f"{label.capitalize()} by epoch."))
    return figures(*plots) if plots else ""


def _history_curve(label: str, subject: Subject, key: str, part: str | None = None) -> Curve | None:
    """What the history says under a key (and a part of it), where it says anything."""
    points = []
    for line in subject.history:
        value = line.get(key) if part is None else line.get(key, {}).get(part)
        if value is not None:
            points.append((line["epoch"], value))
    return Curve(label, [x for x, _ in points], [y for _, y in points]) if points else None


def _settings(subjects: Sequence[Subject]) -> str:
    flat = {s.name: _flatten(s.settings) for s in subjects}
    keys = list(dict.fromkeys(key for values in flat.values() for key in values))
    rows = [[key, *(_plain(flat[s.name].get(key, "")) for s in subjects)] for key in keys]
    differing = [i for i, key in enumerate(keys) if len({str(flat[s.name].get(key)) for s in subjects}) > 1]
    caption = "Every setting of the run" if len(subjects) == 1 else "Every setting; those that differ are in bold"
    return table(caption, ["setting", *(s.name for s in subjects)], rows, differing)


def _flatten(settings: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in settings.items():
        if isinstance(value, Mapping):
            flat |= _flatten(value, f"{prefix}{key}.")
        else:
            flat[prefix + key] = value
    return flat


def _plain(value: Any) -> Cell:
    if isinstance(value, bool) or value is None:
        return Cell("yes" if value else "no" if value is False else "–")
    if isinstance(value, int | float):
        return number(value) if isinstance(value, int) else Cell(f"{value:g}", number=True)
    if isinstance(value, list | tuple):
        return Cell(", ".join(map(str, value)))
    return Cell(str(value))
