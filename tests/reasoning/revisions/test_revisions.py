"""Ontologies compared and cut down: against definitions written plainly, on random ontologies and by hand."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from elgeo.cli import main
from elgeo.ontology import read
from elgeo.ontology.expressions import NOTHING, TOP_OBJECT_PROPERTY, Op
from elgeo.ontology.model import Builder, Ontology
from elgeo.ontology.reading.merging import union
from elgeo.reasoning import Reasoner
from elgeo.reasoning.revisions.difference import difference
from elgeo.reasoning.revisions.other_ways import OtherWays
from elgeo.reasoning.revisions.reduction import reduced

X = "http://x/"


def tangled(seed: int, axioms: int = 30) -> Ontology:
    """Few names and many axioms, so that much is said twice: inclusions, relations, definitions, chains, clashes."""
    chance, b = random.Random(seed), Builder()
    classes = [b.entity(Op.Class, f"{X}C{i}") for i in range(9)]
    roles = [b.entity(Op.ObjectProperty, f"{X}r{i}") for i in range(3)]

    def some() -> int:
        return b.node(Op.ObjectSomeValuesFrom, chance.choice(roles), chance.choice(classes))

    for _ in range(axioms):
        kind = chance.random()
        one, other, third = (chance.choice(classes) for _ in range(3))
        if kind < 0.45:
            low, high = sorted((one, other))
            b.axiom(Op.SubClassOf, high, low if chance.random() < 0.9 else some())
        elif kind < 0.75:
            b.axiom(Op.SubClassOf, one, some())
        elif kind < 0.85:
            b.axiom(Op.EquivalentClasses, one, b.node(Op.ObjectIntersectionOf, other, some()))
        elif kind < 0.9:
            b.axiom(Op.SubClassOf, some(), third)
        elif kind < 0.95:
            b.axiom(Op.SubObjectPropertyOf, *chance.sample(roles, 2))
        elif kind < 0.98:
            b.axiom(Op.TransitiveObjectProperty, chance.choice(roles))
        else:
            b.axiom(Op.DisjointClasses, *chance.sample(classes, 2))
    return b.finish(iri=X)


def without(ontology: Ontology, place: int) -> Ontology:
    return replace(ontology, axiom_nodes=np.delete(ontology.axiom_nodes, place))


def strange(seed: int) -> Ontology:
    """The same with individuals, loops, ranges and domains, reflexive roles, longer chains and the universal role."""
    chance, plain = random.Random(seed), tangled(seed, 16)
    b = Builder()
    classes = [b.entity(Op.Class, f"{X}C{i}") for i in range(9)]
    roles = [b.entity(Op.ObjectProperty, f"{X}r{i}") for i in range(3)]
    people = [b.entity(Op.NamedIndividual, f"{X}i{i}") for i in range(2)]
    universal = b.entity(Op.ObjectProperty, TOP_OBJECT_PROPERTY)
    for _ in range(6):
        one, other = chance.sample(classes, 2)
        role, person = chance.choice(roles), chance.choice(people)
        match chance.randrange(9):
            case 0:
                b.axiom(Op.SubClassOf, one, b.node(Op.ObjectHasSelf, role))
            case 1:
                b.axiom(Op.SubClassOf, b.node(Op.ObjectHasSelf, role), other)
            case 2:
                b.axiom(Op.ObjectPropertyRange, role, one)
            case 3:
                b.axiom(Op.ObjectPropertyDomain, role, one)
            case 4:
                b.axiom(Op.ReflexiveObjectProperty, role)
            case 5:
                b.axiom(Op.SubClassOf, one, b.node(Op.ObjectOneOf, person))
            case 6:
                b.axiom(Op.ClassAssertion, one, person)
            case 7:
                b.axiom(Op.SubClassOf, one, b.node(Op.ObjectHasValue, role, person))
            case 8:
                b.axiom(Op.SubClassOf, b.node(Op.ObjectSomeValuesFrom, universal, one), other)
    b.axiom(
        Op.SubObjectPropertyOf,
        b.node(Op.ObjectPropertyChain, chance.choice(roles), chance.choice(roles)),
        chance.choice(roles),
    )
    return union([plain, b.finish(iri=X)])


@pytest.mark.parametrize("seed", [*range(12), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(12, 60))])
def test_what_was_taken_out_follows_and_what_is_left_is_needed(seed: int) -> None:
    ontology = tangled(seed) if seed % 2 else strange(seed)
    found = reduced(ontology)
    left, impossible = Reasoner(found.ontology), Reasoner(ontology).unsatisfiable()
    everything = {str(axiom) for axiom in ontology.axioms}
    assert {str(axiom) for axiom in found.ontology.axioms} | set(found.removed) == everything
    assert not {str(axiom) for axiom in found.ontology.axioms} & set(found.removed)
    for axiom in found.removed:
        assert axiom.startswith("SubClassOf(<")
        assert left.entails(axiom)
    for place, needed in enumerate(found.ontology.axioms):
        if needed.kind == "SubClassOf" and _between_names(found.ontology, needed.node):
            sub, _ = found.ontology.arguments(needed.node)
            follows = Reasoner(without(found.ontology, place)).entails(str(needed))
            assert not follows or found.ontology.string(sub) in impossible, str(needed)


@pytest.mark.slow
@pytest.mark.parametrize("make", [tangled, strange])
def test_no_other_way_is_overlooked(make: Callable[[int], Ontology]) -> None:
    """Whatever follows without an axiom of it has another way; of what does not, few seem to have one."""
    seen, needed = 0, 0
    for seed in range(25):
        ontology = make(seed)
        ontology = replace(ontology, axiom_nodes=np.unique(ontology.axiom_nodes))
        reasoner = Reasoner(ontology)
        words, impossible = reasoner.forms.vocabulary, reasoner.unsatisfiable()
        rows, places = [], []
        for place, axiom in enumerate(ontology.axioms):
            if axiom.kind != "SubClassOf" or not _between_names(ontology, axiom.node):
                continue
            sub, sup = ontology.arguments(axiom.node)
            ends = [sup] if ontology.op[sup] == Op.Class else ontology.arguments(sup)
            if ontology.string(sub) in impossible:
                continue
            role = words.role_id(ontology.string(ends[0])) if len(ends) == 2 else -1
            rows.append((words.class_id(ontology.string(sub)), role, words.class_id(ontology.string(ends[-1]))))
            places.append(place)
        table = np.array(rows, np.int32).reshape(-1, 3)
        other = OtherWays(reasoner.saturation).may_follow(table, np.array(places, np.int32))
        for place, may in zip(places, other.tolist(), strict=True):
            axiom = ontology.axioms[place]
            follows = Reasoner(without(ontology, place)).entails(str(axiom))
            assert may or not follows, str(axiom)
            seen, needed = seen + (not may), needed + (not follows)
    assert needed > 40
    assert seen > (0.75 if make is tangled else 0.5) * needed


def _between_names(ontology: Ontology, node: int) -> bool:
    sub, sup = ontology.arguments(node)
    if ontology.op[sup] == Op.ObjectSomeValuesFrom:
        sup = ontology.arguments(sup)[1]
    return bool(ontology.op[sub] == Op.Class and ontology.op[sup] == Op.Class)


def small(tmp_path: Path, name: str, *axioms: str) -> str:
    path = tmp_path / f"{name}.ofn"
    path.write_text(f"Prefix(:=<{X}>)\nOntology(<{X}>\n" + "\n".join(axioms) + "\n)\n")
    return str(path)


def test_the_special_axiom_stays_and_the_general_one_goes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = small(
        tmp_path,
        "o",
        "SubClassOf(:A :C)",
        "SubClassOf(:A :B)",
        "SubClassOf(:B :C)",
        "SubClassOf(:A :B)",
        "SubClassOf(:A ObjectSomeValuesFrom(:r :C))",
        "SubClassOf(:A ObjectSomeValuesFrom(:r :B))",
        "SubClassOf(:D :E)",
        "EquivalentClasses(:E ObjectIntersectionOf(:C ObjectSomeValuesFrom(:s :B)))",
        "SubClassOf(:D :B)",
        "SubClassOf(:D ObjectSomeValuesFrom(:s :A))",
    )
    out = str(tmp_path / "out.ofn")
    assert main(["reduce", file, "-o", out, "--explain", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    removed = {each["axiom"].replace(X, ""): each["entailed_by"] for each in document["removed"]}
    assert set(removed) == {
        "SubClassOf(<A> <C>)",
        "SubClassOf(<A> ObjectSomeValuesFrom(<r> <C>))",
        "SubClassOf(<D> <E>)",
    }
    assert {a.replace(X, "") for a in removed["SubClassOf(<A> <C>)"]} == {"SubClassOf(<A> <B>)", "SubClassOf(<B> <C>)"}
    assert len(removed["SubClassOf(<D> <E>)"]) == 5
    assert [str(a).replace(X, "") for a in read(out).axioms] == [
        "SubClassOf(<A> <B>)",
        "SubClassOf(<B> <C>)",
        "SubClassOf(<A> ObjectSomeValuesFrom(<r> <B>))",
        "EquivalentClasses(<E> ObjectIntersectionOf(<C> ObjectSomeValuesFrom(<s> <B>)))",
        "SubClassOf(<D> <B>)",
        "SubClassOf(<D> ObjectSomeValuesFrom(<s> <A>))",
    ]
    assert main(["reduce", out, "-o", out]) == 2
    assert "is what is read" in capsys.readouterr().err
    assert main(["reduce", out, "-o", str(tmp_path / "again.ofn")]) == 0
    assert "0 redundant axioms taken out" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_consequences_against_questions(seed: int) -> None:
    one, other = tangled(seed, 22), tangled(seed + 100, 22)
    found = difference(one, other, every=True)
    before, after = Reasoner(one), Reasoner(other)
    classes = [f"{X}C{i}" for i in range(9)]
    came, went = set[str](), set[str]()
    said = ({str(a) for a in one.axioms}, {str(a) for a in other.axioms})
    for sub in classes:
        for sup in [*classes, NOTHING]:
            axiom = f"SubClassOf(<{sub}> <{sup}>)"
            in_old, in_new = before.entails(axiom), after.entails(axiom)
            if in_new and not in_old and (sup == NOTHING or sub not in after.unsatisfiable()) and axiom not in said[1]:
                came.add(axiom)
            if in_old and not in_new and (sup == NOTHING or sub not in before.unsatisfiable()) and axiom not in said[0]:
                went.add(axiom)
    assert (set(found.consequences.came), set(found.consequences.went)) == (came, went)
    direct = difference(one, other)
    assert set(direct.consequences.came) <= came
    for axiom in direct.consequences.came[:3]:
        reasons = direct.reasons(axiom, came=True)
        assert set(reasons) <= said[1]
        assert reasons


def test_order_means_nothing_and_names_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = small(
        tmp_path,
        "old",
        "Declaration(Class(:Gone))",
        "EquivalentClasses(:A ObjectIntersectionOf(:B :C))",
        "DisjointClasses(:A :D)",
        "SubClassOf(:E :B)",
        "SubClassOf(:E :C)",
        "DisjointUnion(:U :V :W)",
    )
    new = small(
        tmp_path,
        "new",
        "DisjointUnion(:U :W :V)",
        "DisjointClasses(:D :A)",
        "EquivalentClasses(ObjectIntersectionOf(:C :B) :A)",
        "SubClassOf(:E :B)",
        "SubClassOf(:New :B)",
        "SubClassOf(:B :D)",
    )
    assert main(["diff", old, new, "--explain"]) == 0
    printed = capsys.readouterr()
    assert printed.out.replace(X, "").splitlines() == [
        "- Class Gone",
        "+ Class New",
        "- SubClassOf(<E> <C>)",
        "+ SubClassOf(<B> <D>)",
        "+ SubClassOf(<New> <B>)",
        "- SubClassOf(<E> <A>)",
        "    EquivalentClasses(<A> ObjectIntersectionOf(<B> <C>))",
        "    SubClassOf(<E> <B>)",
        "    SubClassOf(<E> <C>)",
        f"+ SubClassOf(<A> <{NOTHING}>)",
        "    DisjointClasses(<D> <A>)",
        "    EquivalentClasses(ObjectIntersectionOf(<C> <B>) <A>)",
        "    SubClassOf(<B> <D>)",
    ]
    assert "elgeo: consequences: 1 came, 1 went" in printed.err
    assert main(["diff", old, old, "--json"]) == 0
    nothing: dict[str, list[str]] = {"came": [], "went": []}
    assert json.loads(capsys.readouterr().out) == {"names": nothing, "axioms": nothing, "consequences": nothing}


def test_names_that_everybody_knows_or_nobody_gave_are_not_told(tmp_path: Path) -> None:
    old = small(tmp_path, "old", "SubClassOf(:A :B)", "ClassAssertion(:A _:somebody)")
    new = small(
        tmp_path,
        "new",
        "SubClassOf(:A owl:Thing)",
        "SubClassOf(ObjectIntersectionOf(:A :B) owl:Nothing)",
        "ObjectPropertyAssertion(:r _:other :B)",
        'DataPropertyAssertion(:d :B "text")',
    )
    names = difference(read(old), read(new)).names
    assert [name.replace(X, "") for name in names.came] == ["DataProperty d", "NamedIndividual B", "ObjectProperty r"]
    assert names.went == []


def test_what_is_said_of_an_unsatisfiable_class_stays(tmp_path: Path) -> None:
    axioms = ["SubClassOf(:A :B)", "SubClassOf(:A :C)", "DisjointClasses(:B :C)", "SubClassOf(:A :D)"]
    axioms.append("SubClassOf(:B :D)")
    assert reduced(read(small(tmp_path, "o", *axioms))).removed == []
