"""A dataset as a folder: `dataset.toml`, tables, a README; written whole or not at all, checked when read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import tomli_w
from numpy.typing import NDArray

from elgeo.arrays import Ids, Table
from elgeo.datasets.manifest import FORMAT, MANIFEST, read_manifest
from elgeo.datasets.model import AlsoHeldOut, Dataset, HeldDefinition, Kinds
from elgeo.datasets.readme import readme
from elgeo.datasets.sources.lines import sha256
from elgeo.documents import shown
from elgeo.errors import ElgeoError, ReadError, SettingError
from elgeo.files import folder_written_atomically, settled
from elgeo.keys import contained
from elgeo.ontology.normal_forms import FORMS, TAILED, NormalForms
from elgeo.ontology.writing.table_formats import FORMATS, Coded
from elgeo.ontology.writing.tables import load_tables, write_tables

PARTS = ("train", "valid", "test")
DEFINITIONS = "definitions.parquet"


def save(
    dataset: Dataset, folder: Path, dropped: Sequence[tuple[str, str]] = (), replace_existing: bool = False
) -> None:
    """Write the dataset; `dropped` are (why, what) of what was left out. The same dataset gives the same bytes."""
    if settled(folder).exists() and not (replace_existing and may_be_replaced(folder)):
        raise SettingError(f"{folder} exists already and is not a dataset to be replaced: give another folder")
    with folder_written_atomically(folder) as temporary:
        _write(dataset, temporary, dropped)


def load_folder(folder: Path) -> Dataset:
    """Read a dataset; a damaged folder is refused with what is wrong with it."""
    manifest = read_manifest(settled(folder))
    _check_files(folder, manifest.tables)
    forms = load_tables(folder / "forms")
    target = manifest.target
    role = None if target.role is None else _role(target.role, forms, folder)
    train, valid, test = (_read_rows(folder / f"{part}.parquet", forms, role) for part in PARTS)
    dataset = Dataset(
        name=manifest.name,
        forms=forms,
        target_form=target.form,
        target_role=role,
        train=train,
        valid=valid,
        test=test,
        kinds=_read_kinds(folder, forms, manifest.kinds),
        head_kind=target.head_kind,
        tail_kind=target.tail_kind,
        symmetric=target.symmetric,
        other_forms={
            form: _read_form(folder / _other(form), form, forms) for form in TAILED if _other(form) in manifest.tables
        },
        definitions=_read_definitions(folder / DEFINITIONS, forms) if DEFINITIONS in manifest.tables else (),
        record=manifest.record,
    )
    _check(dataset, folder)
    return dataset


def _write(dataset: Dataset, folder: Path, dropped: Sequence[tuple[str, str]]) -> None:
    (folder / "forms").mkdir()
    write_tables(dataset.forms, folder / "forms", "parquet")
    names = list(dataset.vocabulary.classes)
    for part in PARTS:
        rows: Table = getattr(dataset, part)
        ends = {"head": rows[:, 0], "tail": rows[:, -1]}
        columns: dict[str, Any] = {f"{end}_id": ids for end, ids in ends.items()}
        columns |= {end: _named(ids, names) for end, ids in ends.items()}
        FORMATS["parquet"].write(folder / f"{part}.parquet", columns)
    for form, held_out in dataset.other_forms.items():
        rows = np.concatenate(held_out)
        columns = dict(zip(FORMS[form].columns, rows.T, strict=True))
        columns["part"] = np.repeat([1, 2], [len(part) for part in held_out]).astype(np.int32)
        FORMATS["parquet"].write(folder / _other(form), columns)
    if dataset.definitions:
        columns = {
            "part": [each.part for each in dataset.definitions],
            "class_id": np.array([each.class_id for each in dataset.definitions], np.int32),
            "expression": [each.expression for each in dataset.definitions],
        }
        FORMATS["parquet"].write(folder / DEFINITIONS, columns)
    FORMATS["parquet"].write(folder / "kinds.parquet", {"kind": dataset.kinds.of_class.astype(np.int32)})
    listed = "".join(f"{why}\t{what}\n" for why, what in sorted(dropped))
    (folder / "dropped.tsv").write_text("why\twhat\n" + listed, encoding="utf-8", newline="\n")
    (folder / "README.md").write_text(readme(dataset), encoding="utf-8", newline="\n")
    tables = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".md")
    target: dict[str, Any] = {
        "form": dataset.target_form,
        "head_kind": dataset.head_kind,
        "tail_kind": dataset.tail_kind,
        "symmetric": dataset.symmetric,
    }
    if dataset.target_role is not None:
        target["role"] = dataset.vocabulary.roles[dataset.target_role]
    manifest = {
        "format": FORMAT,
        "name": dataset.name,
        "target": target,
        "kinds": {"names": list(dataset.kinds.names)},
        **dataset.record,
        "tables": {path.relative_to(folder).as_posix(): sha256(path) for path in tables},
    }
    (folder / MANIFEST).write_text(tomli_w.dumps(manifest), encoding="utf-8", newline="\n")


def _named(ids: Ids, names: Sequence[str]) -> Coded:
    """A column of names; a class may stand in many rows."""
    used, places = np.unique(ids, return_inverse=True)
    return Coded([names[i] for i in used.tolist()], places)


def _check_files(folder: Path, tables: Mapping[str, str]) -> None:
    """Every table that is read is there and as it was written."""
    needed = {f"{name}.parquet" for name in (*PARTS, "kinds")}
    needed |= {path.relative_to(folder).as_posix() for path in (folder / "forms").rglob("*")}
    if unlisted := sorted(needed - set(tables)):
        raise ReadError(f"tables: {unlisted[0]} is missing", str(folder / MANIFEST))
    for name, expected in tables.items():
        path = folder / name
        if not path.is_file():
            raise ReadError("a table of the dataset is missing: build or copy it again", str(path))
        if sha256(path) != expected:
            raise ReadError("the table is not what dataset.toml says (checksum): build or copy it again", str(path))


def _role(name: str, forms: NormalForms, folder: Path) -> int:
    try:
        return list(forms.vocabulary.roles).index(name)
    except ValueError:
        raise ReadError(f"target.role: no role is called {shown(name)}", str(folder / MANIFEST)) from None


def _read_rows(path: Path, forms: NormalForms, role: int | None) -> Table:
    columns = FORMATS["parquet"].read(path, {"head_id": int, "tail_id": int})
    rows = np.column_stack([columns["head_id"], columns["tail_id"]])
    if len(rows) and not 0 <= rows.min() <= rows.max() < forms.vocabulary.n_classes:
        raise ReadError("an axiom speaks of a class that the dataset does not have", str(path))
    rows = rows.astype(np.int32)
    return rows if role is None else np.insert(rows, 1, role, axis=1)


def _other(form: str) -> str:
    """The table of what is held out of a form beside the target."""
    return f"held_out_{form}.parquet"


def _read_form(path: Path, form: str, forms: NormalForms) -> AlsoHeldOut:
    shape, names = FORMS[form], forms.vocabulary
    columns = FORMATS["parquet"].read(path, dict.fromkeys((*shape.columns, "part"), int))
    rows = np.column_stack([columns[letter] for letter in shape.columns])
    limits = [names.n_roles if i in shape.role_columns else names.n_classes for i in range(shape.width)]
    if ((rows < 0) | (rows >= limits)).any():
        raise ReadError("an axiom speaks of a class or role that the dataset does not have", str(path))
    rows = rows.astype(np.int32)
    if not np.isin(columns["part"], (1, 2)).all():
        raise ReadError("part: has to be 1 (valid) or 2 (test)", str(path))
    if contained(rows, forms[form]).any():
        raise ReadError("an axiom that is held out is trained on", str(path))
    return AlsoHeldOut(rows[columns["part"] == 1], rows[columns["part"] == 2])


def _read_definitions(path: Path, forms: NormalForms) -> tuple[HeldDefinition, ...]:
    columns = FORMATS["parquet"].read(path, {"part": str, "class_id": int, "expression": str})
    numbers = np.asarray(columns["class_id"])
    if ((numbers < 0) | (numbers >= forms.vocabulary.n_classes)).any():
        raise ReadError("a definition is of a class that the dataset does not have", str(path))
    if wrong := [part for part in columns["part"] if part not in PARTS[1:]]:
        raise ReadError(f"part: has to be valid or test, not {shown(wrong[0])}", str(path))
    return tuple(map(HeldDefinition, columns["part"], numbers.tolist(), columns["expression"]))


def _read_kinds(folder: Path, forms: NormalForms, names: tuple[str, ...]) -> Kinds:
    path = folder / "kinds.parquet"
    numbers: NDArray[Any] = FORMATS["parquet"].read(path, {"kind": int})["kind"]
    if len(numbers) != forms.vocabulary.n_classes or not 0 <= numbers.min() <= numbers.max() < len(names):
        raise ReadError(f"kind: every class needs one of the {len(names)} that dataset.toml declares", str(path))
    return Kinds(names, numbers.astype(np.int16))


def _check(dataset: Dataset, folder: Path) -> None:
    """What must hold between the parts."""
    for part in PARTS:
        rows: Table = getattr(dataset, part)
        for end, place, kind in (("head", 0, dataset.head_kind), ("tail", -1, dataset.tail_kind)):
            of_kind = dataset.kinds.of_class[rows[:, place]] == dataset.kinds.names.index(kind)
            if not of_kind.all():
                problem = f"{end}_id: {int((~of_kind).sum()):,} are not of the kind {shown(kind)}"
                raise ReadError(problem, str(folder / f"{part}.parquet"))
    tables = [dataset.train, dataset.valid, dataset.test]
    trained = contained(np.concatenate(tables), dataset.forms[dataset.target_form])
    in_train, *held_out = np.split(trained, np.cumsum([len(part) for part in tables[:-1]]))
    if not in_train.all():
        raise ElgeoError(f"{folder}: {int((~in_train).sum()):,} training axioms of the target are not in the forms")
    for part, found in zip(PARTS[1:], held_out, strict=True):
        if found.any():
            raise ElgeoError(f"{folder}: {int(found.sum()):,} {part} axioms are trained on")


def may_be_replaced(folder: Path) -> bool:
    """Whether a folder is a dataset, or empty."""
    return settled(folder).is_dir() and ((folder / MANIFEST).is_file() or not any(folder.iterdir()))
