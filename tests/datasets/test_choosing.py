"""Which axioms are held out: training keeps an axiom of every class, or on purpose none of a head; plain twins."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elgeo.cli import main
from elgeo.datasets import Dataset, load
from elgeo.datasets.splits.choosing import Chooser
from elgeo.datasets.splits.coldness import coldness, counted
from elgeo.datasets.splits.holdout import Division, HoldOut, hold_out
from elgeo.datasets.splits.mentions import Mentions, is_about
from elgeo.errors import SettingError
from elgeo.ontology import read
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Ontology


def mentioned(ontology: Ontology, axiom: int) -> set[int]:
    """The names in an axiom, by plain recursion."""

    def names(node: int) -> set[int]:
        op = ontology.op[node]
        if op in (Op.Class, Op.NamedIndividual):
            return {node}
        return set().union(*map(names, ontology.arguments(node))) if op > Op.Literal else set()

    return names(axiom)


def document(draw: random.Random, classes: int, axioms: int) -> str:
    """Axioms of many shapes over few names; some names are in one axiom only."""

    def name() -> str:
        return f":N{min(draw.randrange(classes), draw.randrange(classes))}"

    lines = []
    for _ in range(axioms):
        a, b, c = name(), name(), name()
        lines.append(
            draw.choice(
                [
                    f"SubClassOf({a} {b})",
                    f"SubClassOf({a} {b})",
                    f"SubClassOf({a} ObjectSomeValuesFrom(:r {b}))",
                    f"EquivalentClasses({a} ObjectIntersectionOf({b} ObjectSomeValuesFrom(:r {c})))",
                    f"SubClassOf({a} ObjectIntersectionOf({b} ObjectComplementOf(ObjectIntersectionOf({c} {a}))))",
                    f"DisjointClasses({a} {b} {c})",
                    f"ClassAssertion({a} :i{draw.randrange(5)})",
                    f"ObjectPropertyAssertion(:r :i{draw.randrange(5)} :i{draw.randrange(5)})",
                    f'SubClassOf({a} DataHasValue(:d "x"))',
                    f"ObjectPropertyDomain(:r {a})",
                ]
            )
        )
    return "Prefix(:=<http://x/>) Ontology(<http://x>\n" + "\n".join(lines) + "\n)"


@pytest.fixture(scope="module")
def ontologies(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("ontologies")
    paths = [folder / f"o{seed}.ofn" for seed in range(6)]
    for seed, path in enumerate(paths):
        path.write_text(document(random.Random(seed), 6 + 16 * seed, 80))
    return paths


def test_mentions_are_those_of_plain_recursion(ontologies: list[Path]) -> None:
    for path in ontologies:
        ontology = read(path)
        axioms = sorted(set(ontology.axiom_nodes.tolist()))
        found = Mentions.of(ontology, ontology.axiom_nodes)
        some = Mentions.of(ontology, np.array(axioms[::3], np.int32))
        assert set(some.axioms.tolist()) <= set(axioms[::3])
        assert len(some.axioms) == sum(axiom in axioms[::3] for axiom in found.axioms.tolist())
        names = {axiom: mentioned(ontology, axiom) for axiom in axioms}
        expected = sorted((name, axiom) for axiom in axioms for name in names[axiom])
        assert list(zip(found.names.tolist(), found.axioms.tolist(), strict=True)) == expected
        for axiom in axioms:
            assert set(found.names_in(axiom).tolist()) == names[axiom]
        counts = found.counts(len(ontology.op))
        assert len(counts) == len(ontology.op)
        for name in range(len(ontology.op)):
            about = [axiom for axiom in axioms if name in names[axiom]]
            assert found.axioms_of(name).tolist() == about
            assert counts[name] == len(about)


@pytest.mark.parametrize(
    ("axiom", "about"),
    {
        "SubClassOf(:A :B)": "A",
        "SubClassOf(:A ObjectSomeValuesFrom(:r :A))": "",
        "SubClassOf(ObjectIntersectionOf(:A :C) :B)": "",
        "EquivalentClasses(:A ObjectIntersectionOf(:B :C))": "A",
        "EquivalentClasses(ObjectIntersectionOf(:B :C) :A)": "A",
        "EquivalentClasses(:A ObjectIntersectionOf(:B :A))": "",
        "EquivalentClasses(:A :B)": "",
        "ClassAssertion(:B :i)": "i",
        "ObjectPropertyAssertion(:r :i :j)": "i",
        "ObjectPropertyAssertion(:r :i :i)": "",
        "DisjointClasses(:A :B)": "",
    }.items(),
)
def test_what_an_axiom_is_about(axiom: str, about: str, tmp_path: Path) -> None:
    (tmp_path / "o.ofn").write_text(f"Prefix(:=<http://x/>) Ontology(<http://x> {axiom})")
    ontology = read(tmp_path / "o.ofn")
    node = int(ontology.axiom_nodes[0])
    found = {ontology.string(n)[9:] for n in mentioned(ontology, node) if is_about(ontology, node, n)}
    assert found == set(filter(None, [about]))


def test_values_are_no_names(tmp_path: Path) -> None:
    """What is said with numbers of names and of values that are the same is about one class each time."""
    many = [f"SubClassOf(:C{2 * i} :C{2 * i + 1})" for i in range(15)]
    many += [f'SubClassOf(:C{i} DataHasValue(:d "{j}"))' for i in range(30) for j in range(12)]
    (tmp_path / "o.ofn").write_text(f"Prefix(:=<http://x/>) Ontology(<http://x> {' '.join(many)})")
    ontology = read(tmp_path / "o.ofn")
    for node in ontology.axiom_nodes[15:].tolist():
        name = ontology.arguments(node)[0]
        assert is_about(ontology, node, name)
        assert mentioned(ontology, node) == {name}


def classes_in_training(dataset: Dataset) -> set[int]:
    """The classes of all rows, read off the forms one by one."""
    places = {
        "subclass": (0, 1), "conjunction": (0, 1, 2), "existential": (0, 2), "left_existential": (1, 2), "empty": (0,),
        "disjoint": (0, 1), "empty_existential": (1,), "self": (0,), "left_self": (1,), "range": (1,),
    }  # fmt: skip
    tables = dataset.forms.tables
    return {row[place] for form, some in places.items() for row in tables[form].tolist() for place in some}


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(
    number=st.integers(0, 5),
    seed=st.integers(0, 9),
    form=st.sampled_from(["?C SubClassOf ?D", "?C SubClassOf r some ?D"]),
)
def test_every_class_of_a_held_out_axiom_stays_known(ontologies: list[Path], number: int, seed: int, form: str) -> None:
    dataset, _ = hold_out(HoldOut(ontologies[number], form, (0.4, 0.3, 0.3), seed))
    known = classes_in_training(dataset)
    for row in [*dataset.valid.tolist(), *dataset.test.tolist()]:
        assert row[0] in known
        assert row[-1] in known
    for part in counted(dataset).values():
        assert part["heads_in_no_training_axiom"] == part["tails_in_no_training_axiom"] == 0


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(number=st.integers(0, 5), seed=st.integers(0, 9))
def test_coldness_is_what_the_forms_say(ontologies: list[Path], number: int, seed: int) -> None:
    dataset, _ = hold_out(HoldOut(ontologies[number], "?C SubClassOf ?D", (0.2, 0.4, 0.4), seed, classes="as-drawn"))
    known = classes_in_training(dataset)
    heads, tails = set(dataset.train[:, 0].tolist()), set(dataset.train[:, -1].tolist())
    totals = counted(dataset)
    for part in ("valid", "test"):
        rows = getattr(dataset, part)
        expected = [(h not in known, t not in known, h not in heads, t not in tails) for h, t in rows.tolist()]
        assert list(zip(*coldness(dataset, rows), strict=True)) == expected
        assert list(totals[part].values()) == [len(rows), *np.sum(np.reshape(expected, (-1, 4)), axis=0)]


def leaves(extra: str = "") -> str:
    """30 leaves with two axioms each beside a hierarchy of 10; nothing mentions a leaf but its own axioms."""
    lines = [f"SubClassOf(:L{i:02} :M{i % 10}) SubClassOf(:L{i:02} :M{(i + 3) % 10})" for i in range(30)]
    lines += [f"SubClassOf(:L{i:02} ObjectSomeValuesFrom(:r :M{i % 7}))" for i in range(30)]
    lines += [f"SubClassOf(:M{i} :M{i // 2})" for i in range(1, 10)]
    return "Prefix(:=<http://x/>) Ontology(<http://x>\n" + "\n".join(lines) + f"\n{extra})"


@pytest.mark.parametrize("seed", range(3))
def test_cold_heads_are_new_to_training(tmp_path: Path, seed: int) -> None:
    (tmp_path / "o.ofn").write_text(leaves("SubClassOf(:X ObjectSomeValuesFrom(:r :L00))"))
    dataset, drops = hold_out(HoldOut(tmp_path / "o.ofn", "?C SubClassOf ?D", (0.7, 0.1, 0.2), seed, classes="cold"))
    known, names = classes_in_training(dataset), dataset.vocabulary.classes
    parts = {part: {names[h] for h in getattr(dataset, part)[:, 0]} for part in ("train", "valid", "test")}
    assert not parts["valid"] & parts["test"]
    assert not (parts["valid"] | parts["test"]) & parts["train"]
    # leaves have two axioms each: 69 axioms, 7 wanted for valid and 14 for test
    assert (len(dataset.valid), len(dataset.test)) == (8, 14)
    assert all(name.startswith("http://x/L") and not name.endswith("L00") for name in parts["valid"] | parts["test"])
    for row in [*dataset.valid.tolist(), *dataset.test.tolist()]:
        assert row[0] not in known
        assert row[1] in known
    held_out = parts["valid"] | parts["test"]
    assert drops.counts == {"axioms of heads that are held out whole": len(held_out)}
    assert {what.split("L")[1][:2] for _, what in drops.listed} == {name[-2:] for name in held_out}
    assert dataset.texts.labels[dataset.test[0, 0]] == ""


def test_the_share_is_reached_where_it_can_be(ontologies: list[Path], tmp_path: Path) -> None:
    (tmp_path / "o.ofn").write_text(leaves())
    for seed in range(5):
        said: list[str] = []
        dataset, _ = hold_out(HoldOut(tmp_path / "o.ofn", "?C SubClassOf ?D", (0.6, 0.1, 0.3), seed), said.append)
        assert (len(dataset.train), len(dataset.valid), len(dataset.test)) == (41, 7, 21)
        assert not any(line.startswith("only") for line in said)
        assert "69 axioms have the shape; 0 of them are said by others too" in said
    # both axioms of a leaf may go, because its part stays; a share may be nothing
    dataset, _ = hold_out(HoldOut(tmp_path / "o.ofn", "?C SubClassOf ?D", (0.2, 0.4, 0.4)))
    assert (len(dataset.train), len(dataset.valid), len(dataset.test)) == (13, 28, 28)
    dataset, _ = hold_out(HoldOut(tmp_path / "o.ofn", "?C SubClassOf ?D", (0.9, 0.0, 0.1)))
    assert (len(dataset.train), len(dataset.valid), len(dataset.test)) == (62, 0, 7)
    # a star: C_i ⊑ D, each C_i once; only those with a part can go, 10 of 40, which are shared as asked for
    lines = [f"SubClassOf(:C{i} :D)" for i in range(40)]
    lines += [f"SubClassOf(:C{i} ObjectSomeValuesFrom(:r :D))" for i in range(0, 40, 4)]
    (tmp_path / "star.ofn").write_text("Prefix(:=<http://x/>) Ontology(<http://x>\n" + "\n".join(lines) + ")")
    dataset, _ = hold_out(HoldOut(tmp_path / "star.ofn", "?C SubClassOf ?D", (0.5, 0.1, 0.4)))
    assert (len(dataset.train), len(dataset.valid), len(dataset.test)) == (30, 2, 8)
    # of whole heads, too, both parts get some where there are few
    lines = [f"SubClassOf(:C{i} :C{(i + 1) % 30}) SubClassOf(:C{i} :D)" for i in range(30)]
    lines += [f"SubClassOf(:E{i} :D)" for i in range(6)]
    (tmp_path / "few.ofn").write_text("Prefix(:=<http://x/>) Ontology(<http://x>\n" + "\n".join(lines) + ")")
    said = []
    recipe = HoldOut(tmp_path / "few.ofn", "?C SubClassOf ?D", (0.7, 0.1, 0.2), classes="cold")
    dataset, _ = hold_out(recipe, said.append)
    assert (len(dataset.valid), len(dataset.test)) == (2, 4)
    assert "only 6 axioms could be held out where the shares ask for 20" in said


@pytest.mark.parametrize("seed", range(4))
def test_cold_heads_leave_their_tails_an_axiom(tmp_path: Path, seed: int) -> None:
    # of two heads with one tail, one can go and the other stays
    lines = [f"SubClassOf(:A{i} :T{i}) SubClassOf(:B{i} :T{i})" for i in range(20)]
    (tmp_path / "o.ofn").write_text("Prefix(:=<http://x/>) Ontology(<http://x>\n" + "\n".join(lines) + ")")
    dataset, _ = hold_out(HoldOut(tmp_path / "o.ofn", "?C SubClassOf ?D", (0.5, 0.25, 0.25), seed, classes="cold"))
    assert [len(rows) for rows in (dataset.train, dataset.valid, dataset.test)] == [20, 10, 10]
    assert len(np.unique(dataset.train[:, 1])) == 20
    # a head with most of the axioms stays
    lines += [f"SubClassOf(:H :U{i})" for i in range(15)] + [f"SubClassOf(:V :U{i})" for i in range(15)]
    (tmp_path / "big.ofn").write_text("Prefix(:=<http://x/>) Ontology(<http://x>\n" + "\n".join(lines) + ")")
    dataset, _ = hold_out(HoldOut(tmp_path / "big.ofn", "?C SubClassOf ?D", (0.8, 0.1, 0.1), seed, classes="cold"))
    assert [len(rows) for rows in (dataset.train, dataset.valid, dataset.test)] == [56, 7, 7]
    # heads with several tails, and tails with few heads
    draw = random.Random(seed)
    lines = [f"SubClassOf(:H{i} :T{draw.randrange(12)})" for i in range(18) for _ in range(draw.choice([1, 2, 3]))]
    (tmp_path / "p.ofn").write_text("Prefix(:=<http://x/>) Ontology(<http://x>\n" + "\n".join(lines) + ")")
    dataset, _ = hold_out(HoldOut(tmp_path / "p.ofn", "?C SubClassOf ?D", (0.2, 0.4, 0.4), seed, classes="cold"))
    known = classes_in_training(dataset)
    for row in [*dataset.valid.tolist(), *dataset.test.tolist()]:
        assert row[0] not in known
        assert row[1] in known


def test_a_cold_head_may_have_as_many_axioms_as_are_wanted(tmp_path: Path) -> None:
    """Ten heads of three axioms each; a part that wants three gets a head, one that wants two gets none."""
    lines = [f"SubClassOf(:H{i} :T{(i + k) % 10})" for i in range(10) for k in (0, 1, 3)]
    (tmp_path / "o.ofn").write_text("Prefix(:=<http://x/>) Ontology(<http://x>\n" + "\n".join(lines) + ")")
    recipe = HoldOut(tmp_path / "o.ofn", "?C SubClassOf ?D", (0.8, 0.1, 0.1), classes="cold")
    dataset, _ = hold_out(recipe)
    assert [len(rows) for rows in (dataset.train, dataset.valid, dataset.test)] == [24, 3, 3]
    with pytest.raises(SettingError, match="none can be held out for valid: every head is in axioms of other classes"):
        hold_out(replace(recipe, shares=(0.8, 2 / 30, 1 - 0.8 - 2 / 30)))


@pytest.mark.slow
def test_classes_that_removing_leaves_unknown_are_not_asked_for(tmp_path: Path) -> None:
    """A ⊑ C is held out and A ⊑ B goes, because with B ⊑ C it entails it: then training knows nothing of A."""
    lines = ["SubClassOf(:A :B) SubClassOf(:B :C) SubClassOf(:A :C) SubClassOf(:C :D)"]
    lines += [f"SubClassOf(:X{i} :Y{i}) SubClassOf(:X{i} :Z{i})" for i in range(9)]
    lines += [f"SubClassOf(:Y{i} :W) SubClassOf(:Z{i} :W)" for i in range(9)]
    (tmp_path / "o.ofn").write_text("Prefix(:=<http://x/>) Ontology(<http://x>\n" + "\n".join(lines) + ")")
    dropped = 0
    for seed in range(12):
        recipe = HoldOut(tmp_path / "o.ofn", "?C SubClassOf ?D", (0.6, 0.2, 0.2), seed)
        before, _ = hold_out(recipe)
        after, drops = hold_out(replace(recipe, entailed="remove-entailing"))
        known = classes_in_training(after)
        held_out = [*after.valid.tolist(), *after.test.tolist()]
        assert all(c in known and d in known for c, d in held_out)
        here = sum(n for why, n in drops.counts.items() if "no longer mentions" in why)
        assert here == len(before.valid) + len(before.test) - len(held_out)
        dropped += here
    assert dropped > 0


def test_axioms_that_nothing_can_be_learnt_from_leave_a_class_unknown(tmp_path: Path) -> None:
    """A quarter of the heads have an axiom to be learnt from besides; the others have none, or one EL++ cannot say."""
    lines = [f"SubClassOf(:C{i} :D{i % 3})" for i in range(60)]
    lines += [f"SubClassOf(:C{i} owl:Thing)" for i in range(0, 60, 4)]
    lines += [f"SubClassOf(:C{i} ObjectComplementOf(ObjectAllValuesFrom(:r :D0)))" for i in range(1, 60, 4)]
    lines += [f"SubClassOf(:C{i} ObjectSomeValuesFrom(:r :D0))" for i in range(2, 60, 4)]
    (tmp_path / "o.ofn").write_text("Prefix(:=<http://x/>) Ontology(<http://x>\n" + "\n".join(lines) + ")")
    dataset, _ = hold_out(HoldOut(tmp_path / "o.ofn", "?C SubClassOf ?D", (0.5, 0.25, 0.25)))
    assert (len(dataset.train), len(dataset.valid), len(dataset.test)) == (45, 8, 7)


def test_the_order_of_the_file_does_not_matter(tmp_path: Path) -> None:
    head, *body, tail = leaves().split("\n")
    (tmp_path / "one.ofn").write_text("\n".join([head, *body, tail]))
    (tmp_path / "two.ofn").write_text("\n".join([head, *reversed(body), tail]))
    for classes in ("warm", "cold", "as-drawn"):
        found = []
        for name in ("one", "two"):
            dataset, _ = hold_out(HoldOut(tmp_path / f"{name}.ofn", "?C SubClassOf ?D", seed=5, classes=classes))
            names = dataset.vocabulary.classes
            found.append([{(names[c], names[d]) for c, d in rows.tolist()} for rows in (dataset.valid, dataset.test)])
        assert found[0] == found[1]


def test_what_cannot_be_chosen_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    star = "".join(f"SubClassOf(:C{i} :D)" for i in range(40))
    (tmp_path / "star.ofn").write_text(f"Prefix(:=<http://x/>) Ontology(<http://x> {star})")
    command = [
        "dataset",
        "split",
        str(tmp_path / "star.ofn"),
        "--axioms",
        "?C SubClassOf ?D",
        "-o",
        str(tmp_path / "d"),
    ]
    assert main(command) == 2
    assert "--as-drawn" in capsys.readouterr().err
    assert main([*command, "--as-drawn"]) == 0
    assert load(tmp_path / "d").record["settings"]["classes"] == "as-drawn"
    assert main([*command, "--cold", "--force"]) == 0
    shown = capsys.readouterr().out
    assert "of 2 axioms 2 have a head and 0 a tail that no training axiom mentions; 2 heads and 0 tails" in shown
    (tmp_path / "pairs.ofn").write_text(
        "Prefix(:=<http://x/>) Ontology(<http://x>" + "".join(f"SubClassOf(:C{i} :D{i})" for i in range(40)) + ")"
    )
    command[2] = str(tmp_path / "pairs.ofn")
    assert main([*command, "--cold", "--force"]) == 2
    assert "leave out --cold" in capsys.readouterr().err
    with pytest.raises(SettingError, match="classes"):
        HoldOut(tmp_path / "star.ofn", "?C SubClassOf ?D", classes="lukewarm")
    with pytest.raises(SettingError, match="none would be left to train on"):
        hold_out(HoldOut(tmp_path / "star.ofn", "?C SubClassOf ?D", (0.01, 0.5, 0.49), classes="as-drawn"))
    ontology = read(tmp_path / "star.ofn")
    nodes = np.unique(ontology.axiom_nodes)
    pairs = np.array([ontology.arguments(n) for n in nodes.tolist()], np.int32)
    with pytest.raises(SettingError, match="seed"):
        Division(seed=-1)
    with pytest.raises(SettingError, match=r"40 are said by definitions too \(--split-definitions [^;]*$"):
        Chooser(ontology, nodes, pairs, np.ones(40, np.bool_), nodes).choose("warm", (0.9, 0.05, 0.05), 0)
    with pytest.raises(SettingError, match=r"40 are said by definitions too \(--split-definitions"):
        Chooser(ontology, nodes, pairs, np.ones(40, np.bool_), nodes).choose("as-drawn", (0.9, 0.05, 0.05), 0)
