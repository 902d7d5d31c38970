"""Axioms about properties as questions: all are decided, and explained from axioms that are all needed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from elgeo.errors import ElgeoError
from elgeo.ontology import read
from elgeo.reasoning.questions.answers import CONTRADICTS, ENTAILED, NOT_ENTAILED, UNDECIDED
from elgeo.reasoning.reasoner import Reasoner

TOLD = """
SubClassOf(:A :B) DisjointClasses(:A :C) ObjectPropertyDomain(:r :A) ObjectPropertyDomain(:s :C)
SubObjectPropertyOf(:v :r) DisjointObjectProperties(:x :y) SubObjectPropertyOf(:x2 :x)
ObjectPropertyRange(:t ObjectOneOf(:a)) ObjectPropertyDomain(:u ObjectOneOf(:a)) ObjectPropertyRange(:u ObjectOneOf(:b))
ObjectPropertyAssertion(:k :b :a) FunctionalObjectProperty(:f) SubObjectPropertyOf(:f2 :f)
InverseFunctionalObjectProperty(:g) SubObjectPropertyOf(:g2 :g) InverseObjectProperties(:h :i)
AsymmetricObjectProperty(:m) SubObjectPropertyOf(:m2 :m) SymmetricObjectProperty(:n)
HasKey(:B (:r) (:p)) SubDataPropertyOf(:q :p) FunctionalDataProperty(:p) DataPropertyRange(:p xsd:integer)
DataPropertyRange(:w xsd:string) DataPropertyRange(:one DataOneOf("3"^^xsd:integer))
DatatypeDefinition(:number xsd:integer) DataPropertyDomain(:none owl:Nothing) DisjointDataProperties(:d1 :d2)
SubDataPropertyOf(:d3 :d1) TransitiveObjectProperty(:o) SubClassOf(ObjectHasSelf(:o) owl:Nothing)
ClassAssertion(:A :someone) SubClassOf(:E :D) EquivalentDataProperties(:e1 :e2) SubDataPropertyOf(:e3 :e2)
"""
VERDICTS = {
    ENTAILED: """
HasKey(:A (:r) (:p)) HasKey(:A (:v) (:q)) HasKey(:C (:r) ()) HasKey(:B (:r) (:p)) HasKey(owl:Nothing () (:p))
HasKey(ObjectOneOf(:a) () (:w)) HasKey(:B (:r) (:w :q)) HasKey(:C () (:none))
SubDataPropertyOf(:p owl:topDataProperty) SubDataPropertyOf(owl:bottomDataProperty :p)
SubDataPropertyOf(:none owl:bottomDataProperty) SubDataPropertyOf(:none :new)
SubObjectPropertyOf(owl:bottomObjectProperty :r) SubObjectPropertyOf(:r owl:topObjectProperty)
SubObjectPropertyOf(owl:bottomObjectProperty :new) SubObjectPropertyOf(:new owl:topObjectProperty)
SubClassOf(ObjectSomeValuesFrom(:new owl:Nothing) :B) SubClassOf(ObjectSomeValuesFrom(owl:bottomObjectProperty :A) :B)
DisjointObjectProperties(:r :s) DisjointObjectProperties(:s :v) DisjointObjectProperties(:y :x)
DisjointObjectProperties(:y :x2) DisjointObjectProperties(:new owl:bottomObjectProperty)
DisjointObjectProperties(:r :s owl:bottomObjectProperty)
FunctionalObjectProperty(:t) FunctionalObjectProperty(:u) FunctionalObjectProperty(:f2)
FunctionalObjectProperty(ObjectInverseOf(:u)) FunctionalObjectProperty(owl:bottomObjectProperty)
InverseFunctionalObjectProperty(:u) InverseFunctionalObjectProperty(:g2)
InverseFunctionalObjectProperty(ObjectInverseOf(:t))
SymmetricObjectProperty(owl:topObjectProperty) SymmetricObjectProperty(:n) SymmetricObjectProperty(ObjectInverseOf(:n))
AsymmetricObjectProperty(:m2) AsymmetricObjectProperty(owl:bottomObjectProperty) AsymmetricObjectProperty(:o)
SubObjectPropertyOf(:u ObjectInverseOf(:k)) SubObjectPropertyOf(ObjectInverseOf(:u) :k)
SubObjectPropertyOf(ObjectPropertyChain(:u ObjectInverseOf(:u) :u) :u) InverseObjectProperties(:i :h)
InverseObjectProperties(owl:topObjectProperty owl:topObjectProperty) EquivalentObjectProperties(:h ObjectInverseOf(:i))
TransitiveObjectProperty(:t) ReflexiveObjectProperty(ObjectInverseOf(owl:topObjectProperty))
ObjectPropertyDomain(ObjectInverseOf(:t) ObjectOneOf(:a)) ObjectPropertyRange(ObjectInverseOf(:r) :B)
FunctionalDataProperty(:q) FunctionalDataProperty(:one) FunctionalDataProperty(:none)
FunctionalDataProperty(owl:bottomDataProperty) DisjointDataProperties(:p :w) DisjointDataProperties(:w :q)
DisjointDataProperties(:d2 :d3) DisjointDataProperties(:none :new) DisjointDataProperties(:q :w :none)
EquivalentDataProperties(:e1 :e2) EquivalentDataProperties(:e2 :e1 :e2) SubDataPropertyOf(:e3 :e1)
DatatypeDefinition(:number xsd:integer) DataPropertyRange(:q xsd:decimal) DataPropertyDomain(:p owl:Thing)
SubClassOf(owl:Thing DataHasValue(owl:topDataProperty "1"^^xsd:integer))
SubClassOf(DataSomeValuesFrom(:q xsd:integer) DataSomeValuesFrom(:p xsd:decimal))
SubClassOf(DataSomeValuesFrom(:one xsd:integer) DataSomeValuesFrom(:one DataOneOf("3"^^xsd:integer)))
SubClassOf(DataHasValue(:one "3"^^xsd:integer) DataSomeValuesFrom(:one DataOneOf("3"^^xsd:integer)))
""",
    NOT_ENTAILED: """
