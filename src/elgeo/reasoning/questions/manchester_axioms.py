"""An axiom, or a class expression, in Manchester syntax: `A SubClassOf r some B`, `a r b`."""

from __future__ import annotations

from collections.abc import Callable

from elgeo.documents import shown
from elgeo.ontology.expressions import Op
from elgeo.ontology.grammar import Sort
from elgeo.reasoning.questions.axiom_words import CARDINALITIES, FRAMES, AxiomWords
from elgeo.reasoning.questions.functional_axioms import read_constructor


def read_sentence(words: AxiomWords) -> int:
    """What stands on the left of a word such as `SubClassOf`, and on its right; or `a r b` of individuals."""
    frame = next((i for i, token in enumerate(words.tokens) if token.rstrip(":").lower() in FRAMES), -1)
    if frame < 0:
        return _assertion(words)
    op = FRAMES[words.tokens[frame].rstrip(":").lower()]
    left = _LEFT.get(op, read_union)(words)
    if words.at != frame:
        raise words.error(f"did not expect {shown(words.peek())}: names with spaces need quotes")
    words.at += 1
    right = _RIGHT.get(op, read_union)(words)
    return words.builder.axiom(op, *((right, left) if op == Op.ClassAssertion else (left, right)))


def read_union(words: AxiomWords) -> int:
    """A class expression."""
    return _joined(words, "or", Op.ObjectUnionOf, _intersection)


def _assertion(words: AxiomWords) -> int:
    if len(words.tokens) != 3:
        raise words.error("no SubClassOf, EquivalentTo, DisjointWith, Type or the like in it")
    words.at = 1  # the role comes first among the arguments, and in what is said of names that nothing has
    role = words.role_name()
    words.at = 0
    subject = words.individual_name()
    words.at = 2
    return words.builder.axiom(Op.ObjectPropertyAssertion, role, subject, words.individual_name())


def _chain(words: AxiomWords) -> int:
    roles = [words.role_name()]
    while words.peek() == "o":
        words.at += 1
        roles.append(words.role_name())
    return roles[0] if len(roles) == 1 else words.builder.node(Op.ObjectPropertyChain, *roles)


def _intersection(words: AxiomWords) -> int:
    return _joined(words, "and", Op.ObjectIntersectionOf, _primary)


def _joined(words: AxiomWords, keyword: str, op: Op, operand: Callable[[AxiomWords], int]) -> int:
    parts = [operand(words)]
    while words.peek().lower() == keyword:
        words.at += 1
        parts.append(operand(words))
    return parts[0] if len(parts) == 1 else words.builder.node(op, *parts)


def _primary(words: AxiomWords) -> int:
    token = words.peek()
    if token == "(":
        words.at += 1
        inner = read_union(words)
        words.expect(")")
        return inner
    if token == "{":
        return _one_of(words)
    if token.lower() == "not":
        words.at += 1
        return words.builder.node(Op.ObjectComplementOf, _primary(words))
    if words.at_constructor():
        return read_constructor(words, Sort.CLASS)
    restriction = words.peek(1).lower()
    if restriction in ("some", "only", "value", "self", *CARDINALITIES):
        return _restriction(words, restriction)
    return words.class_or_individual()


def _one_of(words: AxiomWords) -> int:
    words.expect("{")
    members = [words.individual_name()]
    while words.peek() == ",":
        words.at += 1
        members.append(words.individual_name())
    words.expect("}")
    return words.builder.node(Op.ObjectOneOf, *members)


def _restriction(words: AxiomWords, keyword: str) -> int:
    role = words.role_name()
    words.at += 1
    if keyword == "self":
        return words.builder.node(Op.ObjectHasSelf, role)
    if keyword == "value":
        return words.builder.node(Op.ObjectHasValue, role, words.individual_name())
    if keyword in ("some", "only"):
        op = Op.ObjectSomeValuesFrom if keyword == "some" else Op.ObjectAllValuesFrom
        return words.builder.node(op, role, _primary(words))
    return words.builder.node(CARDINALITIES[keyword], words.number(), role, _primary(words))


_LEFT: dict[Op, Callable[[AxiomWords], int]] = {
    Op.SubObjectPropertyOf: _chain,
    Op.ObjectPropertyDomain: AxiomWords.role_name,
    Op.ObjectPropertyRange: AxiomWords.role_name,
    Op.ClassAssertion: AxiomWords.individual_name,
    Op.SameIndividual: AxiomWords.individual_name,
    Op.DifferentIndividuals: AxiomWords.individual_name,
}
_RIGHT: dict[Op, Callable[[AxiomWords], int]] = {
    Op.SubObjectPropertyOf: AxiomWords.role_name,
    Op.SameIndividual: AxiomWords.individual_name,
    Op.DifferentIndividuals: AxiomWords.individual_name,
}
"""What stands on each side, where it is not a class expression."""
