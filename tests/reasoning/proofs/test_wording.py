"""Facts, expressions and axioms in words, one of each kind."""

from __future__ import annotations

from typing import Any

import pytest

from elgeo.ontology.expressions import Op
from elgeo.reasoning.proofs.wording import Wording
from elgeo.reasoning.questions.drafts import Draft, Drafts
from elgeo.reasoning.questions.expressions import NOTHING, THING, And, Atom, Expression, Not, Only, Or, Self, Some
from elgeo.reasoning.saturation.saturate import saturate
from tests.reasoning.brute import make_forms, vocabulary
from tests.reasoning.random_ontology import BASE, Writer

LABELS = {BASE + "C2": "a thing", BASE + "C3": "simple"}
FORMS = make_forms(
    vocabulary(3, 1, 1, 3),
    subclass=[(2, 3)],
    conjunction=[(2, 3, 4)],
    existential=[(2, 1, 5)],
    left_existential=[(1, 2, 3)],
    empty=[(4,)],
    disjoint=[(2, 3)],
    empty_existential=[(2, 4)],
    subrole=[(1, 2)],
    chain=[(1, 2, 1)],
    reflexive=[(2,)],
    self=[(3, 1)],
    left_self=[(1, 3)],
    range=[(2, 3)],
)


@pytest.fixture(scope="module")
def words() -> Wording:
    drafts = Drafts(saturate(FORMS))
    inner = drafts.add(Draft(classes=(0, 3), names=frozenset(["urn:new#z", "urn:new#y"])))
    drafts.add(Draft(classes=(2,), links=((1, inner),), loops=(2,)))
    drafts.fresh()
    return Wording(FORMS, drafts, LABELS)


def test_facts(words: Wording) -> None:
    x = 7
    told = {
        ("sub", 2, 0): "'a thing' ⊑ ⊤",
        ("sub", 5, 1): "{a5} ⊑ ⊥",
        ("link", 3, 1, 5): "simple ⊑ ∃r1.{a5}",
        ("link", 3, 0, x): "simple ⊑ ∃U.(simple ⊓ y ⊓ z)",
        ("loop", 3, 2): "simple ⊑ ∃r2.Self",
        ("role", 1, 0): "r1 ⊑ U",
        ("reflexive", 2): "r2 is reflexive",
        ("leads", 2, 3): "where 'a thing' exists, simple exists",
        ("has", 2, Some(1, And((Atom(3), Atom(4))))): "'a thing' ⊑ ∃r1.(simple ⊓ C4)",
        ("all", ("sub", 2, 3), ("role", 1, 2)): "'a thing' ⊑ simple and r1 ⊑ r2",
        ("sub", x + 1, 4): "'a thing' ⊓ ∃r1.(simple ⊓ y ⊓ z) ⊓ ∃r2.Self ⊑ C4",
        ("sub", x + 2, 4): "?2 ⊑ C4",
        ("told", x, "class", 3): "simple ⊓ y ⊓ z ⊑ simple",
        ("told", x, "name", "urn:new#y"): "simple ⊓ y ⊓ z ⊑ y",
        ("told", 3, "link", 1, 4): "simple ⊑ ∃r1.C4",
        ("told", 3, "loop", 1): "simple ⊑ ∃r1.Self",
    }
    assert {fact: words.fact(fact) for fact in told} == told


def test_rows(words: Wording) -> None:
    told = {
        "subclass": "'a thing' ⊑ simple",
        "conjunction": "'a thing' ⊓ simple ⊑ C4",
        "existential": "'a thing' ⊑ ∃r1.{a5}",
        "left_existential": "∃r1.'a thing' ⊑ simple",
        "empty": "C4 ⊑ ⊥",
        "disjoint": "'a thing' ⊓ simple ⊑ ⊥",
        "empty_existential": "∃r2.C4 ⊑ ⊥",
        "subrole": "r1 ⊑ r2",
        "chain": "r1 ∘ r2 ⊑ r1",
        "reflexive": "r2 is reflexive",
        "self": "simple ⊑ ∃r1.Self",
        "left_self": "∃r1.Self ⊑ simple",
        "range": "⊤ ⊑ ∀r2.simple",
    }
    found = {form: words.fact(("row", form, 0)) for form in told}
    # reflexivity may be said as an inclusion as well
    assert found.pop("reflexive") in (told.pop("reflexive"), "⊤ ⊑ ∃r2.Self")
    assert found == told


