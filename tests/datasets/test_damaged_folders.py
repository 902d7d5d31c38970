"""Dataset folders damaged or edited at random, through what reads them: one clear message, no traceback, no hang.

`ELGEO_FUZZ=2000 pytest tests/datasets/test_damaged_folders.py` tries as many as one likes.
"""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import tomli_w

from elgeo.cli import main
from elgeo.datasets import Dataset, load
from elgeo.datasets.folder import save
from elgeo.datasets.splits.holdout import HoldOut, hold_out
from elgeo.errors import ElgeoError, ReadError
from tests.damaging import ODD, bytes_of, draw_once, outcomes, replaced, toml_of

COUNT = int(os.environ.get("ELGEO_FUZZ", "12"))
FIRST = int(os.environ.get("ELGEO_FUZZ_FIRST", "0"))
OBO = "ontology: t\n[Typedef]\nid: part_of\nis_transitive: true\nrange: T:0\n" + "".join(
    f'[Term]\nid: T:{i}\nname: number {i}\nsynonym: "no. {i}" EXACT []\ndef: "The {i}th." []\nalt_id: T:{i + 100}\n'
    + (f"is_a: T:{i // 2}\nrelationship: part_of T:{i // 3}\n" if i else "")
    + (f'relationship: part_of T:{i % 5} {{all_only="true"}}\n' if i % 7 == 3 else "")
    for i in range(30)
)


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    path = tmp_path_factory.mktemp("ontology") / "o.obo"
    path.write_text(OBO)
    return hold_out(HoldOut(path, "?C SubClassOf part_of some ?D", (0.7, 0.1, 0.2)))[0]


@pytest.fixture(scope="module")
def whole(dataset: Dataset, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A dataset's folder, and a run on it."""
    folder = tmp_path_factory.mktemp("whole")
    save(dataset, folder / "data", [("too long", "x")])
    assert main(["train", str(folder / "data"), "-o", str(folder / "run"), "--model", "naive", "--quiet"]) == 0
    return folder / "data", folder / "run"


MODELS = (["elem", "--epochs", "1", "--set", "dimension=2"], ["atlas"], ["faithful", "--set", "dimension=4"])
"""One that is trained, one that is fitted, one with a geometry of its own."""

SWEPT = 10
"""One in so many is also searched on, which takes longer."""


def signed(folder: Path, path: Path) -> None:
    """Let the manifest say that the table is as it should be, unless the manifest is damaged already."""
    try:
        manifest = tomllib.loads((folder / "dataset.toml").read_text())
        manifest["tables"][path.relative_to(folder).as_posix()] = hashlib.sha256(path.read_bytes()).hexdigest()
    except (OSError, ValueError, RecursionError, KeyError, TypeError):
        return
    (folder / "dataset.toml").write_text(tomli_w.dumps(manifest))


def edited(table: pa.Table, chance: random.Random) -> pa.Table:
    """A table with a column of another type, odd values, missing ones, fewer rows or no such column."""
    name = chance.choice(table.column_names)
    place, values = table.column_names.index(name), table.column(name).to_pylist()
    number = chance.randrange(len(values)) if values else 0
    match chance.randrange(9):
        case 0:
            return table.drop_columns([name])
        case 1:
            return table.slice(0, chance.randrange(len(values) + 1))
        case 2:
            return pa.concat_tables([table, table])
        case 3:
            column: Any = pa.array([str(value) for value in values])
        case 4:
            column = pa.array([float(len(str(value))) + 0.5 for value in values])
        case 5:
            column = pa.array(
                [None if i == number else value for i, value in enumerate(values)], table.column(name).type
            )
        case 6:
            column = pa.array([[value] for value in values])
        case 7:
            fits = [odd for odd in ODD if type(odd) is (int if values and isinstance(values[0], int) else str)]
            odd = chance.choice([value for value in fits if not isinstance(value, int) or abs(value) < 2**63])
            odd = odd.replace("\ud800", "?") if isinstance(odd, str) else odd
            column = pa.array([odd if i == number else value for i, value in enumerate(values)])
        case _:
            chance.shuffle(values)
            column = pa.array(values, table.column(name).type)
    return table.set_column(place, name, column)


def damage(folder: Path, chance: random.Random) -> str:
    """Damage one to three things; says what."""
    told = []
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        tables = sorted(path for path in folder.rglob("*.parquet") if path.is_file())
        files = [path for path in [*tables, folder / "forms" / "tables.json"] if path.is_file()]
        manifest = folder / "dataset.toml"
        way = chance.choice(["edit", "edit", "edit", "edit", "toml", "toml", "toml", "bytes", "sign", "replace"])
        path = manifest if way == "toml" or not files else chance.choice(tables if way == "edit" and tables else files)
        try:
            if way == "toml":
                toml_of(manifest, chance)
            elif way == "edit":
                pq.write_table(edited(pq.read_table(path), chance), path)
                signed(folder, path)
            elif way == "replace":
                replaced(path, chance)
            else:
                bytes_of(path, chance)
                if way == "sign":
                    signed(folder, path)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, pa.ArrowException):
            bytes_of(path, chance)  # it was damaged already, or cannot be damaged in that way
        told.append(f"{way} {path.relative_to(folder)}")
    return ", ".join(told)


