"""`elgeo dataset info`: counts by split, kind and normal form."""

from __future__ import annotations

import argparse
from pathlib import Path

from elgeo.cli.dataset.saving import print_counts
from elgeo.documents import document_text

SUMMARY = "counts by split, kind and normal form, beside the paper's"
EXAMPLE = "elgeo dataset info family"


def configure(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    parser.add_argument("dataset", metavar="DIR", help="a dataset's folder, or the name of an embedded one")


def run(options: argparse.Namespace) -> int:
    """Print them; of several targets one after the other."""
    from elgeo.datasets import load
    from elgeo.datasets.statistics import statistics, table
    from elgeo.datasets.targets import has_several, read_targets

    if has_several(Path(options.dataset)):
        targets = read_targets(Path(options.dataset))
        counts = {m.folder: statistics(load(Path(options.dataset) / m.folder)) for m in targets.members}
        if options.json:
            print(document_text({"name": targets.name, "targets": counts, **targets.record}))
        else:
            print("\n\n".join(table(each) for each in counts.values()))
        return 0
    print_counts(load(options.dataset), options.json)
    return 0
