"""What random ontologies are made of: the shares and sizes that a mix promises."""

from __future__ import annotations

from collections import Counter

import pytest

from elgeo.ontology.expressions import Op
from elgeo.ontology.generation.generate import generate
from elgeo.ontology.generation.irregular import BEYOND_AXIOMS, BEYOND_EXPRESSIONS, EL_AXIOMS, EL_EXPRESSIONS, Mix
from elgeo.ontology.model import Ontology


def arguments(ontology: Ontology, op: Op) -> list[list[int]]:
    """Of each time an axiom of a kind was written."""
    return [ontology.arguments(int(n)) for n in ontology.axiom_nodes if ontology.op[n] == op]


def nodes(ontology: Ontology, op: Op) -> list[list[int]]:
    return [ontology.arguments(i) for i in range(len(ontology.op)) if ontology.op[i] == op]


def depth(ontology: Ontology, node: int) -> int:
    """How many constructors are around the innermost name."""
    if ontology.op[node] <= Op.ObjectPropertyChain:
        return 0
    return 1 + max((depth(ontology, a) for a in ontology.arguments(node)), default=0)


@pytest.fixture(scope="module")
def beyond() -> Ontology:
    return generate(Mix(beyond=1, axioms=120, depth=2), 25, 3)


def share(values: list[int], value: int) -> float:
    return values.count(value) / len(values)


def test_there_are_as_many_names_and_axioms_as_asked_for(beyond: Ontology) -> None:
    kinds = Counter(beyond.op[d] for d in beyond.declared)
    built_in = sum("www.w3.org" in beyond.string(d) for d in beyond.declared)
    assert (kinds[Op.Class] + kinds[Op.ObjectProperty], kinds[Op.NamedIndividual]) == (25 + 13 + built_in, 9)
    assert len(beyond.axiom_nodes) == 3000
    assert len(generate(Mix(axioms=1.1), 7, 0).axiom_nodes) == 8
    assert {int(beyond.op[n]) for n in beyond.axiom_nodes} == {int(Op[name]) for name in {**EL_AXIOMS, **BEYOND_AXIOMS}}


def test_constructors_come_as_often_as_their_weights_say(beyond: Ontology) -> None:
    weights = {**EL_AXIOMS, **BEYOND_AXIOMS}
    counts = Counter(Op(int(beyond.op[n])).name for n in beyond.axiom_nodes)
    total = sum(weights.values())
    for name, weight in weights.items():
        assert counts[name] / 3000 == pytest.approx(weight / total, abs=0.03), name
    chosen = Mix(beyond=0.5, expression_weights={"ObjectOneOf": 0, "ObjectHasSelf": 7}).weights(axioms=False)
    expected = {
        **EL_EXPRESSIONS,
        **{name: weight / 2 for name, weight in BEYOND_EXPRESSIONS.items()},
        "ObjectHasSelf": 7,
    }
    assert chosen == {Op[name]: weight for name, weight in expected.items() if name != "ObjectOneOf"}
    assert set(Mix(beyond=0).weights(axioms=True)) == {Op[name] for name in EL_AXIOMS}


@pytest.mark.slow
def test_how_many_parts_axioms_and_expressions_have(beyond: Ontology) -> None:
    for op in (Op.EquivalentClasses, Op.DisjointClasses):
        assert share([len(a) for a in arguments(beyond, op)], 3) == pytest.approx(1 / 3, abs=0.12)
        assert {len(a) for a in arguments(beyond, op)} == {2, 3}
    for op in (Op.ObjectIntersectionOf, Op.ObjectUnionOf):
        sizes = [len(a) for a in nodes(beyond, op)]
        assert set(sizes) == {2, 3, 4}
        assert share(sizes, 2) == pytest.approx(1 / 3, abs=0.1)
    assert {len(a) for a in nodes(beyond, Op.ObjectOneOf)} == {1, 2, 3}
    assert {len(a) for a in nodes(beyond, Op.ObjectPropertyChain)} == {2, 3, 4}
    assert {len(a) for a in arguments(beyond, Op.DisjointUnion)} == {3}
    for op in (Op.SameIndividual, Op.DifferentIndividuals):
        assert {len(a) for a in arguments(beyond, op)} == {2, 3}
    assert {len(a) for a in arguments(beyond, Op.ObjectPropertyAssertion)} == {3}
    chains = [beyond.op[a[0]] == Op.ObjectPropertyChain for a in arguments(beyond, Op.SubObjectPropertyOf)]
    assert sum(chains) / len(chains) == pytest.approx(0.5, abs=0.12)


@pytest.mark.slow
def test_numbers_depth_and_inverses(beyond: Ontology) -> None:
    el = generate(Mix(beyond=0, axioms=60), 15, 1)
    for ontology, numbers in ((beyond, {"0", "1", "2", "3"}), (el, {"0", "1"})):
        found = {
            ontology.string(a[0]).strip('"')
            for op in (Op.ObjectMinCardinality, Op.ObjectMaxCardinality)
            for a in nodes(ontology, op)
        }
        assert found <= numbers
    assert {beyond.string(a[0]).strip('"') for a in nodes(beyond, Op.ObjectMinCardinality)} == {"0", "1", "2", "3"}
    others = {name: 0.0 for name in EL_AXIOMS if name != "SubClassOf"}
    flat = generate(Mix(beyond=0, axioms=60, depth=1, axiom_weights=others), 15, 2)
    assert {depth(flat, side) for a in arguments(flat, Op.SubClassOf) for side in a} == {0, 1}
    assert not nodes(el, Op.ObjectInverseOf)
    assert {len(a) for a in nodes(el, Op.ObjectOneOf)} <= {1}
    roles = [beyond.op[a[0]] == Op.ObjectInverseOf for a in arguments(beyond, Op.ObjectPropertyDomain)]
    assert sum(roles) / len(roles) < 0.2
    assert nodes(beyond, Op.ObjectInverseOf)
