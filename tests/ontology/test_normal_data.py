"""Data properties, values and keys: worked examples, and values beside a plain reading of their definitions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import elgeo
from elgeo.ontology.normal_forms import FORMS
from elgeo.ontology.normalisation.data_properties import keys
from elgeo.ontology.normalisation.data_properties.values import (
    EMPTY,
    EVERYTHING,
    DataRange,
    datatype,
    is_in,
    one_of,
    value_of,
)
from elgeo.ontology.vocabulary import Kind

XSD = "http://www.w3.org/2001/XMLSchema#"
OWL = "http://www.w3.org/2002/07/owl#"
HEADER = f"Prefix(:=<http://example.org/>)\nPrefix(xsd:=<{XSD}>)\nPrefix(owl:=<{OWL}>)\nOntology(\n"
Ask = Callable[..., elgeo.Reasoner]


@pytest.fixture
def ontology(tmp_path: Path) -> Ask:
    def make(*axioms: str) -> elgeo.Reasoner:
        path = tmp_path / "file.ofn"
        path.write_text(HEADER + "\n".join(axioms) + "\n)\n")
        return elgeo.Reasoner(elgeo.read(path))

    return make


def typed(text: object, kind: str) -> str:
    return f'"{text}"^^<{kind if ":" in kind else XSD + kind}>'


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (typed("1", "integer"), typed("+01", "integer")),
        (typed("1", "integer"), typed("1.0", "decimal")),
        (typed("1", "nonNegativeInteger"), typed(" 2/2 ", OWL + "rational")),
        (typed("0.5", "decimal"), typed("1/2", OWL + "rational")),
        (typed("0a", "hexBinary"), typed("0A", "hexBinary")),
        (typed("YQ==", "base64Binary"), typed(" YQ== ", "base64Binary")),
        (typed("true", "boolean"), typed("1", "boolean")),
        ('"x"', typed("x", "string")),
        (typed("a  b ", "token"), '"a b"'),
        ('"x"@EN', '"x"@en'),
        (typed("2020-01-01T00:00:00.50Z", "dateTime"), typed("2020-01-01T00:00:00.5+00:00", "dateTimeStamp")),
        (typed("1", "float"), typed("1.0", "float")),
    ],
)
def test_equal_values(one: str, other: str) -> None:
    assert value_of(one) is not None
    assert value_of(one) == value_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (typed("1", "integer"), typed("2", "integer")),
        (typed("1", "integer"), '"1"'),
        (typed("1", "float"), typed("1", "double")),
        (typed("1", "integer"), typed("1", "float")),
        (typed("61", "hexBinary"), typed("YQ==", "base64Binary")),
        ('"x"', '"x"@en'),
        (typed("x", "anyURI"), '"x"'),
        (typed("2020-01-01T00:00:00Z", "dateTime"), typed("2020-01-01T01:00:00+01:00", "dateTime")),
        (typed("0", "float"), typed("-0", "float")),
    ],
)
def test_different_values(one: str, other: str) -> None:
    assert None not in (value_of(one), value_of(other))
    assert one_of(one).meet(one_of(other)) is EMPTY


@pytest.mark.parametrize(
    "literal",
    [
        typed("x", "integer"),
        typed("1.5", "integer"),
        typed("-1", "nonNegativeInteger"),
        typed("300", "unsignedByte"),
        typed("-129", "byte"),
        typed("0a0", "hexBinary"),
        typed("?", "base64Binary"),
        typed("yes", "boolean"),
        typed("2020-13-01T00:00:00", "dateTime"),
        typed("2020-01-01T00:00:00", "dateTimeStamp"),
        typed("1 x", "NCName"),
        typed("a:b", "NCName"),
        typed("inf", "double"),
        typed("1/0", OWL + "rational"),
        typed("x", "urn:own"),
    ],
)
def test_no_known_value(literal: str) -> None:
    assert value_of(literal) is None
    # then it is like a datatype of its own: equal to itself, and nothing else is known
    assert one_of(literal).within(one_of(literal))
    assert not one_of(literal).within(datatype(XSD + "integer"))
    assert not one_of(literal).meet(datatype(XSD + "integer")).is_empty


@given(st.fractions(), st.sampled_from(["integer", "decimal", "nonNegativeInteger", "negativeInteger", "byte"]))
def test_numbers_in_types(number: Fraction, kind: str) -> None:
    whole = number.denominator == 1
    expected = {
        "integer": whole,
        "decimal": (10**60 * number).denominator == 1 if number.denominator < 10**18 else None,
        "nonNegativeInteger": whole and number >= 0,
        "negativeInteger": whole and number < 0,
        "byte": whole and -128 <= number <= 127,
    }[kind]
    if expected is not None:
        assert is_in(("number", number), XSD + kind) == expected


KINDS = ["integer", "decimal", "nonNegativeInteger", "string", "token", "NCName", "Name", "dateTime", "urn:own"]
LITERALS = [
    typed("1", "integer"),
    typed("-1.5", "decimal"),
    '"x"',
    '"x y"',
    '" "',
    typed("2020-01-01T00:00:00Z", "dateTime"),
]
ranges = st.one_of(
    st.sampled_from(KINDS).map(lambda kind: datatype(kind if ":" in kind else XSD + kind)),
    st.sampled_from(LITERALS).map(one_of),
    st.just(EVERYTHING),
)


@given(st.lists(ranges, min_size=1, max_size=4), st.sampled_from(LITERALS))
def test_what_ranges_have_in_common(parts: list[DataRange], literal: str) -> None:
    both = EVERYTHING
    for part in parts:
        both = both.meet(part)
    backwards = EVERYTHING
    for part in reversed(parts):
        backwards = backwards.meet(part)
    assert both == backwards
    assert all(both.within(part) for part in parts)
    value = one_of(literal)
    if all(value.within(part) for part in parts):
        assert value.within(both)
    if any(value.meet(part).is_empty for part in parts):
        assert value.meet(both).is_empty


def test_a_koala_does_not_work(ontology: Ask) -> None:
    koala = ontology(
        'SubClassOf(:Koala DataHasValue(:isHardWorking "false"^^xsd:boolean))',
        "SubClassOf(:Koala :Marsupial)",
        "DisjointClasses(:Marsupial :Person)",
        "DataPropertyDomain(:isHardWorking :Person)",
        "SubClassOf(:Student :Person)",
    )
    assert koala.unsatisfiable() == ["http://example.org/Koala"]
    assert [len(each) for each in koala.justifications("Koala SubClassOf owl:Nothing")] == [4]
    assert not koala.forms.unsupported


PERSON = (
    'SubClassOf(:Child DataHasValue(:age "9"^^xsd:integer))',
    'SubClassOf(:Pupil DataHasValue(:years "09.0"^^xsd:decimal))',
    'SubClassOf(:Old DataHasValue(:age "90"^^xsd:integer))',
    "SubClassOf(:Aged DataSomeValuesFrom(:years xsd:integer))",
    "SubClassOf(DataSomeValuesFrom(:age xsd:integer) :HasAge)",
    'EquivalentClasses(:Nine DataHasValue(:age "9"^^xsd:nonNegativeInteger))',
    "SubDataPropertyOf(:years :age)",
    "FunctionalDataProperty(:age)",
    "DataPropertyRange(:age xsd:nonNegativeInteger)",
    'SubClassOf(:Unborn DataHasValue(:age "-1"^^xsd:integer))',
    'SubClassOf(:Text DataHasValue(:years "9"))',
    "Declaration(Class(:HasAge))",
)


@pytest.mark.parametrize(
    ("axiom", "follows"),
    [
        ("Child SubClassOf HasAge", True),
        ("Pupil SubClassOf HasAge", True),
        ("Pupil SubClassOf Nine", True),
        ("Aged SubClassOf HasAge", True),
        ("Aged SubClassOf Nine", False),
        ("Child and Aged SubClassOf owl:Nothing", False),
        ("Child and Old SubClassOf owl:Nothing", True),
        ("Pupil and Old SubClassOf owl:Nothing", True),
        ("Child and Pupil SubClassOf owl:Nothing", False),
        ("Unborn SubClassOf owl:Nothing", True),
        ("Text SubClassOf owl:Nothing", True),
        ("SubClassOf(:Aged DataSomeValuesFrom(:years xsd:nonNegativeInteger))", True),
        ("SubClassOf(:Aged DataSomeValuesFrom(:years xsd:token))", False),
        ('SubClassOf(ObjectIntersectionOf(:Aged :Child) DataHasValue(:years "9"^^xsd:integer))', True),
        ('SubClassOf(:Child DataHasValue(:years "9"^^xsd:integer))', False),
        ("SubDataPropertyOf(:years :age)", True),
        ("SubDataPropertyOf(:age :years)", False),
        ("DataPropertyRange(:years xsd:integer)", True),
        ("DataPropertyRange(:years xsd:byte)", False),
        ("DataPropertyDomain(:years :HasAge)", True),
        ("DataPropertyDomain(:years :Child)", False),
    ],
)
def test_values_by_hand(ontology: Ask, axiom: str, follows: bool) -> None:
    whole = axiom.replace("(:", "(<>:").replace(" :", " <>:")
    for name in ("Aged", "Child", "HasAge", "years", "age"):
        whole = whole.replace(f"<>:{name}", f"<http://example.org/{name}>")
    reasoner = ontology(*PERSON)
    assert reasoner.entails(whole) == follows
    if follows:
        for axioms in reasoner.justifications(whole):
            assert len(axioms) <= 4


def test_many_values_of_a_functional_property_are_kept_apart(ontology: Ask) -> None:
    told = [f'SubClassOf(:C{i} DataHasValue(:id "{i}"^^xsd:integer))' for i in range(70)]
    reasoner = ontology(*told, "FunctionalDataProperty(:id)", 'SubClassOf(:D DataHasValue(:id "69.0"^^xsd:decimal))')
    pairs = [(0, 1), (0, 64), (63, 64), (68, 69)]
    assert all(reasoner.entails(f"C{i} DisjointWith C{j}") for i, j in pairs)
    assert not reasoner.entails("D DisjointWith C69")
    assert reasoner.entails("D DisjointWith C68")
    # far fewer rows than pairs
    assert len(reasoner.forms.disjoint) < 100


def test_assertions_of_values(ontology: Ask) -> None:
    told = (
        'DataPropertyAssertion(:age :a "7"^^xsd:integer)',
        'NegativeDataPropertyAssertion(:age :b "7.0"^^xsd:decimal)',
        'EquivalentClasses(:Seven DataHasValue(:age "7"^^xsd:integer))',
    )
    reasoner = ontology(*told)
    assert reasoner.instances("Seven") == ["http://example.org/a"]
    a, b, age = (f"<http://example.org/{name}>" for name in ("a", "b", "age"))
    assert reasoner.entails(f'DataPropertyAssertion({age} {a} "07"^^xsd:integer)')
    assert not reasoner.entails(f'DataPropertyAssertion({age} {a} "8"^^xsd:integer)')
    assert reasoner.entails(f'NegativeDataPropertyAssertion({age} {b} "7"^^xsd:integer)')
    assert not ontology(*told, 'DataPropertyAssertion(:age :b "7"^^xsd:integer)').consistent
    # nothing speaks of the property but what denies a value
    denied = 'NegativeDataPropertyAssertion(:height :b "7"^^xsd:integer)'
    assert not ontology(denied, 'DataPropertyAssertion(:height :b "7.0"^^xsd:decimal)').consistent
    assert ontology(denied, 'DataPropertyAssertion(:height :a "7"^^xsd:integer)').consistent
    said = 'DataPropertyAssertion(:size :b "7"^^xsd:integer)'
    assert not ontology(denied, said, "SubDataPropertyOf(:size :height)").consistent
    forms = ontology(said, "SubClassOf(:A :B)").forms
    assert not (forms.vocabulary.class_kinds == Kind.FRESH).any(), "of what nobody speaks of nothing is made"


def test_keys(ontology: Ask) -> None:
    told = [
        "HasKey(:Person (:born) (:name))",
        *(f"ClassAssertion(:Person :{a})" for a in "abcd"),
        *(f'DataPropertyAssertion(:name :{a} "Ann")' for a in "abce"),
        'DataPropertyAssertion(:name :d "Dan")',
        *(f"ObjectPropertyAssertion(:born :{a} :rome)" for a in "abde"),
        "ObjectPropertyAssertion(:born :c :oslo)",
    ]
    reasoner = ontology(*told)
    same = {
        pair
        for pair in ("ab", "ac", "ad", "ae", "cd")
        if reasoner.entails("SameIndividual({})".format(" ".join(f"<http://example.org/{a}>" for a in pair)))
    }
    assert same == {"ab"}
    assert not ontology(*told, "DifferentIndividuals(:a :b)").consistent
    assert ontology(*told, "DifferentIndividuals(:a :c)").consistent


def test_datatypes_with_a_definition_and_ranges_without_words(ontology: Ask) -> None:
    reasoner = ontology(
        "DatatypeDefinition(:count DataIntersectionOf(xsd:integer xsd:nonNegativeInteger))",
        "SubClassOf(:A DataSomeValuesFrom(:d :count))",
        "SubClassOf(DataSomeValuesFrom(:d xsd:decimal) :B)",
        "SubClassOf(:C DataSomeValuesFrom(:d DataIntersectionOf(xsd:string xsd:decimal)))",
        'SubClassOf(:E DataSomeValuesFrom(:d DatatypeRestriction(xsd:integer xsd:minInclusive "3"^^xsd:integer)))',
    )
    assert reasoner.entails("A SubClassOf B")
    assert reasoner.unsatisfiable() == ["http://example.org/C"]
    assert [kind for kind, _ in reasoner.forms.unsupported] == ["DataSomeValuesFrom"]


def test_ranges_and_definitions_without_words_are_called_by_what_they_are(ontology: Ask) -> None:
    reasoner = ontology(
        "DataPropertyRange(:d xsd:string)",
        "DatatypeDefinition(:either DataUnionOf(xsd:string xsd:decimal))",
        "DataPropertyRange(:e DataComplementOf(xsd:string))",
        "DatatypeDefinition(:number xsd:decimal)",
    )
    assert sorted(reasoner.forms.unsupported) == [("DataComplementOf", 2), ("DataUnionOf", 1)]


def test_nothing_and_everything_are_told_apart(ontology: Ask) -> None:
    reasoner = ontology(
        "SubClassOf(DataSomeValuesFrom(:d DataIntersectionOf(xsd:string xsd:decimal)) :A)",
        "SubClassOf(DataSomeValuesFrom(:d DataIntersectionOf(rdfs:Literal rdfs:Literal)) :B)",
        "SubClassOf(:C DataSomeValuesFrom(:d xsd:string))",
        "Declaration(Class(:A))",
    )
    assert reasoner.entails("C SubClassOf B")
    assert not reasoner.entails("C SubClassOf A")
    assert reasoner.unsatisfiable() == []


def test_a_range_concerns_its_own_property_and_at_least_one_value_is_some(ontology: Ask) -> None:
    reasoner = ontology(
        "DataPropertyRange(:age xsd:integer)",
        'SubClassOf(:Named DataHasValue(:name "x"))',
        "SubClassOf(:A DataMinCardinality(1 :age))",
        "SubClassOf(:B DataMinCardinality(1 :age xsd:string))",
        "SubClassOf(:C DataMinCardinality(2 :age))",
        "DataPropertyDomain(:age :Aged)",
    )
    assert reasoner.unsatisfiable() == ["http://example.org/B"]
    assert reasoner.subclasses("Aged") == ["http://example.org/A"]
    assert [kind for kind, _ in reasoner.forms.unsupported] == ["DataMinCardinality"]


@pytest.mark.parametrize(("most", "counted"), [(8, False), (7, True)])
def test_a_key_of_too_many_values_is_counted(
    ontology: Ask, monkeypatch: pytest.MonkeyPatch, most: int, counted: bool
) -> None:
    monkeypatch.setattr(keys, "_MOST", most)
    told = ['DataPropertyAssertion(:d :a "1")', 'DataPropertyAssertion(:d :b "2")', "ObjectPropertyAssertion(:r :a :b)"]
    # two values, two individuals to be related to, two that have the key
    reasoner = ontology("HasKey(owl:Thing (:r) (:d))", *told)
    assert bool(reasoner.forms.unsupported) == counted
    assert reasoner.consistent


def test_values_of_a_functional_property_are_in_all_that_is_said_of_them(ontology: Ask) -> None:
    told = (
        "SubClassOf(:A DataSomeValuesFrom(:d xsd:long))",
        "SubClassOf(:B DataSomeValuesFrom(:d xsd:unsignedLong))",
        "SubClassOf(:C DataSomeValuesFrom(:below xsd:nonPositiveInteger))",
        "SubClassOf(:D DataSomeValuesFrom(:beside xsd:long))",
        "SubClassOf(DataSomeValuesFrom(:beside DataIntersectionOf(xsd:unsignedLong xsd:long)) :Beside)",
        "SubClassOf(DataSomeValuesFrom(:d DataIntersectionOf(xsd:unsignedLong xsd:long)) :Both)",
        "SubClassOf(DataSomeValuesFrom(:below DataIntersectionOf(xsd:nonPositiveInteger xsd:long)) :Low)",
        "SubDataPropertyOf(:below :d)",
    )
    free, functional = ontology(*told), ontology(*told, "FunctionalDataProperty(:d)")
    for axiom in ("A and B SubClassOf Both", "A and C SubClassOf Low"):
        assert not free.entails(axiom)
        assert functional.entails(axiom)
    for axiom in ("A SubClassOf Both", "B SubClassOf Both", "C SubClassOf Low", "B and C SubClassOf Low"):
        assert not functional.entails(axiom)
    assert not functional.entails("B and D SubClassOf Beside")


def test_a_key_is_of_single_values_of_its_own_properties(ontology: Ask) -> None:
    told = [
        "HasKey(owl:Thing () (:d))",
        'DataPropertyAssertion(:d :c "2")',
        "SubClassOf(:Counted DataSomeValuesFrom(:d xsd:integer))",
        'SubClassOf(DataHasValue(:e "1") :Other)',
        *(f"ClassAssertion(:Counted :{a})" for a in "ab"),
        *(f'DataPropertyAssertion(:e :{a} "1")' for a in "ab"),
    ]
    same = "SameIndividual(<http://example.org/a> <http://example.org/b>)"
    assert not ontology(*told).entails(same)
    assert ontology(*told, *(f'DataPropertyAssertion(:d :{a} "2")' for a in "ab")).entails(same)


@pytest.mark.parametrize("told", ['DataPropertyAssertion(:d :a "1")', "DifferentIndividuals(:a :b)"])
def test_without_values_or_without_another_a_key_says_nothing(ontology: Ask, told: str) -> None:
    vocabulary = ontology("HasKey(owl:Thing () (:d))", told).forms.vocabulary
    assert not [name for name in vocabulary.classes if "key" in name]


def test_what_has_a_value_at_all_has_one_of_the_kind_that_it_is_known_to_be(ontology: Ask) -> None:
    reasoner = ontology(
        "SubClassOf(DataSomeValuesFrom(owl:topDataProperty :own) :Has)",
        "SubClassOf(:A DataSomeValuesFrom(:d xsd:integer))",
        "SubClassOf(:B DataSomeValuesFrom(:d :own))",
        "SubClassOf(:C DataSomeValuesFrom(:e DataIntersectionOf(:own xsd:integer)))",
    )
    assert reasoner.subclasses("Has") == [f"http://example.org/{c}" for c in "BC"]
    sure = ontology(
        "SubClassOf(DataSomeValuesFrom(owl:topDataProperty xsd:integer) :Number)",
        'SubClassOf(DataHasValue(owl:topDataProperty "x") :Word)',
        "SubClassOf(DataSomeValuesFrom(owl:topDataProperty :own) :Own)",
        "SubClassOf(:A :B)",
    )
    assert [sure.entails(f"A SubClassOf {c}") for c in ("Number", "Word", "Own")] == [True, True, False]


def test_two_individuals_and_one_value_are_enough_for_a_key(ontology: Ask) -> None:
    told = ["HasKey(owl:Thing () (:d))", *(f'DataPropertyAssertion(:d :{a} "1")' for a in "ab")]
    same = "SameIndividual(<http://example.org/a> <http://example.org/b>)"
    assert ontology(*told).entails(same)
    assert not ontology(*told[1:]).entails(same)
    forms = ontology(*told).forms
    used = {int(c) for form, table in forms.tables.items() for c in table[:, list(FORMS[form].class_columns)].ravel()}
    made = np.flatnonzero(forms.vocabulary.class_kinds == Kind.FRESH).tolist()
    assert made
    assert set(made) <= used, "no name is made up that nothing is said of"
    alone = ontology(*told[:2], "ClassAssertion(:A :a)")
    assert alone.consistent
    assert alone.instances("A") == ["http://example.org/a"]


def test_classes_of_values_are_called_after_what_they_say(ontology: Ask) -> None:
    told = (
        'SubClassOf(:A DataHasValue(:d "1"^^xsd:integer))',
        "SubClassOf(:B DataSomeValuesFrom(:d xsd:string))",
        'SubClassOf(:C DataSomeValuesFrom(:d DataIntersectionOf(DataOneOf("x") <urn:own>)))',
    )
    names = set(ontology(*told).forms.vocabulary.classes)
    assert {
        f'DataHasValue(<http://example.org/d> "1"^^<{XSD}integer>)',
        f"DataSomeValuesFrom(<http://example.org/d> <{XSD}string>)",
        'DataSomeValuesFrom(<http://example.org/d> DataIntersectionOf(DataOneOf("x") <urn:own>))',
    } <= names


@pytest.mark.parametrize(("values", "pairs"), [(64, 64 * 63 // 2), (65, 7), (128, 7), (129, 8)])
def test_few_values_are_kept_apart_two_by_two(ontology: Ask, values: int, pairs: int) -> None:
    told = [f'SubClassOf(:C{i} DataHasValue(:id "{i}"^^xsd:integer))' for i in range(values)]
    assert len(ontology(*told, "FunctionalDataProperty(:id)").forms.disjoint) == pairs
