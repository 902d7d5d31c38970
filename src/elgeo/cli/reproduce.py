"""`elgeo reproduce`: the paper's tables and figures on one's own data, beside the printed ones."""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elgeo.documents import shown
from elgeo.errors import SettingError
from elgeo.messages import say

if TYPE_CHECKING:
    from elgeo.evaluation.document import Evaluation, Roc
    from elgeo.experiments.reproduce import Budget

EXAMPLE = """\
examples:
  elgeo reproduce statistics --data data -o paper
  elgeo reproduce results --data data -o paper --quick
  elgeo reproduce ablation --data data -o paper --seeds 3 --datasets yeast-iw
  elgeo reproduce models --data data -o models --datasets yeast-iw,my-own --seeds 3
  elgeo reproduce models --data . -o small --datasets family --models naive,elem,box2el --set epochs=20
DATA holds dataset folders (yeast-iw, yeast-hf, human-iw, human-hf) or the files to build them from: an ontology under
go/, and under yeast/ or human/ annotations.tsv.gz and interactions_{train,valid,test}.tsv.gz.
`models` trains all models with one budget, with and without the closure filter, on any dataset folders of DATA or
embedded datasets, and prints what others published beside them.
Every training is a folder under DIR/runs: run the command again to go on after an interruption.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    from elgeo.experiments.reproduce import TABLES
    from elgeo.experiments.sources import NAMES

    parser.add_argument("table", metavar="TABLE", choices=TABLES, help=", ".join(TABLES))
    parser.add_argument("--data", metavar="DIR", type=Path, required=True, help="datasets, or files to build them from")
    parser.add_argument("-o", "--output", metavar="DIR", type=Path, required=True, help="where everything goes")
    parser.add_argument("--datasets", default=",".join(NAMES), help="which (default those of the four that DATA has)")
    parser.add_argument("--seeds", type=int, help="trainings of each cell (default 3; 1 with --quick)")
    parser.add_argument("--quick", action="store_true", help="smaller and shorter trainings: a look in ten minutes")
    parser.add_argument("--models", metavar="LIST", help="only these in the table `models`, separated by commas")
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="the budget of the table `models`"
    )
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="trainings at a time (default 1)")
    parser.add_argument("--json", action="store_true", help="the tables as JSON")
    parser.epilog = EXAMPLE


def run(options: argparse.Namespace) -> int:
    from elgeo.experiments import sources
    from elgeo.files import write_json, write_text

    seeds = options.seeds if options.seeds is not None else 1 if options.quick else 3
    if seeds < 1 or options.workers < 1:
        raise SettingError("--seeds and --workers must be at least 1")
    wanted = _listed("--datasets", options.datasets)
    others = sources.others(options.data) if options.table == "models" else set()
    if (options.models is not None or options.set) and options.table != "models":
        raise SettingError(f"--models and --set are about the table `models`: leave them out of {options.table}")
    if unknown := sorted(set(wanted) - set(sources.NAMES) - others):
        raise SettingError(
            f"no dataset is called {shown(unknown[0])}; there are {', '.join((*sources.NAMES, *sorted(others)))}"
        )
    budget = None if options.table == "statistics" else _budget(options)
    names = sources.prepare(options.data, options.output / "datasets", wanted, say)
    if budget is None:
        document, text, page, errors = _statistics(options, names)
    else:
        document, text, page, errors = _trained(options, names, seeds, budget)
    stem = options.table + ("-quick" if options.quick and options.table != "statistics" else "")
    write_json(options.output / f"{stem}.json", document)
    write_text(options.output / f"{stem}.md", text)
    if page:
        write_text(options.output / f"{stem}.html", page)
    print(json.dumps(document) if options.json else text)
    say(f"written to {options.output}/{stem}.md, .json" + (" and .html" if page else ""))
    for cell, problem in errors.items():
        say(f"{cell} has no result: {problem}")
    return 1 if errors else 0


Outcome = tuple[dict[str, Any], str, str, dict[str, str]]


def _statistics(options: argparse.Namespace, names: list[str]) -> Outcome:
    from elgeo import datasets
    from elgeo.datasets.statistics import statistics, table

    counts = {name: statistics(datasets.load(options.output / "datasets" / name)) for name in names}
    return counts, "\n".join(table(found) for found in counts.values()), "", {}


def _trained(options: argparse.Namespace, names: list[str], seeds: int, budget: Budget) -> Outcome:
    from elgeo.experiments.experiment import result, run_experiments
    from elgeo.experiments.models_table import TOGETHER, models_text, parts_of
    from elgeo.experiments.paper_tables import claims, markdown, table_of
    from elgeo.experiments.published import published, published_text
    from elgeo.experiments.reproduce import columns, experiments, of_column
    from elgeo.report.pages.paper_page import paper_page

    every = experiments(options.table, names, seeds, options.quick, budget)
    errors = run_experiments(every, options.output / "datasets", options.output, options.workers, say)
    document: dict[str, Any] = {}
    tables, curves, texts = {}, {}, []
    for name in names:
        named = columns(options.table, name, budget)
        results = {
            column.name: [
                found
                for experiment in of_column(options.table, name, column, seeds, options.quick)
                if (found := result(options.output, experiment)) is not None
            ]
            for column in named
        }
        parts = parts_of(results) if options.table == "models" else {"": results}
        told = {}
        for part, of_part in parts.items():
            rows = table_of(options.table, name, named, of_part)
            sentences = claims(rows, named)
            called = f"{name}: {part}" if part else name
            tables[called] = (named, rows, sentences)
            curves[called] = _curves(options.table, of_part)
            figures = {row: {c: dataclasses.asdict(f) for c, f in found.items()} for row, found in rows.items()}
            told[part] = {"rows": figures, "claims": sentences}
            title = f"{options.table}, {called}"
            whole = models_text(title, named, of_part) if options.table == "models" else markdown(title, rows, named)
            if part == TOGETHER:
                whole += "\n" + models_text(f"{title}, raw (training axioms stay)", named, of_part, "raw")
            # of further forms the page and the JSON have them
            in_short = sentences if part in list(parts)[:2] else []
            texts.append(whole + "\n" + "\n".join(f"- {s}" for s in in_short))
        document[name] = told.get("", {"parts": told})
        if options.table == "models":
            document[name]["published"] = published(name)
            texts.append(published_text(name))
    return document, "\n\n".join(texts) + "\n", paper_page(options.table, tables, curves), errors


def _listed(option: str, text: str) -> tuple[str, ...]:
    """Names between commas, each once."""
    found = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if not found:
        raise SettingError(f"{option} names none: give names with commas between them, or leave it out")
    return found


def _budget(options: argparse.Namespace) -> Budget:
    from elgeo.experiments.reproduce import BUDGET, Budget
    from elgeo.training.settings import parse_assignments

    wanted = () if options.models is None else _listed("--models", options.models)
    given = parse_assignments(options.set)
    return Budget(wanted, {**BUDGET, **given})


def _curves(table: str, results: Mapping[str, Sequence[Evaluation]]) -> dict[str, Roc]:
    """The ROC curves a table shows, of the first seed: by column, and where asked for entailed and novel apart."""
    found = {}
    for column, evaluations in results.items():
        for label, curve in evaluations[0].curves.items() if evaluations else ():
            kind = label.rpartition(", ")[2]
            if kind in (("entailed", "novel") if table == "entailed-novel" else ("filtered",)):
                found[f"{column}, {kind}"] = curve
    return found
