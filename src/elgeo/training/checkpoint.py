"""Checkpoints: one file each, written whole, with a checksum; the last two are kept."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elgeo.documents import Fields, parse_json, shown
from elgeo.errors import ElgeoError, ReadError
from elgeo.files import written_atomically
from elgeo.training.state import State

KEPT = 2
_NAME = re.compile(r"epoch-(\d{6})-step-(\d{6})\.safetensors")


class DamagedError(ElgeoError):
    """A checkpoint or weights file is not what was written."""


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """All that training needs to go on to the same bits: arrays and plain values."""

    arrays: Mapping[str, NDArray[Any]]
    state: State

    @property
    def place(self) -> tuple[int, int]:
        """Complete epochs, and steps of the next one."""
        return self.state.epoch, self.state.step


def save_arrays(path: Path, arrays: Mapping[str, NDArray[Any]], state: Mapping[str, Any]) -> None:
    """Write arrays and plain values as safetensors, atomically, with a checksum over both."""
    from safetensors import SafetensorError
    from safetensors.numpy import save_file

    arrays = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    text = json.dumps(state)
    # one entry, since safetensors writes several in an order of chance
    metadata = {"elgeo": json.dumps({"state": text, "sha256": _digest(arrays, text)})}
    try:
        with written_atomically(path) as temporary:
            save_file(arrays, temporary, metadata=metadata)
    except (OSError, SafetensorError) as error:
        reason = getattr(error, "strerror", None) or _plain_words(error)
        raise ElgeoError(f"cannot write {path}: {reason}; free some space or choose another folder") from None


def load_arrays(path: Path) -> tuple[dict[str, NDArray[Any]], Fields]:
    """Arrays and values that `save_arrays` wrote, or `DamagedError`."""
    from safetensors import safe_open

    try:
        with safe_open(path, framework="numpy") as file:
            entries = file.metadata() or {}
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (not a dict)
        # entries side by side are how the first runs were written
        metadata = json.loads(entries["elgeo"]) if "elgeo" in entries else entries
        if not isinstance(metadata, dict) or not isinstance(metadata.get("state"), str):
            raise DamagedError(f"{path} is damaged: its values are missing")
        if metadata.get("sha256") != _digest(arrays, metadata["state"]):
            raise DamagedError(f"{path} is damaged: its checksum does not fit")
        return arrays, Fields(parse_json(metadata["state"], path), path)
    except DamagedError:
        raise
    except Exception as error:  # whatever the libraries say of a file that is none of theirs
        raise DamagedError(f"{path} is damaged: {shown(str(error), 200)[1:-1]}") from None


def save(folder: Path, checkpoint: Checkpoint) -> Path:
    """Write a checkpoint into a run's folder; older ones but one are removed."""
    place = folder / "checkpoints"
    epoch, step = checkpoint.place
    path = place / f"epoch-{epoch:06d}-step-{step:06d}.safetensors"
    save_arrays(path, checkpoint.arrays, checkpoint.state.to_dict())
    for old in _files(folder)[:-KEPT]:
        old.unlink(missing_ok=True)
    return path


def latest(folder: Path, complain: Callable[[str], None] = lambda message: None) -> Checkpoint | None:
    """The newest checkpoint that is whole; `complain(message)` hears of damaged ones, which are set aside."""
    for path in reversed(_files(folder)):
        try:
            arrays, fields = load_arrays(path)
            found = Checkpoint(arrays, State.from_fields(fields))
            if found.place == _order(path):
                return found
            raise DamagedError(f"{path} is damaged: it is of epoch {found.state.epoch}, step {found.state.step}")
        except (DamagedError, ReadError) as error:
            complain(f"{error}; using the one before it")
            path.replace(path.with_suffix(".damaged"))
    return None


def tidy(folder: Path, start: Checkpoint | None) -> None:
    """Remove what a killed run left half written, and checkpoints newer than `start`, which are not its future."""
    for path in _files(folder):
        if start is None or _order(path) > start.place:
            path.unlink(missing_ok=True)
    for place in (folder, folder / "checkpoints"):
        for part in place.glob(".*.part"):
            part.unlink(missing_ok=True)


def _files(folder: Path) -> list[Path]:
    place = folder / "checkpoints"
    found = place.iterdir() if place.is_dir() else ()
    return sorted((path for path in found if _NAME.fullmatch(path.name) and path.is_file()), key=_order)


def _order(path: Path) -> tuple[int, int]:
    epoch, step = map(int, re.findall(r"\d+", path.stem))
    return epoch, step


def _digest(arrays: Mapping[str, NDArray[Any]], text: str) -> str:
    digest = hashlib.sha256(text.encode())
    for name in sorted(arrays):
        array = arrays[name]
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        digest.update(np.asarray(array, order="C").data)
    return digest.hexdigest()


def _plain_words(error: Exception) -> str:
    """What safetensors says of a full disk, `Error while …: I/O error: No space … (os error 28)`, without the rest."""
    match = re.search(r"I/O error: (.*?)(?: \(os error|$)", str(error))
    return match[1] if match else str(error)
