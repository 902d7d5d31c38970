"""Questions about properties become questions about individuals that exist for them only: what must hold of any that
are so related."""

from __future__ import annotations

import numpy as np

from elgeo.ontology.expressions import NOTHING, THING, Op
from elgeo.ontology.model import Builder, Ontology
from elgeo.ontology.normalisation.data_properties.values import LITERAL
from elgeo.ontology.vocabulary import TOP, Kind
from elgeo.reasoning.questions.additions import Addition
from elgeo.reasoning.questions.question import Question, copied
from elgeo.reasoning.saturation.saturate import Saturation

_NAME = "urn:elgeo:question#"
_ROLES = (Op.FunctionalObjectProperty, Op.AsymmetricObjectProperty, Op.DisjointObjectProperties)


def asks_of_individuals(question: Question) -> bool:
    """Whether a question is answered by relating individuals of which nothing else is known."""
    ontology, node = question.ontology, question.node
    op = int(ontology.op[node])
    if op == Op.SubObjectPropertyOf:
        return bool((ontology.op == Op.ObjectInverseOf).any())
    return op in (*_ROLES, Op.HasKey, Op.DisjointDataProperties, Op.DatatypeDefinition)


def with_individuals(source: Ontology, question: Question) -> tuple[Ontology, Question]:
    """The ontology with such individuals, and the question about them.

    Individuals without a name stand for anything there is; keys speak of those with a name.
    """
    made = _Made(source, question)
    arguments = question.ontology.arguments(question.node)
    match Op(int(question.ontology.op[question.node])):
        case Op.SubObjectPropertyOf:
            chain = question.ontology.op[arguments[0]] == Op.ObjectPropertyChain
            roles = question.ontology.arguments(arguments[0]) if chain else arguments[:1]
            for number, role in enumerate(roles):
                made.relate(role, number, number + 1)
            made.ask_related(arguments[1], 0, len(roles))
        case Op.FunctionalObjectProperty:
            made.relate(arguments[0], 0, 1)
            made.relate(arguments[0], 0, 2)
            made.ask_same(1, 2)
        case Op.AsymmetricObjectProperty:
            made.relate(arguments[0], 0, 1)
            made.relate(arguments[0], 1, 0)
            made.ask_nothing(made.asked.entity(Op.Class, THING))
        case Op.DisjointObjectProperties:
            for role in arguments:
                made.relate(role, 0, 1)
            made.ask_nothing(made.asked.entity(Op.Class, THING))
        case Op.HasKey:
            made.key(arguments)
        case Op.DisjointDataProperties:
            for each in arguments:
                made.below(each)
            made.ask_nothing(made.some(made.asked.entity(Op.Datatype, LITERAL)))
        case Op.DatatypeDefinition:
            sides = [made.some(copied(question.ontology, each, made.asked)) for each in arguments]
            made.nodes.append(made.asked.axiom(Op.EquivalentClasses, *sides))
    return made.addition.finish(), Question(made.asked.finish(), made.nodes[0])


def speaks_of_new_names(question: Question, saturation: Saturation) -> bool:
    """Whether a question has roles that an ontology does not speak of, or individuals of which it still says something.

    That is where all there is may be one, where all is related, or where keys tell what has a name.
    """
    asked, forms = question.ontology, saturation.forms
    words, universal = forms.vocabulary, saturation.completion.roles.universal
    roles = [asked.string(node) for node in np.flatnonzero(asked.op == Op.ObjectProperty).tolist()]
    if any(name not in words.roles for name in roles):
        return True
    individuals = {asked.string(node) for node in np.flatnonzero(asked.op == Op.NamedIndividual).tolist()}
    known = np.flatnonzero(words.class_kinds == Kind.INDIVIDUAL).tolist() if individuals else []
    if individuals.issubset(words.classes[i] for i in known):
        return False
    source = forms.source
    return bool(
        (words.class_kinds[saturation.subsumers_of(TOP)] == Kind.INDIVIDUAL).any()
        or universal[[words.roles.index(name) for name in roles]].any()
        or len(saturation.completion.hidden.universal)
        or (source is not None and (source.op[source.axiom_nodes] == Op.HasKey).any())
    )


