"""Small ontologies with every construct, ⊤ and ⊥ in all places: normal forms entail what the axioms do."""

from __future__ import annotations

import pytest

from elgeo.ontology.expressions import NOTHING
from elgeo.ontology.normalisation.normalise import normalise
from elgeo.ontology.vocabulary import Kind
from tests.ontology.reference import normal_subsumptions, subsumptions
from tests.ontology.small import EX, small

EVERYTHING = {
    "top and bottom": """
        SubClassOf(Thing A) SubClassOf(B Thing) SubClassOf(ObjectIntersectionOf(Thing C) D)
        SubClassOf(ObjectSomeValuesFrom(r Thing) E) SubClassOf(F ObjectSomeValuesFrom(r Thing))
        SubClassOf(G Nothing) SubClassOf(ObjectIntersectionOf(H Nothing) I)
        EquivalentClasses(J ObjectIntersectionOf(Thing Thing)) SubClassOf(ObjectSomeValuesFrom(r Nothing) K)
        DisjointClasses(L Nothing) SubClassOf(M ObjectComplementOf(Thing)) SubClassOf(N ObjectComplementOf(Nothing))
        SubClassOf(ObjectComplementOf(ObjectComplementOf(B)) Q)
    """,
    "roles": """
        TransitiveObjectProperty(r) SubObjectPropertyOf(ObjectPropertyChain(r s t u) v)
        EquivalentObjectProperties(s s2 s3) ReflexiveObjectProperty(t) ObjectPropertyDomain(v D)
        ObjectPropertyRange(s R) SubClassOf(A ObjectSomeValuesFrom(r B)) SubClassOf(B ObjectSomeValuesFrom(r C))
        SubClassOf(C ObjectSomeValuesFrom(s2 E)) SubClassOf(E ObjectSomeValuesFrom(u F))
        SubClassOf(ObjectSomeValuesFrom(v F) G) SubClassOf(ObjectSomeValuesFrom(s3 R) H)
        SubClassOf(ObjectSomeValuesFrom(r C) I) SubClassOf(A ObjectHasSelf(w)) SubClassOf(ObjectHasSelf(w) J)
    """,
    "unions and disjointness": """
        DisjointUnion(A B C D) DisjointClasses(E F G H I) SubClassOf(X ObjectIntersectionOf(E I))
        SubClassOf(Y ObjectIntersectionOf(B D)) SubClassOf(ObjectUnionOf(E J) K) SubClassOf(L ObjectUnionOf(M M))
        SubClassOf(N ObjectComplementOf(E)) SubClassOf(O ObjectIntersectionOf(N X2)) SubClassOf(X2 E)
        SubClassOf(P ObjectAllValuesFrom(r Q)) EquivalentClasses(R ObjectAllValuesFrom(r Q))
    """,
    "individuals": """
        ClassAssertion(A _a) ObjectPropertyAssertion(r _a _b) SubClassOf(ObjectSomeValuesFrom(r ObjectOneOf(_b)) C)
        SubClassOf(D ObjectHasValue(r _b)) SameIndividual(_b _c) DifferentIndividuals(_a _d _e)
        ObjectPropertyRange(r R) SubClassOf(ObjectHasValue(r _c) E) ClassAssertion(F _b)
    """,
    "numbers": """
        SubClassOf(A ObjectMinCardinality(1 r B)) SubClassOf(C ObjectMinCardinality(0 r B))
        SubClassOf(D ObjectMaxCardinality(0 r B)) SubClassOf(E ObjectMinCardinality(3 r B))
        SubClassOf(ObjectSomeValuesFrom(r B) F) SubClassOf(G ObjectMinCardinality(12 r H))
        SubClassOf(ObjectSomeValuesFrom(r H) I) SubClassOf(J ObjectIntersectionOf(D E))
        SubClassOf(K ObjectExactCardinality(2 r B)) SubClassOf(ObjectMinCardinality(2 r B) L)
        SubClassOf(M ObjectMinCardinality(2 r B))
    """,
}  # fmt: skip


@pytest.mark.parametrize("name", EVERYTHING)
def test_normal_forms_entail_between_names_what_the_axioms_do(name: str) -> None:
    ontology = small(EVERYTHING[name])
    forms = normalise(ontology)
    found = normal_subsumptions(forms)
    assert found == subsumptions(ontology)
    assert len(found) > 20
    assert forms.vocabulary.class_kinds[:2].tolist() == [Kind.BUILT_IN] * 2
    assert (forms.vocabulary.class_kinds[2:] != Kind.BUILT_IN).all()
    classes = {n for n in forms.vocabulary.classes if n.startswith("http")}
    named = sum(k in (Kind.NAMED, Kind.INDIVIDUAL) for k in forms.vocabulary.class_kinds)
    assert len(classes) == named + 2


def test_fresh_names_say_what_they_stand_for() -> None:
    """Of a nominal, of what an axiom implies, of a chain of four roles."""
    forms = normalise(
        small("""
        SubClassOf(ObjectIntersectionOf(A ObjectSomeValuesFrom(r ObjectOneOf(_a))) B)
        SubClassOf(C ObjectSomeValuesFrom(r ObjectIntersectionOf(A ObjectOneOf(_a))))
        SubObjectPropertyOf(ObjectPropertyChain(r s t u) v)
        ObjectPropertyDomain(s D) DisjointClasses(ObjectSomeValuesFrom(s A) E)
        """)
    )
    words = forms.vocabulary
    fresh = {words.classes[i].replace(EX, "") for i in range(words.n_classes) if words.class_kinds[i] == Kind.FRESH}
    assert fresh == {
        "ObjectSomeValuesFrom(<r> ObjectOneOf(<a>))",
        "ObjectIntersectionOf(<A> ObjectOneOf(<a>))",
        "ObjectSomeValuesFrom(<s> <A>)",
    }
    roles = {words.roles[i].replace(EX, "") for i in range(words.n_roles) if words.role_kinds[i] == Kind.FRESH}
    assert roles == {"ObjectPropertyChain(<r> <s>)", "ObjectPropertyChain(<r> <s> <t>)"}


@pytest.mark.parametrize("count", [2, 3, 5, 8, 13, 40])
def test_of_many_disjoint_classes_every_two_are(count: int) -> None:
    names = [f"C{i}" for i in range(count)]
    both = [
        f"SubClassOf(X{i} ObjectIntersectionOf(C{i} C{j}))"
        for i in range(count)
        for j in (i + 1, count - 1)
        if i < j < count
    ]
    apart = [f"SubClassOf(Y{i} C{i})" for i in range(count)]
    forms = normalise(small(f"DisjointClasses({' '.join(names)}) {' '.join(both + apart)}"))
    nothing = ("class", NOTHING)
    empty = {name for name, above in normal_subsumptions(forms) if above == nothing}
    assert empty == {nothing, *(("class", f"{EX}X{i}") for i in range(count - 1))}
