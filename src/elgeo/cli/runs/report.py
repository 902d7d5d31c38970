"""`elgeo report`: one self-contained page about one or several runs."""

from __future__ import annotations

import argparse
from pathlib import Path

from elgeo.cli.runs import several
from elgeo.errors import SettingError

EXAMPLE = "example: elgeo report runs/filter runs/relu -o page.html"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("runs", metavar="RUN", nargs="+", type=Path, help="folders of runs, made by elgeo train")
    parser.add_argument("-o", "--output", metavar="PAGE", type=Path, required=True, help="the HTML file to write")
    parser.add_argument("--dataset", metavar="DATASET", help="the dataset, if it is no longer where it was")
    parser.add_argument("--top", type=int, default=20, help="predicted axioms to show (default 20)")
    parser.epilog = EXAMPLE


def run(options: argparse.Namespace) -> int:
    if options.top < 1:
        raise SettingError(f"--top has to be at least 1, not {options.top}")
    several.check_runs(options.runs)
    from elgeo.files import write_text
    from elgeo.report.pages.page import run_page
    from elgeo.report.pages.shown_run import gather, told_apart

    runs = several.runs_of(options.runs)
    shown = [
        gather(folder, name, options.dataset, options.top) for folder, name in zip(runs, told_apart(runs), strict=True)
    ]
    write_text(options.output, run_page(shown))
    print(options.output)
    return 0
