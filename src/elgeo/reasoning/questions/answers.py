"""Answers to axioms as users ask them: entailed, not entailed, contradicts, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from elgeo.errors import ElgeoError
from elgeo.ontology import normalise
from elgeo.ontology.expressions import NOTHING as NOTHING_IRI
from elgeo.ontology.expressions import THING as THING_IRI
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Builder, Ontology
from elgeo.reasoning.proofs.justifications import Axioms, Justifications, minimal, smallest_unions
from elgeo.reasoning.proofs.proof import Proof, asserted_proof, joined_proof, prove
from elgeo.reasoning.proofs.rules import RowIndex
from elgeo.reasoning.questions.additions import Addition, with_axioms
from elgeo.reasoning.questions.data_questions import speaks_of_values, with_names_for_values
from elgeo.reasoning.questions.drafts import Drafts
from elgeo.reasoning.questions.entailment import Entailment, alternatives, draft, inclusions
from elgeo.reasoning.questions.expressions import NOTHING, And, Atom, Expression, Not, Reader, Unsayable
from elgeo.reasoning.questions.fresh_individuals import (
    asks_of_individuals,
    speaks_of_new_names,
    with_individuals,
    with_new_names,
)
from elgeo.reasoning.questions.question import Question, copied, part_of
from elgeo.reasoning.questions.row_text import row_text
from elgeo.reasoning.questions.sides import WITH_ONE_CLASS, in_words, left_sides, node_pairs
from elgeo.reasoning.questions.ways import may_have_ways, only_by_ways, ways
from elgeo.reasoning.saturation.saturate import Saturation, saturate

ENTAILED, NOT_ENTAILED, CONTRADICTS, UNDECIDED = "entailed", "not entailed", "contradicts", "undecided"
_EMPTYING = (Op.DisjointClasses, Op.DifferentIndividuals, Op.NegativeObjectPropertyAssertion)
"""Axioms that say of their parts only that they have nothing in common."""
_NAMES = "urn:elgeo:question#"


class Answers:
    """Answers questions about one saturated ontology."""

    def __init__(self, saturation: Saturation, own: int | None = None) -> None:
        """`own`: only so many axioms are the ontology's, further ones were added for a question."""
        self.saturation = saturation
        self._entailment = Entailment(saturation)
        self._own = own
        self._asked_elsewhere: tuple[Question, tuple[Answers, Question]] | None = None

    def question(self, axiom: str | tuple[str, Sequence[int]] | Question) -> Question:
        """An axiom as text, or as the name of a normal form and a row of ids."""
        vocabulary = self.saturation.forms.vocabulary
        if isinstance(axiom, Question):
            return axiom
        return Question.parse(axiom if isinstance(axiom, str) else row_text(*axiom, vocabulary), vocabulary)

    def entails(self, question: Question) -> bool:
        """Whether an axiom follows."""
        by_ways = only_by_ways(question)
        if (by_ways or asks_of_individuals(question)) and self._asserted(question) is not None:
            return True
        if self._way(question) is not None:
            return True
        if by_ways:
            return False
        elsewhere = self._elsewhere(question)
        if elsewhere is not None:
            answers, asked = elsewhere
            return answers.entails(asked)
        if question.others:
            return question.entailed(self.saturation)
        direct = self._follows_directly(question)
        if direct or (direct is False and in_words(question)):
            return direct
        return self._asserted(question) is not None or self._follows_by_name(question)

    def verdict(self, question: Question) -> str:
        """`entailed`, `not entailed`, `contradicts` where its addition would make its left side unsatisfiable.

        Or `undecided`, where EL++ has no words for it: then `why_undecided` says why.
        """
        try:
            if self.entails(question):
                return ENTAILED
            return CONTRADICTS if self.contradicts(question) or self.limit_broken(question) else NOT_ENTAILED
        except Unsayable:
            return UNDECIDED

    def only_limit_broken(self, question: Question) -> str:
        """The same where EL++ sees no contradiction, so that there is no proof of it."""
        return "" if self.contradicts(question) else self.limit_broken(question)

    def limit_broken(self, question: Question) -> str:
        """What EL++ cannot say and the left side would break with the right one, in words; nothing if it would not."""
        forms = self.saturation.forms
        if not len(forms.limits) or question.others or question.ontology.op[question.node] != Op.SubClassOf:
            return ""
        try:
            for left, right in self._inclusions(question):
                if self._entailment.unsatisfiable(left) or self._entailment.limit_broken(left) is not None:
                    continue
                number = self._entailment.limit_broken(And((left, right)))
                if number is not None:
                    whose = left.id if isinstance(left, Atom) and left.id >= 0 else None
                    return forms.limits[number].text(forms.vocabulary, whose)
        except Unsayable:
            return ""
        return ""

    def why_undecided(self, question: Question) -> str:
        """What makes a question undecided; nothing if it is not."""
        try:
            if not self.entails(question):
                self.contradicts(question)
        except Unsayable as reason:
            return str(reason)
        return ""

    def contradicts(self, question: Question) -> bool:
        """Whether an axiom's addition makes a satisfiable left side unsatisfiable.

        Of axioms that only keep things apart (DisjointWith, DifferentFrom) it is the parts that must stay satisfiable.
        """
        if only_by_ways(question) or asks_of_individuals(question):
            return False
        elsewhere = self._elsewhere(question)
        if elsewhere is not None:
            answers, asked = elsewhere
            return answers.contradicts(asked)
        op = Op(int(question.ontology.op[question.node]))
        try:
            pairs = self._inclusions(question)
        except Unsayable:
            return False
        # that nothing outside of a class is reached keeps things apart too
        apart = op in _EMPTYING or (op == Op.ObjectPropertyRange and all(right == NOTHING for _, right in pairs))
        if not apart:
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
        number = None if self._follows_directly(question) else self._asserted(question)
        if number is not None:
            return asserted_proof(_source(self.saturation), number, question)
        way = self._way(question)
        if way is not None:
            return self._together(question, way)
        elsewhere = self._explained_elsewhere(question)
        if elsewhere is not None:
            answers, asked = elsewhere
            return answers.explain(asked)
        if self.entails(question):
            saturation, question = self._provable(question)
            return prove(_source(saturation), self._justified(saturation, question).first(), question, self._n_axioms)
        emptied = self._emptied(question) if self.contradicts(question) else None
        if emptied is None and (limit := self.limit_broken(question)):
            raise ElgeoError(f"{question.text} contradicts {limit}, which EL++ cannot say: there is no proof to show")
        if emptied is None:
            raise ElgeoError(f"{question.text} neither follows nor contradicts: there is nothing to explain")
        saturation, question = emptied
        return prove(_source(saturation), self._justified(saturation, question).first(), question, self._n_axioms)

    def justifications(self, question: Question, limit: int | None = None) -> Iterator[Axioms]:
        """All minimal sets of axioms an entailed or contradicting axiom rests on, as numbers of `forms.source`."""
        number = None if self._follows_directly(question) else self._asserted(question)
        if number is not None:
            return iter((frozenset((number,)),))
        by_ways = [
            axioms
            for way in self._ways(question)
            for axioms in smallest_unions([list(self.justifications(part)) for part in way])
        ]
        elsewhere = self._explained_elsewhere(question)
        if by_ways:
            beside = elsewhere[0].justifications(elsewhere[1]) if elsewhere is not None else ()
            return iter(smallest_unions([[*by_ways, *beside]])[:limit])
        if elsewhere is not None:
            answers, asked = elsewhere
            return answers.justifications(asked, limit)
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

    def _way(self, question: Question) -> list[Question] | None:
        """Simpler axioms that all follow and together say what is asked, if there are such."""
        return next(self._ways(question), None)

    def _ways(self, question: Question) -> Iterator[list[Question]]:
        if may_have_ways(question):
            found = ways(_source(self.saturation), question, self.entails)
            yield from (parts for parts in found if all(self.entails(part) for part in parts))

    def _elsewhere(self, question: Question) -> tuple[Answers, Question] | None:
        """The question as one about an ontology with names, individuals or roles for it, and who can answer it."""
        if self._asked_elsewhere is not None and self._asked_elsewhere[0] is question:
            return self._asked_elsewhere[1]
        if only_by_ways(question):
            return None
        if asks_of_individuals(question):
            extend = with_individuals
        elif speaks_of_values(question):
            extend = with_names_for_values
        elif speaks_of_new_names(question, self.saturation):
            extend = with_new_names
        else:
            return None
        source = _source(self.saturation)
        extended = extend(source, question)
        forms = normalise(extended[0])
        if asks_of_individuals(question) and any(axiom >= len(source.axiom_nodes) for _, axiom in forms.unsupported):
            raise Unsayable(f"EL++ has no words for a part of {question.text}")
        found = Answers(saturate(forms), self._n_axioms), extended[1]
        # verdict, reason and proof ask one after the other
        self._asked_elsewhere = question, found
        return found

    def _explained_elsewhere(self, question: Question) -> tuple[Answers, Question] | None:
        """The same, but of individuals that exist for the question only nothing is explained if it does not follow."""
        found = self._elsewhere(question)
        return None if found and asks_of_individuals(question) and not found[0].entails(found[1]) else found

    def _together(self, question: Question, parts: list[Question]) -> Proof:
        """A proof of an axiom that is several others, from axioms of which none can be left out."""
        source, own = _source(self.saturation), self._n_axioms
        if len(parts) == 1:
            return self.explain(parts[0])
        used = {axiom for part in parts for axiom in self.explain(part).justification if axiom < own}

        def asked_of(axioms: list[int]) -> Answers:
            return Answers(saturate(normalise(part_of(source, axioms, question))))

        needed = minimal(sorted(used), lambda axioms: asked_of(axioms).entails(question))
        inner = asked_of(needed)
        # it may follow from fewer axioms by no way at all
        proofs = [inner.explain(part) for part in inner._way(question) or [question]]
        return joined_proof(source, question, proofs, needed)

    def _justified(self, saturation: Saturation, question: Question) -> Justifications:
        index = self._index if saturation is self.saturation else None
        return Justifications(saturation, question, index, self._n_axioms)

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
        for side in left_sides(question):
            if side.entailed(added) and not side.entailed(self.saturation):
                return added, side
        return None

    def _named(self, question: Question) -> tuple[Ontology, Question]:
        """The ontology with names for both sides of an axiom, and the same question about the names."""
        if question.ontology.op[question.node] in WITH_ONE_CLASS:
            return self._with_named_class(question)
        addition, builder, nodes = Addition(_source(self.saturation)), Builder(), []
        for number, (left, right) in enumerate(node_pairs(question)):
            names = [f"{_NAMES}{side}{number}" for side in ("left", "right")]
            lower, upper = (addition.entity(Op.Class, name) for name in names)
            for part in left:
                addition.axiom(Op.SubClassOf, lower, addition.copy(question.ontology, part))
            if right is not None:
                addition.axiom(Op.SubClassOf, addition.copy(question.ontology, right), upper)
            sides = [builder.entity(Op.Class, name) for name in (names[0], NOTHING_IRI if right is None else names[1])]
            nodes.append(builder.axiom(Op.SubClassOf, *sides))
        return addition.finish(), Question(builder.finish(), nodes[0], tuple(nodes[1:]))

    def _with_named_class(self, question: Question) -> tuple[Ontology, Question]:
        """The same where only one class is spoken of: what is in the class gets a name."""
        asked, addition, builder = question.ontology, Addition(_source(self.saturation)), Builder()
        place = WITH_ONE_CLASS[Op(int(asked.op[question.node]))]
        arguments = [copied(asked, argument, builder) for argument in asked.arguments(question.node)]
        upper = addition.entity(Op.Class, f"{_NAMES}right")
        addition.axiom(Op.SubClassOf, addition.copy(asked, asked.arguments(question.node)[place]), upper)
        arguments[place] = builder.entity(Op.Class, f"{_NAMES}right")
        node = builder.axiom(Op(int(asked.op[question.node])), *arguments)
        return addition.finish(), Question(builder.finish(), node)


def _source(saturation: Saturation) -> Ontology:
    source = saturation.forms.source
    if source is None:
        raise ElgeoError("these normal forms came without their axioms: normalise the ontology and ask that")
    return source
