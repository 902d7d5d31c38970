"""Normalisation is a conservative extension: between original names, nothing is gained and nothing is lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from elgeo.ontology import normalise, read
from elgeo.ontology.generation.generate import generate
from elgeo.ontology.generation.irregular import Mix
from elgeo.ontology.short_names import fragment
from tests.ontology.reference import normal_subsumptions, subsumptions
from tests.ontology.small import small

SEEDS = st.integers(0, 2**32 - 1)
SIZES = st.integers(2, 8)
# few axioms leave an ontology consistent, many make its parts meet
AXIOMS = st.sampled_from([1.0, 1.5, 2.0, 3.0])
# inverses meet EL++ only in part: see the test of soundness
NO_INVERSES = {"InverseObjectProperties": 0, "SymmetricObjectProperty": 0}


@pytest.mark.slow
@given(SEEDS, SIZES, AXIOMS)
@settings(max_examples=150)
def test_el_ontologies(seed: int, classes: int, axioms: float) -> None:
    ontology = generate(Mix(beyond=0, axioms=axioms), classes, seed)
    forms = normalise(ontology)
    assert forms.unsupported == ()
    assert normal_subsumptions(forms) == subsumptions(ontology)


@pytest.mark.slow
@given(SEEDS, SIZES, AXIOMS)
@example(1800, 2, 3.0)  # an individual with a value, and nothing with any
@settings(max_examples=200)
def test_ontologies_beyond_el(seed: int, classes: int, axioms: float) -> None:
    """What EL++ cannot say is known by its structure: equal expressions stay equal."""
    ontology = generate(Mix(beyond=1, inverses=0, axioms=axioms, axiom_weights=NO_INVERSES), classes, seed)
    assert normal_subsumptions(normalise(ontology)) == subsumptions(ontology)


@pytest.mark.slow
@given(SEEDS, SIZES, AXIOMS)
@settings(max_examples=100)
def test_ontologies_with_inverses_are_sound(seed: int, classes: int, axioms: float) -> None:
    weights = {"InverseObjectProperties": 2, "SymmetricObjectProperty": 2}
    ontology = generate(Mix(beyond=1, inverses=0.3, axioms=axioms, axiom_weights=weights), classes, seed)
    assert normal_subsumptions(normalise(ontology)) <= subsumptions(ontology)


def test_random_ontologies_are_worth_testing() -> None:
    """Most of them are consistent and entail something that no axiom says."""
    interesting = 0
    for seed in range(40):
        ontology = generate(Mix(beyond=0, axioms=1.5), 6, seed)
        found = subsumptions(ontology)
        names = {c for c, _ in found}
        interesting += len(names) * 2 < len(found) < len(names) ** 2
    assert interesting >= 20


@pytest.mark.parametrize(
    ("axioms", "sub", "super_"),
    [
        # chains of any length, with a reflexive role in them
        ("SubObjectPropertyOf(ObjectPropertyChain(r s t u) v) SubClassOf(A ObjectSomeValuesFrom(r "
         "ObjectSomeValuesFrom(s ObjectSomeValuesFrom(t ObjectSomeValuesFrom(u B))))) "
         "SubClassOf(ObjectSomeValuesFrom(v B) C)", "A", "C"),
        ("SubObjectPropertyOf(ObjectPropertyChain(r s t) v) ReflexiveObjectProperty(s) "
         "SubClassOf(A ObjectSomeValuesFrom(r ObjectSomeValuesFrom(t B))) "
         "SubClassOf(ObjectSomeValuesFrom(v B) C)", "A", "C"),
        # ranges come down from more general roles
        ("ObjectPropertyRange(s B) SubObjectPropertyOf(r s) SubClassOf(A ObjectSomeValuesFrom(r D)) "
         "SubClassOf(ObjectSomeValuesFrom(r ObjectIntersectionOf(B D)) C)", "A", "C"),
        ("ObjectPropertyRange(r B) SubClassOf(A ObjectHasSelf(r))", "A", "B"),
        ("ObjectPropertyRange(topRole B)", "A", "B"),
        ("ObjectPropertyDomain(topRole B)", "A", "B"),
        ("SubObjectPropertyOf(topRole r) ObjectPropertyRange(r B)", "A", "B"),
        ("ObjectPropertyDomain(ObjectInverseOf(r) B) SubClassOf(ObjectSomeValuesFrom(r B) C) "
         "SubClassOf(A ObjectSomeValuesFrom(r D))", "A", "C"),
        # the empty role has no edges
        ("SubClassOf(A ObjectSomeValuesFrom(r D)) SubObjectPropertyOf(r bottomRole)", "A", "Nothing"),
        # cardinalities as far as they are existentials or their negation
        ("SubClassOf(A ObjectMinCardinality(1 r D)) SubClassOf(ObjectSomeValuesFrom(r D) C)", "A", "C"),
        ("SubClassOf(A ObjectMinCardinality(3 r D)) SubClassOf(ObjectSomeValuesFrom(r D) C)", "A", "C"),
        ("SubClassOf(ObjectMinCardinality(0 r) C)", "A", "C"),
        ("SubClassOf(A ObjectMaxCardinality(0 r D)) SubClassOf(A ObjectSomeValuesFrom(r D))", "A", "Nothing"),
        ("SubClassOf(A ObjectAllValuesFrom(r Nothing)) SubClassOf(A ObjectSomeValuesFrom(r D))", "A", "Nothing"),
        # structure of what EL++ cannot say
        ("EquivalentClasses(A ObjectUnionOf(B C)) EquivalentClasses(D ObjectUnionOf(C B))", "A", "D"),
        ("EquivalentClasses(A ObjectSomeValuesFrom(r ObjectUnionOf(B C))) EquivalentClasses(D "
         "ObjectSomeValuesFrom(r ObjectUnionOf(C B)))", "A", "D"),
        ("EquivalentClasses(A ObjectAllValuesFrom(r B)) EquivalentClasses(D ObjectAllValuesFrom(r B))", "A", "D"),
        ("EquivalentClasses(A ObjectComplementOf(ObjectComplementOf(B)))", "A", "B"),
        ("DisjointUnion(A B C) EquivalentClasses(D ObjectUnionOf(B C))", "D", "A"),
        ("SubClassOf(A ObjectComplementOf(ObjectIntersectionOf(B C))) SubClassOf(A B) SubClassOf(A C)", "A", "Nothing"),
        ("IrreflexiveObjectProperty(r) SubClassOf(A ObjectHasSelf(r))", "A", "Nothing"),
        # an inverse role is a role of its own, tied to what is said of it
        ("SubClassOf(A ObjectSomeValuesFrom(ObjectInverseOf(r) B)) InverseObjectProperties(r s) "
         "SubClassOf(ObjectSomeValuesFrom(s B) C)", "A", "C"),
        ("SubObjectPropertyOf(ObjectInverseOf(r) ObjectInverseOf(s)) SubClassOf(A ObjectSomeValuesFrom(r B)) "
         "SubClassOf(ObjectSomeValuesFrom(s B) C)", "A", "C"),
    ],
)  # fmt: skip
def test_consequences(axioms: str, sub: str, super_: str) -> None:
    ontology = small(axioms + " SubClassOf(A Thing)")
    found, true = normal_subsumptions(normalise(ontology)), subsumptions(ontology)
    names = {(fragment(c[1]), fragment(d[1])) for c, d in found}
    assert (sub, super_) in names
    # and nothing that does not follow: the converse holds where the two are equivalent, and nowhere else
    assert found <= true
    equivalent = {("A", "D"), ("D", "A"), ("A", "B")} if "EquivalentClasses" in axioms else {("A", "Nothing")}
    assert ((super_, sub) in names) == ((sub, super_) in equivalent)


@pytest.mark.parametrize(
    ("axioms", "individual", "super_"),
    [
        ("ObjectPropertyAssertion(r _a _b) ObjectPropertyRange(r B)", "b", "B"),
        ("ObjectPropertyAssertion(r _a _b) SymmetricObjectProperty(r) ObjectPropertyDomain(r B)", "b", "B"),
        ("ObjectPropertyAssertion(r _a _b) InverseObjectProperties(r s) SubClassOf(ObjectHasValue(s _a) B)", "b", "B"),
        ("ObjectPropertyAssertion(q _a _b) SubObjectPropertyOf(q r) InverseObjectProperties(r s) "
         "SubClassOf(ObjectHasValue(s _a) B)", "b", "B"),
        ("ObjectPropertyAssertion(ObjectInverseOf(r) _a _b) SubClassOf(ObjectHasValue(r _a) B)", "b", "B"),
        ("SameIndividual(_a _b _c) ClassAssertion(B _a)", "c", "B"),
        ("ObjectPropertyAssertion(r _a _b) NegativeObjectPropertyAssertion(ObjectInverseOf(r) _b _a)", "a", "Nothing"),
    ],
)  # fmt: skip
def test_consequences_for_individuals(axioms: str, individual: str, super_: str) -> None:
    found = {(c[0], c[1].split("/")[-1], d[1].split("/")[-1].split("#")[-1])
             for c, d in normal_subsumptions(normalise(small(axioms)))}  # fmt: skip
    assert ("one", individual, super_) in found


def elk_cases(data: Path) -> list[Path]:
    return sorted((data / "elk-suite" / "classification").glob("*.owl"))


def test_small_ontologies_of_another_reasoner(data: Path) -> None:
    """Every subsumption that ELK expects, and no other."""
    cases = elk_cases(data)
    assert len(cases) == 33
    for case in cases:
        expected = {p for p in subsumptions(read(case.with_suffix(".taxonomy"))) if p[0][0] == p[1][0] == "class"}
        names = {c for c, _ in expected}
        found = normal_subsumptions(normalise(read(case)))
        assert {(c, d) for c, d in found if c in names and d in names} == expected, case.name
