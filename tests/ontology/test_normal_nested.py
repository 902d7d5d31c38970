"""Expressions inside expressions, on either side: the rows that they become, worked out by hand."""

from __future__ import annotations

import random

import pytest

from elgeo.ontology import normalise
from elgeo.ontology.normal_forms import FORMS, NormalForms
from elgeo.ontology.normalisation.disjointness import PAIRWISE_UP_TO
from tests.ontology.small import EX, small

SHORT = {
    EX: "",
    "http://www.w3.org/2002/07/owl#": "",
    "<": "",
    ">": "",
    "ObjectIntersectionOf": "and",
    "ObjectUnionOf": "or",
    "ObjectSomeValuesFrom": "some",
    "ObjectComplementOf": "not",
    "ObjectMinCardinality": "min",
    "ObjectAllValuesFrom": "only",
    "ObjectHasSelf": "self",
}


def said(forms: NormalForms) -> list[str]:
    """All rows in description logic, with short names; what a fresh name stands for is its name."""
    found = []
    for name, form in FORMS.items():
        for row in forms.tables[name].tolist():
            names = [
                (forms.vocabulary.roles if j in form.role_columns else forms.vocabulary.classes)[i]
                for j, i in enumerate(row)
            ]
            text = form.logic.format(**dict(zip(form.columns, names, strict=True)))
            for long, short in SHORT.items():
                text = text.replace(long, short)
            found.append(text)
    return sorted(found)