def test_expressions(words: Wording) -> None:
    told: list[tuple[Expression, str]] = [
        (THING, "⊤"),
        (NOTHING, "⊥"),
        (Atom(-1, "urn:new#q"), "q"),
        (Or((Atom(2), And((Atom(3), Atom(4))))), "'a thing' ⊔ (simple ⊓ C4)"),
        (And((Or((Atom(2), Atom(3))), Self(1))), "('a thing' ⊔ simple) ⊓ ∃r1.Self"),
        (Only(2, Or((Atom(2), Atom(3)))), "∀r2.('a thing' ⊔ simple)"),
        (Not(And((Atom(2), Atom(3)))), "¬('a thing' ⊓ simple)"),
        (Not(Atom(5)), "¬{a5}"),
    ]
    assert [(each, words.expression(each)) for each, _ in told] == told


def test_axioms(words: Wording) -> None:
    both: Any = (Op.ObjectIntersectionOf, "A", "B")
    told: list[tuple[Any, str]] = [
        ((Op.SubClassOf, both, (Op.ObjectSomeValuesFrom, "r", both)), "A ⊓ B ⊑ ∃r.(A ⊓ B)"),
        ((Op.EquivalentClasses, "A", "B", "C"), "A ≡ B ≡ C"),
        ((Op.EquivalentObjectProperties, "r", "s"), "r ≡ s"),
        ((Op.SameIndividual, "a", "b"), "{a} ≡ {b}"),
        ((Op.ClassAssertion, both, "a"), "{a} ⊑ A ⊓ B"),
        ((Op.ObjectPropertyAssertion, "r", "a", "b"), "{a} ⊑ ∃r.{b}"),
        ((Op.ObjectPropertyDomain, "r", both), "∃r.⊤ ⊑ A ⊓ B"),
        ((Op.ObjectPropertyRange, "r", both), "⊤ ⊑ ∀r.(A ⊓ B)"),
        ((Op.TransitiveObjectProperty, "r"), "r ∘ r ⊑ r"),
        ((Op.SubObjectPropertyOf, (Op.ObjectPropertyChain, "r", "s", "t"), "r"), "r ∘ s ∘ t ⊑ r"),
        ((Op.SubClassOf, "⊤", (Op.ObjectUnionOf, "A", both)), "⊤ ⊑ A ⊔ (A ⊓ B)"),
        ((Op.SubClassOf, (Op.ObjectOneOf, "a", "b"), "⊥"), "{a, b} ⊑ ⊥"),
        ((Op.SubClassOf, "A", (Op.ObjectComplementOf, both)), "A ⊑ ¬(A ⊓ B)"),
        ((Op.SubClassOf, "A", (Op.ObjectAllValuesFrom, "r", both)), "A ⊑ ∀r.(A ⊓ B)"),
        ((Op.SubClassOf, "A", (Op.ObjectHasValue, "r", "a")), "A ⊑ ∃r.{a}"),
        ((Op.SubClassOf, "A", (Op.ObjectHasSelf, "r")), "A ⊑ ∃r.Self"),
        ((Op.SubClassOf, (Op.ObjectSomeValuesFrom, (Op.ObjectInverseOf, "r"), "A"), "B"), "∃r⁻.A ⊑ B"),
        ((Op.DisjointClasses, "A", both), "DisjointClasses(A (A ⊓ B))"),
    ]
    writer = Writer()
    for tree, _ in told:
        writer.axiom(tree)
    ontology = writer.builder.finish()
    assert [words.axiom(ontology, i) for i in range(len(told))] == [text for _, text in told]
    literal = writer.builder.entity(Op.Literal, '"x"')
    assert words.node(writer.builder.finish(), literal) == '"x"'
