"""`elgeo classify`: the hierarchy of the named classes."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from typing import Any

from elgeo.cli.ontologies.options import add_ontology, read_ontology, tell_left_out_by_kind
from elgeo.errors import SettingError
from elgeo.files import written_atomically
from elgeo.messages import say
from elgeo.ontology import normalise
from elgeo.reasoning.saturation.saturate import Saturation, saturate
from elgeo.reasoning.taxonomy.as_ontology import ontology_text
from elgeo.reasoning.taxonomy.listing import (
    count_subsumptions,
    direct_lines,
    labelled_lines,
    new_lines,
    subsumption_lines,
)
from elgeo.reasoning.taxonomy.taxonomy import taxonomy


def configure(parser: argparse.ArgumentParser) -> None:
    add_ontology(parser)
    parser.add_argument("-o", "--output", metavar="OUT", help="write to this file instead of standard output")
    parser.add_argument("--direct", action="store_true", help="only equivalent classes and direct superclasses")
    parser.add_argument("--new", action="store_true", help="only what is inferred, and no axiom between two names says")
    parser.add_argument("--labels", action="store_true", help="add two columns: the labels of both")
    parser.add_argument(
        "--format",
        choices=["tsv", "ofn"],
        default="tsv",
        help="lines sub<TAB>super (default), or an ontology that Protégé opens",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.epilog = "example: elgeo classify go.obo -o hierarchy.tsv"


def run(options: argparse.Namespace) -> None:
    if options.json and options.format == "ofn" and not options.output:
        raise SettingError("--json and --format ofn both want standard output: give the ontology a file with -o")
    if options.labels and (options.json or options.format == "ofn"):
        raise SettingError("--labels adds columns to lines sub<TAB>super: leave out --json and --format ofn")
    if options.new and options.format == "ofn":
        raise SettingError("--new lists lines sub<TAB>super: leave out --format ofn")
    forms = normalise(read_ontology(options))
    tell_left_out_by_kind(forms)
    saturation = saturate(forms)
    if not saturation.consistent:
        say("the ontology is inconsistent: every class is unsatisfiable")
    elif options.new and (impossible := taxonomy(saturation).unsatisfiable.tolist()):
        say(f"unsatisfiable: {' '.join(sorted(forms.vocabulary.classes[i] for i in impossible))}")
    if options.output:
        with written_atomically(options.output) as path, path.open("wb") as file:
            for block in _blocks(saturation, options):
                file.write(block)
    if options.json:
        print(json.dumps(_summary(saturation, options), ensure_ascii=False))
    elif not options.output:
        for block in _blocks(saturation, options):
            sys.stdout.buffer.write(block)


def _blocks(saturation: Saturation, options: argparse.Namespace) -> Iterable[Any]:
    if options.format == "ofn":
        return [ontology_text(taxonomy(saturation)).encode()]
    lines = direct_lines(taxonomy(saturation)) if options.direct else subsumption_lines(saturation)
    blocks: Iterable[Any] = new_lines(lines, saturation) if options.new else lines
    return labelled_lines(blocks, saturation.forms.vocabulary.labels) if options.labels else blocks


def _summary(saturation: Saturation, options: argparse.Namespace) -> dict[str, Any]:
    found = taxonomy(saturation)
    names = saturation.forms.vocabulary.classes
    summary: dict[str, Any] = {
        "consistent": saturation.consistent,
        "classes": found.n_classes,
        "count": count_subsumptions(saturation),
        "unsatisfiable": sorted(names[int(i)] for i in found.unsatisfiable),
        "equivalent": sorted(sorted(names[int(i)] for i in group) for group in found.groups()),
    }
    if options.output:
        summary["output"] = options.output
    else:
        lines = b"".join(_blocks(saturation, options)).decode().splitlines()
        summary["subsumptions"] = [line.split("\t") for line in lines]
    return summary
