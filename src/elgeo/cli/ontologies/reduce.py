"""`elgeo reduce`: an ontology without the axioms that its other axioms entail."""

from __future__ import annotations

import argparse

from elgeo.cli.ontologies.options import add_ontology, read_ontology
from elgeo.cli.ontologies.output import add_output, check_output, save
from elgeo.messages import counted, say
from elgeo.reasoning.revisions.reduction import reduced


def configure(parser: argparse.ArgumentParser) -> None:
    add_ontology(parser)
    add_output(parser)
    parser.add_argument(
        "--explain", action="store_true", help="for each axiom that is taken out, the axioms that entail it"
    )
    parser.epilog = """\
Taken out are axioms A SubClassOf D and A SubClassOf R some D between names that follow from those that stay.
Standard error says how many; --explain prints them, each with what entails it.

example: elgeo reduce go.obo -o go-reduced.obo"""


def run(options: argparse.Namespace) -> None:
    check_output(options)
    found = reduced(read_ontology(options))
    removed = [
        {"axiom": axiom, "entailed_by": found.reasoner.justifications(axiom, 1)[0]} if options.explain else axiom
        for axiom in found.removed
    ]
    if options.explain and not options.json:
        for each in removed:
            print(each["axiom"])  # type: ignore[index]
            print("".join(f"  {axiom}\n" for axiom in each["entailed_by"]), end="")  # type: ignore[index]
    say(f"{counted(len(removed), 'redundant axiom')} taken out")
    save(found.ontology, options, removed=removed)
