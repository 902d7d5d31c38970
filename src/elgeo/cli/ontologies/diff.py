"""`elgeo diff`: axioms and consequences that came and went between two ontologies."""

from __future__ import annotations

import argparse
import json
from typing import Any

from elgeo.cli.ontologies.options import add_ontology, read_ontology
from elgeo.messages import say
from elgeo.reasoning.revisions.difference import Change, Difference, difference


def configure(parser: argparse.ArgumentParser) -> None:
    add_ontology(parser)
    parser.add_argument("new", metavar="NEW", help="the ontology that FILE is compared with")
    parser.add_argument("--all", action="store_true", help="all consequences, not only those with nothing in between")
    parser.add_argument("--explain", action="store_true", help="for each consequence the axioms it follows from")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.epilog = """\
`+` is what only NEW has, `-` what only FILE has. Consequences are subsumptions between classes of both that no axiom
says, and classes that became unsatisfiable. The order of axioms and of their arguments makes no difference.

example: elgeo diff go-2019.obo go-2026.obo --explain"""


def run(options: argparse.Namespace) -> None:
    old = read_ontology(options)
    new = read_ontology(argparse.Namespace(**{**vars(options), "file": options.new}))
    found = difference(old, new, options.all)
    parts = {"names": found.names, "axioms": found.axioms, "consequences": found.consequences}
    if options.json:
        print(json.dumps({name: _document(found, name, part, options.explain) for name, part in parts.items()}))
        return
    for name, part in parts.items():
        say(f"{name}: {len(part.came):,} came, {len(part.went):,} went")
        for came, each in [(False, text) for text in part.went] + [(True, text) for text in part.came]:
            print(f"{'+' if came else '-'} {each}")
            if options.explain and name == "consequences":
                print("".join(f"    {axiom}\n" for axiom in found.reasons(each, came)), end="")


def _document(found: Difference, name: str, part: Change, explain: bool) -> dict[str, list[Any]]:
    if not explain or name != "consequences":
        return {"came": part.came, "went": part.went}
    return {
        side: [{"axiom": text, "follows_from": found.reasons(text, side == "came")} for text in texts]
        for side, texts in (("came", part.came), ("went", part.went))
    }
