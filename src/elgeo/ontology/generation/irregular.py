"""Small random ontologies without any pattern: every constructor, nested, odd, repeated; the tests' raw material."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from elgeo.ontology.expressions import BOTTOM_OBJECT_PROPERTY, NOTHING, THING, TOP_OBJECT_PROPERTY, Op
from elgeo.ontology.model import Builder, Ontology

BASE = "http://example.org/generated#"

EL_EXPRESSIONS: dict[str, float] = {
    "ObjectIntersectionOf": 3,
    "ObjectSomeValuesFrom": 4,
    "ObjectHasValue": 0.5,
    "ObjectHasSelf": 0.5,
    "ObjectOneOf": 0.3,
    "ObjectMinCardinality": 0.2,
}
BEYOND_EXPRESSIONS: dict[str, float] = {
    "ObjectUnionOf": 1,
    "ObjectComplementOf": 1,
    "ObjectAllValuesFrom": 0.5,
    "ObjectMaxCardinality": 0.3,
    "ObjectExactCardinality": 0.3,
    "DataHasValue": 0.2,
    "DataSomeValuesFrom": 0.2,
}
EL_AXIOMS: dict[str, float] = {
    "SubClassOf": 10,
    "EquivalentClasses": 4,
    "DisjointClasses": 1,
    "SubObjectPropertyOf": 3,
    "EquivalentObjectProperties": 0.3,
    "ObjectPropertyDomain": 0.7,
    "ObjectPropertyRange": 1,
    "ReflexiveObjectProperty": 0.3,
    "IrreflexiveObjectProperty": 0.2,
    "TransitiveObjectProperty": 0.7,
    "SameIndividual": 0.3,
    "DifferentIndividuals": 0.3,
    "ClassAssertion": 1,
    "ObjectPropertyAssertion": 1,
    "NegativeObjectPropertyAssertion": 0.3,
}
BEYOND_AXIOMS: dict[str, float] = {
    "DisjointUnion": 0.5,
    "InverseObjectProperties": 0.3,
    "SymmetricObjectProperty": 0.3,
    "AsymmetricObjectProperty": 0.2,
    "FunctionalObjectProperty": 0.2,
    "DisjointObjectProperties": 0.2,
    "SubDataPropertyOf": 0.2,
    "DataPropertyAssertion": 0.2,
}


@dataclass(frozen=True)
class Mix:
    """Which constructors an irregular ontology has, and how often: weights by keyword of functional syntax."""

    beyond: float = 1.0
    """How much of what EL++ cannot say: 0 none, 1 its usual weights."""
    axioms: float = 2.0
    """Axioms per class."""
    depth: int = 3
    """How deep expressions nest."""
    inverses: float = 0.05
    """Share of inverse role expressions, times `beyond`."""
    expression_weights: Mapping[str, float] = field(default_factory=dict)
    """Weights to use instead of the usual ones."""
    axiom_weights: Mapping[str, float] = field(default_factory=dict)

    def weights(self, axioms: bool) -> dict[Op, float]:
        """The weight of each constructor."""
        usual, beyond = (EL_AXIOMS, BEYOND_AXIOMS) if axioms else (EL_EXPRESSIONS, BEYOND_EXPRESSIONS)
        found = {**usual, **{name: weight * self.beyond for name, weight in beyond.items()}}
        found |= self.axiom_weights if axioms else self.expression_weights
        return {Op[name]: weight for name, weight in found.items() if weight > 0}


def irregular(classes: int, mix: Mix, rng: np.random.Generator) -> Ontology:
    """A random ontology over that many classes, half as many roles, and a third as many individuals."""
    return _Writer(classes, mix, rng).write()


class _Writer:
    def __init__(self, classes: int, mix: Mix, rng: np.random.Generator) -> None:
        self._builder, self._mix, self._rng = Builder(), mix, rng
        self._n_axioms = int(np.ceil(classes * mix.axioms))
        entity = self._builder.entity
        self._classes = [entity(Op.Class, f"{BASE}C{i}") for i in range(classes)]
        self._classes += [entity(Op.Class, iri) for iri in (THING, NOTHING) if rng.random() < 0.7]
        self._roles = [entity(Op.ObjectProperty, f"{BASE}r{i}") for i in range(classes // 2 + 1)]
        built_in = (TOP_OBJECT_PROPERTY, BOTTOM_OBJECT_PROPERTY)
        self._roles += [entity(Op.ObjectProperty, iri) for iri in built_in if rng.random() < 0.15]
        self._individuals = [entity(Op.NamedIndividual, f"{BASE}i{i}") for i in range(classes // 3 + 1)]
        self._data = [entity(Op.DataProperty, f"{BASE}d{i}") for i in range(2)]
        for node in (*self._classes, *self._roles, *self._individuals):
            self._builder.declare(node)
        self._expressions, self._axioms = mix.weights(axioms=False), mix.weights(axioms=True)
        self._made: list[int] = []

    def write(self) -> Ontology:
        for _ in range(self._n_axioms):
            op = self._choose(self._axioms)
            self._builder.axiom(op, *self._arguments(op))
        return self._builder.finish(format="generated", iri=BASE.rstrip("#"))

    def _choose(self, weights: dict[Op, float]) -> Op:
        chances = np.array(list(weights.values()))
        return list(weights)[int(self._rng.choice(len(chances), p=chances / chances.sum()))]

    def _one(self, of: list[int]) -> int:
        return of[int(self._rng.integers(len(of)))]

    def _some(self, of: list[int], least: int, most: int) -> list[int]:
        return [self._one(of) for _ in range(int(self._rng.integers(least, most + 1)))]

    def _role(self) -> int:
        role = self._one(self._roles)
        inverted = self._rng.random() < self._mix.inverses * self._mix.beyond
        return self._builder.node(Op.ObjectInverseOf, role) if inverted else role

    def _expression(self, depth: int) -> int:
        if depth == 0 or self._rng.random() < 0.4:
            return self._one(self._classes)
        if self._made and self._rng.random() < 0.25:
            # sharing is where normalisers go wrong: say the same thing again elsewhere
            return self._one(self._made)
        op = self._choose(self._expressions)
        node = self._builder.node(op, *self._inside(op, depth - 1))
        self._made.append(node)
        return node

    def _inside(self, op: Op, depth: int) -> list[int]:
        match op:
            case Op.ObjectIntersectionOf | Op.ObjectUnionOf:
                return [self._expression(depth) for _ in range(int(self._rng.integers(2, 5)))]
            case Op.ObjectComplementOf:
                return [self._expression(depth)]
            case Op.ObjectOneOf:
                # more than one is a union, which EL++ has on the left only
                return self._some(self._individuals, 1, 1 if self._mix.beyond == 0 else 3)
            case Op.ObjectHasValue:
                return [self._role(), self._one(self._individuals)]
            case Op.ObjectHasSelf:
                return [self._role()]
            case Op.ObjectSomeValuesFrom | Op.ObjectAllValuesFrom:
                return [self._role(), self._expression(depth)]
            case Op.DataHasValue | Op.DataSomeValuesFrom:
                literal = self._builder.entity(Op.Literal, f'"{int(self._rng.integers(2))}"')
                datatype = self._builder.entity(Op.Datatype, "http://www.w3.org/2001/XMLSchema#string")
                return [self._one(self._data), literal if op == Op.DataHasValue else datatype]
            case _:
                number = int(self._rng.integers(2 if self._mix.beyond == 0 else 4))
                filler = [self._expression(depth)] if self._rng.random() < 0.7 else []
                return [self._builder.entity(Op.Literal, str(number)), self._role(), *filler]

    def _arguments(self, op: Op) -> list[int]:
        depth = self._mix.depth
        match op:
            case Op.SubClassOf | Op.EquivalentClasses | Op.DisjointClasses:
                named = self._one(self._classes) if self._rng.random() < 0.7 else self._expression(depth)
                more = 0 if op == Op.SubClassOf else int(self._rng.integers(3)) // 2
                sides = [named, *(self._expression(depth) for _ in range(1 + more))]
                return [sides[int(i)] for i in self._rng.permutation(len(sides))]
            case Op.DisjointUnion:
                return [self._one(self._classes), *(self._expression(1) for _ in range(2))]
            case Op.SubObjectPropertyOf:
                if self._rng.random() < 0.5:
                    length = int(self._rng.integers(2, 5))
                    return [
                        self._builder.node(Op.ObjectPropertyChain, *(self._role() for _ in range(length))),
                        self._role(),
                    ]
                return [self._role(), self._role()]
            case Op.ObjectPropertyDomain | Op.ObjectPropertyRange:
                return [self._role(), self._expression(2)]
            case Op.SameIndividual | Op.DifferentIndividuals:
                return self._some(self._individuals, 2, 3)
            case Op.ClassAssertion:
                return [self._expression(depth), self._one(self._individuals)]
            case Op.ObjectPropertyAssertion | Op.NegativeObjectPropertyAssertion:
                return [self._role(), *self._some(self._individuals, 2, 2)]
            case Op.EquivalentObjectProperties | Op.InverseObjectProperties | Op.DisjointObjectProperties:
                return [self._role(), self._role()]
            case Op.SubDataPropertyOf:
                return list(self._data)
            case Op.DataPropertyAssertion:
                literal = self._builder.entity(Op.Literal, '"1"')
                return [self._data[0], self._one(self._individuals), literal]
            case _:
                return [self._role()]