HasKey(:B (:r) ()) HasKey(:B (:k) (:p)) HasKey(owl:Thing (:v) (:w)) HasKey(:B () (:p))
SubDataPropertyOf(owl:topDataProperty :p) SubDataPropertyOf(:p :new)
SubObjectPropertyOf(:r owl:bottomObjectProperty) SubObjectPropertyOf(:r :new) SubObjectPropertyOf(:new :r)
SubClassOf(:A ObjectSomeValuesFrom(:new :B)) DisjointObjectProperties(:r :v) DisjointObjectProperties(:r :s :t)
DisjointObjectProperties(:x :x2) DisjointObjectProperties(:o :t)
SubClassOf(DataSomeValuesFrom(:p xsd:integer) DataSomeValuesFrom(:q xsd:integer))
DisjointObjectProperties(:x ObjectInverseOf(:y)) FunctionalObjectProperty(:r)
FunctionalObjectProperty(:g2) InverseFunctionalObjectProperty(:t) InverseFunctionalObjectProperty(:f)
SymmetricObjectProperty(:u) SymmetricObjectProperty(:new) AsymmetricObjectProperty(:r) InverseObjectProperties(:u :k)
InverseObjectProperties(:h :h) SubObjectPropertyOf(:k ObjectInverseOf(:u)) EquivalentObjectProperties(:h :i)
ObjectPropertyDomain(ObjectInverseOf(:r) :B) TransitiveObjectProperty(ObjectInverseOf(:r))
FunctionalDataProperty(:w) FunctionalDataProperty(:new) DisjointDataProperties(:q :p) DisjointDataProperties(:q :w :new)
DatatypeDefinition(:number xsd:decimal) DatatypeDefinition(:other xsd:integer)
DataPropertyRange(owl:topDataProperty xsd:decimal) EquivalentDataProperties(:p :q) EquivalentDataProperties(:q :p)
EquivalentDataProperties(:e1 :e2 :e3) EquivalentDataProperties(:e1 :e3 :e2) EquivalentDataProperties(:e3 :e1 :e2)
""",
    CONTRADICTS: "SubDataPropertyOf(:p owl:bottomDataProperty) ClassAssertion(:C :someone)",
    UNDECIDED: "HasKey(ObjectUnionOf(:A :C) (:r) ()) DisjointUnion(:F :E :D)",
}


HEADER = """Prefix(:=<http://e/>) Prefix(owl:=<http://www.w3.org/2002/07/owl#>)
Prefix(xsd:=<http://www.w3.org/2001/XMLSchema#>) Ontology("""


def whole(text: str) -> str:
    """With whole IRIs."""
    return re.sub(r"([ (]):(\w+)", r"\1<http://e/\2>", text)


@pytest.fixture(scope="module")
def reasoner(tmp_path_factory: pytest.TempPathFactory) -> Reasoner:
    path = tmp_path_factory.mktemp("properties") / "o.ofn"
    path.write_text(f"{HEADER}{TOLD})")
    return Reasoner(read(path))


def split(text: str) -> Iterator[str]:
    """The axioms of a text, by their brackets."""
    depth = start = 0
    for place, mark in enumerate(text):
        depth += (mark == "(") - (mark == ")")
        if mark == ")" and depth == 0:
            yield text[start : place + 1].strip()
            start = place + 1


CASES = [(verdict, asked) for verdict, text in VERDICTS.items() for asked in split(text)]


@pytest.mark.parametrize(("verdict", "asked"), CASES)
def test_verdict(reasoner: Reasoner, verdict: str, asked: str) -> None:
    assert reasoner.verdict(whole(asked)) == verdict


EXPLAINED = {
    "FunctionalDataProperty(:q)": [{"SubDataPropertyOf(:q :p)", "FunctionalDataProperty(:p)"}],
    "DisjointObjectProperties(:y :x2)": [{"SubObjectPropertyOf(:x2 :x)", "DisjointObjectProperties(:x :y)"}],
    "DisjointObjectProperties(:s :v)": [
        {
            *("DisjointClasses(:A :C)", "ObjectPropertyDomain(:r :A)", "ObjectPropertyDomain(:s :C)"),
            "SubObjectPropertyOf(:v :r)",
        }
    ],
    "FunctionalObjectProperty(:t)": [{"ObjectPropertyRange(:t ObjectOneOf(:a))"}],
    # that both are in A is asked, and need not follow from the domain of r
    "HasKey(:A (:v) (:q))": [
        {
            *("SubClassOf(:A :B)", "SubObjectPropertyOf(:v :r)", "HasKey(:B (:r) (:p))"),
            "SubDataPropertyOf(:q :p)",
        }
    ],
    "InverseObjectProperties(:h :i)": [{"InverseObjectProperties(:h :i)"}],
    "InverseObjectProperties(:i :h)": [{"InverseObjectProperties(:h :i)"}],
    "DisjointDataProperties(:w :q :none)": [
        {
            *("DataPropertyRange(:p xsd:integer)", "DataPropertyRange(:w xsd:string)", "SubDataPropertyOf(:q :p)"),
            "DataPropertyDomain(:none owl:Nothing)",
        }
    ],
}


@pytest.mark.parametrize(
    "asked", [pytest.param(asked, marks=pytest.mark.slow if ":none" in asked else ()) for asked in EXPLAINED]
)
def test_justifications(reasoner: Reasoner, asked: str) -> None:
    wanted = [{_expanded(axiom) for axiom in axioms} for axioms in EXPLAINED[asked]]
    assert [set(axioms) for axioms in reasoner.justifications(whole(asked))] == wanted
    proof = reasoner.explain(whole(asked))
    own = len(reasoner.forms.source.axiom_nodes) if reasoner.forms.source else 0
    said = {proof.source.text(int(proof.source.axiom_nodes[i])) for i in proof.justification if i < own}
    assert said in wanted
    used = {step.axiom for step in proof.root.walk() if step.axiom is not None and step.axiom < own}
    # which properties are below which is no step of its own for values
    assert used
    assert used <= proof.justification


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        (
            "ClassAssertion(:C :someone)",
            {"ClassAssertion(:A :someone)", "DisjointClasses(:A :C)"},
        ),
        (
            "ObjectPropertyAssertion(:s :someone :other)",
            {"ClassAssertion(:A :someone)", "DisjointClasses(:A :C)", "ObjectPropertyDomain(:s :C)"},
        ),
        ("SubClassOf(:A :C)", {"DisjointClasses(:A :C)"}),
        (
            "ObjectPropertyDomain(:v :C)",
            {"DisjointClasses(:A :C)", "ObjectPropertyDomain(:r :A)", "SubObjectPropertyOf(:v :r)"},
        ),
    ],
)
def test_what_contradicts_is_explained(reasoner: Reasoner, asked: str, wanted: set[str]) -> None:
    """By what makes the left side empty then."""
    assert reasoner.verdict(whole(asked)) == CONTRADICTS
    proof = reasoner.explain(whole(asked))
    own = len(reasoner.forms.source.axiom_nodes) if reasoner.forms.source else 0
    assert {proof.source.text(int(proof.source.axiom_nodes[i])) for i in proof.justification if i < own} == set(
        map(_expanded, wanted)
    )
    assert [{*axioms} for axioms in reasoner.justifications(whole(asked))] == [set(map(_expanded, wanted))]


