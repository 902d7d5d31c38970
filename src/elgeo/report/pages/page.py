"""The page of one or several runs: the data, how good the ranking is, what it predicts, how training went."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from elgeo.messages import counted
from elgeo.report.pages.markup import Entry, Row, Section, number, page, paragraph, table
from elgeo.report.pages.model_sections import evidence, picture, predictions, training, truth
from elgeo.report.pages.ranking_sections import examples, forms, histogram, knowledge, ranking, roc, semantic
from elgeo.report.pages.reliability_section import reliability
from elgeo.report.pages.shown_run import ShownRun
from elgeo.report.text_table import FILTERS


def run_page(runs: Sequence[ShownRun]) -> str:
    """One self-contained HTML page."""
    names = [run.name for run in runs]
    title = f"Run {names[0]}" if len(names) == 1 else f"{len(names)} runs side by side"
    datasets = sorted({run.evaluation.dataset for run in runs if run.evaluation is not None})
    subtitle = f"elgeo report on {', '.join(datasets)}" if datasets else "elgeo report"
    sections = [
        Section("Summary", _summary(runs)),
        Section("Dataset", _datasets(runs)),
        Section("Ranking", ranking(runs)),
        Section("Normal forms", forms(runs)),
        Section("Ranks", histogram(runs)),
        Section("ROC curves", roc(runs)),
        Section("What training knows", knowledge(runs)),
        Section("Best and worst", examples(runs)),
        Section("Meaning", semantic(runs)),
        Section("Truth in the model", truth(runs)),
        Section("Evidence", evidence(runs)),
        Section("Picture", picture(runs)),
        Section("Predictions", predictions(runs)),
        Section("Reliability", reliability(runs)),
        Section("Training", training(runs)),
        Section("Settings", _settings(runs)),
    ]
    return page(title, subtitle, [section for section in sections if section.body])


def _summary(runs: Sequence[ShownRun]) -> str:
    parts = []
    for run in runs:
        found = run.evaluation
        if found is None:
            parts.append(paragraph(f"{run.name} has not been evaluated yet: run `elgeo evaluate` on it."))
            parts += map(paragraph, run.came_true)
            continue
        parts.append(
            paragraph(
                f"{run.name}: {counted(found.test.axioms, 'axiom')} of the {found.settings.split} split, each ranked "
                f"among {found.candidates:,} candidates; the filtered setting takes out "
                f"{FILTERS[found.settings.filter]}."
            )
        )
        parts += map(paragraph, run.came_true)
        parts += [paragraph(verdict.words, f"verdict {verdict.outcome}") for verdict in found.verdicts()]
    return "".join(parts)


def _datasets(runs: Sequence[ShownRun]) -> str:
    """What each run was trained and is judged on, and what of the held-out axioms training has seen all the same."""
    rows: list[Row] = []
    for run in runs:
        if not run.dataset:
            continue
        facts = run.dataset
        target, splits = facts["target"], facts["splits"]
        shape = "C ⊑ D" if target["role"] is None else f"C ⊑ ∃R.D, R = {target['role_label']}"
        rows.append([run.name, str(facts["name"]), shape + (", symmetric" if target["symmetric"] else "")])
        rows[-1] += [number(splits[part]) for part in ("train", "valid", "test")]
        rows[-1] += [number(facts["classes"]), number(target["candidates"])]
        leaks = facts["leakage"]["test"]
        for leak in ("inverse_in_train", "entailed_by_train"):
            share = leaks[leak] / leaks["axioms"] if leaks["axioms"] else 0.0
            rows[-1].append(number(leaks[leak], note=f"{share:.1%} of test" if leaks[leak] else ""))
    if not rows:
        return ""
    header = ["", "dataset", "target", "train", "valid", "test", "classes", "candidates"]
    header += ["test axioms with their inverse in train", "test axioms entailed by train"]
    return table("What was learned from, what was held out, and what of it leaks", header, rows)


def _settings(runs: Sequence[ShownRun]) -> str:
    flat = {run.name: _flatten(run.settings) for run in runs}
    keys = list(dict.fromkeys(key for values in flat.values() for key in values))
    rows: list[Row] = [[key, *(_plain(flat[run.name].get(key, "")) for run in runs)] for key in keys]
    differing = [i for i, key in enumerate(keys) if len({str(flat[run.name].get(key)) for run in runs}) > 1]
    caption = "Every setting of the run" if len(runs) == 1 else "Every setting; those that differ are in bold"
    return table(caption, ["setting", *(run.name for run in runs)], rows, differing)


def _flatten(settings: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in settings.items():
        if isinstance(value, Mapping):
            flat |= _flatten(value, f"{prefix}{key}.")
        else:
            flat[prefix + key] = value
    return flat


def _plain(value: Any) -> Entry:
    if isinstance(value, bool):
        return Entry("yes" if value else "no")
    if isinstance(value, int):
        return number(value)
    if isinstance(value, float):
        return Entry(f"{value:g}", number=True)
    if isinstance(value, list | tuple):
        return Entry(", ".join(map(str, value)))
    return Entry(str(value))
