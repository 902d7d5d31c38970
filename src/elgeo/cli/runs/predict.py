"""`elgeo predict`: the best missing axioms of a run, for people to look at."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from elgeo.cli.runs import several
from elgeo.errors import SettingError, clipped
from elgeo.evaluation.predictions.words import EXCLUDABLE, GENERAL, check_choices, listed_words
from elgeo.messages import say

EPILOG = """example: elgeo predict run --head YAL001C --top 10
         elgeo predict run --all --top 100000 -o missing.parquet
         elgeo predict run --all --top 50 --explain -o missing.owl
Each line has the score, its margin (how far it is ahead of the next best answer of its head, or behind the best), the
rank by it among what is shown, whether the axiom is novel, held out, entailed, asserted or
contradicted, and the classes most like the head that are known to have the tail. A pair joined by a
symmetric role is said once."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument("run_folder", metavar="RUN", help="folder of a run, made by elgeo train")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--head",
        metavar="CLASS",
        help="the best tails of this class; of any EL expression too where the model has places (transbox, faithful)",
    )
    what.add_argument("--tail", metavar="CLASS", help="the best heads of this class or expression")
    what.add_argument("--all", action="store_true", help="the best axioms of all heads together")
    parser.add_argument("--role", metavar="ROLE", help="another role than the one the run was trained for")
    parser.add_argument("--top", type=int, default=20, metavar="N", help="how many (default 20)")
    parser.add_argument(
        "--exclude",
        metavar="LIST",
        default=",".join(EXCLUDABLE),
        help="what is not shown: any of entailed, train, contradicted, domain (classes outside the role's domain or "
        "range), obsolete, general, lineage (a class and one above or below it), mirrored (pairs whose mirror "
        "follows or is better, where training goes one way), separated by commas, or nothing (default all of them)",
    )
    parser.add_argument(
        "--general",
        type=float,
        default=GENERAL,
        metavar="SHARE",
        help=f"a class is too general with more than this share of the candidates below it (default {GENERAL})",
    )
    parser.add_argument("--explain", action="store_true", help="what each score is made of, where the model can say")
    parser.add_argument(
        "--without",
        metavar="AXIOM",
        action="append",
        default=[],
        help="fit the model again without this training axiom of the target (again for more), and say what becomes of "
        "each score",
    )
    parser.add_argument("--dataset", metavar="DATASET", help="the dataset, if it is no longer where it was")
    parser.add_argument(
        "--format", choices=("table", "tsv", "json", "jsonl", "ofn"), default="table", help="(default table)"
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write them there: .tsv, .json, .jsonl (a document a line), .parquet; or as an ontology with labels and "
        "provenance: .ofn, .owl, .ttl, .owx, .obo, also with .gz",
    )
    parser.add_argument("--json", action="store_const", const="json", dest="format", help="the same as --format json")


def run(options: argparse.Namespace) -> int:
    exclude = listed_words(options.exclude)
    check_choices(options.head, options.tail, options.top, exclude, options.general)
    several.check_runs([options.run_folder])
    from elgeo import api
    from elgeo.evaluation.predictions.predict import Predictions
    from elgeo.report.predictions_file import check_ending, write_predictions
    from elgeo.report.predictions_text import as_json, as_json_lines, as_table, as_tsv
    from elgeo.training.distributed.processes import join
    from elgeo.training.run import Run

    if options.output is not None:
        check_ending(options.output)
    if several.is_several(options.run_folder):
        if options.output is not None:
            raise SettingError(f"{options.run_folder} has several targets: -o takes the folder of one of them")
        return several.predict(options, run)
    processes = join()
    found = api.predictions(
        Run.load(options.run_folder, options.dataset),
        head=options.head,
        tail=options.tail,
        role=options.role,
        top=options.top,
        exclude=exclude,
        general=options.general,
        explain=options.explain,
        without=options.without,
        say=say if processes.is_first else lambda message: None,
        processes=processes,
    )
    if not processes.is_first:
        return 0
    for note in found.notes:
        say(note)
    if options.output is not None:
        left_out = write_predictions(found, options.output, Path(options.run_folder).resolve().name)
        if left_out:
            say(f"{len(left_out):,} left out, for which the syntax has no words: {clipped(left_out[0], 120)}")
        print(options.output)
        return 0
    writers = {
        "table": as_table,
        "tsv": as_tsv,
        "json": as_json,
        "jsonl": as_json_lines,
        "ofn": Predictions.functional_syntax,
    }
    if options.format == "table" and len(found.rows):
        say("ordered by margin: how far each is ahead of the next best answer of its class, or behind the best")
    sys.stdout.write(writers[options.format](found))
    return 0
