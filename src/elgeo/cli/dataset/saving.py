"""What every command that makes a dataset does at its ends: look at the folder first, then write it and print it."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from elgeo.datasets.drops import Drops
from elgeo.datasets.model import Dataset
from elgeo.documents import document_text
from elgeo.errors import SettingError
from elgeo.files import settled
from elgeo.messages import say


def check_output(options: argparse.Namespace, replaceable: Callable[[Path], bool] | None = None) -> None:
    """Refuse a folder that may not be replaced: before the work, not after it."""
    from elgeo.datasets.folder import may_be_replaced

    replaceable = replaceable or may_be_replaced
    if settled(options.output).exists() and not (options.force and replaceable(options.output)):
        raise SettingError(
            f"{options.output} exists already: give another folder, or --force to replace a dataset there"
        )


def save_dataset(options: argparse.Namespace, dataset: Dataset, drops: Drops) -> int:
    """Look for leakage, write, print the counts."""
    from elgeo.datasets.finishing import finished
    from elgeo.datasets.folder import save

    say("looking for leakage")
    dataset = finished(dataset, drops)
    save(dataset, options.output, drops.listed, replace_existing=options.force)
    say(f"wrote {options.output}")
    print_counts(dataset, options.json)
    return 0


def print_counts(dataset: Dataset, as_json: bool) -> None:
    """The table for people, or the document for programs."""
    from elgeo.datasets.statistics import statistics, table

    counts = statistics(dataset)
    print(document_text(counts) if as_json else table(counts))
