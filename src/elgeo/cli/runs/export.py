"""`elgeo export`: the embeddings of a run for other programs."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from elgeo.places import check_run

EPILOG = """example: elgeo export run --format word2vec -o vectors.txt"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument("run_folder", metavar="RUN", help="folder of a run, made by elgeo train")
    parser.add_argument("--format", choices=("npz", "parquet", "word2vec", "tsv"), default="npz", help="(default npz)")
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="where to (default RUN/embeddings with the usual ending)"
    )
    parser.add_argument("--fresh", action="store_true", help="include the classes that normalisation made up")
    parser.add_argument("--dataset", metavar="DATASET", help="the dataset, if it is no longer where it was")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: argparse.Namespace) -> int:
    check_run(options.run_folder)
    from elgeo.evaluation.export import FORMATS, export
    from elgeo.training.run import Run

    loaded = Run.load(options.run_folder, options.dataset)
    path = options.output or Path(options.run_folder) / f"embeddings{FORMATS[options.format]}"
    written = export(loaded.predictor(), loaded.dataset, path, options.format, options.fresh)
    print(json.dumps({"file": str(written), "format": options.format}) if options.json else written)
    return 0
