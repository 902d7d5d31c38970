"""Ontologies compared and cut down: against definitions written plainly, on random ontologies and by hand."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from elgeo.cli import main
from elgeo.ontology import read
from elgeo.ontology.expressions import NOTHING, Op
from elgeo.ontology.model import Builder, Ontology
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


@pytest.mark.parametrize("seed", range(25))
def test_what_was_taken_out_follows_and_what_is_left_is_needed(seed: int) -> None:
    ontology = tangled(seed)
    found = reduced(ontology)
    left = Reasoner(found.ontology)
    everything = {str(axiom) for axiom in ontology.axioms}
    assert {str(axiom) for axiom in found.ontology.axioms} | set(found.removed) == everything
    assert not {str(axiom) for axiom in found.ontology.axioms} & set(found.removed)
    for axiom in found.removed:
        assert axiom.startswith("SubClassOf(<")
        assert left.entails(axiom)
    acyclic = all(Reasoner(ontology).equivalents(f"{X}C{i}") == [] for i in range(9) if _speaks_of(ontology, i))
    if not acyclic or Reasoner(ontology).unsatisfiable():
        return
    for place, needed in enumerate(found.ontology.axioms):
        if needed.kind == "SubClassOf" and _between_names(found.ontology, needed.node):
            assert not Reasoner(without(found.ontology, place)).entails(str(needed)), str(needed)


def test_no_other_way_is_overlooked() -> None:
    """Whatever follows without an axiom of it has another way; of what does not, few seem to have one."""
    seen, needed = 0, 0
    for seed in range(12):
        ontology = tangled(seed, 14)
        ontology = replace(ontology, axiom_nodes=np.unique(ontology.axiom_nodes))
        reasoner = Reasoner(ontology)
        words, ways, impossible = reasoner.forms.vocabulary, OtherWays(reasoner), reasoner.unsatisfiable()
        for place, axiom in enumerate(ontology.axioms):
            if axiom.kind != "SubClassOf" or not _between_names(ontology, axiom.node):
                continue
            sub, sup = ontology.arguments(axiom.node)
            ends = [sup] if ontology.op[sup] == Op.Class else ontology.arguments(sup)
            if ontology.string(sub) in impossible:
                continue
            roles = (words.role_id(ontology.string(role)) for role in ends[:-1])
            ids = (words.class_id(ontology.string(sub)), *roles, words.class_id(ontology.string(ends[-1])))
            other = ways.may_follow(ids, place)
            follows = Reasoner(without(ontology, place)).entails(str(axiom))
            assert other or not follows, str(axiom)
            seen, needed = seen + (not other), needed + (not follows)
    assert needed > 40
    assert seen > 0.75 * needed


def _speaks_of(ontology: Ontology, i: int) -> bool:
    return any(f"<{X}C{i}>" in str(axiom) for axiom in ontology.axioms)


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


def test_what_is_said_of_an_unsatisfiable_class_stays(tmp_path: Path) -> None:
    axioms = ["SubClassOf(:A :B)", "SubClassOf(:A :C)", "DisjointClasses(:B :C)", "SubClassOf(:A :D)"]
    axioms.append("SubClassOf(:B :D)")
    assert reduced(read(small(tmp_path, "o", *axioms))).removed == []
