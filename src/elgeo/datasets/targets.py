"""Several targets of one training: a folder with a dataset for each shape of axiom, and `targets.toml`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import tomli_w

from elgeo.datasets.folder import may_be_replaced, save
from elgeo.datasets.model import Dataset
from elgeo.datasets.sources.lines import sha256
from elgeo.documents import Fields, read_toml, shown
from elgeo.errors import ReadError, SettingError
from elgeo.files import settled

FORMAT = 1
TARGETS = "targets.toml"
_FOLDER = re.compile(r"[\w-][\w.-]*")


class Member(NamedTuple):
    """One target: its folder, and the shape of its axioms as users write it."""

    folder: str
    axioms: str


@dataclass(frozen=True)
class Targets:
    """What `targets.toml` says."""

    name: str
    members: Sequence[Member]
    record: Mapping[str, Any] = field(default_factory=dict)
    """How it was made, of what, and counts."""


@dataclass(frozen=True, eq=False)
class TargetDataset:
    """One target to be written: its folder, its shape as users write it, its dataset, what was dropped."""

    folder: str
    axioms: str
    dataset: Dataset
    dropped: Sequence[tuple[str, str]]


def has_several(folder: Path) -> bool:
    """Whether a folder holds several targets."""
    return (settled(folder) / TARGETS).is_file()


def replaceable(folder: Path) -> bool:
    """Whether a folder holds datasets, or nothing."""
    return has_several(folder) or may_be_replaced(folder)


def check_place(folder: Path, replace_existing: bool) -> None:
    """Refuse a folder where several targets may not be written."""
    if settled(folder).exists() and not (replace_existing and replaceable(folder)):
        raise SettingError(f"{folder} exists already: give another folder, or --force to replace a dataset there")


def save_targets(
    folder: Path, name: str, targets: Sequence[TargetDataset], record: Mapping[str, Any], tables: Iterable[str] = ()
) -> None:
    """Write the dataset of each target, and `targets.toml` beside them."""
    for target in targets:
        save(target.dataset, folder / target.folder, target.dropped)
    members = tuple(Member(target.folder, target.axioms) for target in targets)
    write_targets(folder, Targets(name, members, record), tables)


def write_targets(folder: Path, targets: Targets, tables: Iterable[str]) -> None:
    """Write `targets.toml` beside its members; `tables` are files of the folder whose checksums it keeps."""
    document = {
        "format": FORMAT,
        "name": targets.name,
        "targets": [member._asdict() for member in targets.members],
        **targets.record,
        "tables": {name: sha256(folder / name) for name in sorted(tables)},
    }
    (folder / TARGETS).write_text(tomli_w.dumps(document), encoding="utf-8", newline="\n")


def read_targets(folder: Path) -> Targets:
    """The targets of a folder, or a `ReadError` that names the field; its tables are as they were written."""
    place = settled(folder)
    try:
        fields = read_toml(place / TARGETS)
    except FileNotFoundError:
        raise ReadError(f"no {TARGETS} here: not a folder of several targets", str(folder)) from None
    if fields.whole("format") != FORMAT:
        raise fields.error(f"this version reads format {FORMAT}", "format")
    members = fields.values.get("targets")
    if not isinstance(members, list) or not members:
        raise fields.error(f"has to be a list of targets, not {shown(members)}", "targets")
    found = []
    for number, values in enumerate(members):
        member = Fields(values, fields.file, f"targets[{number}]")
        name = member.text("folder")
        if not _FOLDER.fullmatch(name) or not (place / name).is_dir():
            raise member.error(f"{shown(name)} is no folder here", "folder")
        found.append(Member(name, member.text("axioms")))
    for name, expected in fields.texts("tables").items():
        if Path(name).name != name or not (place / name).is_file() or sha256(place / name) != expected:
            raise ReadError("the table is missing or not what targets.toml says (checksum)", str(place / name))
    own = ("format", "name", "targets", "tables")
    record = Fields({key: value for key, value in fields.values.items() if key not in own}, fields.file)
    return Targets(fields.text("name"), tuple(found), record.plain())


def folder_names(labels: Iterable[str]) -> list[str]:
    """A name for a folder for each label, all different."""
    made: list[str] = []
    for label in labels:
        name = plain = re.sub(r"\W+", "_", label, flags=re.ASCII).strip("_") or "role"
        number = 1
        while name.lower() in (other.lower() for other in made):
            number += 1
            name = f"{plain}-{number}"
        made.append(name)
    return made
