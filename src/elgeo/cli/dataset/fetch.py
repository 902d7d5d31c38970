"""`elgeo dataset fetch`: one of the paper's datasets from its public sources."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from elgeo.cli.dataset.options import add_output
from elgeo.cli.dataset.saving import check_output, save_dataset
from elgeo.errors import SettingError
from elgeo.messages import say

SUMMARY = "one of the paper's datasets from its public sources"
EXAMPLE = "elgeo dataset fetch yeast-iw -o yeast-iw"


def configure(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    parser.add_argument("name", help="yeast-iw, yeast-hf, human-iw or human-hf")
    add_output(parser)
    parser.add_argument("--downloads", type=Path, help="folder for the downloaded files (default: DIR-downloads)")
    parser.add_argument("--sources", type=Path, help="a table of addresses in place of the package's own")
    parser.add_argument("--base-url", help="a mirror: https://host/path is fetched from BASE_URL/host/path")
    parser.add_argument(
        "--timeout", type=float, default=60.0, help="seconds of silence that end a connection (default 60)"
    )
    parser.add_argument("--tries", type=int, default=5, help="attempts at one address (default 5)")
    parser.add_argument("--max-megabytes", type=float, help="the largest file that is accepted")
    parser.add_argument("--seed", type=int, default=0, help="of the split (default 0)")


def run(options: argparse.Namespace) -> int:
    """Download, build and save."""
    from elgeo.datasets.sources.download import DownloadLimits
    from elgeo.datasets.sources.fetch import fetch, read_sources

    check_output(options)
    if options.timeout <= 0 or options.tries < 1 or (options.max_megabytes is not None and options.max_megabytes <= 0):
        raise SettingError("--timeout and --max-megabytes must be above 0, and --tries at least 1")
    folder = options.output.resolve()
    dataset, drops = fetch(
        options.name,
        options.downloads or folder.with_name(folder.name + "-downloads"),
        read_sources(options.sources),
        options.base_url,
        replace(DownloadLimits(), timeout=options.timeout, tries=options.tries),
        int(options.max_megabytes * 1e6) if options.max_megabytes else None,
        say,
        options.seed,
    )
    return save_dataset(options, dataset, drops)
