"""`elgeo run`: train, evaluate and report in one."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from elgeo import datasets
from elgeo.cli.parsing import Parser
from elgeo.cli.runs.train import add_settings, changes, check_names, settings_listed
from elgeo.messages import say
from elgeo.places import check_new_run

EXAMPLE = """\
examples:
  elgeo run data/mine -o runs/mine --seed 1
  elgeo run family -o runs/family --model elem --epochs 50
"""


def configure(parser: Parser) -> None:
    parser.add_argument("dataset", metavar="DATASET", help="a dataset's folder, or the name of an embedded one")
    parser.add_argument(
        "-o", "--output", metavar="DIR", required=True, type=Path, help="the run's folder, with its page"
    )
    add_settings(parser)
    parser.add_argument("--resume", action="store_true", help="go on with the run in DIR where it was broken off")
    parser.add_argument("--quiet", action="store_true", help="no progress")
    parser.add_argument("--json", action="store_true", help="the evaluation as JSON")
    parser.written_late = lambda: f"{settings_listed()}\n\n{EXAMPLE}"


def run(options: argparse.Namespace) -> int:
    datasets.check(options.dataset)
    check_new_run(options.output, options.resume)
    check_names(options)
    from elgeo import api

    outcome = api.pipeline(
        options.dataset,
        options.output,
        options.model,
        preset=options.preset,
        resume=options.resume,
        say=(lambda stage: None) if options.quiet else say,
        quiet=options.quiet,
        **changes(options),
    )
    if options.json:
        print(json.dumps(outcome.report.to_dict()))
    else:
        print(outcome.report.summary())
        print(f"\n{outcome.page}")
    return 0
