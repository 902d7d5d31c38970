"""`elgeo convert`: an ontology in another syntax."""

from __future__ import annotations

import argparse

from elgeo.cli.ontologies.options import add_ontology, read_ontology
from elgeo.cli.ontologies.output import add_output, check_output, save


def configure(parser: argparse.ArgumentParser) -> None:
    add_ontology(parser)
    add_output(parser)
    parser.epilog = (
        "example: elgeo convert go.obo -o go.owl\n"
        "Kept are axioms, declarations, labels, synonyms, definitions and what is obsolete; no other annotations.\n"
        "What has no word in OBO stands in the header of the file, in functional syntax."
    )


def run(options: argparse.Namespace) -> None:
    check_output(options)
    save(read_ontology(options), options)