@pytest.mark.parametrize(
    "asked",
    [
        pytest.param(asked, marks=pytest.mark.slow if "Data" in asked else ())
        for asked in split(VERDICTS[NOT_ENTAILED])
        if asked.startswith(("Disjoint", "Asymmetric", "Functional", "HasKey(:B () (:p))"))
    ],
)
def test_what_does_not_follow_is_not_explained(reasoner: Reasoner, asked: str) -> None:
    assert reasoner.justifications(whole(asked)) == []
    with pytest.raises(ElgeoError, match="neither follows nor contradicts"):
        reasoner.explain(whole(asked))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("told", "asked", "wanted"),
    [
        # of each list of axioms the numbers of those that are enough
        (
            "SubObjectPropertyOf(:f2 :f) FunctionalObjectProperty(:f) ObjectPropertyDomain(:f2 owl:Nothing)",
            "FunctionalObjectProperty(:f2)",
            [[2], [0, 1]],
        ),
        (
            "SubObjectPropertyOf(:f2 :f) FunctionalObjectProperty(:f) FunctionalObjectProperty(:g) "
            "SubObjectPropertyOf(:f2 :g) ObjectPropertyRange(:f2 ObjectOneOf(:a))",
            "FunctionalObjectProperty(:f2)",
            [[4], [0, 1], [2, 3]],
        ),
        ("AsymmetricObjectProperty(:m)", "AsymmetricObjectProperty(owl:bottomObjectProperty)", [[]]),
        (
            "DisjointObjectProperties(:x :y) ObjectPropertyRange(:y :A) SubObjectPropertyOf(:x2 :x) "
            "ObjectPropertyRange(:x2 :B) DisjointClasses(:A :B)",
            "DisjointObjectProperties(:x2 :y)",
            [[0, 2], [1, 3, 4]],
        ),
        (
            "FunctionalDataProperty(:p) DataPropertyDomain(:q owl:Nothing) SubDataPropertyOf(:q :p)",
            "FunctionalDataProperty(:q)",
            [[1], [0, 2]],
        ),
        ('DataPropertyRange(:p DataOneOf("3"^^xsd:integer))', "FunctionalDataProperty(:p)", [[0]]),
    ],
)
def test_all_reasons_and_none_that_is_more_than_enough(
    tmp_path: Path, told: str, asked: str, wanted: list[list[int]]
) -> None:
    path = tmp_path / "o.ofn"
    path.write_text(f"{HEADER}{told})")
    reasoner, axioms = Reasoner(read(path)), [_expanded(axiom) for axiom in split(told)]
    found = reasoner.justifications(_expanded(asked))
    assert [sorted(map(axioms.index, each)) for each in found] == wanted
    assert reasoner.justifications(_expanded(asked), 1) == found[:1]
    proof = reasoner.explain(_expanded(asked))
    assert sorted(proof.justification) in wanted
    for kept in wanted:
        path.write_text(f"{HEADER}{' '.join(axioms[i] for i in kept)})")
        assert Reasoner(read(path)).verdict(_expanded(asked)) == ENTAILED
        for missing in kept:
            path.write_text(f"{HEADER}{' '.join(axioms[i] for i in kept if i != missing)})")
            assert Reasoner(read(path)).verdict(_expanded(asked)) == NOT_ENTAILED


