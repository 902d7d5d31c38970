"""Commands over a folder of several targets: each target in turn, then a table by target and overall."""

from __future__ import annotations

import argparse
import io
import json
from collections.abc import Callable, Iterable
from contextlib import redirect_stdout
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elgeo.errors import SettingError
from elgeo.messages import say
from elgeo.places import check_run

if TYPE_CHECKING:
    from elgeo.report.report import Report
    from elgeo.training.run import Run

Act = Callable[[argparse.Namespace], int]


def is_several(folder: str | Path | None) -> bool:
    """Whether a folder, of datasets or of runs, holds several targets."""
    from elgeo.datasets.targets import has_several

    return folder is not None and has_several(Path(folder))


def check_runs(folders: Iterable[str | Path]) -> None:
    """Refuse at once, before anything is loaded, folders that are no runs."""
    for folder in folders:
        if not is_several(folder):
            check_run(folder)


def train(options: argparse.Namespace, act: Act) -> int:
    """A run for each target in a folder of its name."""
    from elgeo.datasets.targets import Targets, read_targets, write_targets

    if options.export_negatives:
        raise SettingError(f"{options.dataset} has several targets: --export-negatives takes the folder of one of them")
    source = Path(options.dataset)
    targets = read_targets(source)
    said = {}
    for member in targets.members:
        say(f"training for {member.axioms}")
        place = {"dataset": str(source / member.folder), "output": options.output / member.folder}
        said[member.folder] = _printed(options, act, **place)
    write_targets(options.output, Targets(targets.name, targets.members, {"made_by": "train"}), ())
    if options.json:
        print(
            json.dumps({"run": str(options.output), "targets": {name: json.loads(text) for name, text in said.items()}})
        )
    else:
        print(options.output)
    return 0


def evaluate(options: argparse.Namespace, one: Callable[[Path, str | None], Any]) -> int:
    """The evaluation of each target, then all side by side."""
    from elgeo.report.targets_text import as_table, by_target

    reports = {}
    for name, folder, dataset in _members(options):
        say(f"evaluating {name}")
        reports[name] = one(folder, dataset)
    figures = by_target({name: report.evaluation for name, report in reports.items()})
    if options.json:
        print(json.dumps({"targets": {name: each.to_dict() for name, each in reports.items()}, "figures": figures}))
        return 0
    print(
        "\n\n".join(
            [*(f"== {name}\n{printed(each, options.all)}" for name, each in reports.items()), as_table(figures)]
        )
    )
    return 0


def each(options: argparse.Namespace, act: Act) -> int:
    """What a command prints of each target; one that has nothing to say is told of, unless none has."""
    said, silent = {}, []
    for name, folder, dataset in _members(options):
        try:
            said[name] = _printed(options, act, run_folder=str(folder), dataset=dataset)
        except SettingError as error:
            silent.append(error)
    if not said:
        raise silent[0]
    for problem in silent:
        say(f"left out: {problem}")
    if options.json:
        print(json.dumps({"targets": {name: json.loads(text) for name, text in said.items()}}))
    else:
        print("".join(said.values()), end="")
    return 0


def printed(report: Report, everything: bool) -> str:
    """An evaluation for a terminal."""
    return report.table() if everything else f"{report.summary()}\n\nmore measures: --all"


def predict(options: argparse.Namespace, act: Act) -> int:
    """The predictions of each target, one after the other: scores of different targets do not compare."""
    said = {}
    for name, folder, dataset in _members(options):
        said[name] = _printed(options, act, run_folder=str(folder), dataset=dataset)
    if options.format == "json":
        print(json.dumps({"targets": {name: json.loads(text) for name, text in said.items()}}))
    elif options.format == "ofn":
        lines = [line for text in said.values() for line in text.splitlines()]
        prefixes = list(dict.fromkeys(line for line in lines if line.startswith("Prefix(")))
        axioms = [line for line in lines if not line.startswith(("Prefix(", "Ontology(")) and line != ")"]
        print("\n".join([*prefixes, "Ontology(", *axioms, ")"]))
    else:
        print("\n".join(f"== {name}\n{text}" for name, text in said.items()), end="")
    return 0


def runs_of(folders: list[Path]) -> list[Path]:
    """The folders of runs, with those of several targets taken apart."""
    from elgeo.datasets.targets import read_targets

    found = []
    for folder in folders:
        found += [folder / m.folder for m in read_targets(folder).members] if is_several(folder) else [folder]
    return found


def first_run(options: argparse.Namespace) -> Run:
    """The run, or that of the first of several targets, for what is the same for all of them."""
    from elgeo.training.run import Run

    if not is_several(options.run_folder):
        return Run.load(options.run_folder, options.dataset)
    _, folder, dataset = _members(options)[0]
    return Run.load(folder, dataset)


def _members(options: argparse.Namespace) -> list[tuple[str, Path, str | None]]:
    from elgeo.datasets.targets import read_targets

    run = Path(options.run_folder)
    names = [member.folder for member in read_targets(run).members]
    place = options.dataset
    return [(name, run / name, None if place is None else str(Path(place) / name)) for name in names]


def _printed(options: argparse.Namespace, act: Act, **changes: Any) -> str:
    """What a command prints with other options."""
    mine = copy(options)
    for name, value in changes.items():
        setattr(mine, name, value)
    with redirect_stdout(io.StringIO()) as output:
        act(mine)
    return output.getvalue()