def with_value(folder: Path, keys: list[str | int], value: object) -> None:
    """Set a field of the manifest, however deep."""
    path = folder / "dataset.toml"
    document = tomllib.loads(path.read_text())
    inner: Any = document
    for key in keys[:-1]:
        inner = inner[key] if isinstance(key, int) else inner.setdefault(key, {})
    inner[keys[-1]] = value
    path.write_text(tomli_w.dumps(document))


@pytest.mark.parametrize(
    ("keys", "value", "named"),
    [
        (["format"], "1", "format: has to be a whole number"),
        (["format"], 2, "format: this version reads 1, not 2"),
        (["name"], 7, "name: has to be text"),
        (["target", "form"], "disjoint", "target.form"),
        (["target", "form"], "subclass", "target.form"),
        (["target", "role"], "http://x/none", "target.role"),
        (["target", "head_kind"], "nobody", "target.head_kind"),
        (["target", "tail_kind"], 1, "target.tail_kind"),
        (["target", "symmetric"], 1, "target.symmetric"),
        (["kinds", "names"], [], "target.head_kind"),
        (["kinds", "names"], ["class", 1], "kinds.names"),
        (["kinds", "names"], "class", "kinds.names"),
        (["kinds", "names"], ["class", "class"], "kinds.names"),
        (["kinds", "names"], ["class", ""], "kinds.names"),
        (["kinds", "names"], ["class", *map(str, range(2**15))], "kinds.names"),
        (["tables", "../x.parquet"], "0", "tables: '../x.parquet' is no file of this folder"),
        (["tables", "/x.parquet"], "0", "tables: '/x.parquet' is no file of this folder"),
        (["tables", "more.parquet"], "0", "more.parquet"),
        (["tables", "test.parquet"], 3, "tables.test.parquet: has to be text"),
        (["made_by"], 3, "made_by"),
        (["settings"], 3, "settings"),
        (["sources"], {}, "sources: has to be a list"),
        (["sources"], [3], "sources[0]"),
        (["sources", 0, "bytes"], -1, "sources[0].bytes"),
        (["sources", 0, "file"], 1, "sources[0].file"),
        (["sources", 0, "url"], 1, "sources[0].url"),
        (["drops", "why"], -1, "drops.why"),
        (["drops", "why"], 1.5, "drops.why"),
        (["split", "axioms"], -1, "split.axioms"),
        (["split", "said_elsewhere_held_out"], "x", "split.said_elsewhere_held_out"),
        (["leakage", "test"], {"axioms": 1}, "leakage.test.inverse_in_train: is missing"),
        (["leakage", "test"], 1, "leakage.test"),
        (["embedded", "generator"], 1, "embedded.generator"),
        (["embedded"], {"generator": "cell", "size": "tiny", "target": "x", "seed": -1}, "embedded.seed"),
        (["embedded"], {"generator": "cell", "size": 1, "target": "x", "seed": 1}, "embedded.size"),
        (["inconsistent"], 1, "inconsistent: has to be true or false"),
        (["unsatisfiable"], "http://x/A", "unsatisfiable: has to be a list of IRIs, not"),
        (["unsatisfiable"], ["http://x/A", 3], "unsatisfiable: has to be a list of IRIs, not"),
        (["more"], float("nan"), "more"),
    ],
)
def test_the_field_is_named(
    whole: tuple[Path, Path], tmp_path: Path, keys: list[str | int], value: object, named: str
) -> None:
    shutil.copytree(whole[0], tmp_path / "d")
    with_value(tmp_path / "d", keys, value)
    with pytest.raises(ReadError) as caught:
        load(tmp_path / "d")
    assert str(caught.value).startswith(str(tmp_path / "d"))
    assert named in str(caught.value)


