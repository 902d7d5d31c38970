"""A dataset as a folder: `dataset.toml`, tables, a README; written whole or not at all, checked when read."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import tomli_w
from numpy.typing import NDArray

from elgeo.datasets.assemble import contained
from elgeo.datasets.model import Dataset, Kinds
from elgeo.datasets.readme import readme
from elgeo.datasets.sources.text import sha256
from elgeo.errors import ElgeoError, ReadError, SettingError
from elgeo.files import folder_written_atomically
from elgeo.ontology.normal_forms import NormalForms, Table
from elgeo.ontology.writing.table_formats import FORMATS
from elgeo.ontology.writing.tables import load_tables, write_tables

FORMAT = 1
MANIFEST = "dataset.toml"
PARTS = ("train", "valid", "test")
_OWN = ("format", "name", "target", "kinds", "tables")
"""What the manifest says of itself; all else is the dataset's record."""
_WANTED: dict[str, dict[str, type]] = {
    "target": {"form": str, "head_kind": str, "tail_kind": str, "symmetric": bool},
    "kinds": {"names": list},
    "tables": {},
}


def save(
    dataset: Dataset, folder: Path, dropped: Sequence[tuple[str, str]] = (), replace_existing: bool = False
) -> None:
    """Write the dataset; `dropped` are (why, what) of what was left out. The same dataset gives the same bytes."""
    if folder.exists() and not (replace_existing and may_be_replaced(folder)):
        raise SettingError(f"{folder} exists already and is not a dataset to be replaced: give another folder")
    with folder_written_atomically(folder) as temporary:
        _write(dataset, temporary, dropped)


def load_folder(folder: Path) -> Dataset:
    """Read a dataset; a damaged folder is refused with what is wrong with it."""
    manifest = _manifest(folder)
    for name, expected in manifest["tables"].items():
        path = folder / name
        if not path.is_file():
            raise ReadError("a table of the dataset is missing: build or copy it again", str(path))
        if sha256(path) != expected:
            raise ReadError("the table is not what dataset.toml says (checksum): build or copy it again", str(path))
    forms = load_tables(folder / "forms")
    target = manifest["target"]
    role = _role(target, forms, folder) if "role" in target else None
    train, valid, test = (_read_rows(folder / f"{part}.parquet", forms, role) for part in PARTS)
    dataset = Dataset(
        name=manifest["name"],
        forms=forms,
        target_form=target["form"],
        target_role=role,
        train=train,
        valid=valid,
        test=test,
        kinds=_read_kinds(folder, forms, manifest["kinds"]["names"]),
        head_kind=target["head_kind"],
        tail_kind=target["tail_kind"],
        symmetric=target["symmetric"],
        record={key: value for key, value in manifest.items() if key not in _OWN},
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
        columns |= {end: [names[i] for i in ids.tolist()] for end, ids in ends.items()}
        FORMATS["parquet"].write(folder / f"{part}.parquet", columns)
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


def _role(target: Mapping[str, Any], forms: NormalForms, folder: Path) -> int:
    try:
        return list(forms.vocabulary.roles).index(target["role"])
    except ValueError:
        raise ReadError(f"[target] no role is called {target['role']!r}", str(folder / MANIFEST)) from None


def _read_rows(path: Path, forms: NormalForms, role: int | None) -> Table:
    columns = FORMATS["parquet"].read(path, {"head_id": int, "tail_id": int})
    rows = np.column_stack([columns["head_id"], columns["tail_id"]]).astype(np.int32)
    if len(rows) and not 0 <= rows.min() <= rows.max() < forms.vocabulary.n_classes:
        raise ReadError("an axiom speaks of a class that the dataset does not have", str(path))
    return rows if role is None else np.insert(rows, 1, role, axis=1)


def _read_kinds(folder: Path, forms: NormalForms, names: list[str]) -> Kinds:
    path = folder / "kinds.parquet"
    numbers: NDArray[Any] = np.asarray(FORMATS["parquet"].read(path, {"kind": int})["kind"])
    if len(numbers) != forms.vocabulary.n_classes or not 0 <= numbers.min() <= numbers.max() < len(names):
        raise ReadError("every class needs a kind that dataset.toml declares", str(path))
    return Kinds(tuple(names), numbers.astype(np.int16))


def _manifest(folder: Path) -> dict[str, Any]:
    """`dataset.toml`, with everything in it that loading needs."""
    path = folder / MANIFEST
    try:
        manifest = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ReadError(f"not a dataset: there is no {MANIFEST} in it", str(folder)) from None
    except (OSError, ValueError) as error:
        raise ReadError(f"cannot be read: {error}", str(path)) from None
    problem = _problem(manifest)
    if problem:
        raise ReadError(problem, str(path))
    return manifest


def _problem(manifest: Mapping[str, Any]) -> str | None:
    """What is wrong with a manifest."""
    if manifest.get("format") != FORMAT:
        return f"format {manifest.get('format')!r} is not the {FORMAT} that this version reads"
    if not isinstance(manifest.get("name"), str):
        return "the dataset's name is missing"
    for section, keys in _WANTED.items():
        found = manifest.get(section)
        if not isinstance(found, dict):
            return f"the section [{section}] is missing"
        for key, kind in keys.items():
            if not isinstance(found.get(key), kind):
                return f"[{section}] needs {key} ({kind.__name__})"
    target, names = manifest["target"], manifest["kinds"]["names"]
    if target["form"] not in ("existential", "subclass") or (target["form"] == "existential") != ("role" in target):
        return '[target] needs form = "existential" with a role, or form = "subclass" without'
    for key in ("head_kind", "tail_kind"):
        if target[key] not in names:
            return f"[target] {key} = {target[key]!r} is none of the kinds {', '.join(map(str, names))}"
    return None


def _check(dataset: Dataset, folder: Path) -> None:
    """What must hold between the parts."""
    rows = [dataset.train, dataset.valid, dataset.test]
    trained = contained(np.concatenate(rows), dataset.forms[dataset.target_form])
    in_train, *held_out = np.split(trained, np.cumsum([len(part) for part in rows[:-1]]))
    if not in_train.all():
        raise ElgeoError(f"{folder}: {int((~in_train).sum()):,} training axioms of the target are not in the forms")
    for part, found in zip(PARTS[1:], held_out, strict=True):
        if found.any():
            raise ElgeoError(f"{folder}: {int(found.sum()):,} {part} axioms are trained on")


def may_be_replaced(folder: Path) -> bool:
    """Whether a folder is a dataset, or empty."""
    return folder.is_dir() and ((folder / MANIFEST).is_file() or not any(folder.iterdir()))
