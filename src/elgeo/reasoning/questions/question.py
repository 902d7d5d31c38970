"""`Question`: an axiom to decide and explain, apart from the ontology it is asked of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from elgeo.ontology.expressions import ENTITIES, Op
from elgeo.ontology.model import Builder, Ontology
from elgeo.ontology.vocabulary import BOTTOM, TOP_ROLE, Vocabulary
from elgeo.reasoning.proofs.rules import Fact
from elgeo.reasoning.questions.axiom_text import parse_axiom
from elgeo.reasoning.questions.drafts import Draft, Drafts
from elgeo.reasoning.questions.entailment import (
    ROLE_AXIOMS,
    Entailment,
    alternatives,
    draft,
    element,
    inclusions,
    role_inclusions,
    split_universals,
    universals_apart,
)
from elgeo.reasoning.questions.expressions import NOTHING, And, Atom, Expression, Not, Only, Reader, Some
from elgeo.reasoning.questions.role_queries import path
from elgeo.reasoning.saturation.saturate import Saturation


@dataclass(frozen=True, eq=False)
class Question:
    """One axiom, a node of a small ontology of its own; or several that have to follow together."""

    ontology: Ontology
    node: int
    others: tuple[int, ...] = ()

    @classmethod
    def parse(cls, text: str, vocabulary: Vocabulary) -> Question:
        """Read an axiom as a user writes it, with the names of a vocabulary."""
        builder = Builder()
        node = parse_axiom(text, vocabulary, builder)
        return cls(builder.finish(), node)

    @property
    def text(self) -> str:
        return " ".join(self.ontology.text(node) for node in (self.node, *self.others))

    def entailed(self, saturation: Saturation) -> bool:
        """Whether the axiom follows."""
        decided = Entailment(saturation)
        return all(decided.holds(self.ontology, node) for node in (self.node, *self.others))

    def goal(self, saturation: Saturation) -> tuple[Drafts, Fact]:
        """What has to be proved, and the elements it speaks of."""
        drafts = Drafts(saturation)
        reader = Reader(self.ontology, saturation.forms.vocabulary)
        goals = [goal for node in (self.node, *self.others) for goal in self._goals(node, drafts, reader)]
        # an element that cannot exist proves whatever is asked of it, and of those it links to
        facts = [("sub", x, BOTTOM) if drafts.unsatisfiable(x) else _said(drafts, x, fact) for x, fact in goals]
        return drafts, facts[0] if len(facts) == 1 else ("all", *facts)

    def _goals(self, node: int, drafts: Drafts, reader: Reader) -> Iterator[tuple[int, Fact]]:
        op, arguments = Op(int(self.ontology.op[node])), self.ontology.arguments(node)
        if op in ROLE_AXIOMS:
            for chain, role in role_inclusions(reader, op, arguments):
                first, last = path(drafts, chain)
                universal = bool(drafts.saturation.completion.roles.universal[role])
                yield first, ("role", TOP_ROLE, role) if universal else ("link", first, role, last)
            return
        for left, right in inclusions(reader, op, arguments):
            if isinstance(right, Not):
                left, right = And((left, right.part)), NOTHING
            for part in alternatives(left):
                yield from _goals_of(drafts, part, right)

    def asks_for_nothing(self, saturation: Saturation) -> bool:
        """Whether all it asks is that something cannot exist."""
        reader = Reader(self.ontology, saturation.forms.vocabulary)
        for node in (self.node, *self.others):
            op, arguments = Op(int(self.ontology.op[node])), self.ontology.arguments(node)
            if op in ROLE_AXIOMS or any(right != NOTHING for _, right in inclusions(reader, op, arguments)):
                return False
        return True

    def with_names_of(self, builder: Builder) -> None:
        """Make every name of the axiom known to another ontology."""
        for node in range(len(self.ontology.op)):
            op = Op(int(self.ontology.op[node]))
            if op in ENTITIES and op != Op.Literal:
                builder.entity(op, self.ontology.string(node))


def _said(drafts: Drafts, x: int, fact: Fact) -> Fact:
    """A goal about x or what it links to, in the words of a wider saturation if there is one."""
    match fact:
        case ("has", y, expression) if y != x:
            return ("has", drafts.given(y, x), expression)
        case ("link", _, role, last) if drafts.is_wider:
            return ("has", x, Some(role, Atom(drafts.single(last))))
    return fact


def _goals_of(drafts: Drafts, left: Expression, right: Expression) -> Iterator[tuple[int, Fact]]:
    """An element that is in the left side, and what it or its target must have."""
    universal = drafts.saturation.completion.roles.universal
    if not isinstance(right, Only):
        x = element(drafts, left)
        yield x, ("has", x, universals_apart(right, universal))
        return
    target = drafts.fresh()
    x = drafts.joined(draft(drafts, left), drafts.add(Draft(links=((right.role, target),))))
    inner, outer = split_universals(right.filler, universal)
    yield x, ("has", target, inner)
    yield from ((x, ("has", x, part)) for part in outer)


def copied(ontology: Ontology, node: int, builder: Builder, known: dict[int, int] | None = None) -> int:
    """The node like one of another ontology; `known` remembers what was copied before."""
    known = {} if known is None else known
    if node not in known:
        op = Op(int(ontology.op[node]))
        if op in ENTITIES:
            known[node] = builder.entity(op, ontology.string(node))
        else:
            arguments = [copied(ontology, argument, builder, known) for argument in ontology.arguments(node)]
            known[node] = builder.node(op, *arguments)
    return known[node]


def part_of(ontology: Ontology, axioms: Iterable[int], question: Question) -> Ontology:
    """An ontology of some axioms of another, in their order, that also knows the names of a question."""
    builder, known = Builder(), dict[int, int]()
    for number in sorted(axioms):
        node = int(ontology.axiom_nodes[number])
        arguments = [copied(ontology, argument, builder, known) for argument in ontology.arguments(node)]
        builder.axiom(Op(int(ontology.op[node])), *arguments)
    question.with_names_of(builder)
    return builder.finish()
