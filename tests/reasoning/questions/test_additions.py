"""An ontology with axioms added shares what it has, and says what was added."""

from __future__ import annotations

import pytest

from elgeo.ontology.expressions import Op
from elgeo.reasoning.questions.additions import Addition, with_axioms
from tests.reasoning.random_ontology import BASE, written

SUB, SOME, AND = Op.SubClassOf, Op.ObjectSomeValuesFrom, Op.ObjectIntersectionOf


def test_equal_nodes_stay_one_node() -> None:
    old = written([(SUB, "A", (SOME, "r", (AND, "B", "C"))), (SUB, "B", "C")])
    addition = Addition(old)
    a, b, c = (addition.entity(Op.Class, BASE + name) for name in "ABC")
    r = addition.entity(Op.ObjectProperty, BASE + "r")
    nodes = len(old.op)
    assert addition.node(AND, b, c) < nodes
    assert addition.node(SOME, r, addition.node(AND, b, c)) < nodes
    turned = addition.node(AND, c, b)
    assert turned == nodes
    assert addition.node(AND, c, b) == turned
    three = addition.node(AND, b, c, a)
    assert three == nodes + 1
    # the same name as another kind of entity is another node
    individual = addition.entity(Op.NamedIndividual, BASE + "A")
    assert individual == nodes + 2
    unknown = addition.entity(Op.Class, BASE + "Unknown")
    assert addition.entity(Op.Class, BASE + "Unknown") == unknown == nodes + 3
    addition.axiom(SUB, three, unknown)
    new = addition.finish()
    assert [str(axiom) for axiom in new.axioms][:2] == [str(axiom) for axiom in old.axioms]
    (last,) = [str(axiom) for axiom in new.axioms][2:]
    assert last == f"SubClassOf(ObjectIntersectionOf(<{BASE}B> <{BASE}C> <{BASE}A>) <{BASE}Unknown>)"
    assert len(old.axiom_nodes) == 2
    assert new.arguments(individual) == old.arguments(a)


@pytest.mark.parametrize("nodes", [(), (0,), (2, 1)])
def test_axioms_of_another_ontology(nodes: tuple[int, ...]) -> None:
    old = written([(SUB, "A", "B")])
    other = written([(SUB, "X", (SOME, "s", "Y")), (Op.ClassAssertion, "A", "a"), (SUB, "A", "B")])
    new = with_axioms(old, other, [int(other.axiom_nodes[i]) for i in nodes])
    expected = [str(axiom) for axiom in old.axioms] + [str(list(other.axioms)[i]) for i in nodes]
    assert [str(axiom) for axiom in new.axioms] == expected
    assert new.start[-1] == len(new.args)
    assert len(new.start) == len(new.op) + 1
