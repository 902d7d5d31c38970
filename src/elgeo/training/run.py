"""`Run`: settings, weights and history of a training; a folder without code that can be copied."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import elgeo
from elgeo import datasets
from elgeo.datasets.model import Dataset
from elgeo.errors import ElgeoError, ReadError, SettingError
from elgeo.files import write_text
from elgeo.models import find
from elgeo.models.contract import Baseline, Fitted, Model, Predictor, Sizes
from elgeo.training.checkpoint import load_arrays, save_arrays
from elgeo.training.settings import Settings

RECORD, METRICS, WEIGHTS, EVALUATION = "run.toml", "metrics.jsonl", "weights.safetensors", "evaluation.json"
FORMAT = 1


@dataclass(frozen=True, eq=False)
class Run:
    """A finished training.

    `dataset` is where it was trained on: kept in memory, or found again by what `run.toml` says of it.
    """

    settings: Settings
    record: Mapping[str, Any]
    """What `run.toml` says: settings, versions, dataset, result."""
    history: Sequence[Mapping[str, Any]]
    """A record for each epoch, as in `metrics.jsonl`."""
    folder: Path | None = None
    given_weights: Mapping[str, NDArray[Any]] | None = field(default=None, repr=False)
    given_dataset: Dataset | str | None = field(default=None, repr=False)

    @classmethod
    def load(cls, folder: str | os.PathLike[str], dataset: Dataset | str | None = None) -> Run:
        """A run from its folder. `dataset` (or its folder) is needed only where it is no longer where it was."""
        place = Path(folder)
        record = read_record(place)
        settings = Settings.from_record(record["model"], record["settings"])
        return cls(settings, record, read_history(place), place, None, dataset)

    @cached_property
    def dataset(self) -> Dataset:
        """The dataset the run was trained on; an error if it cannot be found or is another one."""
        known = self.record["dataset"]
        found = self.given_dataset if isinstance(self.given_dataset, Dataset) else datasets.load(self._place(known))
        if fingerprint(found) != known["sha256"]:
            raise ElgeoError(
                f"the run was trained on another dataset than {found.name!r} as it is now (the checksum differs)"
            )
        return found

    @cached_property
    def weights(self) -> Mapping[str, NDArray[Any]]:
        """The parameters of the best epoch by name."""
        if self.given_weights is not None:
            return self.given_weights
        if self.folder is None or not (self.folder / WEIGHTS).is_file():
            raise ElgeoError(f"{self.folder} is not finished: go on with `elgeo train -o {self.folder} --resume`")
        return load_arrays(self.folder / WEIGHTS)[0]

    def predictor(self) -> Predictor:
        """The trained or fitted model, or the baseline counted anew from the dataset."""
        cls = find(self.settings.model)
        if issubclass(cls, Baseline):
            return cls.fit(self.dataset)
        if issubclass(cls, Fitted):
            return cls.restore(self.dataset, self.settings.own, self.weights)
        if not issubclass(cls, Model):
            raise SettingError(f"{self.settings.model} can neither be trained nor fitted nor counted")
        model = cls(Sizes.of(self.dataset), self.settings.own)
        model.load(self.weights)
        return model

    def predict(self, **options: Any) -> Any:
        """The best missing axioms as a pandas DataFrame; see `elgeo.api.predict`."""
        from importlib import import_module

        # evaluation is a later room: only the public face of the package may join the two
        return import_module("elgeo.api").predict(self, **options)

    def save(self, folder: str | os.PathLike[str]) -> Run:
        """Write a run that was trained without a folder."""
        place = Path(folder)
        if (place / RECORD).exists():
            raise ElgeoError(f"{place} already holds a run: choose another folder")
        write_history(place, self.history)
        if self.given_weights is not None:
            save_arrays(place / WEIGHTS, self.weights, {})
        write_record(place, self.record)
        return Run(self.settings, self.record, self.history, place, self.given_weights, self.given_dataset)

    def _place(self, known: Mapping[str, Any]) -> str:
        if self.given_dataset is not None:
            return str(self.given_dataset)
        beside = (self.folder or Path()) / known.get("relative", "")
        for place in (known.get("path"), str(beside) if known.get("relative") else None):
            if place and Path(place).is_dir():
                return str(place)
        if known["name"] in datasets.EMBEDDED:
            return str(known["name"])
        raise ElgeoError(
            f"the dataset {known['name']!r} of the run is no longer at {known.get('path', '?')}:"
            " say where it is (--dataset FOLDER)"
        )


def new_record(settings: Settings, dataset: Dataset, place: str | None, folder: Path | None) -> dict[str, Any]:
    """What `run.toml` says of a run that begins."""
    known: dict[str, Any] = {"name": dataset.name, "sha256": fingerprint(dataset)}
    if place is not None and (Path(place) / "dataset.toml").is_file():  # not a run in a folder `family`
        known["path"] = str(Path(place).resolve())
        if folder is not None:
            known["relative"] = os.path.relpath(Path(place).resolve(), folder.resolve())
    return {
        "format": FORMAT,
        "model": settings.model,
        "dataset": known,
        "versions": versions(),
        "settings": settings.to_record(),
    }


def versions() -> dict[str, str]:
    """What the run's bits may depend on."""
    found = {"elgeo": elgeo.__version__, "python": platform.python_version(), "machine": platform.machine()}
    for package in ("numpy", "numba", "torch"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def fingerprint(dataset: Dataset) -> str:
    """A checksum of all that a dataset says: axioms, splits, kinds, names."""
    digest = hashlib.sha256()
    for name, table in sorted(dataset.forms.tables.items()):
        digest.update(f"{name}{table.shape}".encode())
        digest.update(np.ascontiguousarray(table, np.int32).tobytes())
    for part in (dataset.train, dataset.valid, dataset.test):
        digest.update(f"{part.shape}".encode())
        digest.update(np.ascontiguousarray(part, np.int32).tobytes())
    digest.update(np.ascontiguousarray(dataset.kinds.of_class, np.int16).tobytes())
    facts = [dataset.target_form, dataset.target_role, dataset.kinds.names, dataset.head_kind, dataset.tail_kind]
    names = [*dataset.vocabulary.classes, "", *dataset.vocabulary.roles]
    digest.update(json.dumps([*facts, dataset.symmetric]).encode())
    digest.update("\n".join(names).encode())
    return digest.hexdigest()


def read_record(folder: Path) -> dict[str, Any]:
    """`run.toml`, checked for what every run has."""
    path = folder / RECORD
    try:
        record = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ReadError(f"no run here: {RECORD} is missing", str(folder)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise ReadError(str(error), str(path)) from None
    if missing := {"format", "model", "dataset", "settings"} - set(record):
        raise ReadError(f"not the record of a run: {', '.join(sorted(missing))} missing", str(path))
    if not isinstance(record["settings"], dict) or not isinstance(record["dataset"], dict):
        raise ReadError("not the record of a run: [settings] and [dataset] are tables", str(path))
    if missing := {"name", "sha256"} - set(record["dataset"]):
        raise ReadError(f"not the record of a run: {', '.join(sorted(missing))} of [dataset] missing", str(path))
    if record["format"] != FORMAT:
        raise ReadError(f"a run of format {record['format']}; this version reads format {FORMAT}", str(path))
    return record


def write_record(folder: Path, record: Mapping[str, Any]) -> None:
    import tomli_w

    write_text(folder / RECORD, tomli_w.dumps(record))


def read_history(folder: Path) -> list[dict[str, Any]]:
    """The epochs of `metrics.jsonl`; a last line that was cut off is left out."""
    path = folder / METRICS
    if not path.is_file():
        return []
    lines = path.read_bytes().splitlines()
    history = []
    for number, line in enumerate(lines, 1):
        try:
            found = json.loads(line)
            if not isinstance(found, dict) or not isinstance(found.get("epoch"), int):
                raise ReadError("not the record of an epoch", str(path), number)
            history.append(found)
        except ValueError as error:  # not JSON, or not UTF-8
            if number < len(lines):
                raise ReadError(str(error), str(path), number) from None
    return history


def write_history(folder: Path, history: Sequence[Mapping[str, Any]]) -> None:
    write_text(folder / METRICS, "".join(json.dumps(line) + "\n" for line in history))