def _expanded(text: str) -> str:
    known = {"owl:": "http://www.w3.org/2002/07/owl#", "xsd:": "http://www.w3.org/2001/XMLSchema#"}
    for prefix, iri in known.items():
        text = re.sub(rf"{prefix}(\w+)", rf"<{iri}\1>", text)
    return whole(text)


@pytest.mark.slow
def test_a_long_list_of_disjoint_roles(tmp_path: Path) -> None:
    roles = [f":r{i}" for i in range(40)]
    path = tmp_path / "o.ofn"
    path.write_text(f"{HEADER}DisjointObjectProperties({' '.join(roles)}) SubObjectPropertyOf(:s :r7))")
    reasoner = Reasoner(read(path))
    assert reasoner.verdict("DisjointObjectProperties(<http://e/r33> <http://e/s>)") == ENTAILED
    assert reasoner.verdict("DisjointObjectProperties(<http://e/r7> <http://e/s>)") == NOT_ENTAILED
    assert reasoner.verdict("DisjointObjectProperties(<http://e/s> <http://e/r3> <http://e/r2>)") == ENTAILED


def test_keys_do_not_speak_of_anonymous_individuals(tmp_path: Path) -> None:
    told = """HasKey(owl:Thing (:k) ()) HasKey(:C () (:d)) ObjectPropertyAssertion(:k :a :b)
    ObjectPropertyAssertion(:k _:x :b)
    ObjectPropertyAssertion(:k _:y :b) ObjectPropertyAssertion(:k :c :b) ClassAssertion(:A _:x) ClassAssertion(:B _:y)
    ObjectPropertyAssertion(:k :e _:y) ObjectPropertyAssertion(:k :f _:y) ClassAssertion(:D :c)"""
    path = tmp_path / "o.ofn"
    path.write_text(f"{HEADER}{told})")
    reasoner = Reasoner(read(path))
    assert reasoner.verdict("SameIndividual(a c)") == ENTAILED
    assert reasoner.verdict("a Type D") == ENTAILED
    assert reasoner.verdict("a Type A") == NOT_ENTAILED
    # what they share has no name either
    assert reasoner.verdict("SameIndividual(e f)") == NOT_ENTAILED
    assert reasoner.verdict("InverseFunctionalObjectProperty(k)") == NOT_ENTAILED


