"""`elgeo closure`: everything an ontology entails in each normal form."""

from __future__ import annotations

import argparse
import json

from elgeo.cli.ontologies.options import add_ontology, form_lines, read_ontology
from elgeo.errors import SettingError
from elgeo.messages import say
from elgeo.ontology import normalise
from elgeo.ontology.normal_forms import FORMS, PUBLISHED
from elgeo.reasoning.closure.export import LIMIT, write_closure
from elgeo.reasoning.reasoner import Reasoner


def configure(parser: argparse.ArgumentParser) -> None:
    add_ontology(parser)
    parser.add_argument("-o", "--output", metavar="DIR", help="the folder to write a table for each form to")
    parser.add_argument("--mode", choices=("complete", "paper"), default="complete", help="default: complete")
    parser.add_argument("--count", action="store_true", help="only count")
    parser.add_argument("--format", choices=("tsv", "parquet"), default="tsv", help="default: tsv")
    parser.add_argument("--fresh", action="store_true", help="with the fresh classes of normalisation")
    parser.add_argument("--limit", type=int, default=LIMIT, help=f"most rows of one form (default {LIMIT:,})")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.epilog = """\
Lists all C ⊑ D and C ⊑ ∃R.D; of C ⊓ D ⊑ E and ∃R.C ⊑ D, if complete, those with an asserted left side.

example: elgeo closure go.obo -o go-closure --mode complete --format parquet"""


def run(options: argparse.Namespace) -> None:
    if not options.count and not options.output:
        raise SettingError("give a folder to write to (-o DIR), or --count")
    if options.limit < 1:
        raise SettingError("--limit must be at least 1")
    closure = Reasoner(normalise(read_ontology(options))).closure(options.mode)
    if not closure.saturation.consistent:
        say("the ontology is inconsistent: it entails every axiom")
    if options.count:
        counts = {FORMS[name].code: closure.count(name, options.fresh) for name in PUBLISHED}
        record = {"mode": options.mode, "fresh": options.fresh, "axioms": counts}
    else:
        record = write_closure(closure, options.output, options.format, options.limit, options.fresh)
        record["folder"] = options.output
        for code in record["cut_off"]:
            say(f"{code} has more than {options.limit:,} rows: the others are left out")
    if options.json:
        print(json.dumps(record))
        return
    for line in form_lines([(FORMS[name], record["axioms"][FORMS[name].code]) for name in PUBLISHED], 14):
        print(line)
    if not options.count:
        print(options.output)
