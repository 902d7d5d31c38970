"""`dataset.toml`, read field by field: what loading needs, and a record that is safe to look into."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from elgeo.documents import Fields, read_toml, shown
from elgeo.errors import ReadError
from elgeo.places import DATASET, mistaken

FORMAT = 1
MANIFEST = DATASET
_OWN = ("format", "name", "target", "kinds", "tables")
"""What the manifest says of itself; all else is the dataset's record."""
_MOST_KINDS = 2**15 - 1


class Target(NamedTuple):
    """The shape of axiom to be completed, and the kinds of its ends; without a role it is C ⊑ D."""

    form: str
    role: str | None
    head_kind: str
    tail_kind: str
    symmetric: bool


class Manifest(NamedTuple):
    """A dataset's manifest, checked."""

    name: str
    target: Target
    kinds: tuple[str, ...]
    tables: Mapping[str, str]
    """The checksum of every table, by its path in the folder."""
    record: Mapping[str, Any]


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a dataset's folder, or a `ReadError` that names the field."""
    try:
        fields = read_toml(folder / MANIFEST)
    except FileNotFoundError:
        raise ReadError(mistaken(folder, "dataset"), str(folder)) from None
    version = fields.whole("format")
    if version != FORMAT:
        raise fields.error(f"this version reads {FORMAT}, not {version}", "format")
    kinds = _kinds(fields.table("kinds"))
    return Manifest(
        fields.text("name"),
        _target(fields.table("target"), kinds),
        kinds,
        _tables(fields),
        _record(Fields({key: value for key, value in fields.values.items() if key not in _OWN}, fields.file)),
    )


def _kinds(fields: Fields) -> tuple[str, ...]:
    names = fields.values.get("names")
    if not isinstance(names, list) or not all(isinstance(name, str) and name for name in names):
        raise fields.error(f"has to be a list of names, not {shown(names)}", "names")
    if not len(names) == len(set(names)) <= _MOST_KINDS:
        raise fields.error(f"has to be a list of different names, at most {_MOST_KINDS:,}", "names")
    return tuple(names)


def _target(fields: Fields, kinds: tuple[str, ...]) -> Target:
    form, role = fields.text("form"), fields.text("role") if fields.has("role") else None
    if form not in ("existential", "subclass") or (form == "existential") != (role is not None):
        raise fields.error('has to be "existential", with a role, or "subclass", without', "form")
    ends = {}
    for key in ("head_kind", "tail_kind"):
        ends[key] = fields.text(key)
        if ends[key] not in kinds:
            raise fields.error(f"{shown(ends[key])} is none of the kinds {shown(', '.join(kinds))}", key)
    symmetric = fields.values.get("symmetric")
    if not isinstance(symmetric, bool):
        raise fields.error(f"has to be true or false, not {shown(symmetric)}", "symmetric")
    return Target(form, role, ends["head_kind"], ends["tail_kind"], symmetric)


def _tables(fields: Fields) -> dict[str, str]:
    tables = fields.texts("tables")
    for name in tables:
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts:
            raise fields.error(f"{shown(name)} is no file of this folder", "tables")
    return tables


def _record(fields: Fields) -> Mapping[str, Any]:
    """The record, whole; of what is looked into later every field is checked."""
    if fields.has("made_by"):
        fields.text("made_by")
    if fields.has("settings"):
        fields.table("settings")
    if fields.has("sources"):
        sources = fields.values["sources"]
        if not isinstance(sources, list):
            raise fields.error(f"has to be a list, not {shown(sources)}", "sources")
        for number, source in enumerate(sources):
            table = Fields(source, fields.file, f"sources[{number}]")
            for key in ("what", "file", "sha256", *(["url"] if table.has("url") else [])):
                table.text(key)
            table.whole("bytes")
    if fields.has("inconsistent") and not isinstance(fields.values["inconsistent"], bool):
        raise fields.error("has to be true or false", "inconsistent")
    if fields.has("unsatisfiable"):
        impossible = fields.values["unsatisfiable"]
        if not isinstance(impossible, list) or not all(isinstance(iri, str) for iri in impossible):
            raise fields.error(f"has to be a list of IRIs, not {shown(impossible)}", "unsatisfiable")
    if fields.has("drops"):
        fields.counts("drops")
    if fields.has("split"):
        for key in ("axioms", "said_elsewhere", "said_elsewhere_held_out"):
            fields.table("split").whole(key)
    if fields.has("leakage"):
        for part in fields.table("leakage").values:
            for key in ("axioms", "inverse_in_train", "entailed_by_train"):
                fields.table("leakage").table(part).whole(key)
    if fields.has("embedded"):
        _generator(fields.table("embedded"))
    return fields.plain()


def _generator(fields: Fields) -> None:
    if fields.text("generator") == "cell":
        for key in ("size", "target"):
            fields.text(key)
        fields.whole("seed")
