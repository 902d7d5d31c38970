"""`elgeo demo`: the whole job on embedded examples, one command after the other, as a user would give them."""

from __future__ import annotations

import argparse
import contextlib
import io
import shlex
import sys
import time
from importlib.resources import files
from pathlib import Path
from typing import Any

from elgeo.documents import document_text
from elgeo.errors import ElgeoError

QUESTION = "Mother SubClassOf has_child some Person"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-o",
        "--output",
        metavar="DIR",
        type=Path,
        default=Path("elgeo-demo"),
        help="where to put it all (default elgeo-demo)",
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the training (default 0)")
    parser.add_argument("--json", action="store_true", help="what each command gave, as one JSON document")
    parser.epilog = "example: elgeo demo -o demo"


def run(options: argparse.Namespace) -> int:
    from elgeo.files import write_text

    folder: Path = options.output
    if folder.exists() and any(folder.iterdir()):
        raise ElgeoError(f"{folder} is not empty: choose another folder with -o")
    ontology = folder / "family.ofn"
    write_text(ontology, (files("elgeo.datasets.embedded") / "family.ofn").read_text(encoding="utf-8"))
    started = time.perf_counter()
    results = [_given(title, command, options.json) for title, command in _commands(folder, ontology, options.seed)]
    if options.json:
        print(document_text({"folder": str(folder), "page": str(folder / "report.html"), "commands": results}))
    else:
        print(f"\ndone in {time.perf_counter() - started:.0f} s; open {folder / 'report.html'}")
    return 0


def _commands(folder: Path, ontology: Path, seed: int) -> list[tuple[str, list[str]]]:
    family, cell = str(folder / "runs" / "family"), str(folder / "runs" / "cell")
    return [
        ("What is in an ontology", ["info", str(ontology)]),
        ("As tables, one for each normal form", ["normalise", str(ontology), "-o", str(folder / "tables")]),
        ("Everything it entails", ["closure", str(ontology), "-o", str(folder / "closure")]),
        ("Whether and why something follows", ["entails", str(ontology), QUESTION, "--explain"]),
        ("As balls in the plane, every axiom true", ["train", "family", "-o", family, "--preset", "family", "--quiet"]),
        ("A generated cell: which proteins interact", ["dataset", "info", "cell"]),
        ("Trained", ["train", "cell", "-o", cell, "--seed", str(seed)]),
        ("Evaluated on axioms it has not seen", ["evaluate", cell]),
        ("The best axioms that are missing", ["predict", cell, "--all", "--top", "3", "--explain"]),
        ("A page about it", ["report", cell, family, "-o", str(folder / "report.html")]),
    ]


def _given(title: str, command: list[str], silent: bool) -> dict[str, Any]:
    """Say a command as a user would, run it, and tell what it gave."""
    from elgeo.cli import main

    print(f"\n# {title}\n$ elgeo {shlex.join(command)}", file=sys.stderr if silent else sys.stdout, flush=True)
    output = io.StringIO()
    started = time.perf_counter()
    with contextlib.redirect_stdout(output) if silent else contextlib.nullcontext():
        code = main(command)
    if code:
        raise ElgeoError(f"the demo stopped: elgeo {command[0]} ended with {code}")
    return {
        "command": ["elgeo", *command],
        "seconds": round(time.perf_counter() - started, 2),
        "output": output.getvalue(),
    }
