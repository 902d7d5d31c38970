"""`elgeo reason`: the ontology with its inferred axioms added."""

from __future__ import annotations

import argparse
import json

from elgeo.cli.ontologies.options import add_ontology, read_ontology, tell_left_out
from elgeo.messages import counted, say
from elgeo.ontology import normalise
from elgeo.ontology.short_names import listed
from elgeo.ontology.writing.write import ENDINGS, syntax_of, write
from elgeo.reasoning.saturation.saturate import saturate
from elgeo.reasoning.taxonomy.inferred import with_inferred
from elgeo.reasoning.taxonomy.taxonomy import taxonomy


def configure(parser: argparse.ArgumentParser) -> None:
    add_ontology(parser)
    parser.add_argument(
        "-o", "--output", metavar="OUT", required=True, help=f"the file to write: {', '.join(ENDINGS)}, also with .gz"
    )
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--direct", action="store_true", help="add direct superclasses and types only (the default)")
    how.add_argument("--all", action="store_true", help="add all superclasses and types")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.epilog = """\
Added are SubClassOf and EquivalentClasses between names and types of individuals that no axiom says already. Written
with the axioms: declarations, labels, synonyms, definitions, and what is obsolete; no other annotations.

example: elgeo reason go.obo -o go-reasoned.ofn"""


def run(options: argparse.Namespace) -> None:
    syntax_of(options.output)  # refused before the work where it says none
    forms = normalise(read_ontology(options))
    tell_left_out(forms)
    found = taxonomy(saturate(forms))
    if not found.consistent:
        say("the ontology is inconsistent: every class is unsatisfiable")
    elif len(found.unsatisfiable):
        say(f"unsatisfiable: {listed(forms.vocabulary, found.unsatisfiable.tolist())}")
    inferred = with_inferred(found, options.all)
    if left_out := write(inferred.ontology, options.output):
        say(f"{counted(len(left_out), 'axiom')} left out, for which the syntax has no words")
    if options.json:
        print(json.dumps({"output": options.output, "consistent": found.consistent, "added": inferred.added}))
    else:
        say(f"{counted(sum(inferred.added.values()), 'inferred axiom')} added")
        print(options.output)