CASES: dict[str, list[str]] = {
    "SubClassOf(ObjectMinCardinality(1 r B) A) SubClassOf(ObjectMinCardinality(0 r B) C)": [
        "Thing ⊑ C",
        "∃r.B ⊑ A",
    ],
    "SubClassOf(A ObjectMinCardinality(0 r B)) "
    "SubClassOf(A ObjectMinCardinality(1 r)) "
    "SubClassOf(A ObjectExactCardinality(1 s C))": [
        "A ⊑ ∃r.Thing",
        "A ⊑ ∃s.C",
    ],
    "SubClassOf(A ObjectMaxCardinality(0 r B)) SubClassOf(C ObjectExactCardinality(0 s))": [
        "A ⊓ some(r B) ⊑ ⊥",
        "C ⊓ some(s Thing) ⊑ ⊥",
        "∃r.B ⊑ some(r B)",
        "∃s.Thing ⊑ some(s Thing)",
    ],
    "SubClassOf(A ObjectAllValuesFrom(r Nothing)) SubClassOf(ObjectAllValuesFrom(s Thing) B)": [
        "A ⊓ some(r Thing) ⊑ ⊥",
        "Thing ⊑ B",
        "∃r.Thing ⊑ some(r Thing)",
    ],
    "EquivalentClasses(A ObjectComplementOf(B)) "
    "EquivalentClasses(C ObjectComplementOf(D)) "
    "SubClassOf(E ObjectComplementOf(B)) "
    "SubClassOf(F ObjectComplementOf(D))": [
        "A ⊑ not(B)",
        "B ⊓ not(B) ⊑ ⊥",
        "C ⊑ not(D)",
        "D ⊓ not(D) ⊑ ⊥",
        "E ⊑ not(B)",
        "F ⊑ not(D)",
        "not(B) ⊑ A",
        "not(D) ⊑ C",
    ],
    "EquivalentClasses(A ObjectMinCardinality(2 r B) C) EquivalentClasses(D ObjectExactCardinality(2 r B) E)": [
        "A ⊑ C",
        "A ⊑ min(2 r B)",
        "C ⊑ A",
        "D ⊑ E",
        "D ⊑ ObjectExactCardinality(2 r B)",
        "E ⊑ D",
        "ObjectExactCardinality(2 r B) ⊑ D",
        "ObjectExactCardinality(2 r B) ⊑ ∃r.B",
        "min(2 r B) ⊑ A",
        "min(2 r B) ⊑ ∃r.B",
    ],
    "SubClassOf(A ObjectUnionOf()) "
    "SubClassOf(ObjectIntersectionOf() B) "
    "SubClassOf(ObjectUnionOf() C) "
    "SubClassOf(D ObjectIntersectionOf())": [
        "A ⊑ ⊥",
        "Thing ⊑ B",
    ],
    "SubClassOf(ObjectIntersectionOf(A ObjectHasValue(r _a)) B) "
    "SubClassOf(ObjectIntersectionOf(C ObjectSomeValuesFrom(r ObjectOneOf(_a))) D)": [
        "A ⊓ ObjectHasValue(r a) ⊑ B",
        "C ⊓ ObjectHasValue(r a) ⊑ D",
        "∃r.a ⊑ ObjectHasValue(r a)",
    ],
    "SubClassOf(A ObjectComplementOf(ObjectComplementOf(B))) "
    "SubClassOf(C ObjectComplementOf(Nothing)) "
    "SubClassOf(D ObjectComplementOf(Thing))": [
        "A ⊑ B",
        "D ⊑ ⊥",
    ],
    "EquivalentClasses(A ObjectAllValuesFrom(r ObjectUnionOf(B C))) "
    "EquivalentClasses(D ObjectAllValuesFrom(r ObjectUnionOf(C B)))": [
        "A ⊑ only(r or(B C))",
        "D ⊑ only(r or(B C))",
        "only(r or(B C)) ⊑ A",
        "only(r or(B C)) ⊑ D",
    ],
    "EquivalentClasses(A ObjectAllValuesFrom(r B)) "
    "EquivalentClasses(D ObjectAllValuesFrom(s B)) "
    "EquivalentClasses(E ObjectAllValuesFrom(r C)) "
    "SubClassOf(F ObjectAllValuesFrom(r B)) "
    "SubClassOf(F ObjectAllValuesFrom(s B)) "
    "SubClassOf(F ObjectAllValuesFrom(r C))": [
        "A ⊑ only(r B)",
        "D ⊑ only(s B)",
        "E ⊑ only(r C)",
        "F ⊑ only(r B)",
        "F ⊑ only(r C)",
        "F ⊑ only(s B)",
        "only(r B) ⊑ A",
        "only(r C) ⊑ E",
        "only(s B) ⊑ D",
    ],
    "SubClassOf(A ObjectSomeValuesFrom(r ObjectIntersectionOf(B B))) "
    "SubClassOf(ObjectIntersectionOf(C ObjectIntersectionOf(C C)) D)": [
        "A ⊑ ∃r.B",
        "C ⊑ D",
    ],
    "SubClassOf(ObjectIntersectionOf(A ObjectSomeValuesFrom(r ObjectIntersectionOf(B C))) D)": [
        "A ⊓ some(r and(B C)) ⊑ D",
        "B ⊓ C ⊑ and(B C)",
        "∃r.and(B C) ⊑ some(r and(B C))",
    ],
    "SubClassOf(A ObjectSomeValuesFrom(r ObjectSomeValuesFrom(s ObjectIntersectionOf(B C))))": [
        "A ⊑ ∃r.some(s and(B C))",
        "and(B C) ⊑ B",
        "and(B C) ⊑ C",
        "some(s and(B C)) ⊑ ∃s.and(B C)",
    ],
    "SubClassOf(A ObjectMinCardinality(2 r ObjectSomeValuesFrom(s ObjectIntersectionOf(B C))))": [
        "A ⊑ ∃r.some(s and(B C))",
        "and(B C) ⊑ B",
        "and(B C) ⊑ C",
        "some(s and(B C)) ⊑ ∃s.and(B C)",
    ],
    "SubClassOf(A ObjectSomeValuesFrom(r ObjectMinCardinality(3 s ObjectIntersectionOf(B C))))": [
        "A ⊑ ∃r.min(3 s and(B C))",
        "and(B C) ⊑ B",
        "and(B C) ⊑ C",
        "min(3 s and(B C)) ⊑ ∃s.and(B C)",
    ],
    "SubClassOf(ObjectUnionOf(B ObjectSomeValuesFrom(r ObjectIntersectionOf(C D))) A)": [
        "B ⊑ A",
        "C ⊓ D ⊑ and(C D)",
        "∃r.and(C D) ⊑ A",
    ],
    "SubClassOf(ObjectSomeValuesFrom(s ObjectUnionOf(B ObjectSomeValuesFrom(r ObjectIntersectionOf(C D)))) A)": [
        "B ⊑ or(B some(r and(C D)))",
        "C ⊓ D ⊑ and(C D)",
        "∃r.and(C D) ⊑ or(B some(r and(C D)))",
        "∃s.or(B some(r and(C D))) ⊑ A",
    ],
    "SubClassOf(ObjectSomeValuesFrom(r ObjectSomeValuesFrom(s ObjectUnionOf(B C))) A)": [
        "B ⊑ or(B C)",
        "C ⊑ or(B C)",
        "∃r.some(s or(B C)) ⊑ A",
        "∃s.or(B C) ⊑ some(s or(B C))",
    ],
    "SubClassOf(A ObjectIntersectionOf(B ObjectSomeValuesFrom(r ObjectIntersectionOf(C ObjectSomeValuesFrom(s D)))))": [
        "A ⊑ B",
        "A ⊑ ∃r.and(C some(s D))",
        "and(C some(s D)) ⊑ C",
        "and(C some(s D)) ⊑ ∃s.D",
    ],
    "SubClassOf(A ObjectComplementOf(ObjectSomeValuesFrom(r ObjectIntersectionOf(B C))))": [
        "A ⊓ some(r and(B C)) ⊑ ⊥",
        "B ⊓ C ⊑ and(B C)",
        "∃r.and(B C) ⊑ some(r and(B C))",
    ],
    "SubClassOf(A ObjectComplementOf(ObjectIntersectionOf(B ObjectSomeValuesFrom(r C))))": [
        "A ⊓ and(B some(r C)) ⊑ ⊥",
        "B ⊓ some(r C) ⊑ and(B some(r C))",
        "∃r.C ⊑ some(r C)",
    ],
    "SubClassOf(A ObjectSomeValuesFrom(r ObjectComplementOf(ObjectIntersectionOf(B C))))": [
        "A ⊑ ∃r.not(and(B C))",
        "B ⊓ and(C not(and(B C))) ⊑ ⊥",
        "C ⊓ not(and(B C)) ⊑ and(C not(and(B C)))",
    ],
    "SubClassOf(ObjectIntersectionOf(A B) ObjectComplementOf(ObjectUnionOf(C D)))": [
        "A ⊓ and(B or(C D)) ⊑ ⊥",
        "B ⊓ or(C D) ⊑ and(B or(C D))",
        "C ⊑ or(C D)",
        "D ⊑ or(C D)",
    ],
    "DisjointClasses(ObjectIntersectionOf(A B) ObjectSomeValuesFrom(r C))": [
        "A ⊓ and(B some(r C)) ⊑ ⊥",
        "B ⊓ some(r C) ⊑ and(B some(r C))",
        "∃r.C ⊑ some(r C)",
    ],
    "SubClassOf(ObjectIntersectionOf(A B) ObjectSomeValuesFrom(r C)) "
    "SubClassOf(ObjectIntersectionOf(ObjectIntersectionOf(A B) D) E)": [
        "A ⊓ B ⊑ and(A B)",
        "D ⊓ and(A B) ⊑ E",
        "and(A B) ⊑ ∃r.C",
    ],
    "SubClassOf(ObjectSomeValuesFrom(r ObjectIntersectionOf(A B)) C) "
    "SubClassOf(ObjectIntersectionOf(ObjectIntersectionOf(A B) D) E)": [
        "A ⊓ B ⊑ and(A B)",
        "D ⊓ and(A B) ⊑ E",
        "∃r.and(A B) ⊑ C",
    ],
    "SubClassOf(ObjectHasSelf(r) ObjectHasSelf(s)) "
    "SubClassOf(A ObjectSomeValuesFrom(r ObjectHasSelf(s))) "
    "SubClassOf(ObjectIntersectionOf(B ObjectHasSelf(r)) C)": [
        "A ⊑ ∃r.self(s)",
        "B ⊓ self(r) ⊑ C",
        "self(r) ⊑ ∃s.Self",
        "self(s) ⊑ ∃s.Self",
        "∃r.Self ⊑ self(r)",
    ],
    "EquivalentClasses(A ObjectUnionOf(B C)) SubClassOf(ObjectUnionOf(C B) D)": [
        "A ⊑ or(B C)",
        "B ⊑ or(B C)",
        "C ⊑ or(B C)",
        "or(B C) ⊑ A",
        "or(B C) ⊑ D",
    ],
    "EquivalentClasses(A ObjectUnionOf(B C)) SubClassOf(D ObjectUnionOf(C B))": [
        "A ⊑ or(B C)",
        "B ⊑ or(B C)",
        "C ⊑ or(B C)",
        "D ⊑ or(B C)",
        "or(B C) ⊑ A",
    ],
    "EquivalentClasses(A ObjectAllValuesFrom(r B)) EquivalentClasses(C ObjectAllValuesFrom(r B))": [
        "A ⊑ only(r B)",
        "C ⊑ only(r B)",
        "only(r B) ⊑ A",
        "only(r B) ⊑ C",
    ],
    "EquivalentClasses(A ObjectAllValuesFrom(r B))": [],
    "EquivalentClasses(A ObjectComplementOf(B)) EquivalentClasses(C ObjectComplementOf(B))": [
        "A ⊑ not(B)",
        "B ⊓ not(B) ⊑ ⊥",
        "C ⊑ not(B)",
        "not(B) ⊑ A",
        "not(B) ⊑ C",
    ],
    "EquivalentClasses(A ObjectMinCardinality(2 r B)) EquivalentClasses(C ObjectMinCardinality(2 r B))": [
        "A ⊑ min(2 r B)",
        "C ⊑ min(2 r B)",
        "min(2 r B) ⊑ A",
        "min(2 r B) ⊑ C",
        "min(2 r B) ⊑ ∃r.B",
    ],
    "EquivalentClasses(A ObjectUnionOf(B C) D)": [
        "A ⊑ D",
        "A ⊑ or(B C)",
        "B ⊑ or(B C)",
        "C ⊑ or(B C)",
        "D ⊑ A",
        "or(B C) ⊑ A",
    ],
    "SubClassOf(Thing ObjectSomeValuesFrom(r A)) SubClassOf(B Thing) SubClassOf(ObjectSomeValuesFrom(r Thing) C)": [
        "Thing ⊑ ∃r.A",
        "∃r.Thing ⊑ C",
    ],
    "SubClassOf(ObjectIntersectionOf(Thing A) ObjectIntersectionOf(Thing ObjectSomeValuesFrom(r Thing)))": [
        "A ⊑ and(Thing A)",
        "and(Thing A) ⊑ ∃r.Thing",
    ],
    "SubClassOf(ObjectSomeValuesFrom(r A) ObjectSomeValuesFrom(s B))": [
        "some(r A) ⊑ ∃s.B",
        "∃r.A ⊑ some(r A)",
    ],
    "SubClassOf(ObjectUnionOf(A B) ObjectIntersectionOf(C ObjectSomeValuesFrom(r D)))": [
        "A ⊑ C",
        "A ⊑ ∃r.D",
        "B ⊑ C",
        "B ⊑ ∃r.D",
    ],
    "EquivalentObjectProperties(r s t)": [
        "r ⊑ s",
        "r ⊑ t",
        "s ⊑ r",
        "t ⊑ r",
    ],
    "InverseObjectProperties(r ObjectInverseOf(s)) InverseObjectProperties(ObjectInverseOf(t) u)": [
        "r ⊑ s",
        "s ⊑ r",
        "t ⊑ u",
        "u ⊑ t",
    ],
    "InverseObjectProperties(r s) "
    "SubClassOf(A ObjectSomeValuesFrom(ObjectInverseOf(r) B)) "
    "SubClassOf(ObjectSomeValuesFrom(ObjectInverseOf(s) C) D)": [
        "A ⊑ ∃ObjectInverseOf(r).B",
        "ObjectInverseOf(r) ⊑ s",
        "ObjectInverseOf(s) ⊑ r",
        "r ⊑ ObjectInverseOf(s)",
        "s ⊑ ObjectInverseOf(r)",
        "∃ObjectInverseOf(s).C ⊑ D",
    ],
    "SymmetricObjectProperty(r) SubClassOf(A ObjectSomeValuesFrom(ObjectInverseOf(r) B))": [
        "A ⊑ ∃ObjectInverseOf(r).B",
        "ObjectInverseOf(r) ⊑ r",
        "r ⊑ ObjectInverseOf(r)",
    ],
    "SubClassOf(ObjectSomeValuesFrom(topRole Thing) A) SubClassOf(ObjectSomeValuesFrom(topRole B) C)": [
        "Thing ⊑ A",
        "∃topObjectProperty.B ⊑ C",
    ],
    "ObjectPropertyDomain(ObjectInverseOf(r) A) "
    "ObjectPropertyRange(ObjectInverseOf(s) B) "
    "SubClassOf(C ObjectSomeValuesFrom(r D))": [
        "C ⊑ ∃r.and(D some(ObjectInverseOf(r) Thing))",
        "and(D some(ObjectInverseOf(r) Thing)) ⊑ D",
        "and(D some(ObjectInverseOf(r) Thing)) ⊑ some(ObjectInverseOf(r) Thing)",
        "some(ObjectInverseOf(r) Thing) ⊑ A",
        "∃s.Thing ⊑ B",
        "⊤ ⊑ ∀r.some(ObjectInverseOf(r) Thing)",
    ],
    "SubObjectPropertyOf(ObjectPropertyChain(ObjectInverseOf(r) ObjectInverseOf(s)) ObjectInverseOf(t)) "
    "IrreflexiveObjectProperty(r) "
    "ReflexiveObjectProperty(s)": [
        "s ∘ r ⊑ t",
        "∃r.Self ⊑ Nothing",
        "⊤ ⊑ ∃s.Self",
    ],
    "SubObjectPropertyOf(ObjectPropertyChain(bottomRole r) s) "
    "SubObjectPropertyOf(r topRole) "
    "SubObjectPropertyOf(s bottomRole)": [
        "s ⊑ bottomObjectProperty",
        "∃bottomObjectProperty.Thing ⊑ ⊥",
    ],
    "SubObjectPropertyOf(r ObjectInverseOf(s)) SubClassOf(A ObjectSomeValuesFrom(ObjectInverseOf(s) B))": [
        "A ⊑ ∃ObjectInverseOf(s).B",
        "r ⊑ ObjectInverseOf(s)",
    ],
    "DisjointUnion(A B C D)": [
        "B ⊑ A",
        "B ⊓ C ⊑ ⊥",
        "B ⊓ D ⊑ ⊥",
        "C ⊑ A",
        "C ⊓ D ⊑ ⊥",
        "D ⊑ A",
    ],
    "ObjectPropertyRange(r C) "
    "ObjectPropertyRange(r D) "
    "SubClassOf(B C) "
    "SubClassOf(B D) "
    "SubClassOf(E C) "
    "SubClassOf(F D) "
    "SubClassOf(A ObjectSomeValuesFrom(r B)) "
    "SubClassOf(A ObjectSomeValuesFrom(r E)) "
    "SubClassOf(A ObjectSomeValuesFrom(r F))": [
        "A ⊑ ∃r.B",
        "A ⊑ ∃r.and(E some(ObjectInverseOf(r) Thing))",
        "A ⊑ ∃r.and(F some(ObjectInverseOf(r) Thing))",
        "B ⊑ C",
        "B ⊑ D",
        "E ⊑ C",
        "F ⊑ D",
        "and(E some(ObjectInverseOf(r) Thing)) ⊑ E",
        "and(E some(ObjectInverseOf(r) Thing)) ⊑ some(ObjectInverseOf(r) Thing)",
        "and(F some(ObjectInverseOf(r) Thing)) ⊑ F",
        "and(F some(ObjectInverseOf(r) Thing)) ⊑ some(ObjectInverseOf(r) Thing)",
        "some(ObjectInverseOf(r) Thing) ⊑ C",
        "some(ObjectInverseOf(r) Thing) ⊑ D",
        "⊤ ⊑ ∀r.some(ObjectInverseOf(r) Thing)",
    ],
    "SubClassOf(ObjectIntersectionOf(A B ObjectOneOf(_a)) C) "
    "SubClassOf(ObjectIntersectionOf(ObjectOneOf(_a) ObjectOneOf(_b) D) E)": [
        "A ⊓ and(B ObjectOneOf(a)) ⊑ C",
        "B ⊓ a ⊑ and(B ObjectOneOf(a))",
        "D ⊓ and(ObjectOneOf(a) ObjectOneOf(b)) ⊑ E",
        "a ⊓ b ⊑ and(ObjectOneOf(a) ObjectOneOf(b))",
    ],
    "DifferentIndividuals(_a _b _c) SameIndividual(_c _d)": [
        "a ⊓ b ⊑ ⊥",
        "a ⊓ c ⊑ ⊥",
        "b ⊓ c ⊑ ⊥",
        "c ⊑ d",
        "d ⊑ c",
    ],
    "NegativeObjectPropertyAssertion(r _a _b) "
    "ObjectPropertyAssertion(ObjectInverseOf(s) _a _b) "
    "ClassAssertion(ObjectIntersectionOf(A B) _a)": [
        "a ⊑ A",
        "a ⊑ B",
        "a ⊓ some(r ObjectOneOf(b)) ⊑ ⊥",
        "b ⊑ ∃s.a",
        "∃r.b ⊑ some(r ObjectOneOf(b))",
    ],
    "InverseObjectProperties(p q) "
    "SubObjectPropertyOf(r s) "
    "SubObjectPropertyOf(s p) "
    "SubObjectPropertyOf(r t) "
    "ObjectPropertyAssertion(r _a _b) "
    "ObjectPropertyAssertion(t _b _c)": [
        "ObjectInverseOf(p) ⊑ q",
        "ObjectInverseOf(r) ⊑ ObjectInverseOf(s)",
        "ObjectInverseOf(s) ⊑ ObjectInverseOf(p)",
        "a ⊑ ∃r.b",
        "b ⊑ ∃ObjectInverseOf(r).a",
        "b ⊑ ∃t.c",
        "q ⊑ ObjectInverseOf(p)",
        "r ⊑ s",
        "r ⊑ t",
        "s ⊑ p",
    ],
}


