"""Datasets that `reproduce` builds from raw files say of their making what all others say."""

from __future__ import annotations

from pathlib import Path

import pytest

from elgeo import datasets
from elgeo.datasets.folder import save
from elgeo.errors import ElgeoError
from elgeo.experiments.sources import _recipe, prepare

OBO = "ontology: go\n[Term]\nid: GO:0000001\n" + "".join(
    f"[Term]\nid: GO:000000{i}\nis_a: GO:000000{i // 2}\n" for i in range(2, 8)
)
OBO += '[Term]\nid: GO:0000008\nis_a: GO:0000001\nrelationship: part_of GO:0000002 {maxCardinality="2"}\n'


def test_leakage_and_drops_are_recorded(tmp_path: Path) -> None:
    data = tmp_path / "data"
    (data / "go").mkdir(parents=True)
    (data / "yeast").mkdir()
    (data / "go" / "go.obo").write_text(OBO)
    pairs = [(f"4932.P{i:02}", f"4932.P{(i * 7 + 1) % 40:02}") for i in range(40)]
    (data / "yeast" / "interactions.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in pairs))
    lines = [f"4932.P{i:02}\tGO:000000{i % 7 + 1}\n" for i in range(40)] + ["4932.P00\tGO:0000099\n"]
    (data / "yeast" / "annotations.tsv").write_text("".join(lines))
    said: list[str] = []
    wanted = ("yeast-iw", "yeast-hf", "human-iw")
    assert prepare(data, tmp_path / "out", wanted, said.append) == ["yeast-iw", "yeast-hf"]
    assert any(line.startswith("human-iw: nothing in") for line in said)
    for name in ("yeast-iw", "yeast-hf"):
        record = datasets.load(tmp_path / "out" / name).record
        assert record["drops"]["annotations with terms that are not in the ontology"] == 1
        assert record["drops"]["axioms that EL++ cannot say in full (ObjectMaxCardinality)"] == 1
        for part in ("valid", "test"):
            assert record["leakage"][part]["axioms"] == len(getattr(datasets.load(tmp_path / "out" / name), part)) > 0
    assert datasets.load(tmp_path / "out" / "yeast-iw").record["leakage"]["test"]["inverse_in_train"] == 0
    # what is there is taken as it is
    before = (tmp_path / "out" / "yeast-iw" / "dataset.toml").stat().st_mtime_ns
    assert prepare(data, tmp_path / "out", ("yeast-iw",), said.append) == ["yeast-iw"]
    assert (tmp_path / "out" / "yeast-iw" / "dataset.toml").stat().st_mtime_ns == before


def written(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()


def test_what_is_built_is_what_the_files_allow(tmp_path: Path) -> None:
    """The parts where all three are there, else the whole; functions learn from interactions, whichever there are."""
    parts = [f"human/interactions_{part}.tsv" for part in ("train", "valid", "test")]
    written(tmp_path, "go/b.obo", "go/a.obo", "go/a.owl", "human/annotations.tsv.gz", *parts)
    ready = dict(zip(("train", "valid", "test"), (tmp_path / part for part in parts), strict=True))
    found = _recipe(tmp_path, "human-iw")
    assert found is not None
    assert (found.ontology, found.annotations) == (tmp_path / "go/a.obo", (tmp_path / "human/annotations.tsv.gz",))
    assert (found.target, found.name, found.symmetric) == ("interacts_with", "human-iw", False)
    assert (dict(found.ready), tuple(found.interactions)) == (ready, ())
    found = _recipe(tmp_path, "human-hf")
    assert found is not None
    assert (found.target, dict(found.ready)) == ("has_function", {})
    assert tuple(found.interactions) == tuple(ready.values())
    # with the whole beside them the parts come first; with a part missing the whole is taken, where it is
    written(tmp_path, "human/interactions.tsv")
    found = _recipe(tmp_path, "human-iw")
    assert found is not None
    assert dict(found.ready) == ready
    (tmp_path / parts[1]).unlink()
    found = _recipe(tmp_path, "human-iw")
    assert found is not None
    assert (dict(found.ready), tuple(found.interactions)) == ({}, (tmp_path / "human/interactions.tsv",))
    (tmp_path / "human/interactions.tsv").unlink()
    assert _recipe(tmp_path, "human-iw") is None


@pytest.mark.parametrize("missing", ["go/a.obo", "yeast/annotations.tsv", "yeast/interactions.tsv"])
def test_nothing_is_built_of_half_the_files(tmp_path: Path, missing: str) -> None:
    needed = ("go/a.obo", "yeast/annotations.tsv", "yeast/interactions.tsv")
    written(tmp_path, *needed)
    found = _recipe(tmp_path, "yeast-iw")
    assert found is not None
    assert found.symmetric
    (tmp_path / missing).unlink()
    assert _recipe(tmp_path, "yeast-iw") is None
    with pytest.raises(ElgeoError, match="none of yeast-iw is in"):
        prepare(tmp_path, tmp_path / "out", ("yeast-iw",), lambda _: None)


def test_folders_that_are_there_are_linked_and_followed_when_they_move(tmp_path: Path) -> None:
    data, moved, out = tmp_path / "data", tmp_path / "moved", tmp_path / "out" / "datasets"
    save(datasets.load("cell-tiny"), data / "yeast-iw")
    assert prepare(data, out, ("yeast-iw",), lambda _: None) == ["yeast-iw"]
    assert (out / "yeast-iw").resolve() == data / "yeast-iw"
    assert prepare(data, out, ("yeast-iw",), lambda _: None) == ["yeast-iw"], "again the same"
    data.rename(moved)
    assert prepare(moved, out, ("yeast-iw",), lambda _: None) == ["yeast-iw"]
    assert (out / "yeast-iw").resolve() == moved / "yeast-iw"
    save(datasets.load("cell-tiny"), data / "yeast-iw")
    with pytest.raises(ElgeoError, match=r"has runs on .*moved.yeast-iw: choose another folder"):
        prepare(data, out, ("yeast-iw",), lambda _: None)
    with pytest.raises(ElgeoError, match="is not a folder"):
        prepare(tmp_path / "nowhere", out, ("yeast-iw",), lambda _: None)
