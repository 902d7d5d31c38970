"""`elgeo dataset releases`: a back-test between two releases of an ontology."""

from __future__ import annotations

import argparse

from elgeo.cli.dataset.options import add_imports, add_output, name_of
from elgeo.cli.dataset.saving import check_output
from elgeo.datasets.sources.given import given
from elgeo.documents import document_text
from elgeo.messages import say

SUMMARY = "a back-test: train on an old release, hold out what the new one added"
EXAMPLE = "elgeo dataset releases go-2019.obo go-2026.obo -o back-test"


def configure(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    parser.add_argument(
        "old", type=given, metavar="OLD", help="the old release: OWL or OBO, plain or compressed; or its web address"
    )
    parser.add_argument("new", type=given, metavar="NEW", help="the new one, in any syntax")
    parser.add_argument(
        "--axioms",
        action="append",
        metavar="PATTERN",
        help="a shape of axioms to hold out, '?C SubClassOf ?D' or '?C SubClassOf ROLE some ?D'; may be given again "
        "(default `all`: every shape with ten axioms or more to train on and to hold out)",
    )
    parser.add_argument("--name", help="the dataset's name (default: the folder's)")
    add_imports(parser)
    add_output(parser)


def run(options: argparse.Namespace) -> int:
    """Compare, write, and print what came and went."""
    from elgeo.datasets.releases.backtest import Releases, back_test
    from elgeo.datasets.releases.writing import save_back_test, summary
    from elgeo.datasets.splits.shapes import ALL
    from elgeo.datasets.targets import replaceable

    check_output(options, replaceable)
    recipe = Releases(
        options.old,
        options.new,
        tuple(options.axioms or (ALL,)),
        tuple(options.imports),
        name_of(options),
        options.language,
    )
    found = back_test(recipe, say)
    save_back_test(found, options.output, options.force)
    say(f"wrote {options.output}")
    counts = found.counts()
    print(document_text({"name": found.name, **counts}) if options.json else summary(counts))
    return 0