@pytest.mark.parametrize(
    ("table", "column", "value", "problem"),
    [
        ("test", "head_id", 10_000, "a class that the dataset does not have"),
        ("test", "tail_id", -1, "a class that the dataset does not have"),
        ("valid", "head_id", 2**32, "a class that the dataset does not have"),
        ("train", "tail_id", 0, "tail_id: 1 are not of the kind 'class'"),
        ("train", "head_id", 1, "head_id: 1 are not of the kind 'class'"),
        ("kinds", "kind", 3, "kind: every class needs one of the 3"),
        ("kinds", "kind", -1, "kind: every class needs one of the 3"),
        ("forms/existential", "c", 2**31, "ids that no class or role has"),
        ("forms/existential", "r", 2, "ids that no class or role has"),
        ("forms/existential", "d", 0, "training axioms of the target are not in the forms"),
        ("forms/subclass", "d", -1, "ids that no class or role has"),
        ("forms/classes", "kind", "human", "kind: none is called 'human'"),
        ("forms/classes", "kind", "named", "kind: the first 2 and no others are built in"),
        ("forms/roles", "kind", "named", "kind: the first 1 and no others are built in"),
        ("forms/origins", "form", "fable", "form: has names that no form has"),
        ("forms/origins", "row", 10_000, "row: has rows that their form does not have"),
        ("forms/origins", "row", -1, "row: has rows that their form does not have"),
        ("forms/origins", "axiom", -1, "axiom: has numbers that no axiom has"),
        ("forms/origins", "axiom", 2**31, "axiom: has numbers that no axiom has"),
        ("forms/definitions", "definition", None, "'definition' has to be of texts, with none missing"),
        ("forms/labels", "label", 3, "'label' has to be of texts"),
        ("forms/subclass", "c", None, "'c' has to be of whole numbers, with none missing"),
        ("forms/subclass", "c", 1.5, "'c' has to be of whole numbers"),
    ],
)
def test_tables_that_were_edited_are_checked(
    whole: tuple[Path, Path], tmp_path: Path, table: str, column: str, value: Any, problem: str
) -> None:
    shutil.copytree(whole[0], tmp_path / "d")
    path = tmp_path / "d" / f"{table}.parquet"
    found = pq.read_table(path)
    values = found.column(column).to_pylist()
    everywhere = isinstance(value, (str, float)) or (table.endswith("labels") and value is not None)
    # the first row of a part, the last of the others
    place = 0 if table in ("test", "valid", "train", "forms/classes", "forms/roles") else -1
    changed = [value] * len(values) if everywhere and value != "named" else values
    changed[place] = value
    found = found.set_column(found.column_names.index(column), column, pa.array(changed))
    pq.write_table(found, path)
    signed(tmp_path / "d", path)
    with pytest.raises(ElgeoError) as caught:
        load(tmp_path / "d")
    assert problem in str(caught.value)
    assert str(tmp_path / "d") in str(caught.value)


def test_every_table_that_is_read_is_listed(whole: tuple[Path, Path], tmp_path: Path) -> None:
    for name in ("test.parquet", "kinds.parquet", "forms/chain.parquet", "forms/tables.json"):
        shutil.copytree(whole[0], tmp_path / "d")
        manifest = tomllib.loads((tmp_path / "d" / "dataset.toml").read_text())
        del manifest["tables"][name]
        (tmp_path / "d" / "dataset.toml").write_text(tomli_w.dumps(manifest))
        with pytest.raises(ReadError, match=rf"dataset\.toml: tables: {name} is missing"):
            load(tmp_path / "d")
        shutil.rmtree(tmp_path / "d")


def test_edges_that_are_allowed(dataset: Dataset, tmp_path: Path) -> None:
    """The largest class id, an empty part, as many kinds as are used."""
    last = dataset.valid[:0]
    save(replace(dataset, valid=last), tmp_path / "d")
    loaded = load(tmp_path / "d")
    assert loaded.valid.shape == (0, 3)
    assert np.array_equal(loaded.kinds.of_class, dataset.kinds.of_class)


@pytest.mark.slow
def test_a_damaged_dataset_is_one_message(
    whole: tuple[Path, Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    draw_once(monkeypatch)
    refused, wrong = 0, list[str]()
    space = tmp_path / "space.toml"
    space.write_text('[search]\nmethod = "grid"\n[fixed]\nepochs = 1\n[space]\ndimension = [2]\n')
    for seed in range(FIRST, FIRST + COUNT):
        folder = tmp_path / "data"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(tmp_path / "run", ignore_errors=True)
        shutil.copytree(whole[0], folder)
        told = damage(folder, random.Random(seed))
        train = ["train", str(folder), "-o", str(tmp_path / "run"), "--quiet", "--model"]
        shutil.rmtree(tmp_path / "sweep", ignore_errors=True)
        sweep = ["sweep", str(folder), "--space", str(space), "-o", str(tmp_path / "sweep")]
        commands = [
            ["dataset", "info", str(folder)],
            ["dataset", "info", str(folder), "--json"],
            [*train, *MODELS[seed % len(MODELS)]],
            ["predict", str(whole[1]), "--dataset", str(folder), "--all", "--top", "3"],
            ["evaluate", str(whole[1]), "--dataset", str(folder), "--resamples", "0"],
            ["score", str(whole[1]), "--dataset", str(folder), "T:3 SubClassOf part_of some T:4"],
            ["export", str(whole[1]), "--dataset", str(folder), "-o", str(tmp_path / "x.npz")],
            ["report", str(whole[1]), "--dataset", str(folder), "-o", str(tmp_path / "page.html")],
            *([sweep] if seed % SWEPT == 0 else []),
        ]
        found = outcomes(commands, f"seed {seed} ({told})", capsys)
        refused, wrong = refused + found[0], wrong + found[1]
    assert wrong == []
    assert refused > COUNT
