"""Questions about data properties become questions about classes: what has such a value gets a name in the ontology."""

from __future__ import annotations

from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Builder, Ontology
from elgeo.ontology.normalisation.data_properties.values import LITERAL
from elgeo.ontology.normalisation.shapes import among
from elgeo.reasoning.questions.additions import Addition
from elgeo.reasoning.questions.question import Question, copied

_ANY = "urn:elgeo:question#datatype"
"""A datatype of which nothing is known: what holds of a value in it holds of every value."""
_NAME = "urn:elgeo:question#value"
RESTRICTIONS = (Op.DataSomeValuesFrom, Op.DataHasValue, Op.DataMinCardinality)
_PROPERTY_AXIOMS = (
    *(Op.DataPropertyAssertion, Op.NegativeDataPropertyAssertion, Op.DataPropertyDomain, Op.DataPropertyRange),
    *(Op.SubDataPropertyOf, Op.EquivalentDataProperties),
)


def speaks_of_values(question: Question) -> bool:
    """Whether a question can be asked about classes of what has a value."""
    op = question.ontology.op
    return bool(among(op, RESTRICTIONS).any()) or int(op[question.node]) in _PROPERTY_AXIOMS


def with_names_for_values(source: Ontology, question: Question) -> tuple[Ontology, Question]:
    """The ontology with a name for each restriction of a data property in a question, and the question in these."""
    question = _about_classes(question)
    asked, addition, builder = question.ontology, Addition(source), Builder()
    known: dict[int, int] = {}
    for node in range(len(asked.op)):
        op = Op(int(asked.op[node]))
        if op in RESTRICTIONS:
            name = f"{_NAME}{len(known)}"
            addition.axiom(Op.EquivalentClasses, addition.entity(Op.Class, name), addition.copy(asked, node))
            known[node] = builder.entity(Op.Class, name)
        elif op in (Op.Class, Op.ObjectProperty, Op.NamedIndividual):
            known[node] = builder.entity(op, asked.string(node))
    nodes = []
    for node in (question.node, *question.others):
        arguments = [copied(asked, argument, builder, known) for argument in asked.arguments(node)]
        nodes.append(builder.axiom(Op(int(asked.op[node])), *arguments))
    return addition.finish(), Question(builder.finish(), nodes[0], tuple(nodes[1:]))


def _about_classes(question: Question) -> Question:
    """An axiom about data properties as one about the classes of what has their values."""
    ontology = question.ontology
    op = Op(int(ontology.op[question.node]))
    if op not in _PROPERTY_AXIOMS:
        return question
    builder = Builder()
    arguments = [copied(ontology, argument, builder) for argument in ontology.arguments(question.node)]
    anything = builder.entity(Op.Datatype, _ANY)

    def some(data_property: int, values: int) -> int:
        return builder.node(Op.DataSomeValuesFrom, data_property, values)

    axioms = []
    match op:
        case Op.DataPropertyAssertion | Op.NegativeDataPropertyAssertion:
            value = builder.node(Op.DataHasValue, arguments[0], arguments[2])
            if op == Op.DataPropertyAssertion:
                axioms = [builder.axiom(Op.ClassAssertion, value, arguments[1])]
            else:
                axioms = [builder.axiom(Op.DisjointClasses, builder.node(Op.ObjectOneOf, arguments[1]), value)]
        case Op.DataPropertyDomain:
            left = some(arguments[0], builder.entity(Op.Datatype, LITERAL))
            axioms = [builder.axiom(Op.SubClassOf, left, arguments[1])]
        case Op.DataPropertyRange:
            both = builder.node(Op.DataIntersectionOf, anything, arguments[1])
            axioms = [builder.axiom(Op.SubClassOf, some(arguments[0], anything), some(arguments[0], both))]
        case _:
            pairs = [(0, i) for i in range(1, len(arguments))]
            pairs += [(i, 0) for i in range(1, len(arguments))] if op == Op.EquivalentDataProperties else []
            sides = [(some(arguments[i], anything), some(arguments[j], anything)) for i, j in pairs]
            axioms = [builder.axiom(Op.SubClassOf, *pair) for pair in sides]
    return Question(builder.finish(), axioms[0], tuple(axioms[1:]))
