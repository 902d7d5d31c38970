"""OBO line by line: which axioms have a line in a stanza, which are left to the header, and how names are written."""

from __future__ import annotations

import io

import pytest

from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Builder, Ontology
from elgeo.ontology.writing.notes import Note
from elgeo.ontology.writing.obo import write_obo
from tests.ontology.small import EX, small

OBO = "http://purl.obolibrary.org/obo/"


def document(ontology: Ontology) -> list[str]:
    """The header and the stanzas."""
    file = io.BytesIO()
    write_obo(ontology, file)
    return file.getvalue().decode().removesuffix("\n").split("\n\n")


@pytest.mark.parametrize(
    ("axiom", "kind", "of", "line"),
    [
        ("SubClassOf(A B)", "Term", "A", "is_a: B"),
        ("SubClassOf(A ObjectSomeValuesFrom(r B))", "Term", "A", "relationship: r B"),
        (
            "SubClassOf(ObjectIntersectionOf(A ObjectSomeValuesFrom(r B)) C)",
            "Term",
            "A",
            'is_a: C {gci_relation="r", gci_filler="B"}',
        ),
        (
            "SubClassOf(ObjectIntersectionOf(A ObjectSomeValuesFrom(r B)) ObjectSomeValuesFrom(s C))",
            "Term",
            "A",
            'relationship: s C {gci_relation="r", gci_filler="B"}',
        ),
        ("EquivalentClasses(A B)", "Term", "A", "equivalent_to: B"),
        ("EquivalentClasses(A ObjectIntersectionOf(B C))", "Term", "A", "intersection_of: B\nintersection_of: C"),
        (
            "EquivalentClasses(A ObjectIntersectionOf(B ObjectSomeValuesFrom(r C) ObjectSomeValuesFrom(s C)))",
            "Term",
            "A",
            "intersection_of: B\nintersection_of: r C\nintersection_of: s C",
        ),
        ("EquivalentClasses(A ObjectUnionOf(C B))", "Term", "A", "union_of: C\nunion_of: B"),
        ("DisjointClasses(B A)", "Term", "B", "disjoint_from: A"),
        ("SubObjectPropertyOf(r s)", "Typedef", "r", "is_a: s"),
        ("SubObjectPropertyOf(ObjectPropertyChain(r s) t)", "Typedef", "t", "holds_over_chain: r s"),
        ("SubObjectPropertyOf(ObjectPropertyChain(s r) r)", "Typedef", "r", "holds_over_chain: s r"),
        ("SubObjectPropertyOf(ObjectPropertyChain(r s) r)", "Typedef", "r", "transitive_over: s"),
        ("SubObjectPropertyOf(ObjectPropertyChain(r s t) r)", "Typedef", "r", "holds_over_chain: r s t"),
        ("ClassAssertion(A _a)", "Instance", "a", "instance_of: A"),
        ("ObjectPropertyAssertion(r _a _b)", "Instance", "a", "relationship: r b"),
        ("TransitiveObjectProperty(r)", "Typedef", "r", "is_transitive: true"),
        ("InverseFunctionalObjectProperty(r)", "Typedef", "r", "is_inverse_functional: true"),
        ("EquivalentObjectProperties(r s)", "Typedef", "r", "equivalent_to: s"),
        ("DisjointObjectProperties(r s)", "Typedef", "r", "disjoint_from: s"),
        ("InverseObjectProperties(r s)", "Typedef", "r", "inverse_of: s"),
        ("ObjectPropertyDomain(r A)", "Typedef", "r", "domain: A"),
        ("ObjectPropertyRange(r A)", "Typedef", "r", "range: A"),
    ],
)
def test_an_axiom_is_a_line_of_its_stanza(axiom: str, kind: str, of: str, line: str) -> None:
    header, *stanzas = document(small(axiom))
    assert header == "format-version: 1.4"
    assert [stanza.replace(EX, "") for stanza in stanzas] == [f"[{kind}]\nid: {of}\n{line}"]