def test_unions_and_negations_in_assertions_domains_and_ranges(tmp_path: Path) -> None:
    told = """ClassAssertion(:B :b) DisjointClasses(:B :D) ObjectPropertyDomain(:r :D) ObjectPropertyRange(:r :B)
    SubClassOf(:F :E) ClassAssertion(ObjectUnionOf(:E :F :G) :c) ObjectPropertyRange(:s ObjectUnionOf(:E :G))"""
    path = tmp_path / "o.ofn"
    path.write_text(f"{HEADER}{told})")
    reasoner = Reasoner(read(path))
    for asked, verdict in {
        "b Type (D or B)": ENTAILED,
        "b Type (E or F)": NOT_ENTAILED,
        "b Type not D": ENTAILED,
        "b Type not E": NOT_ENTAILED,
        "c Type (E or F or G)": ENTAILED,
        "c Type (E or F)": NOT_ENTAILED,
        "r Domain (D or E)": ENTAILED,
        "r Domain (F or E)": NOT_ENTAILED,
        "r Range (E or B)": ENTAILED,
        "r Range not D": ENTAILED,
        "r Range not E": NOT_ENTAILED,
        "r Range (E or D)": NOT_ENTAILED,
        "s Range (E or G)": ENTAILED,
        "s Range (E or F)": NOT_ENTAILED,
    }.items():
        assert reasoner.verdict(asked) == verdict, asked
    assert [len(each) for each in reasoner.justifications("r Range not D")] == [2]