def with_new_names(source: Ontology, question: Question) -> tuple[Ontology, Question]:
    """The ontology with all roles and individuals of a question: nothing else is known of those that are new."""
    addition, asked = Addition(source), question.ontology
    for node in np.flatnonzero((asked.op == Op.ObjectProperty) | (asked.op == Op.NamedIndividual)).tolist():
        addition.copy(asked, node)
    return addition.finish(), question


class _Made:
    """What is added to an ontology, and what is asked."""

    def __init__(self, source: Ontology, question: Question) -> None:
        self.addition, self.asked, self.nodes = Addition(source), Builder(), list[int]()
        self._from = question.ontology
        self._prefix = _NAME if question.ontology.op[question.node] == Op.HasKey else "_:elgeo-question-"

    def relate(self, role: int, first: int, second: int) -> None:
        """Let two individuals be related by a role or the inverse of one."""
        role, first, second = self._straight(role, first, second)
        individuals = (self._individual(each, self.addition) for each in (first, second))
        self.addition.axiom(Op.ObjectPropertyAssertion, self.addition.copy(self._from, role), *individuals)

    def ask_related(self, role: int, first: int, second: int) -> None:
        """Ask whether two individuals are related."""
        role, first, second = self._straight(role, first, second)
        # also where nothing else speaks of the role
        self.addition.copy(self._from, role)
        individuals = (self._individual(each, self.asked) for each in (first, second))
        self.nodes.append(
            self.asked.axiom(Op.ObjectPropertyAssertion, copied(self._from, role, self.asked), *individuals)
        )

    def ask_same(self, first: int, second: int) -> None:
        individuals = (self._individual(each, self.asked) for each in (first, second))
        self.nodes.append(self.asked.axiom(Op.SameIndividual, *individuals))

    def ask_nothing(self, left: int) -> None:
        """Ask whether nothing can be in a class."""
        self.nodes.append(self.asked.axiom(Op.SubClassOf, left, self.asked.entity(Op.Class, NOTHING)))

    def key(self, arguments: list[int]) -> None:
        """Let two individuals of a class share a value of each property of a key, and ask whether they are one."""
        for each in range(2):
            individual = self._individual(each, self.addition)
            self.addition.axiom(Op.ClassAssertion, self.addition.copy(self._from, arguments[0]), individual)
            for number, part in enumerate(arguments[1:], 2):
                if self._from.op[part] != Op.DataProperty:
                    self.relate(part, each, number)
                    continue
                value = self.addition.entity(Op.Literal, f'"{number}"^^<{_NAME}datatype>')
                copy = self.addition.copy(self._from, part)
                self.addition.axiom(Op.DataPropertyAssertion, copy, individual, value)
        self.ask_same(0, 1)

    def below(self, data_property: int) -> None:
        """Let a data property of the question be below another."""
        own = self.addition.entity(Op.DataProperty, _NAME + "property")
        self.addition.axiom(Op.SubDataPropertyOf, own, self.addition.copy(self._from, data_property))

    def some(self, data_range: int) -> int:
        """What has a value of the question's data property in a range."""
        return self.asked.node(
            Op.DataSomeValuesFrom, self.asked.entity(Op.DataProperty, _NAME + "property"), data_range
        )

    def _straight(self, role: int, first: int, second: int) -> tuple[int, int, int]:
        """A role without inverses, and whom it leads from and to."""
        while self._from.op[role] == Op.ObjectInverseOf:
            role, first, second = self._from.arguments(role)[0], second, first
        return role, first, second

    def _individual(self, number: int, where: Addition | Builder) -> int:
        return where.entity(Op.NamedIndividual, f"{self._prefix}{number}")
