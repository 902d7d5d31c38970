"""`elgeo place`: where a new term belongs among the classes a run was trained on."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from elgeo.cli.runs import several
from elgeo.documents import shown
from elgeo.messages import say

EPILOG = """example: elgeo place run --label "regulation of heart rate by adrenaline"
         elgeo place run --label "left heart valve" --axiom "NEW SubClassOf part_of some Heart" --format json
         elgeo place run --batch new_terms.tsv --format template > template.tsv
A batch is a table with a heading: label, and where there are any id, definition, synonyms (with | between), axioms."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument("run_folder", metavar="RUN", help="folder of a run, made by elgeo train")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--label", metavar="TEXT", help="the name of the new term")
    what.add_argument("--batch", type=Path, metavar="FILE", help="many terms: a table with a heading")
    parser.add_argument("--definition", metavar="TEXT", default="", help="what it is, in words")
    parser.add_argument(
        "--synonym", metavar="TEXT", action="append", default=[], help="another name; may be given again"
    )
    parser.add_argument(
        "--axiom", metavar="AXIOM", action="append", default=[], help="NEW SubClassOf …: what is known of it already"
    )
    parser.add_argument("--id", metavar="ID", default="", help="the id it is to have")
    parser.add_argument("--top", type=int, default=10, metavar="N", help="how many parents are shown (default 10)")
    parser.add_argument("--dataset", metavar="DATASET", help="the dataset, if it is no longer where it was")
    parser.add_argument(
        "--format",
        choices=("table", "json", "ofn", "template"),
        default="table",
        help="what is printed (default table)",
    )
    parser.add_argument("--json", action="store_const", const="json", dest="format", help="the same as --format json")


def run(options: argparse.Namespace) -> int:
    from elgeo.errors import SettingError

    if options.top < 1:
        raise SettingError(f"--top has to be 1 or more, not {options.top}")
    several.check_runs([options.run_folder])
    from elgeo import api
    from elgeo.evaluation.placing.suggestions import NEAR_NAME, Proposal
    from elgeo.report.placements_text import as_functional, as_json, as_table, as_template

    if options.batch is not None:
        if options.definition or options.synonym or options.axiom or options.id:
            raise SettingError(
                "--definition, --synonym, --axiom and --id belong to --label: a batch has columns for them"
            )
        proposals = api.proposals(options.batch)
    else:
        words = (options.label, options.definition, tuple(options.synonym), tuple(options.axiom), options.id)
        proposals = [Proposal(*words)]
    found = api.place(several.first_run(options), proposals, top=options.top, say=say)
    for placed in found:
        for existing in placed.existing:
            if existing.how != NEAR_NAME:
                iri = found.names.classes[existing.class_id]
                say(f"{shown(placed.proposal.label)} exists already: {iri} ({existing.how})")
    writers = {"table": as_table, "json": as_json, "ofn": as_functional, "template": as_template}
    sys.stdout.write(writers[options.format](found))
    return 0
