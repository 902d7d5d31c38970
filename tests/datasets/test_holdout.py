"""Holding axioms out of an ontology of one's own: patterns, splits, and what training still entails."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elgeo.cli import main
from elgeo.datasets import Dataset, load, split
from elgeo.datasets.splits.holdout import HoldOut, hold_out
from elgeo.datasets.splits.leakage import leakage
from elgeo.errors import ElgeoError, ReadError, SettingError, UnknownNameError

PREFIX = "http://x/"
ONTOLOGY = """Prefix(:=<http://x/>) Prefix(owl:=<http://www.w3.org/2002/07/owl#>)
Prefix(rdfs:=<http://www.w3.org/2000/01/rdf-schema#>)
Ontology(<http://x>
AnnotationAssertion(rdfs:label :r "part of")
ObjectPropertyRange(:s :Thing9)
{axioms}
)
"""


def chain_axioms(n: int) -> str:
    """C0 ⊑ C1 ⊑ …, with C_i ⊑ C_i+2 that the chain entails, and parts."""
    lines = [f"SubClassOf(:C{i} :C{i + 1})" for i in range(n)]
    lines += [f"SubClassOf(:C{i} :C{i + 2})" for i in range(n)]
    lines += [f"SubClassOf(:C{i} ObjectSomeValuesFrom(:r :D{i % 4}))" for i in range(n)]
    lines += [f"SubClassOf(:C{i} ObjectSomeValuesFrom(:s :D{i % 3}))" for i in range(n)]
    lines += [f"ClassAssertion(:C{i + k} :a{i})" for i in range(n) for k in (0, 1)]
    lines += [f"ObjectPropertyAssertion(:r :a{i} :a{(i * 5) % n})" for i in range(n)]
    lines += ["SubClassOf(:C0 owl:Thing)", "SubClassOf(:C0 ObjectIntersectionOf(:C1 :D1))", "SubClassOf(:C1 :C1)"]
    lines += [
        "SubClassOf(:C0 ObjectSomeValuesFrom(:r owl:Thing))",
        "EquivalentClasses(:E ObjectIntersectionOf(:C0 :D0))",
    ]
    return "\n".join(lines)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("ontology") / "mine.ofn"
    path.write_text(ONTOLOGY.format(axioms=chain_axioms(20)))
    return path


def named(dataset: Dataset, part: str) -> set[tuple[str, str]]:
    names = dataset.vocabulary.classes
    ends = getattr(dataset, part)[:, [0, -1]].tolist()
    return {(names[a].removeprefix(PREFIX), names[b].removeprefix(PREFIX)) for a, b in ends}


def everything(dataset: Dataset) -> set[tuple[str, str]]:
    return set().union(*(named(dataset, part) for part in ("train", "valid", "test")))


PATTERNS = {
    "?C SubClassOf ?D": {(f"C{i}", f"C{i + k}") for i in range(20) for k in (1, 2)},
    "?C SubClassOf 'part of' some ?D": {(f"C{i}", f"D{i % 4}") for i in range(20)},
    "?C SubClassOf part_of some ?D": {(f"C{i}", f"D{i % 4}") for i in range(20)},
    "?sub SubClassOf r some ?super": {(f"C{i}", f"D{i % 4}") for i in range(20)},
    "?C SubClassOf <http://x/s> some ?D": {(f"C{i}", f"D{i % 3}") for i in range(20)},
    "?a Type ?C": {(f"a{i}", f"C{i + k}") for i in range(20) for k in (0, 1)},
    "?a r ?b": {(f"a{i}", f"a{(i * 5) % 20}") for i in range(1, 20) if i != (i * 5) % 20},
}


@pytest.mark.parametrize("pattern", PATTERNS)
def test_axioms_of_a_pattern_are_held_out(file: Path, pattern: str) -> None:
    dataset, _ = hold_out(HoldOut(file, pattern, shares=(0.6, 0.2, 0.2)))
    parts = [named(dataset, part) for part in ("train", "valid", "test")]
    assert everything(dataset) == PATTERNS[pattern]
    assert sum(map(len, parts)) == len(PATTERNS[pattern])
    stated = set(map(tuple, dataset.forms[dataset.target_form].tolist()))
    assert set(map(tuple, dataset.train.tolist())) <= stated
    assert not set(map(tuple, np.concatenate([dataset.valid, dataset.test]).tolist())) & stated
    individuals = pattern.startswith("?a")
    assert dataset.head_kind == ("individual" if individuals else "class")
    assert dataset.tail_kind == ("individual" if pattern == "?a r ?b" else "class")


@pytest.mark.slow
@settings(max_examples=20)
@given(st.integers(0, 2**31))
def test_a_split_adds_up_whatever_the_seed(file: Path, seed: int) -> None:
    recipe = HoldOut(file, "?C SubClassOf ?D", shares=(0.5, 0.25, 0.25), seed=seed)
    dataset = hold_out(recipe)[0]
    sizes = [len(getattr(dataset, part)) for part in ("train", "valid", "test")]
    assert sizes == [20, 10, 10]
    assert everything(dataset) == PATTERNS["?C SubClassOf ?D"]
    assert named(hold_out(replace(recipe, seed=seed + 1))[0], "test") != named(dataset, "test")


def test_entailed_held_out_axioms_are_counted_and_can_be_dropped(file: Path) -> None:
    recipe = HoldOut(file, "?C SubClassOf ?D", shares=(0.8, 0.1, 0.1), seed=4)
    kept, _ = hold_out(recipe)
    trained = named(kept, "train")

    def reachable(a: str, b: str) -> bool:
        # the hand-made closure of this ontology; C0 has C1 in a conjunction, too
        edges = trained | {("C0", "C1")}
        seen, open_ones = {a}, [a]
        while open_ones:
            here = open_ones.pop()
            following = {d for c, d in edges if c == here} - seen
            seen |= following
            open_ones += following
        return b in seen

    expected = {pair for pair in named(kept, "test") if reachable(*pair)}
    assert 0 < len(expected) < len(kept.test)
    assert int(leakage(kept, kept.test).entailed.sum()) == len(expected)
    dropped, drops = hold_out(replace(recipe, entailed="drop"))
    assert named(dropped, "test") == named(kept, "test") - expected
    assert drops.counts["test axioms that training entails"] == len(expected)
    assert named(dropped, "train") == trained


@pytest.mark.parametrize("pattern", ["?C SubClassOf ?D", "?C SubClassOf r some ?D", "?a Type ?C"])
def test_what_entails_held_out_axioms_can_be_removed(file: Path, pattern: str) -> None:
    recipe = HoldOut(file, pattern, shares=(0.8, 0.1, 0.1), seed=4)
    kept, _ = hold_out(recipe)
    assert leakage(kept, kept.test).entailed.any() or leakage(kept, kept.valid).entailed.any()
    clean, drops = hold_out(replace(recipe, entailed="remove-entailing"))
    for part in ("valid", "test"):
        assert named(clean, part) == named(kept, part)
        assert not leakage(clean, getattr(clean, part)).entailed.any()
    assert named(clean, "train") <= named(kept, "train")
    listed = [what for why, what in drops.listed if why == "training axioms that entail held-out ones"]
    before, after = (set(map(str, d.forms.source.axioms)) for d in (kept, clean) if d.forms.source)
    assert before - after == set(listed)
    assert not after - before
    # roles go only where there is nothing else
    assert not any(text.startswith("SubObjectPropertyOf") for text in listed)


def test_the_last_axiom_removed_was_needed(tmp_path: Path) -> None:
    """A ⊑ B ⊑ C with A ⊑ C held out: one of the two goes, and nothing else."""
    path = tmp_path / "abc.ofn"
    fillers = "\n".join(f"SubClassOf(:X{i} :Y{i})" for i in range(17))
    chain = "SubClassOf(:A :B) SubClassOf(:B :C) SubClassOf(:A :C) TransitiveObjectProperty(:r)"
    path.write_text(ONTOLOGY.format(axioms=f"{chain}\n{fillers}"))
    for seed in range(40):
        recipe = HoldOut(path, "?C SubClassOf ?D", shares=(0.9, 0.05, 0.05), seed=seed, entailed="remove-entailing")
        recipe = replace(recipe, classes="as-drawn")
        dataset, drops = hold_out(recipe)
        held_out = named(dataset, "valid") | named(dataset, "test")
        expected = 1 if held_out & {("A", "C")} and not held_out & {("A", "B"), ("B", "C")} else 0
        assert len(drops.listed) == expected
        if expected:
            return
    raise AssertionError("no seed held A ⊑ C out")


def test_removing_does_not_take_all_there_is_to_train_on(tmp_path: Path) -> None:
    """C ⊑ ∃r.D is held out, and E ⊑ ∃r.D, the only other one, entails it."""
    path = tmp_path / "few.ofn"
    lines = "SubClassOf(:E ObjectSomeValuesFrom(:r :D)) SubClassOf(:C :E) SubClassOf(:C ObjectSomeValuesFrom(:r :D))"
    path.write_text(ONTOLOGY.format(axioms=lines))
    recipe = HoldOut(path, "?C SubClassOf r some ?D", (0.5, 0.0, 0.5), classes="as-drawn")
    seeds = [seed for seed in range(8) if named(hold_out(replace(recipe, seed=seed))[0], "test") == {("C", "D")}]
    assert seeds
    with pytest.raises(ElgeoError, match="left to train on"):
        hold_out(replace(recipe, seed=seeds[0], entailed="remove-entailing"))


def test_role_axioms_go_only_where_there_is_nothing_else(tmp_path: Path) -> None:
    """C ⊑ ∃q.D and q ⊑ r entail what is held out: the first goes; with it in training alone, the second has to."""
    path = tmp_path / "roles.ofn"
    lines = ["SubObjectPropertyOf(:q :r)"]
    lines += [f"SubClassOf(:C{i} ObjectSomeValuesFrom(:{role} :D))" for i in range(8) for role in "qr"]
    path.write_text(ONTOLOGY.format(axioms="\n".join(lines)))
    recipe = HoldOut(path, "?C SubClassOf r some ?D", (0.5, 0.25, 0.25), classes="as-drawn")
    dataset, drops = hold_out(replace(recipe, entailed="remove-entailing"))
    held_out = named(dataset, "valid") | named(dataset, "test")
    assert len(held_out) == 4
    expected = {f"SubClassOf(<{PREFIX}{c}> ObjectSomeValuesFrom(<{PREFIX}q> <{PREFIX}D>))" for c, _ in held_out}
    assert {what for _, what in drops.listed} == expected


def test_kinds_are_declared_by_the_start_of_the_iri(file: Path) -> None:
    recipe = HoldOut(file, "?C SubClassOf r some ?D", shares=(0.6, 0.2, 0.2), kinds={"disc": PREFIX + "D"})
    dataset = hold_out(recipe)[0]
    assert (dataset.head_kind, dataset.tail_kind) == ("class", "disc")
    assert {dataset.vocabulary.classes[i] for i in dataset.candidates.tolist()} == {f"{PREFIX}D{i}" for i in range(4)}
    with pytest.raises(SettingError, match=r"several kinds .*change --kind"):
        hold_out(replace(recipe, kinds={"first": PREFIX + "D1"}))


def test_what_cannot_be_held_out_is_said(file: Path) -> None:
    for pattern, error in {
        "C SubClassOf D": SettingError,
        "?C SubClassOf r only ?D": SettingError,
        "?C SubClassOf nothing_known some ?D": UnknownNameError,
    }.items():
        with pytest.raises(error):
            hold_out(HoldOut(file, pattern))
    with pytest.raises(SettingError, match="too few"):
        hold_out(HoldOut(file, "?C SubClassOf ?D", shares=(0.99, 0.005, 0.005)))
    with pytest.raises(SettingError, match="entailed"):
        HoldOut(file, "?C SubClassOf ?D", entailed="hide")
    (file.parent / "flat.ofn").write_text(ONTOLOGY.format(axioms="Declaration(Class(:A))"))
    with pytest.raises(ElgeoError, match="no axiom between two names"):
        hold_out(HoldOut(file.parent / "flat.ofn", "?C SubClassOf ?D"))


def test_the_function_is_the_command(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["dataset", "split", str(file), "--axioms", "?C SubClassOf r some ?D", "-o", str(tmp_path / "mine")]
    assert main([*command, "--split", "60:20:20", "--seed", "3", "--kind", f"disc={PREFIX}D", "--drop-entailed"]) == 0
    by_command = load(tmp_path / "mine")
    for shares in ("6:2:2", (0.6, 0.2, 0.2), (3, 1, 1)):
        made = split(
            file, "?C SubClassOf r some ?D", shares=shares, seed=3, kinds={"disc": PREFIX + "D"}, entailed="drop"
        )
        for part in ("train", "valid", "test"):
            assert named(made, part) == named(by_command, part)
        assert made.tail_kind == "disc"
        assert made.name == "mine"
        assert made.record == by_command.record
    assert main([*command[:-1], str(tmp_path / "plain" / "mine")]) == 0
    assert split(file, "?C SubClassOf r some ?D").record == load(tmp_path / "plain" / "mine").record, "told nothing"
    with pytest.raises(SettingError, match="three numbers"):
        split(file, "?C SubClassOf ?D", shares=(0.5, 0.5))  # type: ignore[arg-type]
    with pytest.raises(ReadError, match="elgeo dataset split"):
        load(file)


def test_the_command(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["dataset", "split", str(file), "--axioms", "?C SubClassOf r some ?D", "-o", str(tmp_path / "mine")]
    assert main([*command, "--split", "60:20:20", "--kind", f"disc={PREFIX}D", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["splits"] == {"train": 12, "valid": 4, "test": 4}
    assert shown["settings"]["axioms"] == "?C SubClassOf r some ?D"
    assert set(shown["leakage"]) == {"valid", "test"}
    assert load(tmp_path / "mine").tail_kind == "disc"
    assert main([*command, "--kind", "nonsense", "--force"]) == 2
    assert "NAME=START" in capsys.readouterr().err


def test_what_is_deprecated_is_no_candidate_unless_the_target_speaks_of_it(tmp_path: Path) -> None:
    drawn = {(i, (i * i + j) % 7) for i in range(30) for j in (0, 3)}
    axioms = [f"SubClassOf(:C{c} ObjectSomeValuesFrom(:r :D{d}))" for c, d in sorted(drawn)]
    axioms += [f"Declaration(Class(:{name}))" for name in ("Gone", "Old")] + ["SubClassOf(:Old :C1)"]
    axioms += [
        f'AnnotationAssertion(owl:deprecated :{name} "true"^^xsd:boolean)' for name in ("Gone", "Old", "C4", "D3")
    ]
    prefixes = ["Prefix(:=<http://x/>)", "Prefix(owl:=<http://www.w3.org/2002/07/owl#>)"]
    prefixes.append("Prefix(xsd:=<http://www.w3.org/2001/XMLSchema#>)")
    (tmp_path / "o.ofn").write_text("\n".join([*prefixes, "Ontology(<http://x/>", *axioms, ")", ""]))
    dataset = split(tmp_path / "o.ofn", "?C SubClassOf r some ?D", seed=3)
    words = dataset.vocabulary
    candidates = {words.classes[c].removeprefix("http://x/") for c in dataset.candidates.tolist()}
    assert candidates == {*(f"C{c}" for c, _ in drawn), *(f"D{d}" for _, d in drawn)}
    kinds = dataset.kinds
    assert {words.classes[c] for c in kinds.members("obsolete").tolist()} == {"http://x/Gone", "http://x/Old"}
