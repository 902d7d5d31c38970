"""What a prompt or a notebook shows of ontologies and normal forms stays short, whatever their size."""

from __future__ import annotations

from xml.etree import ElementTree

from elgeo.ontology import glimpse, normalise
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Builder
from tests.ontology.small import small

TEXT = (
    "SubClassOf(A B) SubClassOf(A ObjectSomeValuesFrom(r ObjectIntersectionOf(B C))) ClassAssertion(A _a) "
    "DisjointClasses(B D)"
)


def test_lines() -> None:
    assert (
        glimpse.line("Thing", {"classes": 1, "roles": 1, "axioms": 0, "entries": 1})
        == "<Thing: 1 class, 1 role, 1 entry>"
    )
    assert glimpse.line("Thing", {"classes": 2000, "roles": 2}, "obo") == "<Thing: 2,000 classes, 2 roles, obo>"
    assert glimpse.line("Thing", {}) == "<Thing: nothing>"


def test_tables() -> None:
    page = ElementTree.fromstring(glimpse.table("a < b", {"rows & more": 12345, "words": "<i>"}))
    assert "".join(page.itertext()) == "a < brows & more12,345words<i>"
    assert len(page.findall("tr")) == 2


def test_what_is_built_in_is_not_counted_as_the_ontologys_own() -> None:
    ontology = small(
        "SubClassOf(A Thing) SubClassOf(B Nothing) SubClassOf(A ObjectSomeValuesFrom(topRole B))"
        " SubClassOf(A ObjectSomeValuesFrom(r B))"
    )
    assert repr(ontology) == "<Ontology: 4 axioms, 2 classes, 1 role>"


def test_an_ontology() -> None:
    ontology = small(TEXT)
    assert repr(ontology) == "<Ontology: 4 axioms, 4 classes, 1 role, 1 individual>"
    page = "".join(ElementTree.fromstring(ontology._repr_html_()).itertext())
    assert "axioms4" in page
    assert "SubClassOf2" in page
    assert "DisjointClasses1" in page
    assert page.index("SubClassOf") < page.index("DisjointClasses")
    assert repr(ontology.axioms) == "<Axioms: 4 axioms>"
    assert repr(ontology.axioms[0]) == "SubClassOf(<http://example.org/A> <http://example.org/B>)"


def test_large_ones_stay_short() -> None:
    builder = Builder()
    classes = [builder.entity(Op.Class, f"http://example.org/class{i}") for i in range(5000)]
    builder.axiom(Op.DisjointClasses, *classes)
    ontology = builder.finish(iri="http://example.org/o", format="obo")
    assert repr(ontology) == "<Ontology http://example.org/o: 1 axiom, 5,000 classes, obo>"
    assert len(repr(ontology.axioms[0])) <= 200
    forms = normalise(ontology)
    for shown in (repr(forms), repr(forms.vocabulary), forms._repr_html_(), ontology._repr_html_()):
        assert len(shown) < 3000


def test_normal_forms() -> None:
    forms = normalise(small(TEXT))
    said = "4 C ⊑ D, 1 C ⊑ ∃R.D, 1 C ⊓ D ⊑ ⊥; 8 classes, 2 roles"
    assert repr(forms) == f"<NormalForms: {said}>"
    assert repr(forms.vocabulary) == "<Vocabulary: 8 classes (2 built-in, 4 named, 1 individuals, 1 fresh), 2 roles>"
    page = "".join(ElementTree.fromstring(forms._repr_html_()).itertext())
    for text in ("C ⊑ D (GCI0)4", "C ⊓ D ⊑ ⊥ (GCI1-BOT)1", "classes8", "roles2", "cannot say in full0"):
        assert text in page
    assert repr(normalise(Builder().finish())) == "<NormalForms: no rows; 2 classes, 1 roles>"
