"""Held-out axioms that other axioms say too: they stay in training, or the others are taken apart."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from elgeo import datasets
from elgeo.cli import main
from elgeo.datasets import Dataset
from elgeo.datasets.folder import save
from elgeo.datasets.splits.elsewhere import taken_apart
from elgeo.datasets.splits.holdout import HoldOut, hold_out
from elgeo.errors import SettingError
from elgeo.ontology import read
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Builder, Ontology
from elgeo.reasoning.reasoner import Reasoner

ONTOLOGY = """Prefix(:=<http://x/>)
Ontology(<http://x>
ObjectPropertyRange(:s :Spot)
SubClassOf(:Spot :Thing9)
{axioms}
)
"""
N = 24
BY_SHORT_DEFINITION = {5, 10}


def parts_and_definitions() -> str:
    """C_i ⊑ ∃r.D_i for all i; every fourth also by a definition, every sixth by a nested conjunction."""
    lines = []
    for i in range(N):
        whole, more = f"ObjectSomeValuesFrom(:r :D{i % 5})", f"ObjectSomeValuesFrom(:q :D{(i + 2) % 5})"
        lines += [f"SubClassOf(:C{i} {whole})", f"SubClassOf(:C{i} :B{i % 7})", f"SubClassOf(:D{i % 5} :D)"]
        lines += [f"SubClassOf(:C{i} ObjectSomeValuesFrom(:s :D{i % 5}))"]
        if i % 4 == 0:
            lines.append(f"EquivalentClasses(:C{i} ObjectIntersectionOf(:G{i} {more} {whole}))")
        if i % 6 == 1:
            lines.append(f"SubClassOf(:C{i} ObjectIntersectionOf(:G{i} ObjectIntersectionOf({whole} {more})))")
        if i in BY_SHORT_DEFINITION:
            lines.append(f"EquivalentClasses(:C{i} ObjectIntersectionOf(:G{i} {whole}))")
        if i % 8 == 3:
            lines.append(f"EquivalentClasses(:C{i} ObjectIntersectionOf(:G{i} ObjectSomeValuesFrom(:s :D{i % 5})))")
    lines.append("SubClassOf(:C2 ObjectMinCardinality(1 :r :D2))")
    lines.append("EquivalentClasses(:C3 ObjectSomeValuesFrom(:r :D3))")
    return "\n".join(lines)


BY_DEFINITION = {i for i in range(N) if i % 4 == 0} | {3} | BY_SHORT_DEFINITION
BY_CONJUNCTION = {i for i in range(N) if i % 6 == 1}
BY_NUMBER = {2}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("ontology") / "mine.ofn"
    path.write_text(ONTOLOGY.format(axioms=parts_and_definitions()))
    return path


def numbers(dataset: Dataset, *parts: str) -> set[int]:
    rows = np.concatenate([getattr(dataset, part) for part in parts])
    return {int(dataset.vocabulary.classes[i].removeprefix("http://x/C")) for i in rows[:, 0].tolist()}


def training(dataset: Dataset) -> Ontology:
    assert dataset.forms.source is not None
    return dataset.forms.source


@pytest.mark.parametrize("seed", range(4))
def test_what_others_say_too_stays_in_training(file: Path, seed: int) -> None:
    dataset, drops = hold_out(HoldOut(file, "?C SubClassOf r some ?D", shares=(0.6, 0.15, 0.25), seed=seed))
    repeated = BY_DEFINITION | BY_CONJUNCTION | BY_NUMBER
    assert numbers(dataset, "train") >= repeated
    assert numbers(dataset, "train", "valid", "test") == set(range(N))
    assert (len(dataset.valid), len(dataset.test)) == (4, 6)
    assert dataset.record["split"] == {
        "axioms": N,
        "said_elsewhere": len(repeated),
        "said_elsewhere_held_out": 0,
    }
    texts = {str(axiom) for axiom in training(dataset).axioms}
    assert sum("EquivalentClasses" in text for text in texts) == 6 + 2 + 3 + 1
    assert not drops.counts


@pytest.mark.parametrize("seed", range(4))
def test_definitions_are_taken_apart_on_request(file: Path, seed: int) -> None:
    recipe = HoldOut(file, "?C SubClassOf r some ?D", (0.4, 0.3, 0.3), seed, split_definitions=True)
    dataset, drops = hold_out(recipe)
    held_out = numbers(dataset, "valid", "test")
    assert held_out & BY_DEFINITION
    assert held_out & BY_CONJUNCTION
    assert not held_out & BY_NUMBER  # that axiom has nothing to be taken out of
    assert dataset.record["split"]["said_elsewhere_held_out"] == len(held_out & (BY_DEFINITION | BY_CONJUNCTION))
    # what training says is weaker than the ontology, and all that the definitions say besides is still there
    before = Reasoner(read(file))
    after = Reasoner(training(dataset))
    for axiom in training(dataset).axioms:
        assert before.entails(str(axiom))
    for i in range(N):
        held = i in held_out
        assert after.entails(f"<http://x/C{i}> SubClassOf <http://x/r> some <http://x/D{i % 5}>") != held
        more = f"ObjectSomeValuesFrom(<http://x/q> <http://x/D{(i + 2) % 5}>)"
        if i % 4 == 0 or i in BY_CONJUNCTION:
            assert after.entails(f"SubClassOf(<http://x/C{i}> ObjectIntersectionOf(<http://x/G{i}> {more}))")
        if i in BY_SHORT_DEFINITION:
            assert after.entails(f"<http://x/C{i}> SubClassOf <http://x/G{i}>")
        if i % 4 == 0:
            part = f"ObjectSomeValuesFrom(<http://x/r> <http://x/D{i % 5}>)"
            whole = f"ObjectIntersectionOf(<http://x/G{i}> {more} {part})"
            assert after.entails(f"SubClassOf({whole} <http://x/C{i}>)")
    apart = [what for why, what in drops.listed if why.startswith("axioms taken apart")]
    expected = [i for i in held_out if i in BY_DEFINITION | BY_CONJUNCTION]
    assert len(apart) == len(expected)


def test_a_role_with_a_range_hides_nothing(file: Path) -> None:
    """With a range ∃s.D is written ∃s.(D ⊓ Spot), in the definition as in the axiom."""
    dataset, _ = hold_out(HoldOut(file, "?C SubClassOf s some ?D", (0.4, 0.3, 0.3)))
    assert dataset.record["split"]["said_elsewhere"] == 3
    assert numbers(dataset, "train") >= {3, 11, 19}


@pytest.mark.slow
def test_the_recipe_of_the_readme(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for more in ([], ["--split-definitions"], ["--as-drawn"], ["--drop-entailed"], ["--remove-entailing"]):
        target = tmp_path / ("mine" + "".join(more))
        command = ["dataset", "split", str(file), "--axioms", "?C SubClassOf r some ?D", "-o", str(target), *more]
        assert main([*command, "--split", "60:20:20", "--json"]) == 0
        shown = capsys.readouterr()
        count = len(BY_DEFINITION | BY_CONJUNCTION | BY_NUMBER)
        assert f"24 axioms have the shape; {count} of them are said by others too" in shown.err
        assert ("and stay in training (--split-definitions)" in shown.err) == (more != ["--split-definitions"])
        assert ("of these are held out and taken out of the others" in shown.err) == (more == ["--split-definitions"])
        loaded = datasets.load(target)
        assert json.loads(shown.out)["splits"]["test"] == len(loaded.test)
        assert "are said by other axioms too" in (target / "README.md").read_text()


def test_what_can_only_be_said_twice_is_not_held_out(tmp_path: Path) -> None:
    lines = [f"SubClassOf(:C{i} ObjectSomeValuesFrom(:r :D{i % 3}))" for i in range(20)]
    lines += [f"SubClassOf(:C{i} ObjectMinCardinality(1 :r :D{i % 3}))" for i in range(20)]
    path = tmp_path / "a.ofn"
    path.write_text(ONTOLOGY.format(axioms="\n".join(lines)))
    recipe = HoldOut(path, "?C SubClassOf r some ?D", (0.4, 0.3, 0.3))
    with pytest.raises(SettingError, match="20 are said by definitions too"):
        hold_out(recipe)
    with pytest.raises(SettingError, match="training says every valid axiom in other words"):
        hold_out(replace(recipe, split_definitions=True))


def test_names_that_are_a_class_and_an_individual(tmp_path: Path) -> None:
    lines = [f"ClassAssertion(:C{i % 4} :C{i}) ClassAssertion(:C{(i + 1) % 3} :C{i})" for i in range(20)]
    lines += [f"ObjectPropertyAssertion(:r :C{i} :C{(i * 7) % 20})" for i in range(20)]
    path = tmp_path / "a.ofn"
    path.write_text(ONTOLOGY.format(axioms="\n".join(lines)))
    for pattern, kinds in {"?a Type ?C": (2, 1), "?a r ?b": (2, 2)}.items():
        dataset, _ = hold_out(HoldOut(path, pattern, (0.6, 0.2, 0.2)))
        for rows in (dataset.train, dataset.valid, dataset.test):
            assert len(rows)
            assert set(dataset.vocabulary.class_kinds[rows[:, 0]]) == {kinds[0]}
            assert set(dataset.vocabulary.class_kinds[rows[:, -1]]) == {kinds[1]}
        save(dataset, tmp_path / pattern[3])
        datasets.load(tmp_path / pattern[3])


def test_instances_have_types_by_conjunction_too(tmp_path: Path) -> None:
    lines = [f"ClassAssertion(:C{i % 4} :a{i}) ClassAssertion(:D{i % 3} :a{i})" for i in range(20)]
    lines += [f"ClassAssertion(ObjectIntersectionOf(:C{i % 4} :E) :a{i})" for i in range(0, 20, 3)]
    path = tmp_path / "a.ofn"
    path.write_text(ONTOLOGY.format(axioms="\n".join(lines)))
    recipe = HoldOut(path, "?a Type ?C", (0.4, 0.3, 0.3))
    for some in (recipe, replace(recipe, split_definitions=True)):
        dataset, _ = hold_out(some)
        assert dataset.record["split"]["said_elsewhere"] == 7
        rows = np.concatenate([dataset.valid, dataset.test]).tolist()
        assert len(rows) > 10
        names = dataset.vocabulary.classes
        held_out = {(names[a][9:], names[c][9:]) for a, c in rows}
        assert not held_out & {(f"a{i}", f"C{i % 4}") for i in range(0, 20, 3)}


def test_an_axiom_that_is_taken_apart_says_all_else_that_it_said() -> None:
    """Worked by hand: one conjunct less, one that is left, none left, three equivalent classes, and nothing to do."""
    builder = Builder()
    a, b, c, d, e, f = (builder.entity(Op.Class, name) for name in "ABCDEF")
    some = builder.node(Op.ObjectSomeValuesFrom, builder.entity(Op.ObjectProperty, "r"), d)
    both = builder.node(Op.ObjectIntersectionOf, b, c)
    nested = builder.node(Op.ObjectIntersectionOf, b, builder.node(Op.ObjectIntersectionOf, c, some))
    kinds = (
        (Op.SubClassOf, a, nested),
        (Op.EquivalentClasses, e, both, f),
        (Op.SubClassOf, d, c),
        (Op.SubClassOf, a, b),
        (Op.DisjointClasses, a, c),
    )
    first, same, only, other, disjoint = (builder.axiom(*each) for each in kinds)
    ontology = builder.finish()
    away = {
        first: [(a, some), (e, c)],
        same: [(e, c)],
        only: [(d, c)],
        other: [(a, c), (b, a)],
        disjoint: [(a, c)],
    }
    extended, replaced = taken_apart(ontology, away)
    assert replaced.tolist() == [first, same, only]
    assert [str(axiom) for axiom in extended.axioms[:5]] == [str(axiom) for axiom in ontology.axioms]
    assert sorted(str(axiom) for axiom in extended.axioms[5:]) == sorted([
        "SubClassOf(<A> ObjectIntersectionOf(<B> <C>))",
        "SubClassOf(<E> <B>)",
        "SubClassOf(<E> <F>)",
        "SubClassOf(<F> <E>)",
        "SubClassOf(<F> ObjectIntersectionOf(<B> <C>))",
        "SubClassOf(ObjectIntersectionOf(<B> <C>) <E>)",
        "SubClassOf(ObjectIntersectionOf(<B> <C>) <F>)",
    ])  # fmt: skip
