"""`Record`: what `run.toml` says of a run; read through one door that checks every field."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

import elgeo
from elgeo.datasets.model import Dataset
from elgeo.documents import Fields, read_toml, shown
from elgeo.errors import ReadError, SettingError
from elgeo.files import write_text
from elgeo.places import RUN, mistaken
from elgeo.training.settings import Settings

RECORD = RUN
FORMAT = 1


@dataclass(frozen=True)
class TrainedOn:
    """The dataset of a run: its name and checksum, and where it was."""

    name: str
    sha256: str
    path: str | None = None
    relative: str | None = None
    """The same place seen from the run's folder."""


@dataclass(frozen=True)
class Record:
    """Settings, versions and dataset of a run; its result once it is finished."""

    settings: Settings
    dataset: TrainedOn
    versions: Mapping[str, str] = field(default_factory=dict)
    result: Mapping[str, Any] | None = None
    """Plain values: `best_epoch`, `best_value`, `epochs` and `seconds` of what was trained, what fitting found, nothing
    of what is counted."""
    members: tuple[str, ...] = ()
    """The folders of the runs that an ensemble is made of, under its own; no other run has any."""

    def to_dict(self) -> dict[str, Any]:
        """What TOML can say."""
        known = {name: value for name, value in vars(self.dataset).items() if value is not None}
        record = {
            "format": FORMAT,
            "model": self.settings.model,
            "dataset": known,
            "versions": dict(self.versions),
            "settings": self.settings.to_record(),
            **({"members": list(self.members)} if self.members else {}),
        }
        return record if self.result is None else {**record, "result": dict(self.result)}

    @staticmethod
    def of(settings: Settings, dataset: Dataset, place: str | None, folder: Path | None) -> Record:
        """The record of a run that begins; `place` is where the dataset came from."""
        path = relative = None
        if place is not None and (Path(place) / "dataset.toml").is_file():  # not a run in a folder `family`
            path = str(Path(place).resolve())
            relative = None if folder is None else os.path.relpath(path, folder.resolve())
        return Record(settings, TrainedOn(dataset.name, fingerprint(dataset), path, relative), versions())


def read_record(folder: Path) -> Record:
    """`run.toml` of a folder, every field checked."""
    path = folder / RECORD
    if not folder.is_dir():
        raise ReadError(mistaken(folder, "run"), str(folder))
    try:
        fields = read_toml(path)
    except FileNotFoundError:
        raise ReadError(mistaken(folder, "run"), str(folder)) from None
    if fields.has("format") and fields.values["format"] != FORMAT:
        raise fields.error(f"a run of format {shown(fields.values['format'])}; this version reads format {FORMAT}")
    fields.whole("format")
    known, model, chosen = fields.table("dataset"), fields.text("model"), fields.table("settings")
    try:
        settings = Settings.from_record(model, chosen.values)
    except SettingError as error:
        raise ReadError(str(error), str(path)) from None
    return Record(
        settings,
        TrainedOn(
            known.text("name"),
            known.text("sha256"),
            known.or_none(known.text, "path"),
            known.or_none(known.text, "relative"),
        ),
        fields.or_none(fields.texts, "versions") or {},
        _result(fields.table("result")) if fields.has("result") else None,
        _members(fields),
    )


def write_record(folder: Path, record: Record) -> None:
    import tomli_w

    write_text(folder / RECORD, tomli_w.dumps(record.to_dict()))


def _members(fields: Fields) -> tuple[str, ...]:
    """Folders under the run's own, and nowhere else."""
    names = fields.values.get("members", [])
    if not isinstance(names, list) or not all(re.fullmatch(r"seed-\d+", str(name)) for name in names):
        raise fields.error("has to be a list of names like seed-0", "members")
    return tuple(names)


def _result(fields: Fields) -> Mapping[str, Any]:
    """What training writes is checked; what a fitted model says of itself is its own."""
    for name in ("best_epoch", "epochs"):
        fields.or_none(fields.whole, name)
    for name in ("best_value", "seconds"):
        fields.or_none(fields.number, name)
    return fields.plain()


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
