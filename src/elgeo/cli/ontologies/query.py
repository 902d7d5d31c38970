"""`elgeo query`: the classes and individuals below, above or in a class expression."""

from __future__ import annotations

import argparse
import json

from elgeo.cli.ontologies.options import add_ontology, read_ontology, tell_left_out
from elgeo.messages import say
from elgeo.ontology import normalise
from elgeo.reasoning.questions.expression_queries import RELATIONS, ExpressionQuery
from elgeo.reasoning.saturation.saturate import saturate
from elgeo.reasoning.taxonomy.listing import plain_label
from elgeo.reasoning.taxonomy.taxonomy import taxonomy

_HELP = {
    "subclasses": "the classes below it (this is the default)",
    "superclasses": "the classes above it",
    "equivalent": "the classes equal to it",
    "instances": "the individuals in it",
}


def configure(parser: argparse.ArgumentParser) -> None:
    add_ontology(parser)
    parser.add_argument("expression", metavar="EXPRESSION", help="in words, or in functional syntax")
    kinds = parser.add_mutually_exclusive_group()
    for relation in RELATIONS:
        kinds.add_argument(f"--{relation}", dest="relation", action="store_const", const=relation, help=_HELP[relation])
    parser.add_argument("--direct", action="store_true", help="only those with no other class in between")
    parser.add_argument("--labels", action="store_true", help="add a column: the label of each")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.set_defaults(relation="subclasses")
    parser.epilog = """\
One whole IRI a line, sorted. Unsatisfiable classes are below everything and are not listed.

example: elgeo query go.obo "part_of some 'cell' and regulates some GO:0008150" --direct"""


def run(options: argparse.Namespace) -> None:
    ontology = read_ontology(options)
    forms = normalise(ontology)
    found = taxonomy(saturate(forms))
    query = ExpressionQuery(options.expression, found)
    tell_left_out(forms)
    iris = sorted(forms.vocabulary.classes[i] for i in query.ids(options.relation, options.direct))
    if not found.consistent:
        say("the ontology is inconsistent: every class is unsatisfiable")
    elif query.unsatisfiable:
        say("nothing can be in this expression: it is unsatisfiable")
    if options.json:
        results = [{"id": iri, "label": ontology.labels.get(iri)} for iri in iris]
        document = {
            "expression": options.expression,
            "relation": options.relation,
            "direct": options.direct,
            "consistent": found.consistent,
            "count": len(iris),
            "results": results,
        }
        print(json.dumps(document, ensure_ascii=False))
    else:
        for iri in iris:
            print(f"{iri}\t{plain_label(iri, ontology.labels)}" if options.labels else iri)
