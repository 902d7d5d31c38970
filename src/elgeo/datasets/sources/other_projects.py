"""Benchmarks of other projects become datasets: mOWL's three files, Box²EL's arrays, EmEL++'s normalised text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from elgeo.datasets.assemble import assemble
from elgeo.datasets.drops import Drops
from elgeo.datasets.model import Dataset
from elgeo.datasets.named_pairs import NamePair
from elgeo.datasets.sources.box2el import find_box2el, read_box2el
from elgeo.datasets.sources.iris import SUBCLASS, bracketed_iri, role_named
from elgeo.datasets.sources.lines import fields, lines, opened, sha256
from elgeo.datasets.splits.patterns import Pattern, matches
from elgeo.errors import ElgeoError, ReadError, SettingError
from elgeo.ontology import read
from elgeo.ontology.expressions import NOTHING, THING, Op
from elgeo.ontology.model import Builder, Ontology
from elgeo.ontology.reading.functional.reader import read_functional

Converted = tuple[Ontology, str | None, dict[str, list[NamePair]]]
"""The training ontology, the role of the target (None: C ⊑ D), pairs of IRIs by part."""


def convert_project(folder: Path, target: str | None = None, name: str | None = None) -> tuple[Dataset, Drops]:
    """A dataset from a folder of another project, known by its files.

    `target` is a role (the target is then C ⊑ ∃R.D) or `subclass`; it may be left out where the held-out axioms
    all have one shape.
    """
    if not folder.is_dir():
        raise ReadError("there is no such folder", str(folder))
    drops = Drops()
    kinds = {
        "mowl": (_find_mowl, _read_mowl),
        "box2el": (find_box2el, read_box2el),
        "emelpp": (_find_emelpp, _read_emelpp),
    }
    for kind, (find, convert) in kinds.items():
        if files := find(folder):
            converted = convert(files, target, drops)
            return _finished(name or folder.resolve().name, converted, kind, folder, files, drops), drops
    raise ElgeoError(
        f"{folder} is none of the known kinds of dataset: mOWL (ontology.owl, valid.owl, test.owl), "
        "Box2EL (classes.json, relations.json, train/nf1.npy …), EmEL++ (*_norm*.owl, *_valid.txt, *_test.txt)"
    )


def _find_mowl(folder: Path) -> dict[str, Path]:
    files = {"train": folder / "ontology.owl", "valid": folder / "valid.owl", "test": folder / "test.owl"}
    return files if all(path.is_file() for path in files.values()) else {}


def _read_mowl(files: Mapping[str, Path], target: str | None, drops: Drops) -> Converted:
    """Three ontologies: what is trained on, and the axioms held out."""
    parts = {part: read(path) for part, path in files.items()}
    pattern = _pattern([parts["valid"], parts["test"]], target)
    pairs = {}
    for part, ontology in parts.items():
        nodes, rows = matches(ontology, pattern)
        pairs[part] = [(ontology.string(a), ontology.string(b)) for a, b in rows.tolist()]
        if part != "train":
            other = len(np.unique(ontology.axiom_nodes)) - len(nodes)
            drops.count(f"{part} axioms of another shape than the target", other)
    return parts["train"], pattern.role, pairs


def _pattern(held_out: Iterable[Ontology], target: str | None) -> Pattern:
    """The shape of the held-out axioms: the one asked for, or the only one there is."""
    found: Counter[Pattern] = Counter()
    for ontology in held_out:
        roles = sorted({ontology.string(n) for n in np.flatnonzero(ontology.op == Op.ObjectProperty).tolist()})
        shapes = [Pattern(Op.SubClassOf, None), Pattern(Op.ClassAssertion, None)]
        shapes += [Pattern(op, role) for role in roles for op in (Op.SubClassOf, Op.ObjectPropertyAssertion)]
        found.update({shape: count for shape in shapes if (count := len(matches(ontology, shape)[0]))})
    fitting = list(found)
    if target is not None:
        role = role_named(target, sorted({shape.role for shape in found if shape.role}), None)
        fitting = [shape for shape in found if shape.role == role]
    if len(fitting) == 1:
        return fitting[0]
    seen = ", ".join(f"{n:,} with {shape.role or SUBCLASS}" for shape, n in found.items()) or "none between names"
    raise SettingError(f"which held-out axioms are the target? There are {seen}: give --target ROLE or {SUBCLASS}")


def _find_emelpp(folder: Path) -> dict[str, Path]:
    found = {part: sorted(folder.glob(f"*_{part}.txt")) for part in ("valid", "test")}
    found["train"] = sorted(folder.glob("*norm*.owl"))
    return {part: paths[0] for part, paths in found.items()} if all(len(p) == 1 for p in found.values()) else {}


def _read_emelpp(files: Mapping[str, Path], target: str | None, drops: Drops) -> Converted:
    """Axioms in functional syntax, one a line without an ontology around them; held-out pairs as text.

    Their `*_train.txt` only lists classes that occur in the axioms, and is not read.
    """
    with opened(files["train"]) as file:
        # in front of the first line, so that the numbers of lines stay right
        text = b"Prefix(owl:=<http://www.w3.org/2002/07/owl#>) Ontology( " + file.read() + b"\n)"
    ontology = read_functional(text, str(files["train"]))
    roles = [ontology.string(n) for n in np.flatnonzero(ontology.op == Op.ObjectProperty).tolist()]
    pattern = Pattern(Op.SubClassOf, role_named(target, roles, files["train"]))
    _, rows = matches(ontology, pattern)
    pairs = {"train": [(ontology.string(a), ontology.string(b)) for a, b in rows.tolist()]}
    for part in ("valid", "test"):
        pairs[part] = []
        for number, line in lines(files[part]):
            columns = fields(line)
            if columns and len(columns) != 2:
                raise ReadError(f"two classes are expected, here is {line[:60]!r}", str(files[part]), number)
            if columns:
                pairs[part].append((bracketed_iri(columns[0]), bracketed_iri(columns[1])))
    return ontology, pattern.role, pairs


def _finished(
    name: str, converted: Converted, kind: str, folder: Path, files: Mapping[str, Path], drops: Drops
) -> Dataset:
    """Leave out what is trained on as well, declare what is only held out, and assemble."""
    train, role, pairs = converted
    taken: set[NamePair] = set()
    kept: dict[str, list[NamePair]] = {}
    for part in ("train", "valid", "test"):
        kept[part] = [
            pair for pair in dict.fromkeys(pairs[part]) if pair not in taken and not {THING, NOTHING} & set(pair)
        ]
        taken |= set(kept[part])
        if part != "train":
            lost = len(pairs[part]) - len(kept[part])
            drops.count(f"{part} axioms that are in an earlier part or speak of ⊤ or ⊥", lost)
        if not kept[part]:
            raise ElgeoError(f"{folder}: no {part} axioms of the target are left")
    builder = Builder.resume(train)
    individuals = {train.string(n) for n in np.flatnonzero(train.op == Op.NamedIndividual).tolist()}
    for iri in sorted({iri for some in kept.values() for pair in some for iri in pair} - individuals):
        builder.declare(builder.entity(Op.Class, iri))
    if role is not None:
        builder.declare(builder.entity(Op.ObjectProperty, role))
    sources: list[dict[str, Any]] = [
        {"what": what, "file": str(path.relative_to(folder)), "bytes": path.stat().st_size, "sha256": sha256(path)}
        for what, path in files.items()
    ]

    def side(number: int) -> str:
        return "individual" if kept["test"][0][number] in individuals else "class"

    return assemble(
        name=name,
        ontology=builder.finish(iri=train.iri, format=train.format),
        role=role,
        parts=kept,
        kind_of=lambda _, is_individual: "individual" if is_individual else "class",
        head_kind=side(0),
        tail_kind=side(1),
        record={"made_by": kind, "settings": {}, "sources": sources},
    )
