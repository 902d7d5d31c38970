"""Axioms as people write them."""

from __future__ import annotations

import numpy as np
import pytest

from elgeo.errors import ElgeoError
from elgeo.ontology import normalise
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Builder
from elgeo.ontology.vocabulary import Kind, Vocabulary
from elgeo.reasoning import Reasoner
from elgeo.reasoning.questions.axiom_text import parse_axiom
from elgeo.reasoning.questions.row_text import row_text

E = "http://example.org/"
OBO = "http://purl.obolibrary.org/obo/"
OWL = "http://www.w3.org/2002/07/owl#"
WORDS = Vocabulary(
    [OWL + "Thing", OWL + "Nothing", E + "A", E + "B", OBO + "GO_0000001", E + "a", E + "b", f"ObjectHasSelf(<{E}r>)"],
    np.array([0, 0, 1, 1, 1, 2, 2, 3], np.uint8),
    [OWL + "topObjectProperty", E + "r", E + "part_of"],
    np.array([0, 1, 1], np.uint8),
    labels={OBO + "GO_0000001": "mitochondrion inheritance", E + "part_of": "part of"},
    prefixes={"ex": E, "": E},
)
A, B, GO, T, N = f"<{E}A>", f"<{E}B>", f"<{OBO}GO_0000001>", f"<{OWL}Thing>", f"<{OWL}Nothing>"
R, P = f"<{E}r>", f"<{E}part_of>"


