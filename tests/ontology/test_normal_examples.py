"""Normal forms worked out by hand: rows, their origins, the names that were made up, what EL++ cannot say."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from elgeo.errors import UnsupportedError
from elgeo.ontology import normalise
from elgeo.ontology.expressions import Op
from elgeo.ontology.generation.generate import generate
from elgeo.ontology.model import Builder
from elgeo.ontology.normal_forms import FORMS, NormalForms
from elgeo.ontology.normalisation.disjointness import PAIRWISE_UP_TO
from elgeo.ontology.vocabulary import Kind
from tests.ontology.reference import normal_subsumptions, subsumptions
from tests.ontology.small import EX, small


def rows(forms: NormalForms) -> dict[str, set[tuple[str, ...]]]:
    """The rows of each form that has any, with short names."""
    words = forms.vocabulary
    found = {}
    for name, form in FORMS.items():
        table = {
            tuple(
                (words.roles if column in "rst" else words.classes)[i]
                .replace(EX, "").replace("http://www.w3.org/2002/07/owl#", "").replace("<", "").replace(">", "")
                for column, i in zip(form.columns, row, strict=True)
            )
            for row in forms.tables[name].tolist()
        }  # fmt: skip
        assert len(table) == len(forms.tables[name]), "a row stands twice"
        if table:
            found[form.code] = table
    return found


def test_a_definition_costs_one_row_of_each_kind() -> None:
    """The example on which another normaliser lets its fresh name collide with a real class."""
    text = (
        "EquivalentClasses(Owner ObjectIntersectionOf(Person ObjectSomeValuesFrom(owns Dog))) SubClassOf(Mineral Thing)"
    )
    forms = normalise(small(text))
    fresh = "ObjectSomeValuesFrom(owns Dog)"
    assert rows(forms) == {
        "GCI0": {("Owner", "Person")},
        "GCI1": {("Person", fresh, "Owner")},
        "GCI2": {("Owner", "owns", "Dog")},
        "GCI3": {("owns", "Dog", fresh)},
    }
    assert "Mineral" not in str(rows(forms))


def test_no_name_where_a_side_is_simple() -> None:
    text = "SubClassOf(A ObjectIntersectionOf(B ObjectSomeValuesFrom(r C))) SubClassOf(ObjectSomeValuesFrom(r C) A)"
    assert rows(normalise(small(text))) == {
        "GCI0": {("A", "B")},
        "GCI2": {("A", "r", "C")},
        "GCI3": {("r", "C", "A")},
    }


def test_only_the_direction_that_is_needed() -> None:
    on_the_right = normalise(small("SubClassOf(A ObjectSomeValuesFrom(r ObjectIntersectionOf(B C)))"))
    name = "ObjectIntersectionOf(B C)"
    assert rows(on_the_right) == {"GCI0": {(name, "B"), (name, "C")}, "GCI2": {("A", "r", name)}}
    on_the_left = normalise(small("SubClassOf(ObjectSomeValuesFrom(r ObjectIntersectionOf(B C)) A)"))
    assert rows(on_the_left) == {"GCI1": {("B", "C", name)}, "GCI3": {("r", name, "A")}}


def test_one_name_for_equal_expressions() -> None:
    shared = "ObjectSomeValuesFrom(r ObjectIntersectionOf(B C))"
    forms = normalise(
        small(f"SubClassOf({shared} A) SubClassOf(D {shared}) SubClassOf(ObjectIntersectionOf(E {shared}) F)")
    )
    fresh = [forms.vocabulary.classes[i] for i in np.flatnonzero(forms.vocabulary.class_kinds == Kind.FRESH).tolist()]
    assert len(fresh) == len(set(fresh)) == 2


def test_longer_conjunctions_share_their_beginnings() -> None:
    forms = normalise(small("SubClassOf(ObjectIntersectionOf(A B C) D) SubClassOf(ObjectIntersectionOf(E C B A) F) "
                            "SubClassOf(ObjectSomeValuesFrom(r ObjectIntersectionOf(B A)) G)"))  # fmt: skip
    both, three = "ObjectIntersectionOf(B A)", "ObjectIntersectionOf(C ObjectIntersectionOf(B A))"
    assert rows(forms)["GCI1"] == {("A", "B", both), ("C", both, "D"), ("C", both, three), ("E", three, "F")}


def test_conjunctions_inside_conjunctions_need_no_name() -> None:
    forms = normalise(small("SubClassOf(ObjectIntersectionOf(A ObjectIntersectionOf(B A Thing)) C)"))
    assert rows(forms) == {"GCI1": {("A", "B", "C")}}


def test_tautologies_are_left_out() -> None:
    text = (
        "SubClassOf(A A) SubClassOf(A Thing) SubClassOf(Nothing A) SubClassOf(ObjectIntersectionOf(A B) A) "
        "EquivalentClasses(A A) SubClassOf(ObjectSomeValuesFrom(r Nothing) A) SubObjectPropertyOf(r r) "
        "SubClassOf(A ObjectSomeValuesFrom(topRole Thing)) SubObjectPropertyOf(r topRole) "
        "SubClassOf(ObjectSomeValuesFrom(r A) ObjectSomeValuesFrom(r A))"
    )
    forms = normalise(small(text))
    assert sum(forms.counts().values()) == 0
    assert forms.unsupported == ()


def test_bottom_forms() -> None:
    forms = normalise(small("SubClassOf(A Nothing) SubClassOf(ObjectSomeValuesFrom(r A) Nothing) "
                            "DisjointClasses(B C D) DisjointClasses(E E) "
                            "SubClassOf(F ObjectSomeValuesFrom(r Nothing))"))  # fmt: skip
    assert rows(forms) == {
        "GCI0-BOT": {("A",), ("E",), ("F",)},
        "GCI1-BOT": {("B", "C"), ("B", "D"), ("C", "D")},
        "GCI3-BOT": {("r", "A")},
    }


def test_chains_through_fresh_roles() -> None:
    forms = normalise(small("SubObjectPropertyOf(ObjectPropertyChain(r s t u) v) TransitiveObjectProperty(r) "
                            "SubObjectPropertyOf(ObjectPropertyChain(r s t) w)"))  # fmt: skip
    rs, rst = "ObjectPropertyChain(r s)", "ObjectPropertyChain(r s t)"
    assert rows(forms) == {
        "RI1": {("r", "r", "r"), ("r", "s", rs), (rs, "t", rst), (rst, "u", "v"), (rs, "t", "w")},
    }


def test_ranges_and_the_axioms_behind_them() -> None:
    forms = normalise(small("ObjectPropertyRange(s C) SubObjectPropertyOf(r s) SubClassOf(A ObjectSomeValuesFrom(r B)) "
                            "SubClassOf(A ObjectSomeValuesFrom(q B))"))  # fmt: skip
    of_r, of_s = (f"ObjectSomeValuesFrom(ObjectInverseOf({x}) Thing)" for x in "rs")
    filler = f"ObjectIntersectionOf(B {of_r})"
    assert rows(forms) == {
        "GCI0": {(of_s, "C"), (of_r, of_s), (filler, "B"), (filler, of_r)},
        "GCI2": {("A", "r", filler), ("A", "q", "B")},
        "RI0": {("r", "s")},
        "RANGE": {("r", of_r), ("s", of_s)},
    }
    origin = {tuple(forms.subclass[row]): axiom for row, axiom in forms.origins["subclass"].tolist()}
    named = {(forms.vocabulary.classes[c], forms.vocabulary.classes[d]): a for (c, d), a in origin.items()}
    assert sorted(named.values()) == [0, 1]
    assert named[(next(c for c, _ in named if "/s>" in c), EX + "C")] == 0


def test_origins_name_every_axiom_that_gives_a_row() -> None:
    forms = normalise(
        small("SubClassOf(A B) EquivalentClasses(A B) SubClassOf(A ObjectIntersectionOf(B C)) SubClassOf(A B)")
    )
    words = forms.vocabulary
    row = forms.subclass.tolist().index([words.class_id("A"), words.class_id("B")])
    assert [a for r, a in forms.origins["subclass"].tolist() if r == row] == [0, 1, 2, 3]


def test_definitions_of_fresh_names_have_no_origin() -> None:
    forms = normalise(generate("el", 12, 5))
    fresh = forms.vocabulary.class_kinds == Kind.FRESH
    for name in ("conjunction", "left_existential"):
        has_origin = np.isin(np.arange(len(forms.tables[name])), forms.origins[name][:, 0])
        by_axiom = ~fresh[forms.tables[name][:, -1]]
        assert (has_origin[by_axiom]).all()
    assert any(len(forms.tables[n]) > len(set(forms.origins[n][:, 0])) for n in FORMS)


UNSUPPORTED = {
    "SubClassOf(A ObjectUnionOf(B C))": "ObjectUnionOf",
    "SubClassOf(A ObjectSomeValuesFrom(r ObjectUnionOf(B C)))": "ObjectUnionOf",
    "SubClassOf(A ObjectOneOf(_a _b))": "ObjectOneOf",
    "SubClassOf(ObjectComplementOf(A) B)": "ObjectComplementOf",
    "EquivalentClasses(A ObjectComplementOf(B))": "ObjectComplementOf",
    "SubClassOf(A ObjectAllValuesFrom(r B))": "ObjectAllValuesFrom",
    "SubClassOf(A ObjectComplementOf(ObjectAllValuesFrom(r B)))": "ObjectAllValuesFrom",
    "SubClassOf(A ObjectMinCardinality(2 r B))": "ObjectMinCardinality",
    "SubClassOf(A ObjectMaxCardinality(1 r B))": "ObjectMaxCardinality",
    "SubClassOf(A ObjectExactCardinality(1 r))": "ObjectExactCardinality",
    "SubClassOf(ObjectMaxCardinality(0 r B) A)": "ObjectMaxCardinality",
    'SubClassOf(A DataSomeValuesFrom(d:p DataOneOf("1" "2")))': "DataSomeValuesFrom",
    "SubClassOf(A DataAllValuesFrom(d:p <http://www.w3.org/2001/XMLSchema#string>))": "DataAllValuesFrom",
    "SubClassOf(A DataMaxCardinality(1 d:p))": "DataMaxCardinality",
    "SubClassOf(A DataExactCardinality(1 d:p))": "DataExactCardinality",
    "SubClassOf(A ObjectSomeValuesFrom(ObjectInverseOf(r) B))": "ObjectInverseOf",
    "SubObjectPropertyOf(r ObjectInverseOf(s))": "ObjectInverseOf",
    "ObjectPropertyDomain(r ObjectUnionOf(A B))": "ObjectUnionOf",
    "ObjectPropertyRange(r ObjectUnionOf(A B))": "ObjectUnionOf",
    "ClassAssertion(ObjectUnionOf(A B) _a)": "ObjectUnionOf",
    "DisjointClasses(A ObjectComplementOf(B))": "ObjectComplementOf",
    "DisjointUnion(A B C)": "DisjointUnion",
    "InverseObjectProperties(r s)": "InverseObjectProperties",
    "SymmetricObjectProperty(r)": "SymmetricObjectProperty",
    "AsymmetricObjectProperty(r)": "AsymmetricObjectProperty",
    "FunctionalObjectProperty(r)": "FunctionalObjectProperty",
    "DisjointObjectProperties(r s)": "DisjointObjectProperties",
    'DataPropertyRange(d:p DataOneOf("1" "2"))': "DataOneOf",
    "DisjointDataProperties(d:p d:q)": "DisjointDataProperties",
}  # fmt: skip


@pytest.mark.parametrize("text", UNSUPPORTED)
def test_what_el_cannot_say_is_told(text: str) -> None:
    kind = UNSUPPORTED[text]
    ontology = small("SubClassOf(X Y) " + text)
    assert normalise(ontology).unsupported == ((kind, 1),)
    with pytest.raises(UnsupportedError, match=kind) as told:
        normalise(ontology, strict=True)
    assert "SubClassOf(<http://example.org/X>" not in str(told.value)
    assert "http://example.org/" in str(told.value)


SUPPORTED = (
    "SubClassOf(ObjectUnionOf(A B) C)",
    "SubClassOf(ObjectOneOf(_a _b) C)",
    "SubClassOf(ObjectSomeValuesFrom(r ObjectUnionOf(A B)) C)",
    "SubClassOf(A ObjectComplementOf(B))",
    "SubClassOf(A ObjectComplementOf(ObjectUnionOf(B C)))",
    "SubClassOf(A ObjectSomeValuesFrom(r ObjectComplementOf(B)))",
    "SubClassOf(A ObjectMaxCardinality(0 r B))",
    "SubClassOf(A ObjectExactCardinality(0 r))",
    "SubClassOf(A ObjectAllValuesFrom(r Nothing))",
    "SubClassOf(A ObjectAllValuesFrom(r Thing))",
    "SubClassOf(ObjectMinCardinality(1 r B) A)",
    "SubClassOf(A ObjectUnionOf(B B))",
    "SubClassOf(A ObjectUnionOf(B))",
    "SubClassOf(A ObjectOneOf(_a))",
    "SubClassOf(A ObjectHasSelf(ObjectInverseOf(r)))",
    "SubObjectPropertyOf(ObjectInverseOf(r) ObjectInverseOf(s))",
    "SubObjectPropertyOf(ObjectPropertyChain(ObjectInverseOf(r) ObjectInverseOf(q)) ObjectInverseOf(s))",
    "InverseObjectProperties(r ObjectInverseOf(s))",
    "TransitiveObjectProperty(ObjectInverseOf(r))",
    "ObjectPropertyDomain(ObjectInverseOf(r) A)",
    "ObjectPropertyRange(ObjectInverseOf(r) A)",
    "ObjectPropertyAssertion(ObjectInverseOf(r) _a _b)",
    "NegativeObjectPropertyAssertion(r _a _b)",
    "IrreflexiveObjectProperty(r)",
    "SymmetricObjectProperty(topRole)",
    "DisjointUnion(A B)",
)


@pytest.mark.parametrize("text", SUPPORTED)
def test_what_el_can_say_is_not_complained_about(text: str) -> None:
    normalise(small(text), strict=True)


def test_many_disjoint_classes_stay_linear() -> None:
    n = PAIRWISE_UP_TO + 3
    b = Builder()
    classes = [b.entity(Op.Class, f"{EX}{i}") for i in range(n)]
    b.axiom(Op.DisjointClasses, *classes, classes[5])
    forms = normalise(b.finish())
    assert len(forms.disjoint) + len(forms.subclass) < 4 * n
    above = {i: {i} for i in range(forms.vocabulary.n_classes)}
    for c, d in sorted(forms.subclass.tolist(), key=lambda row: -row[1]):
        above[c] |= above[d]
    apart = {frozenset(row) for row in forms.disjoint.tolist()}

    def meet(c: int, d: int) -> bool:
        return any(frozenset((x, y)) in apart for x in above[c] for y in above[d])

    ids = [forms.vocabulary.class_id(EX + str(i)) for i in range(n)]
    generator = np.random.default_rng(1)
    assert all(meet(*generator.choice(ids, 2, replace=False).tolist()) for _ in range(300))
    assert meet(ids[5], ids[5])
    assert not meet(ids[6], ids[6])
    assert forms.vocabulary.classes[-1].startswith("ObjectUnionOf(<http://example.org/0> <http://example.org/1> ")


@pytest.mark.slow
def test_very_deep_and_very_wide_expressions() -> None:
    b = Builder()
    a, r = b.entity(Op.Class, EX + "A"), b.entity(Op.ObjectProperty, EX + "r")
    deep = a
    for i in range(3000):
        deep = b.node(Op.ObjectSomeValuesFrom, r, b.node(Op.ObjectIntersectionOf, deep, b.entity(Op.Class, f"{EX}{i}")))
    wide = b.node(Op.ObjectIntersectionOf, *(b.entity(Op.Class, f"{EX}{i}") for i in range(3000)))
    b.axiom(Op.EquivalentClasses, a, deep)
    b.axiom(Op.SubClassOf, wide, a)
    forms = normalise(b.finish())
    assert len(forms.left_existential) == 3000
    fresh = np.flatnonzero(forms.vocabulary.class_kinds == Kind.FRESH)
    names = [forms.vocabulary.classes[i] for i in (*fresh[:20], *fresh[2990:3010], *fresh[-20:])]
    assert len(set(names)) == len(names)
    assert max(map(len, names)) < 10_100


def test_punned_and_undeclared_names() -> None:
    b = Builder()
    c, i = b.entity(Op.Class, EX + "x"), b.entity(Op.NamedIndividual, EX + "x")
    b.axiom(Op.ClassAssertion, c, i)
    b.axiom(Op.ClassAssertion, c, b.entity(Op.NamedIndividual, "_:b0"))
    forms = normalise(b.finish())
    kinds = forms.vocabulary.class_kinds[forms.subclass[:, 0]]
    assert kinds.tolist() == [Kind.INDIVIDUAL] * 2
    assert forms.vocabulary.class_kinds[forms.vocabulary.class_id(EX + "x")] == Kind.NAMED


def test_an_empty_ontology() -> None:
    forms = normalise(Builder().finish(), strict=True)
    assert sum(forms.counts().values()) == 0
    assert (forms.vocabulary.n_classes, forms.vocabulary.n_roles) == (2, 1)


@pytest.mark.parametrize("op", ["and", "or"])
def test_expressions_shared_at_every_depth_do_not_explode(op: str) -> None:
    b = Builder()
    kind = Op.ObjectIntersectionOf if op == "and" else Op.ObjectUnionOf
    node = b.entity(Op.Class, EX + "A")
    for i in range(60):
        node = b.node(kind, node, b.node(kind, node, b.entity(Op.Class, f"{EX}{i}")))
    side = b.entity(Op.Class, EX + "B")
    b.axiom(Op.SubClassOf, *((side, node) if op == "and" else (node, side)))
    forms = normalise(b.finish())
    assert 61 <= len(forms.subclass) <= 400


def test_orders_of_axioms_and_members_do_not_matter() -> None:
    texts = ["EquivalentClasses(A ObjectIntersectionOf(B ObjectSomeValuesFrom(r C)))", "DisjointClasses(D B)",
             "SubClassOf(ObjectUnionOf(A C) D)"]  # fmt: skip
    results = {
        str(sorted(map(str, normal_subsumptions(normalise(small(" ".join(t))))))) for t in itertools.permutations(texts)
    }
    assert len(results) == 1
    ontology = small(" ".join(texts))
    assert normal_subsumptions(normalise(ontology)) == subsumptions(ontology)


def test_fillers_known_to_be_in_the_range_stay_as_they_are() -> None:
    forms = normalise(small("ObjectPropertyRange(r C) SubClassOf(B D) SubClassOf(D C) "
                            "SubClassOf(A ObjectSomeValuesFrom(r B)) SubClassOf(A ObjectSomeValuesFrom(r C)) "
                            "SubClassOf(A ObjectSomeValuesFrom(r Thing))"))  # fmt: skip
    of_r = "ObjectSomeValuesFrom(ObjectInverseOf(r) Thing)"
    assert rows(forms)["GCI2"] == {("A", "r", "B"), ("A", "r", "C"), ("A", "r", of_r)}
    # a range that says more than a name has to be carried over
    forms = normalise(small("ObjectPropertyRange(r ObjectIntersectionOf(C ObjectSomeValuesFrom(s E))) SubClassOf(B C) "
                            "SubClassOf(A ObjectSomeValuesFrom(r B))"))  # fmt: skip
    assert ("A", "r", f"ObjectIntersectionOf(B {of_r})") in rows(forms)["GCI2"]