def test_what_a_role_leads_to_only_is_what_its_ranges_say(tmp_path: Path) -> None:
    told = """ObjectPropertyRange(:r :B) SubObjectPropertyOf(:s :r) ObjectPropertyRange(:s :C) SubClassOf(:B :D)
    SubClassOf(ObjectSomeValuesFrom(:t :A) owl:Nothing) SubClassOf(:C :A) SubClassOf(:E ObjectSomeValuesFrom(:t :A))"""
    path = tmp_path / "o.ofn"
    path.write_text(f"{HEADER}{told})")
    reasoner = Reasoner(read(path))
    for asked, verdict in {
        "A SubClassOf r only B": ENTAILED,
        "A SubClassOf r only D": ENTAILED,
        "A SubClassOf r only C": NOT_ENTAILED,
        "A SubClassOf s only (B and C)": ENTAILED,
        "A SubClassOf s only E": NOT_ENTAILED,
        "A SubClassOf t only D": NOT_ENTAILED,
        "E SubClassOf r only C": ENTAILED,
        "(not A) SubClassOf B": UNDECIDED,
        "r only B SubClassOf A": UNDECIDED,
    }.items():
        assert reasoner.verdict(asked) == verdict, asked
        why = reasoner.answers.why_undecided(reasoner.answers.question(asked))
        assert ("on the right of an axiom only" in why) == (verdict == UNDECIDED)


def test_what_has_a_key_and_what_it_is_related_to_are_not_confused(tmp_path: Path) -> None:
    """That two of A would be one is asked of two of A and a value of r, which is no A."""
    path = tmp_path / "o.ofn"
    path.write_text(f"{HEADER}ObjectPropertyRange(:r :B) DisjointClasses(:A :B) FunctionalObjectProperty(:s))")
    reasoner = Reasoner(read(path))
    assert reasoner.verdict(whole("HasKey( :A ( :r) ())")) == NOT_ENTAILED
    assert reasoner.verdict(whole("HasKey( :B ( :r) ())")) == NOT_ENTAILED


def test_things_that_a_question_relates_are_different_things(tmp_path: Path) -> None:
    """Nothing is related to itself: what is asked of two or three is not answered by one that cannot be."""
    path = tmp_path / "o.ofn"
    told = "IrreflexiveObjectProperty(:r) IrreflexiveObjectProperty(:t) TransitiveObjectProperty(:t)"
    path.write_text(f"{HEADER}{told})")
    reasoner = Reasoner(read(path))
    open_ = """FunctionalObjectProperty(:r) FunctionalObjectProperty(:t) InverseFunctionalObjectProperty(:r)
    AsymmetricObjectProperty(:r) SymmetricObjectProperty(:r) TransitiveObjectProperty(:r) SubObjectPropertyOf(:r :t)
    DisjointObjectProperties(:r :t) SubObjectPropertyOf(ObjectPropertyChain(:r :t) :t) InverseObjectProperties(:r :t)
    SubObjectPropertyOf(ObjectPropertyChain(:t :r :t) :r) SubObjectPropertyOf(:t ObjectInverseOf(:t))
    DisjointObjectProperties(:t ObjectInverseOf(:r)) FunctionalObjectProperty(ObjectInverseOf(:t))
    HasKey(owl:Thing (:r) ()) HasKey(owl:Thing (:r :t) ()) ObjectPropertyDomain(:r :A) ObjectPropertyRange(:t :A)"""
    for axiom in split(open_):
        assert reasoner.verdict(_expanded(axiom)) in (NOT_ENTAILED, CONTRADICTS), axiom
    for axiom in split("AsymmetricObjectProperty(:t) DisjointObjectProperties(:t ObjectInverseOf(:t))"):
        assert reasoner.verdict(_expanded(axiom)) == ENTAILED, axiom


