"""Entailment of nested axioms beside a slow reasoner that gets the question as part of the ontology."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from random_ontology import BASE, ROLES, Writer, axioms, expressions, written
from slow_reasoner import slow_saturation

from elgeo.ontology.expressions import Op
from elgeo.ontology.normalisation.normalise import normalise
from elgeo.reasoning.questions.entailment import Entailment
from elgeo.reasoning.saturation.saturate import saturate


def asked(ontology_axioms: list[Any], tree: Any) -> bool:
    """Our answer."""
    writer = Writer()
    node = writer.axiom(tree)
    saturation = saturate(normalise(written(ontology_axioms)))
    return Entailment(saturation).holds(writer.builder.finish(), node)


def slow_inclusion(ontology_axioms: list[Any], left: Any, right: Any) -> bool:
    """The twin: names for both sides inside the ontology, and loops over sets."""
    forms = normalise(written([*ontology_axioms, (Op.SubClassOf, "Left", left), (Op.SubClassOf, right, "Right")]))
    slow = slow_saturation(forms).slow
    return bool(slow.subsumed(forms.vocabulary.class_id(BASE + "Left"), forms.vocabulary.class_id(BASE + "Right")))


@given(st.lists(axioms(nominals=False), max_size=7), expressions(nominals=False), expressions(nominals=False))
@settings(max_examples=80)
def test_nested_inclusions(told: list[Any], left: Any, right: Any) -> None:
    assert asked(told, (Op.SubClassOf, left, right)) == slow_inclusion(told, left, right)
    disjoint = (Op.DisjointClasses, left, right)
    both = (Op.ObjectIntersectionOf, left, right)
    assert asked(told, disjoint) == slow_inclusion(told, both, "⊥")
    assert asked(told, (Op.SubClassOf, left, (Op.ObjectComplementOf, right))) == slow_inclusion(told, both, "⊥")


@given(st.lists(axioms(), min_size=1, max_size=6))
@settings(max_examples=60)
def test_every_asserted_axiom_is_entailed(told: list[Any]) -> None:
    for tree in told:
        assert asked(told, tree), tree


@given(st.lists(axioms(nominals=False), max_size=6))
@settings(max_examples=12)
def test_role_axioms(told: list[Any]) -> None:
    for r in ROLES:
        for s in ROLES:
            marked = [*told, (Op.SubClassOf, "X", (Op.ObjectSomeValuesFrom, r, "Y"))]
            expected = slow_inclusion(marked, "X", (Op.ObjectSomeValuesFrom, s, "Y"))
            assert asked(told, (Op.SubObjectPropertyOf, r, s)) == expected
            chained = [*told, (Op.SubClassOf, "X", (Op.ObjectSomeValuesFrom, r, (Op.ObjectSomeValuesFrom, r, "Y")))]
            expected = slow_inclusion(chained, "X", (Op.ObjectSomeValuesFrom, s, "Y"))
            assert asked(told, (Op.SubObjectPropertyOf, (Op.ObjectPropertyChain, r, r), s)) == expected
