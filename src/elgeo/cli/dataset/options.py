"""Options that several commands about datasets share."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from elgeo.cli.ontologies.options import LANGUAGE_HELP
from elgeo.messages import say
from elgeo.ontology.reading.labels import ENGLISH

_CHOICES = {
    "entailed": (
        ("--drop-entailed", "drop", "leave out what training entails"),
        (
            "--remove-entailing",
            "remove-entailing",
            "take axioms out of training until it entails no held-out axiom",
        ),
    ),
    "classes": (
        (
            "--cold",
            "cold",
            "hold out heads of which training says nothing (default: every class of a held-out axiom stays known)",
        ),
        ("--as-drawn", "as-drawn", "hold out whatever chance gives, also all that is known of a class"),
    ),
}
"""Options of which at most one may be given, by the setting they choose: option, value, help."""


def add_output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="the dataset's folder")
    parser.add_argument("--force", action="store_true", help="replace a dataset that is there already")


def add_imports(parser: argparse.ArgumentParser) -> None:
    text = "a file, or a folder of files, with imported ontologies; may be given again"
    parser.add_argument("--import", dest="imports", type=Path, action="append", default=[], metavar="FILE", help=text)
    parser.add_argument("--language", metavar="TAG", default=ENGLISH, help=LANGUAGE_HELP)


def add_splitting(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--split", default="90:5:5", help="shares of train:valid:test (default 90:5:5)")
    parser.add_argument("--seed", type=int, default=0, help="of the split (default 0)")
    parser.add_argument("--name", help="the dataset's name (default: the folder's)")


def add_choosing(parser: argparse.ArgumentParser) -> None:
    """Which axioms are held out."""
    for name, choices in _CHOICES.items():
        group = parser.add_mutually_exclusive_group()
        for option, value, text in choices:
            group.add_argument(option, action="store_const", dest=name, const=value, help=text)
    parser.add_argument(
        "--split-definitions",
        action="store_true",
        help="hold out also what a definition says too, and take it out of the definition (default: it stays)",
    )


def division(options: argparse.Namespace) -> dict[str, Any]:
    """How much is held out, and which axioms."""
    from elgeo.datasets.splits.splitting import parse_shares

    return {
        "shares": parse_shares(options.split, say),
        "seed": options.seed,
        "classes": options.classes or "warm",
        "split_definitions": options.split_definitions,
        "entailed": options.entailed or "keep",
    }


def name_of(options: argparse.Namespace) -> str:
    """The dataset's name: as given, or the folder's."""
    return str(options.name or options.output.resolve().name)
