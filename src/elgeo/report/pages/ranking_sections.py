"""What a page says of evaluations: metrics, ranks, curves, what training knows, examples, semantic measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from elgeo.evaluation.document import Evaluation, Measured
from elgeo.evaluation.measures.intervals import Interval
from elgeo.report.pages.figures import Curve, line_plot, step_plot
from elgeo.report.pages.markup import Entry, Row, figure, figures, number, paragraph, table
from elgeo.report.pages.shown_run import ShownRun
from elgeo.report.targets_text import METRICS as FORM_METRICS
from elgeo.report.targets_text import by_form
from elgeo.report.text_table import COUNTED

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
    "lin_hits@10": "Lin Hits@10",
    "superclass_mean_rank": "mean rank with credit for superclasses",
    "superclass_mrr": "MRR with credit for superclasses",
    "fmax": "Fmax",
    "wfmax": "weighted Fmax",
    "smin": "Smin",
}
AVERAGES = {"per_axiom": "macro", "per_class": "micro"}
"""Our word and the paper's."""


def evaluated(runs: Sequence[ShownRun]) -> list[tuple[str, Evaluation]]:
    """The runs that were evaluated, by name."""
    return [(run.name, run.evaluation) for run in runs if run.evaluation is not None]


def ranking(runs: Sequence[ShownRun]) -> str:
    found = evaluated(runs)
    if not found:
        return ""
    parts = []
    for setting in ("filtered", "raw"):
        for average, paper in AVERAGES.items():
            metrics = list(found[0][1].test.figures(setting, average))
            rows: list[Row] = []
            for name, each in found:
                intervals = each.intervals.get(average, {}) if setting == "filtered" else {}
                rows.append(
                    [f"{name} ({each.model})", *_entries(each.test.figures(setting, average), metrics, intervals)]
                )
            models = range(len(rows))
            for name, beside in _baselines(found).items():
                rows.append([name, *_entries(beside.figures(setting, average), metrics, {})])
            caption = f"{setting.capitalize()}, {average.replace('_', ' ')} [the paper's {paper}]"
            if setting == "filtered":
                caption += "; 95 % intervals by bootstrap over heads"
            parts.append(table(caption, ["", *(METRICS.get(m, m) for m in metrics)], rows, models))
    keys = list(dict.fromkeys(key for _, each in found for key in each.collapse))
    if keys:
        rows = [[key.replace("_", " "), *(number(each.collapse.get(key)) for _, each in found)] for key in keys]
        parts.append(table("Ties and signs of collapse", ["", *(name for name, _ in found)], rows))
    return "".join(parts)


def forms(runs: Sequence[ShownRun]) -> str:
    """Of several normal forms, or definitions, that are held out: each by itself, and all axioms together."""
    parts = []
    for name, each in evaluated(runs):
        rows: list[Row] = [
            [form, number(found["axioms"]), method, *_entries(values, FORM_METRICS, {})]
            for form, found in by_form(each).items()
            for method, values in found["methods"].items()
        ]
        if rows:
            caption = f"{name}: held-out axioms by what they say, filtered, per axiom"
            parts.append(table(caption, ["", "axioms", "", *(METRICS[m] for m in FORM_METRICS)], rows))
    return "".join(parts)


def _baselines(found: Sequence[tuple[str, Evaluation]]) -> dict[str, Measured]:
    """What stands beside the runs: once where it is the same beside all of them, else with whose it is."""
    every: dict[str, Measured] = {}
    for name in dict.fromkeys(name for _, each in found for name in each.beside):
        of_runs = {run: each.beside[name] for run, each in found if name in each.beside}
        first = next(iter(of_runs.values()))
        if all(beside == first for beside in of_runs.values()):
            every[name] = first
        else:
            every |= {f"{name}, beside {run}": beside for run, beside in of_runs.items()}
    return every


def _entries(values: Mapping[str, float], metrics: Sequence[str], intervals: Mapping[str, Interval]) -> list[Entry]:
    entries = []
    for metric in metrics:
        note = " to ".join(number(end, 3).text for end in intervals.get(metric, ()))
        entries.append(number(values.get(metric), note=note))
    return entries


def histogram(runs: Sequence[ShownRun]) -> str:
    plots = []
    for name, each in evaluated(runs):
        if each.histogram.edges:
            svg = step_plot(
                each.histogram.edges, each.histogram.counts, f"Ranks of {name}", "filtered rank", "number of axioms"
            )
            plots.append(figure(svg, f"{name}: how many {each.settings.split} axioms have which filtered rank."))
    return figures(*plots) if plots else ""


def roc(runs: Sequence[ShownRun]) -> str:
    plots = []
    for name, each in evaluated(runs):
        if each.curves:
            lines = [Curve(label, [0, *curve.x], [0, *curve.y]) for label, curve in each.curves.items()]
            svg = line_plot(lines, f"ROC curves of {name}", "rank / number of candidates", "share of axioms")
            words = (
                f"{name}: the share of {each.settings.split} axioms whose rank is at most the one on the bottom axis."
            )
            plots.append(figure(svg, words))
    return figures(*plots) if plots else ""


def knowledge(runs: Sequence[ShownRun]) -> str:
    parts = []
    for name, each in evaluated(runs):
        for counted, ends in each.knowledge.items():
            beside = list(dict.fromkeys(n for shares in ends.values() for s in shares.values() for n in s.beside))
            rows: list[Row] = []
            for end, shares in ends.items():
                for amount, share in shares.items():
                    if share.axioms:
                        figures_of = [number(value) for value in share.figures.values()]
                        figures_of += [number(share.beside.get(other)) for other in beside]
                        rows.append([f"{end}: {amount}", number(share.axioms), *figures_of])
            header = ["", "axioms", "MRR", "Hits@10", "mean rank", *(f"MRR of {other}" for other in beside)]
            parts.append(table(f"{name}: filtered, by the number of {COUNTED.get(counted, counted)}", header, rows))
    if not parts:
        return ""
    words = (
        "How well axioms are ranked by how much training knows of their head, of their tail, and of both (of the one "
        "it knows less). What is cold is ranked without having been seen."
    )
    return paragraph(words) + "".join(parts)


def examples(runs: Sequence[ShownRun]) -> str:
    parts = []
    for name, each in evaluated(runs):
        for which, found in each.examples.items():
            rows: list[Row] = [
                [one.head, one.tail, number(one.rank), number(one.candidates), Entry("; ".join(one.reasons))]
                for one in found
            ]
            if rows:
                caption = f"{name}: the {which} ranked {each.settings.split} axioms"
                parts.append(table(caption, ["head", "tail", "rank", "of", "what may be behind it"], rows))
    return "".join(parts)


def semantic(runs: Sequence[ShownRun]) -> str:
    found = [(name, each.semantic) for name, each in evaluated(runs) if each.semantic]
    keys = list(dict.fromkeys(key for _, values in found for key in values))
    if not keys:
        return ""
    rows: list[Row] = [[name, *(number(values.get(key)) for key in keys)] for name, values in found]
    words = "Measures that credit a prediction near the truth: similarity in the hierarchy, and the CAFA measures."
    return paragraph(words) + table("Semantic measures", ["", *(SEMANTIC.get(k, k) for k in keys)], rows)