@pytest.mark.parametrize("said", ["DataSomeValuesFrom(:p xsd:integer)", "ObjectMinCardinality(1 :r :C)"])
@pytest.mark.parametrize("directions", ["→", "←", "→←"])
def test_an_equivalence_is_all_its_inclusions(tmp_path: Path, said: str, directions: str) -> None:
    told = {"→": f"SubClassOf(:A {said})", "←": f"SubClassOf({said} :A)"}
    path = tmp_path / "o.ofn"
    path.write_text(f"{HEADER}{' '.join(told[way] for way in directions)} EquivalentClasses(:A :A2))")
    reasoner = Reasoner(read(path))
    for asked in (f"(:A {said})", f"({said} :A)", f"(:A :A2 {said})", f"({said} :A2 :A)", f"(:A2 {said} :A)"):
        verdict = ENTAILED if directions == "→←" else NOT_ENTAILED
        assert reasoner.verdict(_expanded(f"EquivalentClasses{asked}")) == verdict, asked


@pytest.mark.parametrize(
    ("told", "asked", "verdict"),
    [
        ("SubClassOf(owl:Thing ObjectOneOf(:a))", "SameIndividual(:a :new)", ENTAILED),
        ("SubClassOf(owl:Thing ObjectOneOf(:a))", "SameIndividual(:new :newer)", ENTAILED),
        ("SubClassOf(owl:Thing ObjectOneOf(:a))", "ClassAssertion(ObjectOneOf(:new) :a)", ENTAILED),
        ("SubClassOf(owl:Thing ObjectOneOf(:a))", "DifferentIndividuals(:a :new)", CONTRADICTS),
        ("SubClassOf(:A ObjectOneOf(:a))", "SubClassOf(:A ObjectOneOf(:new))", NOT_ENTAILED),
        (
            "SubClassOf(ObjectSomeValuesFrom(owl:topObjectProperty :A) ObjectOneOf(:a))",
            "SubClassOf(:A ObjectOneOf(:new))",
            ENTAILED,
        ),
        ("SubClassOf(:A :B)", "ObjectPropertyAssertion(owl:topObjectProperty :new :newer)", ENTAILED),
        ("SubObjectPropertyOf(owl:topObjectProperty :r)", "ObjectPropertyAssertion(:r :new :newer)", ENTAILED),
        ("ReflexiveObjectProperty(:r)", "ObjectPropertyAssertion(:r :new :newer)", NOT_ENTAILED),
        (
            'HasKey(owl:Thing () (:p)) DataPropertyAssertion(:p :a "1") SubClassOf(owl:Thing DataHasValue(:p "1"))',
            "SameIndividual(:a :new)",
            ENTAILED,
        ),
        ('HasKey(owl:Thing () (:p)) DataPropertyAssertion(:p :a "1")', "SameIndividual(:a :new)", NOT_ENTAILED),
    ],
)
def test_individuals_that_the_ontology_does_not_know(tmp_path: Path, told: str, asked: str, verdict: str) -> None:
    path = tmp_path / "o.ofn"
    path.write_text(f"{HEADER}{told})")
    reasoner = Reasoner(read(path))
    axiom = _expanded(asked)
    assert reasoner.verdict(axiom) == verdict
    if verdict == ENTAILED:
        assert reasoner.explain(axiom).root is not None


@pytest.mark.slow
def test_role_axioms_that_hold_because_what_is_between_cannot_exist(tmp_path: Path) -> None:
    told = [
        "ObjectPropertyDomain(:r ObjectOneOf(:a))",
        "ObjectPropertyRange(:r ObjectOneOf(:b))",
        "DifferentIndividuals(:a :b)",
    ]
    path = tmp_path / "o.ofn"
    path.write_text(f"{HEADER}{' '.join(told)})")
    reasoner = Reasoner(read(path))
    domain, range_, apart = map(whole, told)
    impossible = _expanded("SubObjectPropertyOf(ObjectPropertyChain(:r :r) owl:bottomObjectProperty)")
    assert reasoner.justifications(impossible) == [[domain, range_, apart]]
    # x and y are a where x r y r z, or y and z are b: no more is needed
    assert sorted(reasoner.justifications(whole("TransitiveObjectProperty(:r)"))) == [[domain], [range_]]
    assert reasoner.explain(impossible).justification == {0, 1, 2}
    assert len(reasoner.explain(whole("TransitiveObjectProperty(:r)")).justification) == 1
