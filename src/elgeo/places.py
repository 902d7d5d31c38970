"""What lies at a path that should have been a run, a dataset or an ontology, and what to do about it."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Literal

from elgeo.errors import ElgeoError, ReadError

DATASET, RUN = "dataset.toml", "run.toml"
"""The files that make a folder a dataset or a run."""

Wanted = Literal["run", "dataset", "ontology"]

_TRAIN = "`elgeo train {} -o RUN`"
_SPLIT = "`elgeo dataset split {} --axioms '?C SubClassOf ?D' -o DATASET`"
_ADVICE = {
    ("dataset", "run"): f"a dataset, not a run: train on it first ({_TRAIN})",
    ("dataset", "ontology"): "a dataset, not an ontology: `elgeo dataset info {}` says what is in it",
    ("run", "dataset"): "a run, not a dataset: name what it was trained on, or ask the run (`elgeo evaluate {}`)",
    (
        "run",
        "ontology",
    ): "a run, not an ontology: `elgeo evaluate {}` or `elgeo predict {} --all` ask it",
    ("file", "run"): f"a file, not the folder of a run: of an ontology a dataset is made ({_SPLIT}), of that a run",
    ("file", "dataset"): f"a file, not the folder of a dataset: of an ontology one is made by {_SPLIT}",
    ("nothing", "run"): "there is no such folder: a run is made by `elgeo train DATASET -o RUN`",
    ("nothing", "dataset"): "there is no such folder: a dataset is made by `elgeo dataset split` or `build`",
    ("folder", "run"): f"not a run: there is no {RUN} in this folder",
    ("folder", "dataset"): f"not a dataset: there is no {DATASET} in this folder",
    ("folder", "ontology"): "this is a folder: name a file in it",
}


_SPECIAL = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)


def special(mode: int) -> str | None:
    """What a path is, by the mode of its `stat`, if reading it might never end."""
    return next((what for is_such, what in _SPECIAL if is_such(mode)), None)


def check_run(folder: str | os.PathLike[str]) -> None:
    """Refuse what is no run, before anything that would read one is loaded."""
    if not (Path(folder) / RUN).is_file():
        raise ReadError(mistaken(folder, "run"), str(folder))


def check_new_run(folder: str | os.PathLike[str], resume: bool = False) -> None:
    """Refuse a folder in which no run can begin (or, with `resume`, go on)."""
    place = Path(folder)
    if not resume and holds_run(place):
        raise ElgeoError(f"{folder} already holds a run: --resume goes on with it, or choose another folder")
    if (place / DATASET).exists():
        raise ElgeoError(f"{folder} is a dataset: choose another folder for the run")
    if place.is_file():
        raise ElgeoError(f"{folder} is a file: choose another name for the folder")


def holds_run(folder: Path) -> bool:
    """Whether there is a run to use or to go on with: not if it ended before anything of it was kept."""
    if not (folder / RUN).exists():
        return False
    import tomllib  # few commands ask

    try:
        fields = tomllib.loads((folder / RUN).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return True  # damaged: for its owner to look at
    if "model" not in fields or "result" in fields or any((folder / "checkpoints").glob("[!.]*")):
        return True
    return any(holds_run(member.parent) for member in folder.glob(f"seed-*/{RUN}"))


def mistaken(path: str | os.PathLike[str], wanted: Wanted) -> str:
    """What is wrong with a path that should have been a run, a dataset or an ontology, without the path itself."""
    place = Path(path)
    if place.name in (DATASET, RUN) and place.is_file():
        return f"a file of a folder: name the folder ({place.parent})"
    found = next((what for what, file in (("dataset", DATASET), ("run", RUN)) if (place / file).is_file()), None)
    if found is None and place.is_dir():
        within = sorted(place.glob(f"*/{RUN}")) if wanted == "run" else []
        if within:
            return f"a folder of runs, not one of them: name {within[0].parent}, for example"
        found = "folder"
    if found is None:
        found = "file" if place.exists() else "nothing"
    return _ADVICE[found, wanted].replace("{}", str(path))