@pytest.mark.parametrize(
    "axiom",
    [
        "SubClassOf(A ObjectUnionOf(B C))",
        "SubClassOf(A ObjectSomeValuesFrom(r ObjectUnionOf(B C)))",
        "SubClassOf(A ObjectSomeValuesFrom(ObjectInverseOf(r) B))",
        "SubClassOf(ObjectUnionOf(A ObjectSomeValuesFrom(r B)) C)",
        "SubClassOf(ObjectIntersectionOf(A B) C)",
        "SubClassOf(ObjectIntersectionOf(ObjectSomeValuesFrom(r B) A) C)",
        "SubClassOf(ObjectIntersectionOf(ObjectSomeValuesFrom(r B) ObjectSomeValuesFrom(r A)) C)",
        "SubClassOf(ObjectIntersectionOf(A ObjectUnionOf(B C)) C)",
        "SubClassOf(ObjectIntersectionOf(A ObjectSomeValuesFrom(r B) ObjectSomeValuesFrom(s B)) C)",
        "EquivalentClasses(A B C)",
        "EquivalentClasses(ObjectUnionOf(A B) C)",
        "EquivalentClasses(A ObjectSomeValuesFrom(r B))",
        "EquivalentClasses(A ObjectIntersectionOf(B))",
        "EquivalentClasses(A ObjectIntersectionOf(B ObjectUnionOf(A C)))",
        "EquivalentClasses(A ObjectUnionOf(B ObjectSomeValuesFrom(r C)))",
        "DisjointClasses(A B C)",
        "DisjointClasses(A ObjectSomeValuesFrom(r B))",
        "SubObjectPropertyOf(r ObjectInverseOf(s))",
        "SubObjectPropertyOf(ObjectInverseOf(s) r)",
        "SubObjectPropertyOf(ObjectPropertyChain(r) s)",
        "SubObjectPropertyOf(ObjectPropertyChain(r ObjectInverseOf(s)) r)",
        "ClassAssertion(ObjectUnionOf(A B) _a)",
        "ObjectPropertyAssertion(ObjectInverseOf(r) _a _b)",
        "TransitiveObjectProperty(ObjectInverseOf(r))",
        "IrreflexiveObjectProperty(r)",
        "EquivalentObjectProperties(r s t)",
        "InverseObjectProperties(r ObjectInverseOf(s))",
        "InverseObjectProperties(ObjectInverseOf(r) s)",
        "ObjectPropertyDomain(r ObjectUnionOf(A B))",
        "ObjectPropertyRange(ObjectInverseOf(r) A)",
        "NegativeObjectPropertyAssertion(r _a _b)",
    ],
)
def test_an_axiom_obo_has_no_line_for_is_in_the_header(axiom: str) -> None:
    made = small(axiom)
    (header,) = document(made)
    assert header == f"format-version: 1.4\nowl-axioms: Ontology(\\n{made.axioms[0]}\\n)"
    assert write_obo(made, io.BytesIO()) == [made.axioms[0].node]


def test_anonymous_individuals_have_no_stanza() -> None:
    b = Builder()
    a, r = b.entity(Op.Class, f"{OBO}X_1"), b.entity(Op.ObjectProperty, f"{OBO}X_2")
    named, nobody = b.entity(Op.NamedIndividual, f"{OBO}X_3"), b.entity(Op.NamedIndividual, "_:n")
    b.axiom(Op.ClassAssertion, a, nobody)
    b.axiom(Op.ObjectPropertyAssertion, r, named, nobody)
    b.axiom(Op.ObjectPropertyAssertion, r, nobody, named)
    b.labels["_:n"] = "nobody"
    (header,) = document(b.finish())
    assert header.split("\\n")[1:-1] == [
        f"ClassAssertion(<{OBO}X_1> _:n)",
        f"ObjectPropertyAssertion(<{OBO}X_2> <{OBO}X_3> _:n)",
        f"ObjectPropertyAssertion(<{OBO}X_2> _:n <{OBO}X_3>)",
    ]


def test_the_lines_of_two_definitions_are_kept_apart() -> None:
    text = "EquivalentClasses(A ObjectIntersectionOf(B C)) EquivalentClasses(A ObjectIntersectionOf(B D))"
    header, *stanzas = document(
        small(f"{text} EquivalentClasses(A ObjectUnionOf(C D)) SubClassOf(A B) SubClassOf(A B)")
    )
    assert "ObjectIntersectionOf" in header
    assert header.count("Equivalent") == 1
    assert stanzas[0].replace(EX, "").split("\n")[2:] == [
        *("is_a: B", "intersection_of: B", "intersection_of: C", "union_of: C", "union_of: D")
    ]


