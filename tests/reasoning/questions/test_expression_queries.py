"""Queries for class expressions beside brute force that gets the expression as a class of the ontology."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elgeo.cli import main
from elgeo.errors import ElgeoError, SettingError
from elgeo.ontology import read
from elgeo.ontology.expressions import NOTHING, Op
from elgeo.ontology.normalisation.normalise import normalise
from elgeo.reasoning.reasoner import Reasoner
from tests.reasoning.brute import Brute
from tests.reasoning.random_ontology import BASE, CLASSES, axioms, expressions, written


def in_words(tree: Any) -> str:
    if isinstance(tree, str):
        return {"⊤": "owl:Thing"}.get(tree, tree)
    op, *rest = tree
    match op:
        case Op.ObjectIntersectionOf:
            return f"({' and '.join(map(in_words, rest))})"
        case Op.ObjectSomeValuesFrom:
            return f"({rest[0]} some {in_words(rest[1])})"
        case Op.ObjectHasSelf:
            return f"({rest[0]} Self)"
    raise AssertionError(op)


@pytest.mark.slow
@given(st.lists(axioms(nominals=False), max_size=8), expressions(nominals=False))
@settings(max_examples=50)
def test_queries_agree_with_brute_force(told: list[Any], tree: Any) -> None:
    declared = [(Op.SubClassOf, c, "⊤") for c in CLASSES] + [(Op.SubObjectPropertyOf, r, r) for r in "rst"]
    reasoner = Reasoner(normalise(written([*told, *declared])))
    forms = normalise(written([*told, *declared, (Op.EquivalentClasses, "Query", tree)]))
    brute, number = Brute.of(forms), {name: forms.vocabulary.class_id(BASE + name) for name in [*CLASSES, "Query"]}
    query = number["Query"]
    possible = [c for c in CLASSES if not brute.unsatisfiable(number[c])]
    below = [c for c in possible if brute.subsumed(number[c], query)]
    above = [c for c in possible if brute.subsumed(query, number[c])]
    strict = {"subclasses": set(below) - set(above), "superclasses": set(above) - set(below)}

    def found(relation: str, direct: bool = False) -> list[str]:
        return [name.removeprefix(BASE) for name in reasoner.query(in_words(tree), relation, direct)]

    def less(c: str, d: str) -> bool:
        return brute.subsumed(number[c], number[d]) and not brute.subsumed(number[d], number[c])

    assert found("subclasses") == below
    highest = [c for c in CLASSES if c in strict["subclasses"] and not any(less(c, d) for d in strict["subclasses"])]
    assert found("subclasses", direct=True) == highest
    if brute.unsatisfiable(query):
        assert found("superclasses") == [NOTHING]
        assert found("equivalent") == [NOTHING, *(c for c in CLASSES if c not in possible)]
        return
    assert found("superclasses") == above
    lowest = [c for c in CLASSES if c in strict["superclasses"] and not any(less(d, c) for d in strict["superclasses"])]
    assert found("superclasses", direct=True) == lowest
    assert found("equivalent") == [c for c in below if c in above]


TEXT = """Prefix(:=<http://example.org/>) Prefix(rdfs:=<http://www.w3.org/2000/01/rdf-schema#>)
Ontology(
AnnotationAssertion(rdfs:label :Valve "heart valve")
SubClassOf(:Valve ObjectSomeValuesFrom(:part_of :Heart)) SubClassOf(:Mitral :Valve) SubClassOf(:Heart :Organ)
EquivalentClasses(:HeartPart ObjectSomeValuesFrom(:part_of :Heart)) SubClassOf(:HeartPart :Part)
SubClassOf(:Odd :Valve) SubClassOf(:Odd ObjectComplementOf(:Part)) SubClassOf(:Odder :Odd)
SubClassOf(:Box ObjectSomeValuesFrom(:holds :Odder)) SubClassOf(:Own :Organ) SubClassOf(:Own ObjectComplementOf(:Organ))
ClassAssertion(:Mitral :m) ClassAssertion(:HeartPart :p)
ObjectPropertyAssertion(:part_of :q :h) ClassAssertion(:Heart :h)
)
"""
E = "http://example.org/"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "heart.ofn"
    path.write_text(TEXT)
    return path


def lines(capsys: Any, *arguments: str) -> list[str]:
    assert main(list(arguments)) == 0
    return [line.replace(E, "") for line in capsys.readouterr().out.splitlines()]


def test_the_command(file: Path, capsys: Any) -> None:
    asked = "part_of some Heart"
    assert lines(capsys, "query", str(file), asked) == ["HeartPart", "Mitral", "Valve"]
    assert lines(capsys, "query", str(file), asked, "--direct") == ["Valve"]
    assert lines(capsys, "query", str(file), asked, "--equivalent") == ["HeartPart"]
    assert lines(capsys, "query", str(file), asked, "--superclasses") == ["HeartPart", "Part"]
    assert lines(capsys, "query", str(file), asked, "--superclasses", "--direct") == ["Part"]
    assert lines(capsys, "query", str(file), asked, "--instances") == ["m", "p", "q"]
    assert lines(capsys, "query", str(file), asked, "--instances", "--direct") == ["p", "q"]
    assert lines(capsys, "query", str(file), "ObjectUnionOf(:Heart :HeartPart)") == [
        "Heart",
        "HeartPart",
        "Mitral",
        "Valve",
    ]
    assert lines(capsys, "query", str(file), "part_of some Heart and Organ", "--superclasses", "--direct") == [
        "HeartPart",
        "Organ",
    ]
    assert main(["query", str(file), "'heart valve'", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "expression": "'heart valve'",
        "relation": "subclasses",
        "direct": False,
        "consistent": True,
        "count": 2,
        "results": [{"id": E + "Mitral", "label": None}, {"id": E + "Valve", "label": "heart valve"}],
    }
    assert main(["query", str(file), "Valve and not Part"]) == 2
    assert "right" in capsys.readouterr().err
    assert main(["query", str(file), "Odd and Heart", "--superclasses"]) == 0
    output = capsys.readouterr()
    assert output.out == NOTHING + "\n"
    assert "unsatisfiable" in output.err


def test_questions_that_are_none(file: Path) -> None:
    reasoner = Reasoner(read(file))
    with pytest.raises(SettingError, match="no relation is called 'parts'"):
        reasoner.query("Heart", "parts")
    with pytest.raises(ElgeoError, match="ends too early"):
        reasoner.query("part_of some")


@pytest.mark.slow
def test_unsatisfiable_classes_are_explained_at_once(file: Path, capsys: Any) -> None:
    assert main(["explain", str(file), "--unsatisfiable", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    explained = {each["axiom"]: each for each in document["explained"]}
    assert sorted(explained) == [f"SubClassOf(<{E}{name}> <{NOTHING}>)" for name in ("Odd", "Own")]
    own = explained[f"SubClassOf(<{E}Own> <{NOTHING}>)"]
    assert own["answer"] == "entailed"
    assert [sorted(axioms) for axioms in own["justifications"]] == [
        [f"SubClassOf(<{E}Own> <{E}Organ>)", f"SubClassOf(<{E}Own> ObjectComplementOf(<{E}Organ>))"]
    ]
    assert document["derived"] == {E + "Odder": [E + "Odd"], E + "Box": [E + "Odd"]}
    told = lines(capsys, "explain", str(file), "Mitral SubClassOf Part", "--unsatisfiable")
    assert told[0] == "entailed\tMitral SubClassOf Part"
    assert told[1] == "    Mitral ⊑ Part  [superclass]"
    assert "  justification 1" in told
    assert told[-3:] == ["unsatisfiable because of others: 2", "  Box\tOdd", "  Odder\tOdd"]
    assert lines(capsys, "explain", str(file), "Part SubClassOf Mitral") == ["not entailed\tPart SubClassOf Mitral"]
    assert main(["explain", str(file)]) == 2
    assert main(["explain", str(file), "--unsatisfiable", "--limit", "0"]) == 2


def test_roots_of_classes_that_follow_each_other(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "ring.ofn"
    path.write_text(
        """Prefix(:=<http://example.org/>) Ontology(SubClassOf(:A :B) SubClassOf(:B :A) DisjointClasses(:A :B)
        SubClassOf(:C ObjectSomeValuesFrom(:r ObjectSomeValuesFrom(:r :A))) EquivalentClasses(:D :C))"""
    )
    assert main(["explain", str(path), "--unsatisfiable", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [each["axiom"] for each in document["explained"]] == [f"SubClassOf(<{E}{c}> <{NOTHING}>)" for c in "AB"]
    assert document["derived"] == {E + c: [E + "A", E + "B"] for c in "CD"}
    path.write_text("Prefix(:=<http://example.org/>) Ontology(SubClassOf(:A :B) ClassAssertion(:A :a))")
    assert main(["explain", str(path), "--unsatisfiable"]) == 0
    assert "every class can have instances" in capsys.readouterr().err
    path.write_text(
        "Prefix(:=<http://example.org/>) Ontology(DisjointClasses(:A :B) ClassAssertion(:A :a) ClassAssertion(:B :a))"
    )
    assert main(["explain", str(path), "--unsatisfiable"]) == 0
    assert "⊤ ⊑ ⊥  [existence]" in capsys.readouterr().out


def test_only_what_is_new(file: Path, capsys: Any) -> None:
    everything, new = lines(capsys, "classify", str(file)), lines(capsys, "classify", str(file), "--new")
    assert new == [
        "Box\thttp://www.w3.org/2002/07/owl#Nothing",
        "Mitral\tHeartPart", "Mitral\tPart",
        "Odd\thttp://www.w3.org/2002/07/owl#Nothing",
        "Odder\thttp://www.w3.org/2002/07/owl#Nothing",
        "Own\thttp://www.w3.org/2002/07/owl#Nothing",
        "Valve\tHeartPart", "Valve\tPart",
    ]  # fmt: skip
    assert [line for line in everything if line not in new] == ["Heart\tOrgan", "HeartPart\tPart", "Mitral\tValve"]
    assert lines(capsys, "classify", str(file), "--new", "--direct")[1:2] == [
        "Odd\thttp://www.w3.org/2002/07/owl#Nothing"
    ]
    assert main(["classify", str(file), "--new"]) == 0
    assert f"unsatisfiable: {E}Box {E}Odd {E}Odder {E}Own" in capsys.readouterr().err
    assert main(["classify", str(file), "--new", "--format", "ofn"]) == 2


def test_values(tmp_path: Path) -> None:
    path = tmp_path / "file.ofn"
    path.write_text(
        """Prefix(:=<http://e/>) Prefix(xsd:=<http://www.w3.org/2001/XMLSchema#>) Ontology(
SubClassOf(:A DataHasValue(:age "7"^^xsd:integer)) SubClassOf(:B :A) SubClassOf(:C DataHasValue(:age "8"^^xsd:integer))
SubClassOf(DataSomeValuesFrom(:age xsd:integer) :Aged) DataPropertyAssertion(:age :a "7"^^xsd:integer)
ClassAssertion(:C :c) FunctionalDataProperty(:age))"""
    )
    reasoner = Reasoner(read(path))
    seven = 'DataHasValue(<http://e/age> "7.0"^^xsd:decimal)'

    def found(relation: str, text: str = seven, direct: bool = False) -> list[str]:
        return [iri.removeprefix("http://e/") for iri in reasoner.query(text, relation, direct)]

    assert found("subclasses") == ["A", "B"]
    assert found("subclasses", direct=True) == ["A"]
    assert found("superclasses") == ["Aged"]
    assert found("instances") == ["a"]
    assert found("equivalent") == []
    assert found("instances", "DataSomeValuesFrom(<http://e/age> xsd:integer)") == ["a", "c"]
    both = f'ObjectIntersectionOf({seven} DataHasValue(<http://e/age> "8"^^xsd:integer))'
    assert found("equivalent", both) == ["http://www.w3.org/2002/07/owl#Nothing"]
    assert found("subclasses", both) == []


def test_under_conditions() -> None:
    told = [
        (Op.SubClassOf, "A", (Op.ObjectSomeValuesFrom, "r", "B")),
        (Op.SubClassOf, "A", (Op.ObjectSomeValuesFrom, "s", "C")),
        (Op.SubClassOf, "B", (Op.ObjectOneOf, "a")),
        (Op.SubClassOf, "C", (Op.ObjectOneOf, "a")),
        (Op.SubClassOf, (Op.ObjectSomeValuesFrom, "t", "D"), "E"),
    ]
    reasoner = Reasoner(written(told))
    name = "http://example.org/"
    assert reasoner.query("r some (B and C)") == [f"{name}A"]
    assert reasoner.query("B and C", "superclasses") == [f"{name}B", f"{name}C"]
    # two elements of one individual are the same
    assert reasoner.query("r some B and s some C and t some D", "superclasses") == [f"{name}E"]
    assert reasoner.query("r some (owl:topObjectProperty some A)") == [f"{name}A"]
    # of an element with no class of its own
    told += [
        (Op.SubClassOf, (Op.ObjectHasSelf, "t"), (Op.ObjectOneOf, "a")),
        (Op.SubClassOf, (Op.ObjectHasSelf, "t"), "F"),
    ]
    assert Reasoner(written(told)).query("t Self", "superclasses") == [f"{name}F"]
