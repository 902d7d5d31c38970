"""A dataset's folder: the same bytes every time, the same dataset back, damage refused."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from elgeo import datasets
from elgeo.datasets import Dataset
from elgeo.datasets.embedded import cell
from elgeo.datasets.folder import save
from elgeo.errors import ElgeoError, SettingError


@pytest.fixture(scope="module")
def tiny() -> Dataset:
    return cell.dataset("tiny")


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


@pytest.mark.parametrize("name", ["cell-tiny", "family"])
def test_what_is_saved_comes_back(tmp_path: Path, name: str) -> None:
    before = datasets.load(name)
    save(before, tmp_path / "d", [("not mapped", "X1")])
    after = datasets.load(tmp_path / "d")
    for form, table in before.forms.tables.items():
        assert np.array_equal(table, after.forms.tables[form])
    for part in ("train", "valid", "test"):
        assert np.array_equal(getattr(before, part), getattr(after, part))
        assert getattr(after, part).dtype == np.int32
    assert list(before.vocabulary.classes) == list(after.vocabulary.classes)
    assert list(before.vocabulary.roles) == list(after.vocabulary.roles)
    assert before.kinds.names == after.kinds.names
    assert np.array_equal(before.kinds.of_class, after.kinds.of_class)
    for field in ("name", "target_form", "target_role", "head_kind", "tail_kind", "symmetric", "record"):
        assert getattr(before, field) == getattr(after, field)
    assert "not mapped\tX1" in (tmp_path / "d" / "dropped.tsv").read_text()
    assert before.name in (tmp_path / "d" / "README.md").read_text()


def test_the_same_dataset_gives_the_same_bytes(tmp_path: Path, tiny: Dataset) -> None:
    save(tiny, tmp_path / "one")
    save(cell.dataset("tiny"), tmp_path / "two")
    save(cell.dataset("tiny", seed=1), tmp_path / "three")
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    assert contents(tmp_path / "one")["test.parquet"] != contents(tmp_path / "three")["test.parquet"]


def test_the_best_ranking_of_a_saved_cell_is_known_too(tmp_path: Path, tiny: Dataset) -> None:
    save(tiny, tmp_path / "d")
    loaded = datasets.load(tmp_path / "d")
    scores = [cell.best_ranking(d).tails(d.test[:, 0], d.target_role, d.candidates) for d in (tiny, loaded)]
    assert np.array_equal(scores[0], scores[1])


def test_nothing_but_a_dataset_is_replaced(tmp_path: Path, tiny: Dataset) -> None:
    save(tiny, tmp_path / "d")
    with pytest.raises(SettingError, match="exists already"):
        save(tiny, tmp_path / "d")
    save(replace(tiny, name="new"), tmp_path / "d", replace_existing=True)
    assert datasets.load(tmp_path / "d").name == "new"
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "precious.txt").write_text("keep me")
    with pytest.raises(SettingError, match="exists already"):
        save(tiny, tmp_path / "other", replace_existing=True)
    assert (tmp_path / "other" / "precious.txt").exists()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["d", "other"]


def test_a_failed_save_leaves_nothing(tmp_path: Path, tiny: Dataset) -> None:
    with pytest.raises(TypeError):
        save(replace(tiny, record={"bad": object()}), tmp_path / "d")
    assert list(tmp_path.iterdir()) == []


DAMAGE: dict[str, Callable[[Path], object]] = {
    "no manifest": lambda d: (d / "dataset.toml").unlink(),
    "not TOML": lambda d: (d / "dataset.toml").write_text("format = "),
    "another format": lambda d: edit(d, "format = 1", "format = 7"),
    "no target": lambda d: edit(d, "[target]", "[goal]"),
    "wrong type": lambda d: edit(d, "symmetric = true", 'symmetric = "yes"'),
    "no role": lambda d: edit(d, "role = ", "rolle = "),
    "unknown role": lambda d: edit(d, "interacts_with", "nobody_knows"),
    "unknown kind": lambda d: edit(d, 'head_kind = "protein"', 'head_kind = "gene"'),
    "fewer kinds": lambda d: edit(d, '    "fresh",\n', ""),
    "missing table": lambda d: (d / "test.parquet").unlink(),
    "cut table": lambda d: (d / "test.parquet").write_bytes((d / "test.parquet").read_bytes()[:-30]),
    "exchanged tables": lambda d: shutil.copy(d / "valid.parquet", d / "test.parquet"),
    "missing forms": lambda d: shutil.rmtree(d / "forms"),
}


def edit(folder: Path, old: str, new: str) -> None:
    path = folder / "dataset.toml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_is_refused_with_a_message_that_names_the_folder(tmp_path: Path, tiny: Dataset, damage: str) -> None:
    save(tiny, tmp_path / "d")
    DAMAGE[damage](tmp_path / "d")
    with pytest.raises(ElgeoError, match=str(tmp_path / "d")):
        datasets.load(tmp_path / "d")


def test_a_held_out_axiom_that_is_trained_on_is_refused(tmp_path: Path, tiny: Dataset) -> None:
    save(replace(tiny, test=tiny.train[:3]), tmp_path / "d")
    with pytest.raises(ElgeoError, match="3 test axioms are trained on"):
        datasets.load(tmp_path / "d")
    save(replace(tiny, train=np.concatenate([tiny.train, tiny.test])), tmp_path / "e")
    with pytest.raises(ElgeoError, match=f"{len(tiny.test)} training axioms of the target are not in the forms"):
        datasets.load(tmp_path / "e")