def read(text: str) -> str:
    builder = Builder()
    node = parse_axiom(text, WORDS, builder)
    return builder.finish().text(node)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A SubClassOf B", f"SubClassOf({A} {B})"),
        ("ex:A SubClassOf: :B", f"SubClassOf({A} {B})"),
        (
            "'mitochondrion inheritance' subclassof \"part of\" some A",
            f"SubClassOf({GO} ObjectSomeValuesFrom({P} {A}))",
        ),
        ("GO:0000001 ⊑ A ⊓ B", f"SubClassOf({GO} ObjectIntersectionOf({A} {B}))"),
        (
            "A and (r some (B and r Self)) SubClassOf owl:Nothing",
            f"SubClassOf(ObjectIntersectionOf({A} ObjectSomeValuesFrom({R} "
            f"ObjectIntersectionOf({B} ObjectHasSelf({R})))) {N})",
        ),
        (
            "A or B and not GO:0000001 EquivalentTo Thing",
            f"EquivalentClasses(ObjectUnionOf({A} ObjectIntersectionOf({B} ObjectComplementOf({GO}))) {T})",
        ),
        ("A DisjointWith r only B", f"DisjointClasses({A} ObjectAllValuesFrom({R} {B}))"),
        ("a Type r value b", f"ClassAssertion(ObjectHasValue({R} <{E}b>) <{E}a>)"),
        ("a Type {a, b}", f"ClassAssertion(ObjectOneOf(<{E}a> <{E}b>) <{E}a>)"),
        ("a SubClassOf r some b", f"SubClassOf(ObjectOneOf(<{E}a>) ObjectSomeValuesFrom({R} ObjectOneOf(<{E}b>)))"),
        ("a r b", f"ObjectPropertyAssertion({R} <{E}a> <{E}b>)"),
        ("a SameAs b", f"SameIndividual(<{E}a> <{E}b>)"),
        ("r o 'part of' SubPropertyOf r", f"SubObjectPropertyOf(ObjectPropertyChain({R} {P}) {R})"),
        ("r Domain A", f"ObjectPropertyDomain({R} {A})"),
        ("A SubClassOf r min 2 B", f"SubClassOf({A} ObjectMinCardinality(2 {R} {B}))"),
        (
            f"SubClassOf({A} ObjectSomeValuesFrom(part_of ObjectIntersectionOf(A B owl:Thing)))",
            f"SubClassOf({A} ObjectSomeValuesFrom({P} ObjectIntersectionOf({A} {B} {T})))",
        ),
        (
            f"SubObjectPropertyOf(ObjectPropertyChain(r {P} r) r)",
            f"SubObjectPropertyOf(ObjectPropertyChain({R} {P} {R}) {R})",
        ),
        ("DataPropertyDomain(ex:age A)", f"DataPropertyDomain(<{E}age> {A})"),
        (
            "SubClassOf(A DataSomeValuesFrom(ex:age ex:size xsd:int))",
            f"SubClassOf({A} DataSomeValuesFrom(<{E}age> <{E}size> <http://www.w3.org/2001/XMLSchema#int>))",
        ),
        ("TransitiveObjectProperty(:r)", f"TransitiveObjectProperty({R})"),
        ("SubClassOf(A ObjectMinCardinality(1 r))", f"SubClassOf({A} ObjectMinCardinality(1 {R}))"),
        ('SubClassOf(A DataHasValue(ex:age "3"^^<t>))', f'SubClassOf({A} DataHasValue(<{E}age> "3"^^<t>))'),
        ("<http://new.org/X> SubClassOf A", f"SubClassOf(<http://new.org/X> {A})"),
    ],
)
def test_reading(text: str, expected: str) -> None:
    assert read(text) == expected
    assert read(expected) == expected


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "nothing in it"),
        ("A SubClassOf", "ends too early"),
        ("A SubClassOf nobody", "no class is called 'nobody'"),
        ("mitochondrion inheritance SubClassOf A", "names with spaces need quotes: 'mitochondrion inheritance'"),
        ("A SubClassOf r some mitochondrion inheritance", "names with spaces need quotes: 'mitochondrion inheritance'"),
        ("thigh bone 3 SubClassOf A", "no class is called 'thigh': .*; names with spaces need quotes"),
        ("q" * 60_000 + " SubClassOf A", "no class is called 'q+…"),
        ("A B SubClassOf A", "names with spaces need quotes"),
        ("A SubClassOf (B", "expected '\\)'"),
        ("A SubClassOf B extra", "did not expect 'extra'"),
        ("A SubClassOf and B", "expected a name, not 'and'"),
        ("SubClassOf(A)", "too few arguments"),
        ("SubClassOf(A B A)", "too many arguments"),
        ("SubClassOf(A B", "a bracket is open"),
        ("SubClassOf(A SubClassOf(A B))", "not an expression"),
        ("HasKey(A r)", "expected '\\('"),
        ("HasKey(A (r) (d)", "expected '\\)'"),
        ("HasKey(A (r))", "expected '\\('"),
        ("HasKey(A (r) (d", "ends too early"),
        ("SubClassOf(A ObjectInverseOf(r))", "ObjectInverseOf is not an expression that can be asked for here"),
        ("SubClassOf(ObjectSomeValuesFrom(ObjectPropertyChain(r r) A) B)", "ObjectPropertyChain is not an expression"),
        ("SubClassOf(A DataOneOf(1))", "DataOneOf is not an expression"),
        ("ObjectPropertyChain(r r)", "not an axiom"),
        ("TransitiveObjectProperty()", "too few arguments"),
        ("A likes very much B", "no SubClassOf"),
        ("SubClassOf A", "expected a name, not 'SubClassOf'"),
        ("Type a b", "expected a name, not 'Type'"),
        ("A SubClassOf <broken", "cannot read"),
        (f"A SubClassOf {'r some (' * 900}B{')' * 900}", "nested too deeply"),
        (f"SubClassOf(A {'ObjectSomeValuesFrom(r ' * 900}B{')' * 901}", "nested too deeply"),
    ],
)
def test_bad_text_is_refused_with_a_reason(text: str, problem: str) -> None:
    with pytest.raises(ElgeoError, match=problem) as caught:
        read(text)
    assert len(str(caught.value)) < 350


def test_rows_as_text() -> None:
    assert row_text("existential", [2, 1, 5], WORDS) == f"SubClassOf({A} ObjectSomeValuesFrom({R} ObjectOneOf(<{E}a>)))"
    assert row_text("GCI1", [2, 7, 3], WORDS) == f"SubClassOf(ObjectIntersectionOf({A} ObjectHasSelf({R})) {B})"
    assert read(row_text("GCI1", [2, 7, 3], WORDS)) == row_text("conjunction", [2, 7, 3], WORDS)
    assert WORDS.class_kinds[7] == Kind.FRESH
    with pytest.raises(ElgeoError, match="no role with the id 9"):
        row_text("existential", [2, 9, 5], WORDS)
    with pytest.raises(ElgeoError, match="has 3 ids"):
        row_text("existential", [2, 1], WORDS)


@pytest.mark.parametrize("name", ["O", "Or", "Value", "Some"])
def test_a_name_like_a_keyword_in_other_case_is_a_name(name: str) -> None:
    b = Builder()
    c, d = b.entity(Op.Class, "http://e#N"), b.entity(Op.Class, f"http://e#{name}")
    b.axiom(Op.SubClassOf, c, d)
    assert Reasoner(normalise(b.finish())).entails(f"N SubClassOf {name}")
