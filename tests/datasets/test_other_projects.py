"""Datasets of mOWL, Box²EL and EmEL++ become ours; broken ones are refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from elgeo.cli import main
from elgeo.datasets import Dataset, load
from elgeo.datasets.sources.other_projects import convert_project
from elgeo.errors import ElgeoError, ReadError, SettingError

OWL = """Prefix(:=<http://x/>) Prefix(owl:=<http://www.w3.org/2002/07/owl#>)
Ontology(
{axioms}
)"""


def named(dataset: Dataset, part: str) -> set[tuple[str, str]]:
    names = dataset.vocabulary.classes
    return {(names[row[0]], names[row[-1]]) for row in getattr(dataset, part).tolist()}


def some(a: str, b: str, role: str = "interacts_with") -> str:
    return f"SubClassOf(:{a} ObjectSomeValuesFrom(:{role} :{b}))"


@pytest.fixture
def mowl(tmp_path: Path) -> Path:
    axioms = {
        "ontology": [some("p1", "p2"), some("p2", "p3"), "SubClassOf(:A :B)", some("p1", "A", "has_function")],
        "valid": [some("p1", "p3"), some("p1", "p2")],
        "test": [some("p3", "new"), "SubClassOf(:A :C)"],
    }
    for name, lines in axioms.items():
        (tmp_path / f"{name}.owl").write_text(OWL.format(axioms="\n".join(lines)))
    return tmp_path


def test_mowl_has_three_ontologies(mowl: Path) -> None:
    with pytest.raises(SettingError, match=r"3 with http://x/interacts_with.*1 with subclass|--target"):
        convert_project(mowl)
    dataset, drops = convert_project(mowl, "interacts_with", "ppi")
    assert dataset.name == "ppi"
    assert named(dataset, "train") == {("http://x/p1", "http://x/p2"), ("http://x/p2", "http://x/p3")}
    assert named(dataset, "valid") == {("http://x/p1", "http://x/p3")}
    assert named(dataset, "test") == {("http://x/p3", "http://x/new")}
    assert drops.counts == {
        "test axioms of another shape than the target": 1,
        "valid axioms that are in an earlier part or speak of ⊤ or ⊥": 1,
    }
    assert dataset.forms.counts()["GCI0"] == 1
    assert dataset.forms.counts()["GCI2"] == 3


def test_mowl_with_one_shape_needs_no_target(mowl: Path) -> None:
    (mowl / "test.owl").write_text(OWL.format(axioms=some("p3", "p1")))
    assert (
        convert_project(mowl)[0].vocabulary.roles[convert_project(mowl)[0].target_role or 0]
        == "http://x/interacts_with"
    )
    with pytest.raises(SettingError, match="eats"):
        convert_project(mowl, "eats")


def test_heads_and_tails_have_kinds_of_their_own(tmp_path: Path) -> None:
    """Instances and their classes, in no file as many as in another."""
    for name, pairs in {"ontology": ["iA", "jA", "jB", "kB"], "valid": ["iB", "kA"], "test": ["jC"]}.items():
        axioms = "\n".join(f"ClassAssertion(:{pair[1]} :{pair[0]})" for pair in pairs)
        (tmp_path / f"{name}.owl").write_text(OWL.format(axioms=axioms))
    dataset, _ = convert_project(tmp_path)
    assert (dataset.head_kind, dataset.tail_kind) == ("individual", "class")
    assert [len(rows) for rows in (dataset.train, dataset.valid, dataset.test)] == [4, 2, 1]


CLASSES = {"<http://x/A>": 0, "<http://x/B>": 1, "<http://x/C>": 2, "<http://x/D>": 3, "owl:Nothing": 4, "owl:Thing": 5}


HEADER = b"\x93NUMPY\x01\x00v\x00"
"""How an array's file begins, up to the text of its head."""
HUGE = HEADER + b"{'descr': '<i8', 'fortran_order': False, 'shape': (1" + b"0" * 14 + b", 2), }"


@pytest.fixture
def box2el(tmp_path: Path) -> Path:
    (tmp_path / "classes.json").write_text(json.dumps(CLASSES))
    (tmp_path / "relations.json").write_text(json.dumps({"<http://x/r>": 0, "<http://x/s>": 1}))
    tables = {
        "train/nf1": [[0, 1], [1, 2]],
        "train/nf2": [[0, 1, 3]],
        "train/nf3": [[0, 0, 1], [2, 0, 3], [1, 1, 2]],
        "train/nf4": [[0, 1, 2]],
        "train/disjoint": [[2, 3, 4]],
        "train/top": [[5]],
        "train/role_inclusion": [[0, 1]],
        "train/role_chain": [[0, 0, 1]],
        "val/nf1": [[0, 3]],
        "val/nf3": [[3, 0, 1]],
        "test/nf1": [[1, 3], [0, 1]],
        "test/nf3": [[3, 0, 2], [3, 1, 2]],
        "test/nf2": [[0, 1, 2]],
    }
    for name, rows in tables.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        np.save(tmp_path / f"{name}.npy", np.array(rows, np.int32))
    np.save(tmp_path / "test" / "nf4.npy", np.array([], np.int64))
    return tmp_path


def test_box2el_has_arrays(box2el: Path) -> None:
    dataset, drops = convert_project(box2el)
    assert dataset.target_form == "subclass"
    assert named(dataset, "train") == {("http://x/A", "http://x/B"), ("http://x/B", "http://x/C")}
    assert named(dataset, "test") == {("http://x/B", "http://x/D")}
    counts = dataset.forms.counts()
    literature = ("GCI0", "GCI1", "GCI2", "GCI3", "GCI1-BOT", "RI0", "RI1")
    assert [counts[code] for code in literature] == [2, 1, 3, 1, 1, 1, 1]
    assert drops.counts["test axioms of another shape than the target"] == 3
    by_role, _ = convert_project(box2el, "r")
    assert named(by_role, "train") == {("http://x/A", "http://x/B"), ("http://x/C", "http://x/D")}
    assert named(by_role, "valid") == {("http://x/D", "http://x/B")}
    assert named(by_role, "test") == {("http://x/D", "http://x/C")}
    for name, target in (("nf1", None), ("nf3", "r")):
        (box2el / "val" / f"{name}.npy").rename(box2el / "kept.npy")
        with pytest.raises(ElgeoError, match="no valid axioms of the target are left"):
            convert_project(box2el, target)
        (box2el / "kept.npy").rename(box2el / "val" / f"{name}.npy")


@pytest.mark.parametrize("name", ["classes", "relations"])
def test_names_of_classes_alone_or_of_relations_alone_are_no_benchmark(box2el: Path, name: str) -> None:
    (box2el / f"{name}.json").unlink()
    with pytest.raises(ElgeoError, match="none of the known kinds"):
        convert_project(box2el)


@pytest.mark.parametrize(
    ("file", "content", "problem"),
    [
        ("classes.json", b"[1, 2]", "names and values"),
        ("classes.json", b'{"a": 1}', "0, 1, 2"),
        ("classes.json", b"{", "not JSON"),
        ("classes.json", b"[" * 100_000, "nested too deeply"),
        ("classes.json", b'{"a": "0"}', "a: has to be a whole number"),
        ("classes.json", b'{"a": true}', "a: has to be a whole number"),
        ("train/nf1.npy", b"no array", "NumPy"),
        ("train/nf1.npy", HEADER + b"{'descr': '<i4', 'fortran_order': False, 'shape': (1, 2L", "NumPy"),
        ("train/nf1.npy", HEADER + b"{'descr': '<i4', 'fortran_order': False, 'shape': (2**9, 2)}", "NumPy"),
        ("train/nf1.npy", HEADER + b"(" * 118, "NumPy"),
        (
            "train/nf1.npy",
            HUGE,
            "NumPy",
        ),
        ("train/nf1.npy", b"PK\x03\x04" + b"0" * 40, "NumPy"),
        ("train/nf1.npy", b"", "NumPy"),
        ("train/nf1.npy", [[0, 1, 2]], "2 columns"),
        ("train/nf1.npy", [0, 1], "2 columns"),
        ("train/nf1.npy", [[-1, 1]], r"row 0 .*-1"),
        ("train/nf1.npy", [[0.5, 1]], "float"),
        ("train/nf1.npy", [[0, 77]], r"row 0 .*77"),
        ("train/nf3.npy", [[0, 1, 2], [0, 2, 1]], r"row 1 .*\[0, 2, 1\]"),
        ("train/nf1.npy", [[{}, 1]], "NumPy"),
    ],
)
def test_broken_arrays_are_refused(box2el: Path, file: str, content: object, problem: str) -> None:
    if isinstance(content, bytes):
        (box2el / file).write_bytes(content.ljust(128) if content.startswith(HEADER) else content)
    else:
        np.save(box2el / file, np.array(content), allow_pickle=True)
    with pytest.raises(ReadError, match=problem) as caught:
        convert_project(box2el)
    assert file in str(caught.value)


NORMALISED = """SubClassOf(<http://x/A> <http://x/B>)
SubClassOf(<http://x/B> <http://x/C>)
SubClassOf(ObjectIntersectionOf(<http://x/A> <http://x/B>) <http://x/C>)
SubClassOf(ObjectIntersectionOf(<http://x/A> <http://x/D>) owl:Nothing)
SubClassOf(<http://x/A> ObjectSomeValuesFrom(<http://x/r> <http://x/B>))
SubClassOf(ObjectSomeValuesFrom(<http://x/r> <http://x/B>) <http://x/C>)
SubObjectPropertyOf(<http://x/r> <http://x/s>)
SubObjectPropertyOf(ObjectPropertyChain(<http://x/r> <http://x/r>) <http://x/s>)
"""


@pytest.fixture
def emelpp(tmp_path: Path) -> Path:
    (tmp_path / "X_latest_norm_mod.owl").write_text(NORMALISED)
    (tmp_path / "X_train.txt").write_text("<http://x/A> <http://x/D>\n")
    (tmp_path / "X_valid.txt").write_text("<http://x/A> <http://x/C>\n")
    (tmp_path / "X_test.txt").write_text("<http://x/B> <http://x/E>\n\n<http://x/A> <http://x/B>\n")
    return tmp_path


def test_emelpp_has_bare_axioms_and_pairs(emelpp: Path) -> None:
    dataset, drops = convert_project(emelpp)
    assert named(dataset, "train") == {("http://x/A", "http://x/B"), ("http://x/B", "http://x/C")}
    assert named(dataset, "valid") == {("http://x/A", "http://x/C")}
    assert named(dataset, "test") == {("http://x/B", "http://x/E")}
    assert drops.counts == {"test axioms that are in an earlier part or speak of ⊤ or ⊥": 1}
    counts = dataset.forms.counts()
    assert [counts[code] for code in ("GCI1", "GCI1-BOT", "GCI2", "GCI3", "RI0", "RI1")] == [1] * 6


def test_broken_text_is_refused_with_its_line(emelpp: Path) -> None:
    (emelpp / "X_test.txt").write_text("<http://x/B> <http://x/E>\n<http://x/B>\n")
    with pytest.raises(ReadError, match=r"X_test.txt:2: two classes"):
        convert_project(emelpp)
    (emelpp / "X_latest_norm_mod.owl").write_text(
        NORMALISED.replace("SubObjectPropertyOf(<", "SubObjectPropertyOf(", 1)
    )
    with pytest.raises(ReadError, match=r"X_latest_norm_mod.owl:7"):
        convert_project(emelpp)


def test_the_command(emelpp: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "out"
    assert main(["dataset", "build", "--from", str(emelpp), "-o", str(output)]) == 0
    assert load(output).record["made_by"] == "emelpp"
    capsys.readouterr()
    assert main(["dataset", "build", "--from", str(output / "forms"), "-o", str(tmp_path / "no")]) == 2
    assert "none of the known kinds" in capsys.readouterr().err
    with pytest.raises(ElgeoError, match="no such folder"):
        convert_project(tmp_path / "nowhere")