@pytest.mark.parametrize("text", CASES)
def test_rows_of_nested_expressions(text: str) -> None:
    assert said(normalise(small(text))) == CASES[text]


def test_the_beginning_of_a_chain_is_called_after_its_roles() -> None:
    forms = normalise(small("SubObjectPropertyOf(ObjectPropertyChain(r s t u) v)"))
    names = [f"<{EX}{role}>" for role in "rst"]
    assert list(forms.vocabulary.roles)[-2:] == [
        f"ObjectPropertyChain({' '.join(names[:2])})",
        f"ObjectPropertyChain({' '.join(names)})",
    ]


MEMBERS = [
    *("A", "B", "ObjectHasSelf(r)", "ObjectHasValue(s _a)", "ObjectSomeValuesFrom(r ObjectSomeValuesFrom(s Thing))"),
    *("ObjectSomeValuesFrom(s ObjectSomeValuesFrom(r ObjectIntersectionOf(A B C)))", "ObjectOneOf(_b)"),
]
ALIKE = [
    ["ObjectSomeValuesFrom(r Thing)", "ObjectSomeValuesFrom(s Thing)"],
    ["ObjectSomeValuesFrom(r ObjectIntersectionOf(A B))", "ObjectSomeValuesFrom(r ObjectIntersectionOf(A C))"],
    ["ObjectSomeValuesFrom(r ObjectUnionOf(A B))", "ObjectSomeValuesFrom(r ObjectUnionOf(A C))"],
    [f"ObjectSomeValuesFrom(r ObjectIntersectionOf(A ObjectSomeValuesFrom(s {c})))" for c in "BC"],
    [f"ObjectSomeValuesFrom(r ObjectUnionOf(A ObjectSomeValuesFrom(s {c})))" for c in "BC"],
    [f"ObjectSomeValuesFrom(r ObjectIntersectionOf({c} Thing D))" for c in "BC"],
]


