"""`--forms all`: rows of every normal form held out; nothing lost, nothing unseen, and the folder keeps it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import elgeo
from elgeo.cli import main
from elgeo.datasets.folder import load_folder, save
from elgeo.datasets.model import Dataset
from elgeo.datasets.splits.all_forms import AllForms, split_forms
from elgeo.errors import ElgeoError, ReadError, SettingError
from elgeo.ontology.normal_forms import FORMS, TAILED
from elgeo.ontology.writing.table_formats import FORMATS
from tests.datasets.random_forms import ontology_file


def parts_of(dataset: Dataset, form: str) -> list[np.ndarray]:
    if form == "subclass":
        return [dataset.valid, dataset.test]
    return [*dataset.other_forms[form]]


def test_every_row_is_somewhere_and_held_out_rows_are_seen(tmp_path: Path) -> None:
    path = ontology_file(tmp_path)
    said: list[str] = []
    dataset, drops = split_forms(AllForms(path, seed=3), said.append)
    whole = elgeo.normalise(elgeo.read(path))
    names = dataset.vocabulary
    seen_classes, seen_roles = set(), set()
    for form, table in dataset.forms.tables.items():
        for row in table.tolist():
            seen_classes |= {row[i] for i in FORMS[form].class_columns}
            seen_roles |= {row[i] for i in FORMS[form].role_columns}
    missing = 0
    for form in TAILED:
        train, (valid, test) = dataset.forms[form], parts_of(dataset, form)
        rows = [tuple(row) for table in (train, valid, test) for row in table.tolist()]
        assert len(rows) == len(set(rows))
        assert set(rows) <= {tuple(row) for row in whole[form].tolist()}
        missing += len(whole[form]) - len(rows)
        assert len(valid) > 3
        assert len(test) > 3
        for row in [*valid.tolist(), *test.tolist()]:
            assert names.class_kinds[row[-1]] == 1
            assert {row[i] for i in FORMS[form].class_columns} <= seen_classes
            assert {row[i] for i in FORMS[form].role_columns} <= seen_roles
        assert any(line.startswith(FORMS[form].meaning) for line in said)
    assert missing == sum(drops.counts.values())
    # rows that define a fresh name conclude it or begin with it, and none of them is held out
    fresh = names.class_kinds == 3
    assert not fresh[dataset.test].any()
    for form in ("conjunction", "left_existential", "existential"):
        assert not fresh[np.concatenate(dataset.other_forms[form])[:, -1]].any()
    again, _ = split_forms(AllForms(path, seed=3))
    other, _ = split_forms(AllForms(path, seed=4))
    np.testing.assert_array_equal(again.test, dataset.test)
    assert not np.array_equal(other.test, dataset.test)


def test_shares_are_those_of_rows_that_may_be_held_out(tmp_path: Path) -> None:
    path = ontology_file(tmp_path)
    types = " ".join(f"ClassAssertion(:C{7 * i % 30} :i{i})" for i in range(40))
    path.write_text(f"{path.read_text(encoding='utf-8').rstrip().removesuffix(')')} {types}\n)", encoding="utf-8")
    dataset, drops = split_forms(AllForms(path, (0.5, 0.3, 0.2)))
    assert (dataset.vocabulary.class_kinds[dataset.test] == 1).all(), "a class below a class, no type of an individual"
    whole = elgeo.normalise(elgeo.read(path))
    names = whole.vocabulary.class_kinds == 1
    origin = {form: set(whole.origins[form][:, 0].tolist()) for form in TAILED}
    dropped = sum(drops.counts.values())
    for form in TAILED:
        may = sum(
            i in origin[form] and bool(names[row[-1]]) and (form != "subclass" or bool(names[row[0]]))
            for i, row in enumerate(whole[form].tolist())
        )
        valid, test = map(len, parts_of(dataset, form))
        assert round(may * 0.3) - dropped <= valid <= round(may * 0.3)
        assert round(may * 0.2) - dropped <= test <= round(may * 0.2)


def test_a_form_of_which_only_validation_has_axioms_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "few.ofn"
    lines = [f"SubClassOf(:C{i} :C{(7 * i + 1) % 40})" for i in range(40)]
    lines += [f"SubClassOf(ObjectSomeValuesFrom(:r :C{i}) :C{i + 5})" for i in range(4)]
    path.write_text("Prefix(:=<http://x/>)\nOntology(" + "\n".join(lines) + ")")
    dataset, _ = split_forms(AllForms(path, (0.6, 0.3, 0.1)))
    assert [len(part) for part in dataset.other_forms["left_existential"]] == [1, 0]


def test_the_folder_keeps_all_forms_and_refuses_damage(tmp_path: Path) -> None:
    path = ontology_file(tmp_path)
    text = path.read_text(encoding="utf-8").rstrip().removesuffix(")")
    path.write_text(f"{text} InverseObjectProperties(:r0 :r1)\n)", encoding="utf-8")
    dataset, _ = split_forms(AllForms(path))
    folder = tmp_path / "data"
    save(dataset, folder)
    loaded = load_folder(folder)
    names = [loaded.vocabulary.roles[r].rpartition("/")[2] for r in loaded.forms.inverses.ravel().tolist()]
    assert sorted(names[:2]) == sorted(names[2:]) == ["r0", "r1"]
    assert names == names[::-1]
    assert loaded.other_forms.keys() == dataset.other_forms.keys()
    for form, held_out in dataset.other_forms.items():
        for ours, theirs in zip(held_out, loaded.other_forms[form], strict=True):
            np.testing.assert_array_equal(ours, theirs)
            assert theirs.dtype == np.int32
    table = FORMATS["parquet"].read(
        folder / "held_out_conjunction.parquet", dict.fromkeys(("c", "d", "e", "part"), int)
    )
    from elgeo.datasets.folder import _read_form

    path = tmp_path / "bad.parquet"
    trained = {letter: loaded.forms.conjunction[:1, i] for i, letter in enumerate("cde")}
    for changes, words in (
        ({"c": table["c"] + 1000}, "does not have"),
        ({"d": np.full_like(table["d"], loaded.vocabulary.n_classes)}, "does not have"),
        ({"c": np.full_like(table["c"], -1)}, "does not have"),
        ({"e": table["e"] - 1000}, "does not have"),
        ({"part": table["part"] + 1}, "part"),
        ({**trained, "part": np.ones(1, np.int32)}, "trained on"),
    ):
        FORMATS["parquet"].write(path, {**table, **changes})
        with pytest.raises(ReadError, match=words):
            _read_form(path, "conjunction", loaded.forms)
    last = loaded.vocabulary.n_classes - 1
    columns = {"c": [0, last], "d": [last, 0], "e": [0, last], "part": [2, 1]}
    FORMATS["parquet"].write(path, {n: np.array(v) for n, v in columns.items()})
    edges = _read_form(path, "conjunction", loaded.forms)
    assert [part.tolist() for part in edges] == [[[last, 0, last]], [[0, last, 0]]], "the first and the last class"


def test_what_cannot_be_split_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "few.ofn"
    path.write_text("Ontology(SubClassOf(<http://e.org/A> <http://e.org/B>))", encoding="utf-8")
    with pytest.raises(ElgeoError, match="too few"):
        split_forms(AllForms(path))
    with pytest.raises(SettingError, match="below 0"):
        AllForms(path, seed=-1)
    command = ["dataset", "split", str(path), "--forms", "all", "-o", str(tmp_path / "out")]
    assert main([*command, "--cold"]) == 2
    assert "--forms all holds out rows of normal forms" in capsys.readouterr().err
