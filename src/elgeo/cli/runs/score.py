"""`elgeo score`: truth and score of whole axioms in a run."""

from __future__ import annotations

import argparse
import json

from elgeo.errors import ReadError, SettingError
from elgeo.places import check_run

EPILOG = """\
Each axiom is printed with its truth in the geometry of the run, how far it is from true, and its score, best first.
Of an ensemble (`--seeds`): in how many of its models it is true, and the mean score.
Models with a place for every EL expression (transbox, faithful) take any EL axiom, the others those of normal forms.

example: elgeo score run "Heart SubClassOf part_of some (Organ and located_in some Body)\""""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument("run_folder", metavar="RUN", help="folder of a run, made by elgeo train")
    parser.add_argument("axioms", metavar="AXIOM", nargs="*", help="functional syntax, or: A SubClassOf r some B")
    parser.add_argument("--axioms", dest="axiom_file", metavar="FILE", help="a file with an axiom on each line")
    parser.add_argument("--dataset", metavar="DATASET", help="the dataset, if it is no longer where it was")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: argparse.Namespace) -> None:
    from pathlib import Path

    axioms = list(options.axioms)
    if options.axiom_file:
        try:
            lines = Path(options.axiom_file).read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            raise ReadError("not UTF-8 text", options.axiom_file) from None
        axioms += [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not axioms:
        raise SettingError("no axioms to score: give them as arguments or with --axioms FILE")
    check_run(options.run_folder)
    from elgeo import api
    from elgeo.training.run import Run

    found = api.scores(Run.load(options.run_folder, options.dataset), axioms)
    if options.json:
        print(json.dumps({"axioms": [each._asdict() for each in found]}, ensure_ascii=False))
        return
    for axiom, true, distance, score, true_in, models in found:
        words = {True: "true", False: "false", None: "?"}[true] if true_in is None else f"true in {true_in} of {models}"
        numbers = ["-" if number is None else f"{number:.4g}" for number in (distance, score)]
        print("\t".join([words, *numbers, axiom]))
