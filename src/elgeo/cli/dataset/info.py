"""`elgeo dataset info`: counts by split, kind and normal form."""

from __future__ import annotations

import argparse

from elgeo.cli.dataset.saving import print_counts

SUMMARY = "counts by split, kind and normal form, beside the paper's"
EXAMPLE = "elgeo dataset info family"


def configure(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    parser.add_argument("dataset", metavar="DIR", help="a dataset's folder, or the name of an embedded one")


def run(options: argparse.Namespace) -> int:
    """Print them."""
    from elgeo.datasets import load

    print_counts(load(options.dataset), options.json)
    return 0
