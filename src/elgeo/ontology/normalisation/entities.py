"""First step of normalisation: ids for the classes, individuals and roles of an ontology."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Ints
from elgeo.ontology.expressions import BOTTOM_OBJECT_PROPERTY, NOTHING, THING, TOP_OBJECT_PROPERTY, Op
from elgeo.ontology.model import Ontology
from elgeo.ontology.vocabulary import Kind


@dataclass(frozen=True)
class Entities:
    """Ids of the real classes and roles; fresh ones follow after them."""

    class_of: Ints
    """The class id of each node that is a class or an individual, else -1."""
    role_of: Ints
    """The role id of each node that is an object property, else -1."""
    classes: list[str]
    class_kinds: NDArray[np.uint8]
    roles: list[str]
    bottom_role: int
    """The id of owl:bottomObjectProperty, or -1 where the ontology does not speak of it."""


def number_entities(ontology: Ontology) -> Entities:
    """Number what has a name: built-in first, then in the order of the ontology, individuals after classes."""
    class_of = np.full(len(ontology.op), -1, np.int32)
    classes = _number(ontology, Op.Class, [THING, NOTHING], class_of, 0)
    n_classes = len(classes)
    individuals = _number(ontology, Op.NamedIndividual, [], class_of, n_classes)
    kinds = np.full(n_classes + len(individuals), Kind.NAMED, np.uint8)
    kinds[:2] = Kind.BUILT_IN
    kinds[n_classes:] = Kind.INDIVIDUAL

    role_of = np.full(len(ontology.op), -1, np.int32)
    built_in = [TOP_OBJECT_PROPERTY]
    if BOTTOM_OBJECT_PROPERTY in _strings(ontology, Op.ObjectProperty):
        built_in.append(BOTTOM_OBJECT_PROPERTY)
    roles = _number(ontology, Op.ObjectProperty, built_in, role_of, 0)
    return Entities(class_of, role_of, classes + individuals, kinds, roles, len(built_in) - 1 or -1)


def _strings(ontology: Ontology, op: Op) -> list[str]:
    strings = ontology.strings
    return [strings[i] for i in ontology.args[ontology.start[:-1][ontology.op == op]].tolist()]


def _number(ontology: Ontology, op: Op, first: list[str], ids: Ints, offset: int) -> list[str]:
    """Give ids to the nodes of one kind, those named in `first` before the others; returns the names in id order."""
    nodes = np.flatnonzero(ontology.op == op)
    names = _strings(ontology, op)
    fixed = [(names.index(name), i) for i, name in enumerate(first) if name in names]
    rest = np.ones(len(names), np.bool_)
    rest[[place for place, _ in fixed]] = False
    ids[nodes[rest]] = np.arange(int(rest.sum()), dtype=np.int32) + len(first) + offset
    for place, i in fixed:
        ids[nodes[place]] = i
    fixed_places = {place for place, _ in fixed}
    return first + [name for place, name in enumerate(names) if place not in fixed_places]