@pytest.mark.parametrize("seed", range(24))
def test_members_in_any_order_make_the_same_rows(seed: int) -> None:
    """Of members that are equally frequent the names decide, not which came first in the file."""
    chance = random.Random(seed)
    some = [*ALIKE[seed % 6], *chance.sample(MEMBERS, 4)]
    few = [f"SubClassOf(ObjectIntersectionOf({' '.join(some[:n])}) E{n})" for n in (3, 4, 6)]

    def shuffled() -> str:
        axioms = []
        for n in (3, 4, 6):
            members = some[:n]
            chance.shuffle(members)
            axioms.append(f"SubClassOf(ObjectIntersectionOf({' '.join(members)}) E{n})")
        # other names first, so that the numbers of all others change
        axioms += [f"SubClassOf({chance.choice('GHIJ')} {chance.choice(['Thing', 'A', 'B', 'C'])})" for _ in range(3)]
        chance.shuffle(axioms)
        return " ".join(axioms)

    def conjunctions(text: str) -> list[list[str]]:
        return [sorted(line.split(" ⊑ ")[0].split(" ⊓ ")) for line in said(normalise(small(text))) if "⊓" in line]

    expected = sorted(conjunctions(" ".join(few)))
    fresh = [[part for part in row if not part.startswith("and")] for row in expected]
    for _ in range(6):
        found = sorted(conjunctions(shuffled()))
        assert sorted([part for part in row if not part.startswith("and")] for row in found) == sorted(fresh)
        assert len(found) == len(expected)


def test_unions_of_many_disjoint_classes_are_called_after_their_members() -> None:
    n = PAIRWISE_UP_TO + 2
    forms = normalise(small(f"DisjointClasses({' '.join(f'C{i}' for i in range(n))})"))
    names, members = forms.vocabulary.classes, dict[int, set[int]]()
    for c in range(2, n + 2):
        members[c] = {c}
    for low, high in sorted(forms.subclass.tolist(), key=lambda row: row[1]):
        members.setdefault(high, set()).update(members[low])
    unions = [c for c in members if c >= n + 2]
    assert len(unions) == n - 1
    for c in unions:
        named = [names[d] for d in sorted(members[c], key=lambda d: int(names[d].removeprefix(f"{EX}C")))]
        whole = f"ObjectUnionOf({' '.join(f'<{name}>' for name in named)})"
        assert names[c] == (whole if len(whole) <= 10_000 else f"{whole[:10_000]}… #{c}")
