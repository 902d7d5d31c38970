"""`elgeo merge`: several ontologies as one."""

from __future__ import annotations

import argparse

from elgeo.cli.ontologies.options import add_ontology, read_ontology
from elgeo.cli.ontologies.output import add_output, check_output, save
from elgeo.ontology.reading.merging import union


def configure(parser: argparse.ArgumentParser) -> None:
    add_ontology(parser)
    parser.add_argument("others", metavar="FILE", nargs="+", help="further files; the first one names the whole")
    add_output(parser)
    parser.epilog = (
        "example: elgeo merge go.obo annotations.ofn -o all.owl\n"
        "Axioms that several files have are written once. Where files have different labels for one name, the first "
        "file's is kept, and the others' become synonyms."
    )


def run(options: argparse.Namespace) -> None:
    check_output(options)
    files = [options.file, *options.others]
    ontologies = [read_ontology(argparse.Namespace(**{**vars(options), "file": file})) for file in files]
    save(union(ontologies), options, files=len(files))
