"""Class expressions of questions as small trees over class and role ids."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from elgeo.errors import UnsupportedError
from elgeo.ontology.expressions import TOP_OBJECT_PROPERTY, Op
from elgeo.ontology.model import Ontology
from elgeo.ontology.vocabulary import BOTTOM, TOP, TOP_ROLE, Kind, Vocabulary


class Unsayable(UnsupportedError):
    """A question uses something that cannot be answered from saturated classes alone."""


@dataclass(frozen=True)
class Atom:
    """A class or individual by id; by its IRI where the ontology does not know it (id -1)."""

    id: int
    iri: str = ""


@dataclass(frozen=True)
class And:
    parts: tuple[Expression, ...]


@dataclass(frozen=True)
class Or:
    parts: tuple[Expression, ...]


@dataclass(frozen=True)
class Not:
    part: Expression


@dataclass(frozen=True)
class Some:
    role: int
    filler: Expression


@dataclass(frozen=True)
class Only:
    role: int
    filler: Expression


@dataclass(frozen=True)
class Self:
    role: int


Expression = Atom | And | Or | Not | Some | Only | Self

THING, NOTHING = Atom(TOP), Atom(BOTTOM)


class Reader:
    """Turns nodes of an ontology into expressions over the ids of a vocabulary."""

    def __init__(self, ontology: Ontology, vocabulary: Vocabulary) -> None:
        self.ontology, self.vocabulary = ontology, vocabulary

    def expression(self, node: int) -> Expression:
        """A class expression; individuals are their nominals."""
        ontology = self.ontology
        op = Op(int(ontology.op[node]))
        if op in (Op.Class, Op.NamedIndividual):
            return self._named(ontology.string(node), op)
        arguments = ontology.arguments(node)
        match op:
            case Op.ObjectIntersectionOf:
                return And(tuple(map(self.expression, arguments)))
            case Op.ObjectUnionOf | Op.ObjectOneOf:
                parts = tuple(map(self.expression, arguments))
                return parts[0] if len(parts) == 1 else Or(parts)
            case Op.ObjectComplementOf:
                return Not(self.expression(arguments[0]))
            case Op.ObjectSomeValuesFrom | Op.ObjectHasValue:
                return Some(self.role(arguments[0]), self.expression(arguments[1]))
            case Op.ObjectAllValuesFrom:
                return Only(self.role(arguments[0]), self.expression(arguments[1]))
            case Op.ObjectHasSelf:
                return Self(self.role(arguments[0]))
            case Op.ObjectMinCardinality | Op.ObjectMaxCardinality | Op.ObjectExactCardinality:
                return self._cardinality(op, arguments)
        raise Unsayable(f"{op.name} cannot be asked for: {ontology.text(node)}")

    def role(self, node: int) -> int:
        """The id of a role."""
        ontology = self.ontology
        name = ontology.string(node) if ontology.op[node] == Op.ObjectProperty else ontology.text(node)
        if name == TOP_OBJECT_PROPERTY:
            return TOP_ROLE
        found = _names(self.vocabulary)[2].get(name)
        if found is None:
            raise Unsayable(f"the ontology does not use the role {ontology.text(node)}")
        return found

    def _cardinality(self, op: Op, arguments: list[int]) -> Expression:
        number = int(self.ontology.string(arguments[0]).strip('"').split('"')[0])
        filler = self.expression(arguments[2]) if len(arguments) > 2 else THING
        some = Some(self.role(arguments[1]), filler)
        if number == 0:
            return THING if op == Op.ObjectMinCardinality else Not(some)
        if number == 1 and op == Op.ObjectMinCardinality:
            return some
        raise Unsayable(f"{op.name} of {number} cannot be asked for")

    def _named(self, iri: str, op: Op) -> Expression:
        classes, individuals = _names(self.vocabulary)[:2]
        found = (individuals if op == Op.NamedIndividual else classes).get(iri)
        return Atom(-1, iri) if found is None else Atom(found)


@lru_cache(maxsize=4)
def _names(vocabulary: Vocabulary) -> tuple[dict[str, int], dict[str, int], dict[str, int]]:
    """Ids of classes, of individuals and of roles; a punned IRI is in more than one."""
    kinds, names = vocabulary.class_kinds, vocabulary.classes
    classes = {names[int(i)]: int(i) for i in np.flatnonzero(kinds <= Kind.NAMED)}
    individuals = {names[int(i)]: int(i) for i in np.flatnonzero(kinds == Kind.INDIVIDUAL)}
    return classes, individuals, {name: i for i, name in enumerate(vocabulary.roles)}
