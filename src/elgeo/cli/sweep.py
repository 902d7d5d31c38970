"""`elgeo sweep`: hyperparameter search, on one machine or shared by many through a database."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

EXAMPLE = """\
example space.toml:
  [search]
  method = "tpe"          # grid, tpe or random
  trials = 40             # a grid has as many as it has points
  prune = true            # stop trials whose validation rank falls behind
  [fixed]
  negatives = "filtered"
  [space]
  dimension = [50, 100, 200]
  learning_rate = { low = 1e-4, high = 1e-2, log = true }

examples:
  elgeo sweep data/yeast-iw --space space.toml -o sweeps/iw --workers 2
  elgeo sweep data/yeast-iw --space paper -o sweeps/grid --storage postgresql+psycopg://user@host/db
Several machines share a sweep by running the same command with the same --storage and --name.
Run it again to go on after an interruption.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("dataset", metavar="DATASET", help="a dataset's folder, or the name of an embedded one")
    parser.add_argument("--space", metavar="FILE", required=True, help="what to search (TOML), or `paper`")
    parser.add_argument("-o", "--output", metavar="DIR", required=True, type=Path, help="where the results go")
    parser.add_argument(
        "--storage", metavar="URL", help="a database to share the study through (default SQLite in DIR)"
    )
    parser.add_argument("--name", help="the study's name in the database (default: the output folder's name)")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="processes on this machine (default 1)")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true", help="the summary as JSON")
    parser.epilog = EXAMPLE


def run(options: argparse.Namespace) -> int:
    from elgeo import datasets
    from elgeo.errors import SettingError
    from elgeo.experiments import sweep
    from elgeo.experiments.space import read_space
    from elgeo.experiments.study import open_study
    from elgeo.files import write_text
    from elgeo.report.pages.sweep_page import sweep_page
    from elgeo.training.folder.record import fingerprint

    if options.workers < 1:
        raise SettingError("--workers must be at least 1")
    space = read_space(options.space)
    sweep.base_settings(space)
    dataset = datasets.load(options.dataset)
    name = options.name or options.output.resolve().name
    url = options.storage or sweep.storage_url(options.output)
    study = open_study(url, name, space, dataset=fingerprint(dataset))
    if options.worker or options.workers == 1:
        sweep.run_worker(study, space, dataset, options.dataset, options.output)
        if options.worker:
            return 0
    else:
        command = ["sweep", options.dataset, "--space", options.space, "-o", str(options.output), "--worker"]
        command += ["--storage", url, "--name", name]
        sweep.run_workers(command, options.workers, study, space)
    summary = sweep.write_results(study, space, options.output)
    page = sweep_page(name, list(space.vary), sweep.ranked(study), space.size)
    write_text(options.output / "sweep.html", page)
    if options.json:
        print(json.dumps(summary))
    else:
        best = summary["best"]
        print(f"{summary['trials']} of {summary['of']} trials done; table, page and best settings in {options.output}")
        if best:
            chosen = ", ".join(f"{key}={value}" for key, value in best["settings"].items())
            print(f"best validation MRR {best['valid_mrr']:.4f}: {chosen}")
            print(f"train with it: elgeo train {options.dataset} -o RUN --preset {options.output / 'best.toml'}")
    return 0
