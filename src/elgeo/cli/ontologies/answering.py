"""What `entails` and `explain` share: axioms on the command line, how many justifications, how answers are printed."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import Any

from elgeo.cli.ontologies.options import add_ontology
from elgeo.errors import SettingError


def add_axioms(parser: argparse.ArgumentParser) -> None:
    """The ontology, and the axioms that are asked about."""
    add_ontology(parser)
    parser.add_argument("axioms", metavar="AXIOM", nargs="*", help="functional syntax, or: A SubClassOf r some B")


def add_printing(parser: argparse.ArgumentParser, limit: int) -> None:
    """How much is printed, and for whom."""
    text = f"most justifications of one axiom (default {limit})"
    parser.add_argument("--limit", type=int, default=limit, help=text)
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def check_limit(options: argparse.Namespace) -> None:
    """Before the ontology is read."""
    if options.limit < 1:
        raise SettingError("--limit must be at least 1")


def print_document(name: str, answers: Sequence[dict[str, Any]], consistent: bool, **more: Any) -> None:
    """One JSON document of all answers, without the words of their proofs."""
    plain = [{key: value for key, value in answer.items() if key != "text"} for answer in answers]
    print(json.dumps({"consistent": consistent, name: plain} | more, ensure_ascii=False))


def print_answer(answer: dict[str, Any]) -> None:
    """A verdict, and what explains it."""
    print(f"{answer['answer']}\t{answer['axiom']}")
    for line in [answer.get("reason", ""), *answer.get("text", "").splitlines()]:
        if line:
            print(f"    {line}")
    for number, axioms in enumerate(answer.get("justifications", ()), 1):
        print(f"  justification {number}")
        for axiom in axioms:
            print(f"    {axiom}")
