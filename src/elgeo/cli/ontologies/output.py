"""How commands write an ontology: to which file, in which syntax, and what is said of it."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path

from elgeo.errors import SettingError, clipped
from elgeo.messages import say
from elgeo.ontology.model import Ontology
from elgeo.ontology.writing.notes import Notes
from elgeo.ontology.writing.write import ENDINGS, syntax_of, write

SYNTAXES = tuple(dict.fromkeys(ENDINGS.values()))


def add_output(parser: argparse.ArgumentParser) -> None:
    """Where an ontology is written, and how."""
    parser.add_argument(
        "-o", "--output", metavar="OUT", required=True, help=f"the file to write: {', '.join(ENDINGS)}, also with .gz"
    )
    parser.add_argument("--format", choices=SYNTAXES, help="the syntax, where the ending of OUT does not say it")
    parser.add_argument("--strict", action="store_true", help="an axiom that the syntax cannot say is an error")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def check_output(options: argparse.Namespace) -> None:
    """Refuse an ending that says no syntax, and to write over what is read, before anything is read."""
    if options.format is None:
        syntax_of(options.output)
    for file in (options.file, *getattr(options, "others", ())):
        if Path(file).exists() and Path(options.output).exists() and os.path.samefile(file, options.output):
            raise SettingError(f"{options.output} is what is read, and some annotations are not kept: choose another")


def save(ontology: Ontology, options: argparse.Namespace, notes: Notes | None = None, **found: object) -> None:
    """Write an ontology with notes on its axioms and say what became of it; `found` is said in JSON too."""
    left_out = write(ontology, options.output, options.format, options.strict, notes)
    if options.json:
        counts = {"axioms": len(ontology.axiom_nodes) - len(left_out), "left_out": left_out}
        print(json.dumps({"file": options.output, **counts, **found}))
        return
    if left_out:
        say(f"{len(left_out):,} left out, for which the syntax has no words: {clipped(left_out[0], 120)}")
    print(options.output)
