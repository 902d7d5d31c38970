"""Checkpoints: a file each, or a folder with a part of each of several processes; the last two are kept."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from elgeo.errors import ReadError
from elgeo.training.folder.parts import EVERYTHING, WantedRows, read_parts
from elgeo.training.folder.state import State
from elgeo.training.folder.tensors import DamagedError, load_arrays, save_arrays

KEPT = 2
_NAME = re.compile(r"epoch-(\d{6})-step-(\d{6})(\.safetensors)?")


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """All that training needs to go on to the same bits: arrays and plain values."""

    arrays: Mapping[str, NDArray[Any]]
    state: State

    @property
    def place(self) -> tuple[int, int]:
        """Complete epochs, and steps of the next one."""
        return self.state.epoch, self.state.step


def path_of(folder: Path, place: tuple[int, int]) -> Path:
    """Where a checkpoint in parts is; a whole one is a file of that name."""
    epoch, step = place
    return folder / "checkpoints" / f"epoch-{epoch:06d}-step-{step:06d}"


def save(folder: Path, checkpoint: Checkpoint) -> Path:
    """Write a checkpoint into a run's folder; older ones but one are removed."""
    path = path_of(folder, checkpoint.place).with_suffix(".safetensors")
    save_arrays(path, checkpoint.arrays, checkpoint.state.to_dict())
    remove_older(folder, path)
    return path


def load(path: Path, chosen: WantedRows = EVERYTHING) -> Checkpoint:
    """A checkpoint, in one file or in parts; with `chosen` rows alone where one process of several reads it."""
    arrays, fields = read_parts(path, chosen) if path.is_dir() else load_arrays(path, chosen.of_whole)
    found = Checkpoint(arrays, State.from_fields(fields))
    if found.place != _order(path):
        raise DamagedError(f"{path} is damaged: it is of epoch {found.state.epoch}, step {found.state.step}")
    return found


def latest(folder: Path, complain: Callable[[str], None] = lambda message: None) -> Checkpoint | None:
    """The newest checkpoint that is whole; `complain(message)` hears of damaged ones, which are set aside."""
    for path in newest_first(folder):
        try:
            return load(path)
        except (DamagedError, ReadError) as error:
            complain(f"{error}; using the one before it")
            set_aside(path)
    return None


def newest_first(folder: Path) -> list[Path]:
    """The checkpoints in a run's folder."""
    place = folder / "checkpoints"
    found = place.iterdir() if place.is_dir() else ()
    named = [path for path in found if _NAME.fullmatch(path.name) and path.is_dir() == (path.suffix == "")]
    return sorted(named, key=_order, reverse=True)


def set_aside(path: Path) -> None:
    """Keep a damaged checkpoint under another name."""
    aside = path.with_suffix(".damaged")
    _remove(aside)
    path.replace(aside)


def cleared(path: Path) -> None:
    """Make an empty folder where the parts of a checkpoint are written."""
    _remove(path)
    path.mkdir(parents=True)


def commit(folder: Path, growing: Path, path: Path) -> None:
    """Give a checkpoint its name, now that all its parts are written; older ones but one are removed."""
    _remove(path)
    growing.rename(path)
    remove_older(folder, path)


def remove_older(folder: Path, newest: Path) -> None:
    """Remove what is no longer needed when a checkpoint is written: older ones but one, and another of its place."""
    others = [path for path in newest_first(folder) if path != newest]
    same = [path for path in others if _order(path) == _order(newest)]
    for path in [*same, *[path for path in others if path not in same][KEPT - 1 :]]:
        _remove(path)


def tidy(folder: Path, start: Checkpoint | None) -> None:
    """Remove what a killed run left half written, and checkpoints newer than `start`, which are not its future."""
    for path in newest_first(folder):
        if start is None or _order(path) > start.place:
            _remove(path)
    for place in (folder, folder / "checkpoints"):
        for part in place.glob(".*.part"):
            _remove(part)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _order(path: Path) -> tuple[int, int]:
    epoch, step = map(int, re.findall(r"\d+", path.stem))
    return epoch, step
