"""The sides of an axiom that is asked for: whether rules speak of them, which nodes they are, when they are empty."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise

import numpy as np

from elgeo.ontology.expressions import NOTHING, THING, Op
from elgeo.ontology.model import Builder
from elgeo.reasoning.questions.expressions import Unsayable
from elgeo.reasoning.questions.question import Question, copied

_IN_WORDS = {
    *(Op.ObjectIntersectionOf, Op.ObjectOneOf, Op.ObjectSomeValuesFrom, Op.ObjectHasValue, Op.ObjectHasSelf),
    *(Op.SubClassOf, Op.EquivalentClasses, Op.DisjointClasses, Op.ClassAssertion, Op.SameIndividual),
    *(Op.DifferentIndividuals, Op.ObjectPropertyAssertion, Op.NegativeObjectPropertyAssertion),
    *(Op.SubObjectPropertyOf, Op.EquivalentObjectProperties, Op.TransitiveObjectProperty),
    *(Op.ObjectPropertyDomain, Op.ObjectPropertyRange, Op.ReflexiveObjectProperty, Op.IrreflexiveObjectProperty),
}
"""What rules speak of."""

WITH_ONE_CLASS = {Op.ClassAssertion: 0, Op.ObjectPropertyDomain: 1, Op.ObjectPropertyRange: 1}
"""Axioms that speak of one class expression, and where it stands."""


def in_words(question: Question) -> bool:
    """Whether a question is decided completely without names for its sides."""
    ontology = question.ontology
    inner = ontology.op > Op.ObjectPropertyChain
    several = (ontology.op == Op.ObjectOneOf) & (np.diff(ontology.start) > 1)
    return not several.any() and set(ontology.op[inner].tolist()) <= _IN_WORDS


def node_pairs(question: Question) -> list[tuple[list[int], int | None]]:
    """Nodes whose intersection has to be below a node, or empty."""
    ontology, node = question.ontology, question.node
    op, arguments = Op(int(ontology.op[node])), ontology.arguments(node)
    match op:
        case Op.SubClassOf:
            return [([arguments[0]], arguments[1])]
        case Op.EquivalentClasses:
            return [pair for a, b in pairwise(arguments) for pair in (([a], b), ([b], a))]
        case Op.DisjointClasses:
            return [([a, b], None) for a, b in combinations(arguments, 2)]
    raise Unsayable(f"{op.name} axioms like {question.text} cannot be decided in EL++")


def left_sides(question: Question) -> Iterator[Question]:
    """For each left side of an axiom the question whether it is empty."""
    ontology, node = question.ontology, question.node
    op, arguments = Op(int(ontology.op[node])), ontology.arguments(node)
    if op in (Op.SubClassOf, Op.DisjointUnion):
        arguments = arguments[:1]
    elif op == Op.ClassAssertion:
        arguments = arguments[1:]
    elif op in (Op.ObjectPropertyAssertion, Op.NegativeObjectPropertyAssertion):
        arguments = arguments[1:2]
    for argument in arguments:
        builder = Builder()
        if op in (Op.ObjectPropertyDomain, Op.ObjectPropertyRange, Op.ReflexiveObjectProperty):
            if argument != arguments[0]:
                continue
            left = builder.entity(Op.Class, THING)
            if op == Op.ObjectPropertyDomain:
                left = builder.node(Op.ObjectSomeValuesFrom, copied(ontology, argument, builder), left)
        else:
            left = copied(ontology, argument, builder)
            if ontology.op[argument] == Op.NamedIndividual:
                left = builder.node(Op.ObjectOneOf, left)
        axiom = builder.axiom(Op.SubClassOf, left, builder.entity(Op.Class, NOTHING))
        yield Question(builder.finish(), axiom)
