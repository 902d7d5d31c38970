"""The words of a dataset's classes: by class id, kept in its folder."""

from __future__ import annotations

import tomllib
from pathlib import Path

import tomli_w

from elgeo import datasets
from elgeo.datasets.folder import save
from elgeo.datasets.splits.holdout import HoldOut, hold_out
from elgeo.datasets.statistics import statistics, table
from elgeo.ontology.vocabulary import Kind

OBO = """ontology: t
[Term]
id: T:0
name: thing
def: "Anything at all." []
[Typedef]
id: part_of
name: part of
def: "Whole and parts." []
""" + "".join(
    f'[Term]\nid: T:{i}\nname: number {i}\nsynonym: "no. {i}" EXACT []\nsynonym: "nr {i}" EXACT []\n'
    f"is_a: T:{i // 2}\nrelationship: part_of T:{i // 3}\n" + f'def: "The {i}th." []\n' * (i % 2)
    for i in range(1, 40)
)


def test_texts_by_class(tmp_path: Path) -> None:
    (tmp_path / "o.obo").write_text(OBO)
    dataset, _ = hold_out(HoldOut(tmp_path / "o.obo", "?C SubClassOf part_of some ?D"))
    save(dataset, tmp_path / "d")
    for some in (dataset, datasets.load(tmp_path / "d")):
        texts, names = some.texts, some.vocabulary.classes
        assert len(texts) == len(texts.synonyms) == len(texts.definitions) == some.vocabulary.n_classes
        for i, name in enumerate(names):
            number = int(name.rpartition("_")[2]) if "/T_" in name and "<" not in name else -1
            assert texts.labels[i] == ("thing" if number == 0 else f"number {number}" if number > 0 else "")
            assert texts.synonyms[i] == ((f"no. {number}", f"nr {number}") if number > 0 else ())
            defined = number > 0 and number % 2
            assert texts.definitions[i] == ("Anything at all." if number == 0 else f"The {number}th." * defined)
        assert texts.counts == {"labels": 40, "synonyms": 39, "definitions": 21}
        assert statistics(some)["texts"] == texts.counts
        assert "definitions                    21" in table(statistics(some))


def test_a_folder_of_an_earlier_version_has_labels_and_no_definitions(tmp_path: Path) -> None:
    (tmp_path / "o.obo").write_text(OBO)
    dataset, _ = hold_out(HoldOut(tmp_path / "o.obo", "?C SubClassOf part_of some ?D"))
    save(dataset, tmp_path / "d")
    manifest = tomllib.loads((tmp_path / "d" / "dataset.toml").read_text())
    del manifest["tables"]["forms/definitions.parquet"]
    (tmp_path / "d" / "dataset.toml").write_text(tomli_w.dumps(manifest))
    (tmp_path / "d" / "forms" / "definitions.parquet").unlink()
    assert datasets.load(tmp_path / "d").texts.counts == {"labels": 40, "synonyms": 39, "definitions": 0}


def test_embedded_datasets_have_their_labels() -> None:
    cell = datasets.load("cell-tiny")
    assert cell.texts.counts["labels"] > 10
    kinds = cell.vocabulary.class_kinds
    assert all(not text for text, kind in zip(cell.texts.labels, kinds, strict=True) if kind == Kind.FRESH)
    assert not any(datasets.load("family").texts.definitions)
