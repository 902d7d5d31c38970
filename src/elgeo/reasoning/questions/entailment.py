"""Whether an axiom follows: its left side becomes fresh elements, its right side is what they must have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, product

import numpy as np

from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Ontology
from elgeo.ontology.vocabulary import TOP, TOP_ROLE, Kind
from elgeo.reasoning.questions.drafts import Contexts, Draft
from elgeo.reasoning.questions.expressions import (
    NOTHING,
    THING,
    And,
    Expression,
    Named,
    Not,
    Only,
    Or,
    Reader,
    Self,
    Some,
    Unsayable,
)
from elgeo.reasoning.questions.role_queries import path
from elgeo.reasoning.saturation.saturate import Saturation

ROLE_AXIOMS = (Op.SubObjectPropertyOf, Op.EquivalentObjectProperties, Op.TransitiveObjectProperty)
_MOST_ALTERNATIVES = 1024


class Entailment:
    """Decides axioms over the arena of any ontology against one saturation.

    Names the ontology does not know are classes of which nothing is known.
    """

    def __init__(self, saturation: Saturation) -> None:
        self.saturation = saturation
        kinds = saturation.forms.vocabulary.class_kinds
        self._existing = [TOP, *np.flatnonzero(kinds == Kind.INDIVIDUAL).tolist()]

    def holds(self, ontology: Ontology, node: int) -> bool:
        """Whether an axiom follows."""
        if not self.saturation.consistent:
            return True
        reader = Reader(ontology, self.saturation.forms.vocabulary)
        op, arguments = Op(int(ontology.op[node])), ontology.arguments(node)
        if op in ROLE_AXIOMS:
            return all(self.composes(chain, role) for chain, role in role_inclusions(reader, op, arguments))
        return all(self.includes(left, right) for left, right in inclusions(reader, op, arguments))

    def includes(self, left: Expression, right: Expression) -> bool:
        """Whether left ⊑ right follows."""
        for part in alternatives(left):
            contexts = Contexts(self.saturation)
            x = element(contexts, part)
            if not contexts.unsatisfiable(x) and not self.has(contexts, x, right):
                return False
        return True

    def unsatisfiable(self, expression: Expression) -> bool:
        """Whether nothing can be in an expression."""
        return self.includes(expression, NOTHING)

    def composes(self, chain: tuple[int, ...], role: int) -> bool:
        """Whether R₁ ∘ … ∘ Rₖ ⊑ S follows."""
        contexts = Contexts(self.saturation)
        first, last = path(contexts, chain)
        universal = role == TOP_ROLE or bool(self.saturation.engine.roles.universal[role])
        return universal or contexts.unsatisfiable(first) or last in contexts.targets(first, role)

    def has(self, contexts: Contexts, x: int, expression: Expression) -> bool:
        """Whether a satisfiable element x must be in an expression."""
        match expression:
            case Named(-1, iri):
                return x >= contexts.first and iri in contexts.drafts[x - contexts.first].names
            case Named(class_id):
                return contexts.below(x, class_id)
            case And(parts):
                return all(self.has(contexts, x, part) for part in parts)
            case Or(parts):
                # EL++ is convex: what is in a union is in one of its parts
                return any(self.has(contexts, x, part) for part in parts)
            case Some(role, filler):
                return any(self.has(contexts, y, filler) for y in self._reached(contexts, x, role))
            case Self(role):
                return bool(self.saturation.reflexive[role]) or contexts.loops(x, role)
            case Not(part):
                return all(self._excluded(contexts, x, p) for p in alternatives(part))
            case Only(role, filler):
                return self._only(contexts, x, role, filler)

    def _reached(self, contexts: Contexts, x: int, role: int) -> Iterator[int]:
        if not self.saturation.engine.roles.universal[role]:
            yield from contexts.targets(x, role)
            return
        # the universal role relates x to all that exists
        yield from self.reached(contexts, x)

    def reached(self, contexts: Contexts, x: int) -> Iterator[int]:
        """x, the individuals, and all that they lead to."""
        seen, waiting = set(), [x, *self._existing]
        while waiting:
            y = waiting.pop()
            if y not in seen:
                seen.add(y)
                yield y
                waiting += contexts.links(y)[1].tolist()

    def _excluded(self, contexts: Contexts, x: int, part: Expression) -> bool:
        """Whether x and an expression together cannot exist."""
        again = Contexts(self.saturation)
        seed = again.copy_of(contexts, x)
        told = draft(again, part)
        return again.unsatisfiable(again.joined(seed, told))

    def _only(self, contexts: Contexts, x: int, role: int, filler: Expression) -> bool:
        """Whether every element that x is related to must be in the filler: one of which nothing else is known."""
        again = Contexts(self.saturation)
        seed = again.copy_of(contexts, x)
        target = again.fresh()
        both = again.joined(seed, again.add(Draft(links=((role, target),))))
        return again.unsatisfiable(both) or self.has(again, target, filler)


def element(contexts: Contexts, expression: Expression) -> int:
    """A class, if the expression is one, or else a fresh element that is in it."""
    if isinstance(expression, Named) and expression.id >= 0:
        return expression.id
    return draft(contexts, expression)


def draft(contexts: Contexts, expression: Expression) -> int:
    """A fresh element that is in an expression without unions, and of which nothing else is known."""
    match expression:
        case Named(-1, iri):
            return contexts.add(Draft(names=frozenset([iri])))
        case Named(class_id):
            return contexts.add(Draft(classes=(class_id,)))
        case And(parts):
            whole = contexts.fresh()
            for part in parts:
                whole = contexts.joined(whole, draft(contexts, part))
            return whole
        case Some(role, filler):
            return contexts.add(Draft(links=((role, draft(contexts, filler)),)))
        case Self(role):
            return contexts.add(Draft(loops=(role,)))
    raise Unsayable("negations and universal restrictions can be asked for on the right of an axiom only")


def alternatives(expression: Expression) -> list[Expression]:
    """The expression without unions: one of these."""
    match expression:
        case Or(parts):
            found = [a for part in parts for a in alternatives(part)]
        case And(parts):
            options = [alternatives(part) for part in parts]
            if np.prod([len(o) for o in options], dtype=float) > _MOST_ALTERNATIVES:
                raise Unsayable(f"its unions multiply to more than {_MOST_ALTERNATIVES} cases")
            found = [And(choice) for choice in product(*options)]
        case Some(role, filler):
            found = [Some(role, a) for a in alternatives(filler)]
        case _:
            found = [expression]
    return found


def inclusions(reader: Reader, op: Op, arguments: Sequence[int]) -> list[tuple[Expression, Expression]]:
    """A class axiom or assertion as inclusions that all have to follow."""
    match op:
        case Op.ObjectPropertyDomain:
            return [(Some(reader.role(arguments[0]), THING), reader.expression(arguments[1]))]
        case Op.ObjectPropertyRange:
            return [(THING, Only(reader.role(arguments[0]), reader.expression(arguments[1])))]
        case Op.ReflexiveObjectProperty:
            return [(THING, Self(reader.role(arguments[0])))]
        case Op.IrreflexiveObjectProperty:
            return [(Self(reader.role(arguments[0])), NOTHING)]
        case Op.ObjectPropertyAssertion | Op.NegativeObjectPropertyAssertion:
            role, a, b = reader.role(arguments[0]), *map(reader.expression, arguments[1:])
            if op == Op.ObjectPropertyAssertion:
                return [(a, Some(role, b))]
            return [(And((a, Some(role, b))), NOTHING)]
    parts = [reader.expression(a) for a in arguments]
    match op:
        case Op.SubClassOf:
            return [(parts[0], parts[1])]
        case Op.ClassAssertion:
            return [(parts[1], parts[0])]
        case Op.EquivalentClasses | Op.SameIndividual:
            return [pair for a, b in pairwise(parts) for pair in ((a, b), (b, a))]
        case Op.DisjointClasses | Op.DifferentIndividuals:
            return [(And((a, b)), NOTHING) for a, b in combinations(parts, 2)]
        case Op.DisjointUnion:
            whole, *members = parts
            pairs: list[tuple[Expression, Expression]] = [(And((a, b)), NOTHING) for a, b in combinations(members, 2)]
            return [(whole, Or(tuple(members))), *((m, whole) for m in members), *pairs]
    raise Unsayable(f"{op.name} axioms cannot be decided in EL++")


def role_inclusions(reader: Reader, op: Op, arguments: Sequence[int]) -> list[tuple[tuple[int, ...], int]]:
    """A role axiom as inclusions of chains that all have to follow."""
    if op == Op.TransitiveObjectProperty:
        role = reader.role(arguments[0])
        return [((role, role), role)]
    if op == Op.EquivalentObjectProperties:
        roles = [reader.role(a) for a in arguments]
        return [((a,), b) for a in roles for b in roles if a != b]
    first, second = arguments
    ontology = reader.ontology
    is_chain = ontology.op[first] == Op.ObjectPropertyChain
    chain = tuple(reader.role(a) for a in (ontology.arguments(first) if is_chain else [first]))
    return [(chain, reader.role(second))]
