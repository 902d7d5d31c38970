"""`elgeo normalise`: an ontology as tables, one for each normal form."""

from __future__ import annotations

import argparse
import json

from elgeo.cli.ontologies.options import add_ontology, read_ontology, tell_left_out_by_kind, unsupported_by_kind
from elgeo.ontology import normalise
from elgeo.ontology.writing.tables import save_tables


def configure(parser: argparse.ArgumentParser) -> None:
    add_ontology(parser)
    parser.add_argument("-o", "--output", metavar="DIR", required=True, help="the folder to write")
    parser.add_argument("--format", choices=("tsv", "parquet"), default="tsv", help="default: tsv")
    parser.add_argument("--strict", action="store_true", help="an axiom that EL++ cannot say in full is an error")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.epilog = "example: elgeo normalise go.obo -o go-tables --format parquet"


def run(options: argparse.Namespace) -> None:
    forms = normalise(read_ontology(options), strict=options.strict)
    save_tables(forms, options.output, options.format)
    unsupported = unsupported_by_kind(forms)
    if options.json:
        print(json.dumps({"folder": options.output, "normal_forms": forms.counts(), "unsupported": unsupported}))
        return
    tell_left_out_by_kind(forms)
    print(options.output)
