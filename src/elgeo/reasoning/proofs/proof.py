"""`Proof`: a tree of named rules from asserted axioms, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from elgeo.ontology import normalise
from elgeo.ontology.model import Ontology
from elgeo.ontology.normal_forms import NormalForms
from elgeo.reasoning.proofs.justifications import Axioms
from elgeo.reasoning.proofs.rules import Calculus, Fact
from elgeo.reasoning.proofs.search import Chosen, Origins, Search, is_leaf
from elgeo.reasoning.proofs.wording import Wording
from elgeo.reasoning.questions.drafts import Drafts
from elgeo.reasoning.questions.question import Question, part_of
from elgeo.reasoning.saturation.saturate import saturate


@dataclass(frozen=True, eq=False)
class Step:
    """One step: what it says, the rule that gives it, what the rule needs."""

    fact: Fact
    text: str
    rule: str
    premises: tuple[Step, ...] = ()
    axiom: int | None = None
    """The number of the asserted axiom in the ontology, where the step is one."""

    def walk(self) -> Iterator[Step]:
        """This step and all below it; proofs may be deeper than Python calls functions in functions."""
        waiting = [self]
        while waiting:
            step = waiting.pop()
            yield step
            waiting += reversed(step.premises)

    def to_dict(self) -> dict[str, Any]:
        made: dict[str, Any] = {}
        waiting = [(self, made)]
        while waiting:
            step, found = waiting.pop()
            found |= {"conclusion": step.text, "rule": step.rule}
            if step.axiom is not None:
                found["axiom"] = step.axiom
            if step.premises:
                found["premises"] = [dict[str, Any]() for _ in step.premises]
                waiting += zip(step.premises, found["premises"], strict=True)
        return made


@dataclass(frozen=True, eq=False)
class Proof:
    """A proof of one axiom from a minimal justification."""

    question: Question
    root: Step
    justification: Axioms
    """Numbers of axioms in the ontology; without any one of them the axiom does not follow."""
    source: Ontology
    forms: NormalForms
    """The justification alone in normal form; the facts of the steps speak of its ids."""
    drafts: Drafts
    """The elements of the question that facts speak of."""

    def __str__(self) -> str:
        return "\n".join(_lines(self.root))

    def axioms(self) -> list[str]:
        """The axioms of the justification, in functional syntax."""
        return [self.source.text(int(self.source.axiom_nodes[i])) for i in sorted(self.justification)]

    def to_dict(self) -> dict[str, Any]:
        return {
            "axiom": self.question.text,
            "justification": [
                {"number": i, "axiom": text} for i, text in zip(sorted(self.justification), self.axioms(), strict=True)
            ],
            "proof": self.root.to_dict(),
        }


def prove(source: Ontology, justification: Axioms, question: Question, own: int | None = None) -> Proof:
    """A shortest proof of an axiom that a justification entails.

    Axioms from number `own` on are not the ontology's but were added for the question.
    """
    numbers = sorted(justification)
    forms = normalise(part_of(source, numbers, question))
    drafts, goal = question.goal(saturate(forms))
    search = Search(Calculus(drafts), goal)
    chosen = search.proof()
    assert chosen is not None, "a justification entails its axiom"
    words = Wording(drafts.forms, drafts, source.labels)
    root = _Steps(chosen, search.origins, words, source, numbers, own).step(goal)
    return Proof(question, root, justification, source, drafts.forms, drafts)


def asserted_proof(source: Ontology, number: int, question: Question) -> Proof:
    """The proof of an axiom that is in the ontology as it stands, for axioms that rules do not speak of."""
    forms = normalise(part_of(source, [number], question))
    drafts = Drafts(saturate(forms))
    text = Wording(forms, drafts, source.labels).axiom(source, number)
    step = Step(("axiom", number), text, "asserted", (), number)
    return Proof(question, step, frozenset((number,)), source, forms, drafts)


def joined_proof(source: Ontology, question: Question, proofs: list[Proof], numbers: list[int]) -> Proof:
    """One proof of what several say together; `numbers` are those of the axioms that they were made of."""
    first = proofs[0]
    text = Wording(first.forms, first.drafts, source.labels).node(question.ontology, question.node)
    premises = tuple(_renumbered(proof.root, numbers) for proof in proofs)
    root = Step(("all", *(step.fact for step in premises)), text, "all of its parts", premises)
    return Proof(question, root, frozenset(numbers), source, first.forms, first.drafts)


def _renumbered(root: Step, numbers: list[int]) -> Step:
    made: dict[int, Step] = {}
    # what a step rests on comes after it
    for step in reversed(list(root.walk())):
        axiom = None if step.axiom is None or step.axiom >= len(numbers) else numbers[step.axiom]
        made[id(step)] = replace(step, axiom=axiom, premises=tuple(made[id(premise)] for premise in step.premises))
    return made[id(root)]


class _Steps:
    """Turns chosen inferences into steps."""

    def __init__(
        self,
        chosen: Chosen,
        origins: Origins,
        words: Wording,
        source: Ontology,
        numbers: list[int],
        own: int | None,
    ) -> None:
        self._chosen, self._origins, self._words = chosen, origins, words
        self._source, self._numbers, self._own = source, numbers, own

    def step(self, goal: Fact) -> Step:
        """The step that a fact is, with all that it rests on."""
        made: dict[Fact, Step] = {}
        waiting = [goal]
        while waiting:
            fact = waiting[-1]
            missing = [] if is_leaf(fact) else [each for each in self._chosen[fact].premises if each not in made]
            if missing:
                waiting += missing
                continue
            waiting.pop()
            made[fact] = self._made(fact, made)
        return made[goal]

    def _made(self, fact: Fact, made: dict[Fact, Step]) -> Step:
        if fact[0] == "row":
            return self._row(fact)
        text = self._words.fact(fact)
        if fact[0] == "told":
            return Step(fact, text, "the question's left side")
        inference = self._chosen[fact]
        premises = tuple(made[premise] for premise in inference.premises)
        return premises[0] if inference.rule == "same" else Step(fact, text, inference.rule, premises)

    def _row(self, fact: Fact) -> Step:
        origins = self._origins.of(*fact[1:])
        text = self._words.fact(fact)
        if not origins:
            return Step(fact, text, "definition")
        number = self._numbers[origins[0]]
        rule = "asserted" if self._own is None or number < self._own else "asked for"
        axiom = Step(("axiom", number), self._words.axiom(self._source, number), rule, (), number)
        return Step(fact, text, "normal form", (axiom,))


def _lines(root: Step) -> Iterator[str]:
    rests = _rest_on_axioms(root)
    waiting = [(root, "")]
    while waiting:
        step, indent = waiting.pop()
        if step.rule == "normal form":
            # people know the axiom, not its normal form
            step = step.premises[0]
        shown = [premise for premise in step.premises if id(premise) in rests]
        if len(shown) == 1 and _told(shown[0]).text == step.text:
            waiting.append((shown[0], indent))
            continue
        yield f"{indent}{step.text}  [{step.rule}]"
        waiting += [(premise, indent + "  ") for premise in reversed(shown)]


def _rest_on_axioms(root: Step) -> set[int]:
    """The steps that are axioms or rest on some."""
    found: set[int] = set()
    for step in reversed(list(root.walk())):
        if step.axiom is not None or any(id(premise) in found for premise in step.premises):
            found.add(id(step))
    return found


def _told(step: Step) -> Step:
    return step.premises[0] if step.rule == "normal form" else step
