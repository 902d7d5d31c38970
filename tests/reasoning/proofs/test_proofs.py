"""Proofs are replayed, justifications are minimal, and all of them are found."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from elgeo.errors import ElgeoError
from elgeo.ontology.expressions import Op
from elgeo.ontology.normalisation.normalise import normalise
from elgeo.reasoning.proofs.justifications import Justifications, minimal
from elgeo.reasoning.proofs.proof import Proof, prove
from elgeo.reasoning.saturation.saturate import saturate
from tests.reasoning.plain_questions import question, slow_inclusion
from tests.reasoning.proof_checker import check
from tests.reasoning.random_ontology import CLASSES, axioms, expressions, written

SUB, SOME, AND = Op.SubClassOf, Op.ObjectSomeValuesFrom, Op.ObjectIntersectionOf


def proofs_of(told: list[Any], goals: list[Any]) -> list[tuple[Any, Proof, Justifications]]:
    """A checked proof of each goal that follows."""
    source = written(told)
    saturation = saturate(normalise(source))
    found = []
    for tree in goals:
        asked = question(tree)
        if asked.entailed(saturation):
            justifications = Justifications(saturation, asked)
            proof = prove(source, justifications.first(), asked)
            check(proof)
            found.append((tree, proof, justifications))
    return found


@pytest.mark.slow
@given(st.lists(axioms(nominals=False), min_size=1, max_size=8), expressions(False), expressions(False))
@settings(max_examples=40)
def test_proofs_replay_and_no_axiom_can_be_missed(told: list[Any], left: Any, right: Any) -> None:
    goals = [(SUB, c, d) for c, d in itertools.permutations(CLASSES[:4], 2)] + [(SUB, left, right)]
    for tree, proof, _ in proofs_of(told, goals):
        kept = sorted(proof.justification)
        assert slow_inclusion([told[i] for i in kept], *tree[1:])
        for missing in kept:
            assert not slow_inclusion([told[i] for i in kept if i != missing], *tree[1:])


@pytest.mark.slow
@given(st.lists(axioms(), min_size=1, max_size=7), axioms())
@settings(max_examples=50)
def test_proofs_of_every_kind_of_axiom(told: list[Any], asked: Any) -> None:
    consistent = (SUB, "⊤", "⊥")
    assume(asked[0] != SUB or asked[2] is not None)
    for tree, proof, justifications in proofs_of(told, [asked, told[0], consistent]):
        for missing in proof.justification:
            assert not justifications.entailed_by(proof.justification - {missing}), tree


@pytest.mark.slow
@given(st.lists(axioms(nominals=False), min_size=2, max_size=6, unique_by=repr))
@settings(max_examples=25)
def test_all_justifications(told: list[Any]) -> None:
    goals = [(SUB, c, d) for c, d in itertools.permutations(CLASSES[:3], 2)]
    for tree, _, justifications in proofs_of(told, goals)[:2]:
        enough = [
            set(some)
            for size in range(len(told) + 1)
            for some in itertools.combinations(range(len(told)), size)
            if slow_inclusion([told[i] for i in some], *tree[1:])
        ]
        smallest = {frozenset(some) for some in enough if not any(other < some for other in enough)}
        assert set(justifications.all()) == smallest
        assert len(list(justifications.all(limit=1))) == 1


FAMILY = [
    (SUB, "A", (SOME, "r", "B")),
    (SUB, "B", "C"),
    (Op.EquivalentClasses, "D", (AND, "E", (SOME, "s", "C"))),
    (SUB, "A", "E"),
    (Op.SubObjectPropertyOf, "r", "s"),
    (Op.DisjointClasses, "D", "F"),
    (Op.ClassAssertion, "A", "a"),
    (Op.ClassAssertion, "F", "a"),
]


def test_the_printed_proof_is_readable() -> None:
    ((_, proof, _),) = proofs_of(FAMILY[:6], [(SUB, "A", "D")])
    assert str(proof) == "\n".join(
        [
            "A ⊑ D  [conjunction]",
            "  A ⊑ E  [asserted]",
            "  A ⊑ ∃s.C  [left existential]",
            "    A ⊑ ∃s.B  [existential]",
            "      A ⊑ ∃r.B  [asserted]",
            "      r ⊑ s  [asserted]",
            "    B ⊑ C  [asserted]",
            "  D ≡ E ⊓ ∃s.C  [asserted]",
        ]
    )
    told = proof.to_dict()
    assert [part["number"] for part in told["justification"]] == [0, 1, 2, 3, 4]
    assert told["proof"]["rule"] == "conjunction"


def test_an_inconsistency_is_explained() -> None:
    ((_, proof, justifications),) = proofs_of(FAMILY, [(SUB, "⊤", "⊥")])
    assert proof.justification == set(range(8))
    assert list(justifications.all()) == [proof.justification]
    assert "⊥" in str(proof)


def test_what_is_in_an_individual_is_all_that_the_individual_is() -> None:
    told = [
        (Op.ObjectPropertyAssertion, "r", "b", "b"),
        (Op.ClassAssertion, "B", "b"),
        (SUB, "B", (SOME, "r", (AND, (Op.ObjectOneOf, "a"), "D"))),
        (SUB, "A", (Op.ObjectOneOf, "a")),
        # only now does A lead to D by itself
        (SUB, "D", "B"),
    ]
    ((_, proof, _),) = proofs_of(told, [(SUB, "A", "B")])
    assert proof.justification == {1, 2, 3, 4}


def test_the_link_of_every_element_to_one_individual_is_a_loop_there() -> None:
    told = [(SUB, "⊤", (SOME, "r", (Op.ObjectOneOf, "a"))), (SUB, (Op.ObjectHasSelf, "r"), "⊥")]
    ((_, proof, _),) = proofs_of(told, [(SUB, "⊤", "⊥")])
    assert proof.justification == {0, 1}


def test_what_does_not_follow_cannot_be_explained() -> None:
    saturation = saturate(normalise(written(FAMILY[:6])))
    with pytest.raises(ElgeoError, match="does not follow"):
        Justifications(saturation, question((SUB, "B", "A"))).first()


@given(st.lists(st.sets(st.integers(0, 7), max_size=4), min_size=1, max_size=4), st.integers(0, 8))
def test_minimal_parts(wanted: list[set[int]], size: int) -> None:
    everything = list(range(size))

    def enough(some: list[int]) -> bool:
        return any(part <= set(some) for part in wanted)

    assume(enough(everything))
    found = minimal(everything, enough)
    assert enough(found)
    assert not any(enough([i for i in found if i != j]) for j in found)


def test_axioms_that_say_the_same_are_justifications_each() -> None:
    told = [(SUB, "A", "B"), (SUB, "A", (AND, "B", "D")), (SUB, "B", "C"), (Op.EquivalentClasses, "A", (AND, "E", "B"))]
    saturation = saturate(normalise(written(told)))
    for asked, wanted in (((SUB, "A", "B"), [{0}, {1}, {3}]), ((SUB, "A", "C"), [{0, 2}, {1, 2}, {2, 3}])):
        found = list(Justifications(saturation, question(asked)).all())
        assert sorted(map(sorted, found)) == sorted(map(sorted, wanted))


def test_all_justifications_where_nothing_can_exist() -> None:
    told = [(SUB, "A", "⊥"), (SUB, "A", "B"), (SUB, "B", "C"), (SUB, "D", "E"), (SUB, "A", "D")]
    forms = normalise(written(told))
    saturation = saturate(forms)
    found = set(Justifications(saturation, question((SUB, "A", "C"))).all())
    assert found == {frozenset({0}), frozenset({1, 2})}
    assert set(Justifications(saturation, question((SUB, "A", "⊥"))).all()) == {frozenset({0})}
    told = [(SUB, "A", "⊥"), (SUB, "B", "⊥"), (SUB, "A", "B"), (SUB, "B", "A"), (SUB, "B", "C")]
    found = set(Justifications(saturate(normalise(written(told))), question((Op.EquivalentClasses, "A", "B"))).all())
    assert found == {frozenset(each) for each in ({0, 1}, {0, 3}, {1, 2}, {2, 3})}
    inconsistent = [(Op.ClassAssertion, "⊥", "a"), (SUB, "D", "E"), (Op.ClassAssertion, "A", "b"), (SUB, "A", "⊥")]
    saturation = saturate(normalise(written(inconsistent)))
    found = set(Justifications(saturation, question((SUB, "D", "E"))).all())
    assert found == {frozenset({0}), frozenset({1}), frozenset({2, 3})}
