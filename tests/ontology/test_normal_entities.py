"""The first ids of normal forms, worked out by hand: built-in names, then those of the ontology in their order."""

from __future__ import annotations

from elgeo.ontology.expressions import BOTTOM_OBJECT_PROPERTY, NOTHING, THING, TOP_OBJECT_PROPERTY
from elgeo.ontology.normalisation.entities import Entities, number_entities
from tests.ontology.small import EX, small


def numbered(text: str) -> tuple[Entities, dict[str, int], dict[str, int]]:
    """The ids, and those of the nodes that have one as a class or as a role."""
    ontology = small(text)
    found = number_entities(ontology)
    classes, roles = (
        {ontology.text(node).strip("<>").removeprefix(EX): i for node, i in enumerate(ids.tolist()) if i != -1}
        for ids in (found.class_of, found.role_of)
    )
    return found, classes, roles


def test_ids_are_in_the_order_of_the_ontology() -> None:
    found, classes, roles = numbered(
        "SubClassOf(B ObjectSomeValuesFrom(s ObjectHasSelf(bottomRole))) ClassAssertion(Nothing _b)"
        "SubClassOf(C ObjectSomeValuesFrom(r A)) ObjectPropertyAssertion(r _a _b)"
    )
    assert classes == {"B": 2, NOTHING: 1, "C": 3, "A": 4, "b": 5, "a": 6}
    assert found.classes == [THING, NOTHING, *(EX + name for name in "BCAba")]
    assert found.class_kinds.tolist() == [0, 0, 1, 1, 1, 2, 2]
    assert roles == {BOTTOM_OBJECT_PROPERTY: 1, "s": 2, "r": 3}
    assert found.roles == [TOP_OBJECT_PROPERTY, BOTTOM_OBJECT_PROPERTY, EX + "s", EX + "r"]
    assert found.bottom_role == 1


def test_the_empty_role_has_no_id_where_nobody_speaks_of_it() -> None:
    found, classes, roles = numbered(
        "SubClassOf(B ObjectSomeValuesFrom(s A)) SubObjectPropertyOf(s topRole) ClassAssertion(Thing _i)"
    )
    assert classes == {"B": 2, "A": 3, THING: 0, "i": 4}
    assert found.class_kinds.tolist() == [0, 0, 1, 1, 2]
    assert roles == {"s": 1, TOP_OBJECT_PROPERTY: 0}
    assert (found.roles, found.bottom_role) == ([TOP_OBJECT_PROPERTY, EX + "s"], -1)
