"""`elgeo evaluate`: where a run ranks the axioms held out from it, the baselines beside it."""

from __future__ import annotations

import argparse
import json
import sys

from elgeo import settings as settings_module
from elgeo.cli.runs import several
from elgeo.errors import SettingError
from elgeo.evaluation.settings import EvaluationSettings
from elgeo.messages import say

EPILOG = """example: elgeo evaluate run --filter train --candidates target
         elgeo evaluate run --positives both --filter closure --json
         elgeo evaluate run --against other-run
         elgeo evaluate run --new-classes"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument("run_folder", metavar="RUN", help="folder of a run, made by elgeo train")
    parser.add_argument("--dataset", metavar="DATASET", help="the dataset, if it is no longer where it was")
    parser.add_argument("--against", metavar="RUN", action="append", default=[], help="another run to compare with")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--all", action="store_true", help="print every measure (default: the usual ones)")
    parser.add_argument(
        "--suggestions",
        type=int,
        metavar="N",
        help="instead: how many of the first N suggestions (and of the first tenth) the held-out axioms have",
    )
    parser.add_argument(
        "--removed",
        action="store_true",
        help="instead, in a back-test: the ranks of training axioms that the newer release took back, and of others",
    )
    parser.add_argument(
        "--new-classes",
        action="store_true",
        help="instead: the place of new classes, by their words; those of the newer release in a back-test, else "
        "classes that are held out whole",
    )
    for each in settings_module.describe(EvaluationSettings):
        flag = "--" + each.name.replace("_", "-")
        if each.type is bool:
            if each.default:
                flag, action = "--no-" + each.name.replace("_", "-"), "store_false"
                text = f"leave out: {each.doc}"
            else:
                action, text = "store_true", each.doc
            parser.add_argument(flag, dest=each.name, action=action, help=text)
        else:
            choices = "|".join(str(choice) for choice in each.choices) or each.name.upper()
            parser.add_argument(
                flag, metavar=choices, default=each.default, help=f"{each.doc} (default {each.default})"
            )


def run(options: argparse.Namespace) -> int:
    values = {each.name: getattr(options, each.name) for each in settings_module.describe(EvaluationSettings)}
    wanted = settings_module.make(EvaluationSettings, values)
    several.check_runs([options.run_folder, *options.against])
    from elgeo import api
    from elgeo.training.distributed.processes import join
    from elgeo.training.run import Run

    processes = join()
    tell = say if processes.is_first else lambda message: None
    if several.is_several(options.run_folder) and (options.suggestions is not None or options.removed):
        return several.each(options, run)
    if several.is_several(options.run_folder) and not options.new_classes:
        if options.against:
            raise SettingError(f"{options.run_folder} has several targets: --against compares runs of one")
        return several.evaluate(
            options,
            lambda folder, dataset: api.evaluate(
                Run.load(folder, dataset), settings=wanted, say=tell, processes=processes
            ),
        )
    loaded = several.first_run(options)
    if (options.suggestions is not None or options.new_classes or options.removed) and not processes.is_first:
        return 0  # these are not divided
    if options.suggestions is not None:
        worth = api.suggestions(loaded, options.suggestions, say=say)
        print(json.dumps(worth.to_dict()) if options.json else "\n".join(worth.sentences()))
        return 0
    if options.removed:
        back = api.removed(loaded, seed=wanted.seed, say=say)
        print(json.dumps(back.to_dict()) if options.json else back.table())
        return 0
    if options.new_classes:
        found = api.evaluate_new_classes(loaded, seed=wanted.seed, say=say)
        print(json.dumps(found.to_dict()) if options.json else found.table())
        return 0
    others = [Run.load(folder, options.dataset) for folder in options.against]
    report = api.evaluate(loaded, settings=wanted, against=others, say=tell, processes=processes)
    if options.json:
        json.dump(report.to_dict(), sys.stdout)
        print()
    else:
        print(several.printed(report, options.all))
    return 0
