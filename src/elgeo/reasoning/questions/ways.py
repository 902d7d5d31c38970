"""Questions that are other questions: an axiom follows if, in one of several ways, all of some simpler axioms do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, pairwise, permutations

import numpy as np

from elgeo.ontology.expressions import NOTHING, Op
from elgeo.ontology.model import Builder, Ontology
from elgeo.ontology.normalisation.data_properties.values import LITERAL
from elgeo.reasoning.questions.question import Question, copied

_INHERITED = {
    Op.FunctionalObjectProperty: Op.SubObjectPropertyOf,
    Op.InverseFunctionalObjectProperty: Op.SubObjectPropertyOf,
    Op.AsymmetricObjectProperty: Op.SubObjectPropertyOf,
    Op.DisjointObjectProperties: Op.SubObjectPropertyOf,
    Op.FunctionalDataProperty: Op.SubDataPropertyOf,
    Op.DisjointDataProperties: Op.SubDataPropertyOf,
}
"""What holds of properties below those that it was said of, and how to say that they are below."""
_ALWAYS = (
    *(Op.InverseObjectProperties, Op.SymmetricObjectProperty, Op.InverseFunctionalObjectProperty),
    Op.FunctionalDataProperty,
)
_MIRRORED = {
    Op.ObjectPropertyDomain: Op.ObjectPropertyRange,
    Op.ObjectPropertyRange: Op.ObjectPropertyDomain,
    Op.TransitiveObjectProperty: Op.TransitiveObjectProperty,
    Op.ReflexiveObjectProperty: Op.ReflexiveObjectProperty,
    Op.IrreflexiveObjectProperty: Op.IrreflexiveObjectProperty,
}
"""What an axiom about a role says of its inverse."""
Part = Callable[[Builder], int]
"""Makes the node of an argument."""


def ways(source: Ontology, question: Question, entails: Callable[[Question], bool]) -> Iterator[list[Question]]:
    """The ways there are; none for most questions, which are answered as they stand. `entails` decides simple ones."""
    ontology, node = question.ontology, question.node
    op, nodes = Op(int(ontology.op[node])), ontology.arguments(node)
    parts = [_of(ontology, each) for each in nodes]
    match op:
        case Op.DisjointObjectProperties | Op.DisjointDataProperties if len(parts) > 2:
            yield [_asked(op, *pair) for pair in combinations(parts, 2)]
        case Op.EquivalentObjectProperties if (ontology.op == Op.ObjectInverseOf).any():
            yield [_asked(Op.SubObjectPropertyOf, *p) for a, b in pairwise(parts) for p in ((a, b), (b, a))]
        case Op.InverseObjectProperties:
            first, second = parts[0], _inverse_of(ontology, nodes[1])
            yield [_asked(Op.SubObjectPropertyOf, first, second), _asked(Op.SubObjectPropertyOf, second, first)]
        case Op.SymmetricObjectProperty:
            yield [_asked(Op.SubObjectPropertyOf, parts[0], _inverse_of(ontology, nodes[0]))]
        case Op.InverseFunctionalObjectProperty:
            yield [_asked(Op.FunctionalObjectProperty, _inverse_of(ontology, nodes[0]))]
        case _ if op in _MIRRORED and ontology.op[nodes[0]] == Op.ObjectInverseOf:
            yield [_asked(_MIRRORED[op], _inverse_of(ontology, nodes[0]), *parts[1:])]
    if op in _INHERITED and len(parts) <= 2:
        yield from _inherited(source, op, parts, entails)
    if op == Op.FunctionalDataProperty:
        yield from _at_most_one_value(source, parts[0])


def may_have_ways(question: Question) -> bool:
    """Whether it is worth to look for ways."""
    return only_by_ways(question) or question.ontology.op[question.node] in _INHERITED


def only_by_ways(question: Question) -> bool:
    """Whether a question is not answered as it stands: in one of the ways, or not at all."""
    ontology, node = question.ontology, question.node
    op, nodes = Op(int(ontology.op[node])), ontology.arguments(node)
    if op in (Op.DisjointObjectProperties, Op.DisjointDataProperties):
        return len(nodes) > 2
    if op in _ALWAYS:
        return True
    if op == Op.EquivalentObjectProperties:
        return bool((ontology.op == Op.ObjectInverseOf).any())
    return op in _MIRRORED and bool(ontology.op[nodes[0]] == Op.ObjectInverseOf)


def _inherited(
    source: Ontology, op: Op, parts: list[Part], entails: Callable[[Question], bool]
) -> Iterator[list[Question]]:
    """From the same said of properties above."""
    for node in source.axiom_nodes[source.op[source.axiom_nodes] == op].tolist():
        said = [_of(source, each) for each in source.arguments(node)]
        below = [[_asked(_INHERITED[op], part, above) for above in said] for part in parts]
        holds = [[entails(each) for each in row] for row in below]
        for chosen in permutations(range(len(said)), len(parts)):
            if all(holds[place][above] for place, above in enumerate(chosen)):
                yield [*(below[place][above] for place, above in enumerate(chosen)), _asked(op, *said)]


def _at_most_one_value(source: Ontology, data_property: Part) -> Iterator[list[Question]]:
    """A data property without values, or with one literal as its range, is functional."""

    def some(builder: Builder) -> int:
        return builder.node(Op.DataSomeValuesFrom, data_property(builder), builder.entity(Op.Datatype, LITERAL))

    yield [_asked(Op.SubClassOf, some, lambda builder: builder.entity(Op.Class, NOTHING))]
    if (source.op[source.axiom_nodes] == Op.DataPropertyRange).any():
        single = (source.op == Op.DataOneOf) & (np.diff(source.start) == 1)
        for node in np.flatnonzero(single).tolist():
            yield [_asked(Op.DataPropertyRange, data_property, _of(source, node))]


def _asked(op: Op, *parts: Part) -> Question:
    builder = Builder()
    node = builder.axiom(op, *(part(builder) for part in parts))
    return Question(builder.finish(), node)


def _of(ontology: Ontology, node: int) -> Part:
    return lambda builder: copied(ontology, node, builder)


def _inverse_of(ontology: Ontology, node: int) -> Part:
    """The inverse of a role; of R⁻ that is R."""
    if ontology.op[node] == Op.ObjectInverseOf:
        return _of(ontology, ontology.arguments(node)[0])
    return lambda builder: builder.node(Op.ObjectInverseOf, copied(ontology, node, builder))
