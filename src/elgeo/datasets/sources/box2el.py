"""Benchmarks as Box²EL keeps them: integer tables of normal forms, with the names behind them in JSON."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np

from elgeo.arrays import Longs
from elgeo.datasets.drops import Drops
from elgeo.datasets.sources.iris import bracketed_iri, role_named
from elgeo.documents import Fields, parse_json
from elgeo.errors import ReadError
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Builder, Ontology

TABLES = {
    "nf1": "cc",
    "nf2": "ccc",
    "nf3": "crc",
    "nf4": "rcc",
    "disjoint": "ccc",
    "role_inclusion": "rr",
    "role_chain": "rrr",
}
"""The columns of each table: c is a class, r a relation."""
_UNREADABLE = (ValueError, OSError, EOFError, SyntaxError, TokenError, MemoryError, RecursionError, OverflowError)
"""What NumPy may raise of a damaged file; it reads the head of one as Python."""
FOLDERS = {"train": "train", "valid": "val", "test": "test"}


def find_box2el(folder: Path) -> dict[str, Path]:
    """The files of such a benchmark by what they are for; none if the folder is something else."""
    if not (folder / "classes.json").is_file() or not (folder / "relations.json").is_file():
        return {}
    files = {"classes": folder / "classes.json", "relations": folder / "relations.json"}
    for part, inner in FOLDERS.items():
        known = ((name, folder / inner / f"{name}.npy") for name in TABLES)
        files |= {f"{part}/{name}": path for name, path in known if path.is_file()}
    return files


def read_box2el(
    files: Mapping[str, Path], target: str | None, drops: Drops
) -> tuple[Ontology, str | None, dict[str, list[tuple[str, str]]]]:
    """(training ontology, role of the target, pairs by part); a target without a role is C ⊑ D."""
    classes, relations = (_names(files[key]) for key in ("classes", "relations"))
    role = role_named(target, relations, files["relations"])
    limits = {"c": len(classes), "r": len(relations)}
    tables = {key: _array(path, TABLES[key.partition("/")[2]], limits) for key, path in files.items() if "/" in key}
    pairs: dict[str, list[tuple[str, str]]] = {}
    for part in FOLDERS:
        rows = tables.get(f"{part}/nf1" if role is None else f"{part}/nf3", np.empty((0, 3), np.int64))
        if role is not None:
            rows = rows[rows[:, 1] == relations.index(role)]
        pairs[part] = [(classes[c], classes[d]) for c, d in rows[:, [0, -1]].tolist()]
        if part != "train":
            held_out = sum(len(rows) for key, rows in tables.items() if key.startswith(f"{part}/nf"))
            drops.count(f"{part} axioms of another shape than the target", held_out - len(rows))
    trained = {key.removeprefix("train/"): rows for key, rows in tables.items() if key.startswith("train/")}
    return _ontology(classes, relations, trained), role, pairs


def _ontology(classes: list[str], relations: list[str], tables: Mapping[str, Longs]) -> Ontology:
    builder = Builder()
    c_ = [builder.entity(Op.Class, iri) for iri in classes]
    r_ = [builder.entity(Op.ObjectProperty, iri) for iri in relations]
    for node in (*c_, *r_):
        builder.declare(node)

    def rows(name: str) -> list[Any]:
        return tables[name].tolist() if name in tables else []

    for c, d in rows("nf1"):
        builder.axiom(Op.SubClassOf, c_[c], c_[d])
    for c, d, e in rows("nf2") + rows("disjoint"):
        builder.axiom(Op.SubClassOf, builder.node(Op.ObjectIntersectionOf, c_[c], c_[d]), c_[e])
    for c, r, d in rows("nf3"):
        builder.axiom(Op.SubClassOf, c_[c], builder.node(Op.ObjectSomeValuesFrom, r_[r], c_[d]))
    for r, c, d in rows("nf4"):
        builder.axiom(Op.SubClassOf, builder.node(Op.ObjectSomeValuesFrom, r_[r], c_[c]), c_[d])
    for r, s in rows("role_inclusion"):
        builder.axiom(Op.SubObjectPropertyOf, r_[r], r_[s])
    for r, s, t in rows("role_chain"):
        builder.axiom(Op.SubObjectPropertyOf, builder.node(Op.ObjectPropertyChain, r_[r], r_[s]), r_[t])
    return builder.finish(format="box2el")


def _names(path: Path) -> list[str]:
    """Names in the order of their numbers."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ReadError(f"cannot be read: {error.strerror or error}", str(path)) from None
    fields = Fields(parse_json(content, path), path)
    numbers = {name: fields.whole(name) for name in fields.values}
    ordered = sorted(numbers, key=lambda name: numbers[name])
    if [numbers[name] for name in ordered] != list(range(len(ordered))):
        raise ReadError("names with the numbers 0, 1, 2, … are expected", str(path))
    return [bracketed_iri(name) for name in ordered]


def _array(path: Path, columns: str, limits: Mapping[str, int]) -> Longs:
    try:
        with path.open("rb") as file:
            rows = np.lib.format.read_array(file, allow_pickle=False)
    except _UNREADABLE as error:
        raise ReadError(f"not a NumPy array of numbers ({error})", str(path)) from None
    if rows.size == 0:
        return np.empty((0, len(columns)), np.int64)
    if rows.ndim != 2 or rows.shape[1] != len(columns) or rows.dtype.kind not in "iu":
        problem = f"whole numbers in {len(columns)} columns are expected, here are {rows.dtype} {rows.shape}"
        raise ReadError(problem, str(path))
    outside = ((rows < 0) | (rows >= np.array([limits[column] for column in columns]))).any(axis=1)
    if outside.any():
        first = int(np.flatnonzero(outside)[0])
        raise ReadError(f"row {first} has a number without a name: {rows[first].tolist()}", str(path))
    return np.asarray(rows, np.int64)
