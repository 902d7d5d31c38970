"""Entailment of nested axioms beside a slow reasoner that gets the question as part of the ontology."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elgeo.ontology.expressions import Op
from elgeo.ontology.normalisation.normalise import normalise
from elgeo.reasoning.questions import entailment
from elgeo.reasoning.questions.entailment import Entailment, alternatives
from elgeo.reasoning.questions.expressions import And, Atom, Or, Some, Unsayable
from elgeo.reasoning.saturation.saturate import saturate
from tests.reasoning.plain_questions import slow_inclusion
from tests.reasoning.random_ontology import ROLES, Writer, axioms, expressions, written


def asked(ontology_axioms: list[Any], tree: Any) -> bool:
    """Our answer."""
    writer = Writer()
    node = writer.axiom(tree)
    saturation = saturate(normalise(written(ontology_axioms)))
    return Entailment(saturation).holds(writer.builder.finish(), node)


@pytest.mark.slow
@given(st.lists(axioms(nominals=False), max_size=7), expressions(nominals=False), expressions(nominals=False))
@settings(max_examples=80)
def test_nested_inclusions(told: list[Any], left: Any, right: Any) -> None:
    assert asked(told, (Op.SubClassOf, left, right)) == slow_inclusion(told, left, right)
    disjoint = (Op.DisjointClasses, left, right)
    both = (Op.ObjectIntersectionOf, left, right)
    assert asked(told, disjoint) == slow_inclusion(told, both, "⊥")
    assert asked(told, (Op.SubClassOf, left, (Op.ObjectComplementOf, right))) == slow_inclusion(told, both, "⊥")


@pytest.mark.slow
@given(st.lists(axioms(), min_size=1, max_size=6))
@settings(max_examples=60)
def test_every_asserted_axiom_is_entailed(told: list[Any]) -> None:
    for tree in told:
        assert asked(told, tree), tree


@pytest.mark.slow
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


UNION, SUB, DISJOINT = Op.DisjointUnion, Op.SubClassOf, Op.DisjointClasses


def test_a_disjoint_union_is_all_its_pairs_all_its_parts_and_the_whole() -> None:
    union = (UNION, "A", "B", "C", "D")
    for one, *others in map(list, ("BCD", "CDB", "DBC")):
        empty = [(SUB, c, "⊥") for c in others]
        assert asked([*empty, (Op.EquivalentClasses, "A", one)], union)
        assert not asked([*empty, (SUB, one, "A")], union)
        assert not asked([*empty, (SUB, "A", one)], union)
        # any two of the three that have something in common are enough to spoil it
        two = [(Op.EquivalentClasses, "A", c) for c in others]
        assert not asked([*two, (SUB, one, "⊥")], union)


def test_several_at_once() -> None:
    equal = (Op.EquivalentClasses, "A", "B", "C")
    cycle = [(SUB, "A", "B"), (SUB, "B", "C"), (SUB, "C", "A")]
    assert asked(cycle, equal)
    assert not any(asked([a for a in cycle if a != axiom], equal) for axiom in cycle)
    apart = (DISJOINT, "A", "B", "C")
    pairs = [(DISJOINT, *pair) for pair in ("AB", "BC", "CA")]
    assert asked(pairs, apart)
    assert not any(asked([a for a in pairs if a != axiom], apart) for axiom in pairs)
    roles = (Op.EquivalentObjectProperties, "r", "s", "t")
    circle = [(Op.SubObjectPropertyOf, *pair) for pair in ("rs", "st", "tr")]
    assert asked(circle, roles)
    assert not any(asked([a for a in circle if a != axiom], roles) for axiom in circle)


def test_unions_multiply_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b, c, d = (Atom(i) for i in range(2, 6))
    assert alternatives(Some(1, Or((a, And((b, Or((c, d)))))))) == [
        Some(1, a),
        Some(1, And((b, c))),
        Some(1, And((b, d))),
    ]
    monkeypatch.setattr(entailment, "_MOST_ALTERNATIVES", 4)
    two = And((Or((a, b)), Or((c, d))))
    assert alternatives(two) == [And((x, y)) for x in (a, b) for y in (c, d)]
    with pytest.raises(Unsayable, match="more than 4 cases"):
        alternatives(And((Or((a, b, c)), Or((c, d)))))
