"""Datasets of deduction: training is what is asserted, held out is all that follows besides, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

import elgeo
from elgeo import datasets
from elgeo.cli import main
from elgeo.datasets.splits.deductive import Deduction, deduce
from elgeo.errors import ElgeoError, SettingError

TEXT = """Prefix(:=<http://x/>) Ontology(
SubClassOf(:A :B) SubClassOf(:B :C) SubClassOf(:C :D) EquivalentClasses(:E ObjectIntersectionOf(:B :F))
SubClassOf(:G :A) SubClassOf(:G :F) SubClassOf(:H owl:Nothing) SubClassOf(:H :A)
SubClassOf(:A ObjectSomeValuesFrom(:r :F)) SubClassOf(ObjectSomeValuesFrom(:r :F) :K) ClassAssertion(:A :i))"""


def pairs(dataset: datasets.Dataset, part: str) -> set[tuple[str, str]]:
    names = [name.removeprefix("http://x/") for name in dataset.vocabulary.classes]
    return {(names[c], names[d]) for c, d in getattr(dataset, part).tolist()}


def test_what_follows_and_is_not_asserted_is_held_out(tmp_path: Path) -> None:
    path = tmp_path / "small.ofn"
    path.write_text(TEXT)
    dataset, _ = deduce(Deduction(path, shares=(0.0, 0.3, 0.7), seed=1))
    reasoner = elgeo.Reasoner(dataset.forms)
    asserted = {tuple(pair) for pair in ["AB", "BC", "CD", "GA", "GF", "EB", "EF"]}
    assert pairs(dataset, "train") == asserted | {("H", "A")}
    classes = "ABCDEFGK"
    expected = {
        (c, d)
        for c in classes
        for d in classes
        if c != d and (c, d) not in asserted and reasoner.entails(f"SubClassOf(<http://x/{c}> <http://x/{d}>)")
    }
    assert ("G", "E") in expected
    assert ("A", "K") in expected
    valid, test = pairs(dataset, "valid"), pairs(dataset, "test")
    assert valid | test == expected
    assert not valid & test
    assert len(valid) == round(0.3 * len(expected))
    again, _ = deduce(Deduction(path, shares=(0.0, 0.3, 0.7), seed=1))
    other, _ = deduce(Deduction(path, shares=(0.0, 0.3, 0.7), seed=2))
    assert pairs(again, "test") == test != pairs(other, "test")


def test_what_follows_where_a_class_has_an_instance_is_held_out_too(tmp_path: Path) -> None:
    """B and C are both :a where A has an instance; the classes that the reasoner names for this are no answers."""
    path = tmp_path / "small.ofn"
    path.write_text("""Prefix(:=<http://x/>) Ontology(SubClassOf(:A :K) SubClassOf(:K :L)
    SubClassOf(:A ObjectSomeValuesFrom(:r :B)) SubClassOf(:A ObjectSomeValuesFrom(:s :C))
    SubClassOf(:B ObjectOneOf(:a)) SubClassOf(:C ObjectOneOf(:a)) SubClassOf(ObjectSomeValuesFrom(:r :C) :D))""")
    dataset, _ = deduce(Deduction(path, shares=(0.0, 0.0, 1.0)))
    assert pairs(dataset, "train") == {("A", "K"), ("K", "L")}
    assert pairs(dataset, "test") == {("A", "D"), ("A", "L")}


@pytest.mark.parametrize("shares", [(0.0, 0.4, 0.0), (0.6, 0.0, 0.4)], ids=str)
def test_all_that_follows_may_be_for_one_part(tmp_path: Path, shares: tuple[float, float, float]) -> None:
    path = tmp_path / "small.ofn"
    path.write_text(TEXT)
    dataset, _ = deduce(Deduction(path, shares=shares))
    assert (len(dataset.valid), len(dataset.test)) == ((11, 0) if shares[1] else (0, 11))


@pytest.mark.slow
def test_the_command_makes_a_dataset_that_can_be_trained_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, folder = tmp_path / "small.ofn", tmp_path / "made"
    path.write_text(TEXT)
    assert main(["dataset", "split", str(path), "--deductive", "-o", str(folder)]) == 0
    loaded = datasets.load(str(folder))
    assert loaded.target_form == "subclass"
    assert len(loaded.valid) + len(loaded.test) == 11
    run = elgeo.train(loaded, model="elbe", dimension=3, epochs=2, threads=1)
    assert elgeo.evaluate(run).to_dict()["axioms"] == len(loaded.test)
    capsys.readouterr()
    assert main(["dataset", "split", str(path), "--deductive", "--cold", "-o", str(tmp_path / "x")]) == 2
    assert "--cold or --as-drawn would change nothing" in capsys.readouterr().err


def test_where_nothing_follows_there_is_nothing_to_deduce(tmp_path: Path) -> None:
    path = tmp_path / "small.ofn"
    path.write_text("Prefix(:=<http://x/>) Ontology(SubClassOf(:A :B))")
    with pytest.raises(ElgeoError, match="nothing more follows"):
        deduce(Deduction(path))
    path.write_text(TEXT.replace(":A :i", ":H :i"))
    with pytest.raises(ElgeoError, match=r"small.ofn: its axioms contradict each other, so everything follows"):
        deduce(Deduction(path))
    path.write_text("Prefix(:=<http://x/>) Ontology(SubClassOf(:A ObjectSomeValuesFrom(:r :B)))")
    with pytest.raises(ElgeoError, match="is asserted, so there is nothing"):
        deduce(Deduction(path))
    with pytest.raises(SettingError, match="give one of them a share"):
        Deduction(path, shares=(1.0, 0.0, 0.0))
    with pytest.raises(SettingError, match="below 0"):
        Deduction(path, seed=-1)