@pytest.mark.parametrize(
    ("iri", "identifier"),
    [
        (f"{OBO}GO_0000001", "GO:0000001"),
        (f"{OBO}GO_a_b", f"{OBO}GO_a_b"),
        (f"{OBO}GO#_a_b", f"{OBO}GO#_a_b"),
        (f"{OBO}onto#part_of", "part_of"),
        (f"{OBO}onto#", f"{OBO}onto#"),
        (f"{OBO}other#part_of", f"{OBO}other#part_of"),
        (f"{OBO}onto#a:b", f"{OBO}onto#a:b"),
        (f"{OBO}plain", f"{OBO}plain"),
        ("http://ex.org/GO_0000001", "http://ex.org/GO_0000001"),
    ],
)
def test_the_identifier_of_a_name(iri: str, identifier: str) -> None:
    b = Builder()
    b.declare(b.entity(Op.Class, iri))
    header, stanza = document(b.finish(iri=f"{OBO}onto.owl", imports=("http://ex.org/more",)))
    assert header == "format-version: 1.4\nimport: http://ex.org/more\nontology: onto"
    assert stanza == f"[Term]\nid: {identifier}"


@pytest.mark.parametrize("iri", ["http://ex.org/onto.owl", f"{OBO}onto", None])
def test_an_ontology_elsewhere_keeps_its_whole_name(iri: str | None) -> None:
    header, stanza = document(_with(f"{OBO}TEMP#part_of", iri))
    assert header == "format-version: 1.4" + (f"\nontology: {iri}" if iri else "")
    assert stanza == f"[Term]\nid: {f'{OBO}TEMP#part_of' if iri else 'part_of'}"


def _with(name: str, iri: str | None) -> Ontology:
    b = Builder()
    b.declare(b.entity(Op.Class, name))
    return b.finish(iri=iri)


def test_words_are_of_the_stanza_they_belong_to() -> None:
    b = Builder()
    term, role = b.entity(Op.Class, f"{OBO}X_1"), b.entity(Op.ObjectProperty, f"{OBO}X_2")
    b.axiom(Op.ObjectPropertyDomain, role, term)
    for number in (1, 2, 3, 4):
        b.labels[f"{OBO}X_{number}"] = f"label {number}"
        b.definitions[f"{OBO}X_{number}"] = f"text {number}"
        b.synonyms[f"{OBO}X_{number}"] = [f"other {number}", "more"]
    b.deprecated[f"{OBO}X_3"] = None
    b.deprecated[f"{OBO}X_2"] = None
    b.replaced[f"{OBO}X_2"] = f"{OBO}X_1"
    b.alternatives[f"{OBO}X_9"] = f"{OBO}X_2"
    header, *stanzas = document(b.finish())
    assert header == "format-version: 1.4"
    synonyms = 'synonym: "other {0}" EXACT []\nsynonym: "more" EXACT []'
    assert stanzas == [
        f'[Term]\nid: X:1\nname: label 1\ndef: "text 1" []\n{synonyms.format(1)}',
        "[Term]\nid: X:3\nname: label 3\nis_obsolete: true",
        f'[Typedef]\nid: X:2\nname: label 2\nis_obsolete: true\nalt_id: X:9\ndef: "text 2" []\n{synonyms.format(2)}\n'
        "replaced_by: X:1\ndomain: X:1",
    ]


def test_notes_are_qualifiers_or_annotations_in_the_header() -> None:
    made = small("SubClassOf(A B) SubClassOf(A ObjectUnionOf(B C))")
    note = Note("http://ex.org/notes#by", '"some \\"one\\""')
    file = io.BytesIO()
    write_obo(made, file, {axiom.node: [note, Note("http://ex.org/at", '"1"')] for axiom in made.axioms})
    header, stanza = file.getvalue().decode().split("\n\n")
    assert 'SubClassOf(Annotation(<http://ex.org/notes#by> "some \\\\"one\\\\"") Annotation(' in header
    assert stanza.replace(EX, "") == '[Term]\nid: A\nis_a: B {by="some \\"one\\"", at="1"}\n'
