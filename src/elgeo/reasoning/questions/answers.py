"""Answers to axioms as users ask them: entailed, not entailed, contradicts, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations, pairwise

import numpy as np

from elgeo.errors import ElgeoError
from elgeo.ontology import normalise
from elgeo.ontology.expressions import NOTHING as NOTHING_IRI
from elgeo.ontology.expressions import THING as THING_IRI
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Builder, Ontology
from elgeo.reasoning.proofs.justifications import Axioms, Justifications
from elgeo.reasoning.proofs.proof import Proof, asserted_proof, prove
from elgeo.reasoning.proofs.rules import RowIndex
from elgeo.reasoning.questions.additions import Addition, with_axioms
from elgeo.reasoning.questions.data_questions import speaks_of_values, with_names_for_values
from elgeo.reasoning.questions.drafts import Drafts
from elgeo.reasoning.questions.entailment import Entailment, alternatives, draft, inclusions
from elgeo.reasoning.questions.expressions import And, Expression, Not, Reader, Unsayable
from elgeo.reasoning.questions.question import Question, copied
from elgeo.reasoning.questions.row_text import row_text
from elgeo.reasoning.saturation.saturate import Saturation, saturate

ENTAILED, NOT_ENTAILED, CONTRADICTS, UNDECIDED = "entailed", "not entailed", "contradicts", "undecided"
_EMPTYING = (Op.DisjointClasses, Op.DifferentIndividuals, Op.NegativeObjectPropertyAssertion)
"""Axioms that say of their parts only that they have nothing in common."""
_IN_WORDS = {
    *(Op.ObjectIntersectionOf, Op.ObjectOneOf, Op.ObjectSomeValuesFrom, Op.ObjectHasValue, Op.ObjectHasSelf),
    *(Op.SubClassOf, Op.EquivalentClasses, Op.DisjointClasses, Op.ClassAssertion, Op.SameIndividual),
    *(Op.DifferentIndividuals, Op.ObjectPropertyAssertion, Op.NegativeObjectPropertyAssertion),
    *(Op.SubObjectPropertyOf, Op.EquivalentObjectProperties, Op.TransitiveObjectProperty),
    *(Op.ObjectPropertyDomain, Op.ObjectPropertyRange, Op.ReflexiveObjectProperty, Op.IrreflexiveObjectProperty),
}
"""What rules speak of."""
_NAMES = "urn:elgeo:question#"


class Answers:
    """Answers questions about one saturated ontology."""

    def __init__(self, saturation: Saturation, own: int | None = None) -> None:
        """`own`: only so many axioms are the ontology's, further ones were added for a question."""
        self.saturation = saturation
        self._entailment = Entailment(saturation)
        self._own = own

    def question(self, axiom: str | tuple[str, Sequence[int]] | Question) -> Question:
        """An axiom as text, or as the name of a normal form and a row of ids."""
        vocabulary = self.saturation.forms.vocabulary
        if isinstance(axiom, Question):
            return axiom
        return Question.parse(axiom if isinstance(axiom, str) else row_text(*axiom, vocabulary), vocabulary)

    def entails(self, question: Question) -> bool:
        """Whether an axiom follows."""
        if speaks_of_values(question):
            answers, question = self._in_classes(question)
            return answers.entails(question)
        if question.others:
            return question.entailed(self.saturation)
        direct = self._follows_directly(question)
        if direct or (direct is False and _in_words(question)):
            return direct
        return self._asserted(question) is not None or self._follows_by_name(question)

    def verdict(self, question: Question) -> str:
        """`entailed`, `not entailed`, `contradicts` where its addition would make its left side unsatisfiable.

        Or `undecided`, where EL++ has no words for it: then `why_undecided` says why.
        """
        try:
            if self.entails(question):
                return ENTAILED
        except Unsayable:
            return UNDECIDED
        return CONTRADICTS if self.contradicts(question) else NOT_ENTAILED

    def why_undecided(self, question: Question) -> str:
        """What makes a question undecided; nothing if it is not."""
        try:
            self.entails(question)
        except Unsayable as reason:
            return str(reason)
        return ""

    def contradicts(self, question: Question) -> bool:
        """Whether an axiom's addition makes a satisfiable left side unsatisfiable.

        Of axioms that only keep things apart (DisjointWith, DifferentFrom) it is the parts that must stay satisfiable.
        """
        if speaks_of_values(question):
            answers, question = self._in_classes(question)
            return answers.contradicts(question)
        op = Op(int(question.ontology.op[question.node]))
        try:
            pairs = self._inclusions(question)
        except Unsayable:
            return False
        if op not in _EMPTYING:
            if any(self._excludes(left, right) for left, right in pairs):
                return True
            if not any(self._reaches_left(left, right) for left, right in pairs):
                return False
        return self._emptied(question) is not None

    def explain(self, question: Question) -> Proof:
        """A proof of an axiom that follows, or of the emptiness of its left side where it contradicts.

        In an inconsistent ontology the proof is that of the inconsistency.
        """
        if not self.saturation.consistent:
            question = self.question(f"SubClassOf(<{THING_IRI}> <{NOTHING_IRI}>)")
        if speaks_of_values(question):
            answers, question = self._in_classes(question)
            return answers.explain(question)
        number = None if self._follows_directly(question) else self._asserted(question)
        if number is not None:
            return asserted_proof(_source(self.saturation), number, question)
        if self.entails(question):
            saturation, question = self._provable(question)
            return prove(_source(saturation), self._justified(saturation, question).first(), question, self._n_axioms)
        emptied = self._emptied(question) if self.contradicts(question) else None
        if emptied is None:
            raise ElgeoError(f"{question.text} neither follows nor contradicts: there is nothing to explain")
        saturation, question = emptied
        return prove(_source(saturation), self._justified(saturation, question).first(), question, self._n_axioms)

    def justifications(self, question: Question, limit: int | None = None) -> Iterator[Axioms]:
        """All minimal sets of axioms an entailed or contradicting axiom rests on, as numbers of `forms.source`."""
        if speaks_of_values(question):
            answers, question = self._in_classes(question)
            return answers.justifications(question, limit)
        number = None if self._follows_directly(question) else self._asserted(question)
        if number is not None:
            return iter((frozenset((number,)),))
        if self.entails(question):
            saturation, question = self._provable(question)
        else:
            emptied = self._emptied(question) if self.contradicts(question) else None
            if emptied is None:
                return iter(())
            saturation, question = emptied
        own = self._n_axioms
        found = self._justified(saturation, question).all(limit)
        return (frozenset(axiom for axiom in axioms if axiom < own) for axioms in found)

    @cached_property
    def _index(self) -> RowIndex:
        return RowIndex(self.saturation.forms.tables)

    @property
    def _n_axioms(self) -> int:
        return len(_source(self.saturation).axiom_nodes) if self._own is None else self._own

    def _in_classes(self, question: Question) -> tuple[Answers, Question]:
        """A question about values as one about classes, and who can answer it."""
        ontology, asked = with_names_for_values(_source(self.saturation), question)
        return Answers(saturate(normalise(ontology)), self._n_axioms), asked

    def _justified(self, saturation: Saturation, question: Question) -> Justifications:
        return Justifications(saturation, question, self._index if saturation is self.saturation else None)

    def _follows_directly(self, question: Question) -> bool | None:
        """By the elements of the question; None where they cannot say."""
        try:
            return self._entailment.holds(question.ontology, question.node)
        except Unsayable:
            return None

    def _asserted(self, question: Question) -> int | None:
        """The number of the very same axiom in the ontology."""
        source = self.saturation.forms.source
        if source is None:
            return None
        node = Addition(source).copy(question.ontology, question.node)
        found = np.flatnonzero(source.axiom_nodes == node)
        return int(found[0]) if len(found) else None

    def _follows_by_name(self, question: Question) -> bool:
        """What EL++ has no words for follows only where the ontology says the very same: its sides get names there."""
        ontology, named = self._named(question)
        return named.entailed(saturate(normalise(ontology)))

    def _provable(self, question: Question) -> tuple[Saturation, Question]:
        """The question in a form that proofs can speak of."""
        if self._follows_directly(question):
            return self.saturation, question
        ontology, named = self._named(question)
        return saturate(normalise(ontology)), named

    def _inclusions(self, question: Question) -> list[tuple[Expression, Expression]]:
        reader = Reader(question.ontology, self.saturation.forms.vocabulary)
        op, arguments = Op(int(question.ontology.op[question.node])), question.ontology.arguments(question.node)
        return inclusions(reader, op, arguments)

    def _excludes(self, left: Expression, right: Expression) -> bool:
        """Whether a satisfiable left side and a right side have nothing in common."""
        try:
            if self._entailment.unsatisfiable(left):
                return False
            if isinstance(right, Not):
                return self._entailment.includes(left, right.part)
            return self._entailment.unsatisfiable(And((left, right)))
        except Unsayable:
            return False

    def _reaches_left(self, left: Expression, right: Expression) -> bool:
        """Whether an element of both sides leads to another one of the left side, which addition would change."""
        try:
            for part in alternatives(And((left, right))):
                drafts = Drafts(self.saturation)
                x = draft(drafts, part)
                for y in self._entailment.reached(drafts, x):
                    if y != x and self._entailment.has(drafts, y, left) and not self._entailment.has(drafts, y, right):
                        return True
        except Unsayable:
            return True
        return False

    def _emptied(self, question: Question) -> tuple[Saturation, Question] | None:
        """The saturation with the axiom added, and the question why a left side is empty there; None if none is."""
        source = _source(self.saturation)
        added = saturate(normalise(with_axioms(source, question.ontology, [question.node])))
        for side in _sides(question):
            if side.entailed(added) and not side.entailed(self.saturation):
                return added, side
        return None

    def _named(self, question: Question) -> tuple[Ontology, Question]:
        """The ontology with names for both sides of an axiom, and the same question about the names."""
        addition, builder, nodes = Addition(_source(self.saturation)), Builder(), []
        for number, (left, right) in enumerate(_node_pairs(question)):
            names = [f"{_NAMES}{side}{number}" for side in ("left", "right")]
            lower, upper = (addition.entity(Op.Class, name) for name in names)
            for part in left:
                addition.axiom(Op.SubClassOf, lower, addition.copy(question.ontology, part))
            if right is not None:
                addition.axiom(Op.SubClassOf, addition.copy(question.ontology, right), upper)
            sides = [builder.entity(Op.Class, name) for name in (names[0], NOTHING_IRI if right is None else names[1])]
            nodes.append(builder.axiom(Op.SubClassOf, *sides))
        return addition.finish(), Question(builder.finish(), nodes[0], tuple(nodes[1:]))


def _in_words(question: Question) -> bool:
    """Whether a question is decided completely without names for its sides."""
    ontology = question.ontology
    inner = ontology.op > Op.ObjectPropertyChain
    several = (ontology.op == Op.ObjectOneOf) & (np.diff(ontology.start) > 1)
    return not several.any() and set(ontology.op[inner].tolist()) <= _IN_WORDS


def _source(saturation: Saturation) -> Ontology:
    source = saturation.forms.source
    if source is None:
        raise ElgeoError("these normal forms came without their axioms: normalise the ontology and ask that")
    return source


def _node_pairs(question: Question) -> list[tuple[list[int], int | None]]:
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


def _sides(question: Question) -> Iterator[Question]:
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
            left = builder.entity(Op.Class, THING_IRI)
            if op == Op.ObjectPropertyDomain:
                left = builder.node(Op.ObjectSomeValuesFrom, copied(ontology, argument, builder), left)
        else:
            left = copied(ontology, argument, builder)
            if ontology.op[argument] == Op.NamedIndividual:
                left = builder.node(Op.ObjectOneOf, left)
        axiom = builder.axiom(Op.SubClassOf, left, builder.entity(Op.Class, NOTHING_IRI))
        yield Question(builder.finish(), axiom)
