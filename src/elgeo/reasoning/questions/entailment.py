"""Whether an axiom follows: its left side becomes fresh elements, its right side is what they must have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations, pairwise, product

import numpy as np

from elgeo.arrays import Flags
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Ontology
from elgeo.ontology.vocabulary import TOP, TOP_ROLE, Kind
from elgeo.reasoning.closure.limited import NO_LIMIT, Limited
from elgeo.reasoning.closure.reached_elements import Elements
from elgeo.reasoning.questions.drafts import Draft, Drafts
from elgeo.reasoning.questions.expressions import (
    NOTHING,
    THING,
    And,
    Atom,
    Expression,
    Not,
    Only,
    Or,
    Reader,
    Self,
    Some,
    Unsayable,
)
from elgeo.reasoning.questions.role_queries import chains_entailed
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
        right = self._apart(right)
        for part in alternatives(left):
            drafts = Drafts(self.saturation)
            x = element(drafts, part)
            if not drafts.unsatisfiable(x) and not self.has(drafts, x, right):
                return False
        return True

    def unsatisfiable(self, expression: Expression) -> bool:
        """Whether nothing can be in an expression."""
        return self.includes(expression, NOTHING)

    def limit_broken(self, expression: Expression) -> int | None:
        """The number of a limit (what EL++ cannot say) that leaves an expression no instance; None for none."""
        if not len(self.saturation.forms.limits):
            return None
        found = []
        for part in alternatives(expression):
            drafts = Drafts(self.saturation)
            x = element(drafts, part)
            if not drafts.unsatisfiable(x):
                by_class = x < drafts.first
                rows = self._limited.of_classes if by_class else self._limited.of_drafts(Elements(*drafts.rows[:5]))
                found.append(int(rows[x if by_class else x - drafts.first]))
        return found[0] if found and NO_LIMIT not in found else None

    @cached_property
    def _limited(self) -> Limited:
        return Limited(self.saturation)

    def composes(self, chain: tuple[int, ...], role: int) -> bool:
        """Whether R₁ ∘ … ∘ Rₖ ⊑ S follows."""
        return bool(chains_entailed(self.saturation, np.array([[*chain, role]], np.int32))[0])

    def has(self, drafts: Drafts, x: int, expression: Expression) -> bool:
        """Whether a satisfiable element x must be in an expression."""
        match expression:
            case Atom(-1, iri):
                return drafts.named(x, iri)
            case Atom(class_id):
                return drafts.below(x, class_id)
            case And(parts):
                return all(self.has(drafts, x, part) for part in parts)
            case Or(parts):
                # EL++ is convex: what is in a union is in one of its parts
                return any(self.has(drafts, x, part) for part in parts)
            case Some(role, filler):
                return any(self.has(drafts, y, filler) for y in self._reached(drafts, x, role))
            case Self(role):
                return bool(self.saturation.reflexive[role]) or drafts.loops(x, role) or self._meets(drafts, x, role)
            case Not(part):
                return all(self._excluded(drafts, x, p) for p in alternatives(part))
            case Only(role, filler):
                return self._only(drafts, x, role, filler)

    def _meets(self, drafts: Drafts, x: int, role: int) -> bool:
        """Whether x is an individual that is related to the same individual: to itself."""
        return any(
            drafts.below(x, a) and any(drafts.below(y, a) for y in drafts.targets(x, role)) for a in self._existing[1:]
        )

    def _reached(self, drafts: Drafts, x: int, role: int) -> Iterator[int]:
        if not self.saturation.completion.roles.universal[role]:
            yield from drafts.targets(x, role)
            return
        # the universal role relates x to all that exists
        yield from self.reached(drafts, x)

    def reached(self, drafts: Drafts, x: int) -> Iterator[int]:
        """x, the individuals, and all that they lead to."""
        seen, waiting = set(), [x, *self._existing]
        while waiting:
            y = waiting.pop()
            if y not in seen:
                seen.add(y)
                yield y
                waiting += drafts.links(y)[1].tolist()

    def _apart(self, expression: Expression) -> Expression:
        """With what the universal role says taken out of existentials, as in `universals_apart`."""
        return universals_apart(expression, self.saturation.completion.roles.universal)

    def _excluded(self, drafts: Drafts, x: int, part: Expression) -> bool:
        """Whether x and an expression together cannot exist."""
        again = Drafts(self.saturation)
        # all that x is in, what others told it too
        known = drafts.subsumers(x)
        seed = again.joined(
            again.copy_of(drafts, x), again.add(Draft(classes=tuple(known[known < again.first].tolist())))
        )
        told = draft(again, part)
        return again.unsatisfiable(again.joined(seed, told))

    def _only(self, drafts: Drafts, x: int, role: int, filler: Expression) -> bool:
        """Whether every element that x is related to must be in the filler: one of which nothing else is known."""
        again = Drafts(self.saturation)
        seed = again.copy_of(drafts, x)
        target = again.fresh()
        both = again.joined(seed, again.add(Draft(links=((role, target),))))
        if again.unsatisfiable(both):
            return True
        inner, outer = split_universals(filler, self.saturation.completion.roles.universal)
        # where x exists, what the universal role leads to is the same for its target
        return self.has(again, again.given(target, both), inner) and all(self.has(again, both, part) for part in outer)


def element(drafts: Drafts, expression: Expression) -> int:
    """A class, if the expression is one, or else a fresh element that is in it."""
    if isinstance(expression, Atom) and expression.id >= 0:
        return expression.id
    return draft(drafts, expression)


def draft(drafts: Drafts, expression: Expression) -> int:
    """A fresh element that is in an expression without unions, and of which nothing else is known."""
    match expression:
        case Atom(-1, iri):
            return drafts.add(Draft(names=frozenset([iri])))
        case Atom(class_id):
            return drafts.add(Draft(classes=(class_id,)))
        case And(parts):
            whole = drafts.fresh()
            for part in parts:
                whole = drafts.joined(whole, draft(drafts, part))
            return whole
        case Some(role, filler):
            return drafts.add(Draft(links=((role, draft(drafts, filler)),)))
        case Self(role):
            return drafts.add(Draft(loops=(role,)))
    raise Unsayable("negations and universal restrictions can be asked for on the right of an axiom only")


def universals_apart(expression: Expression, universal: Flags) -> Expression:
    """∃r.(C ⊓ ∃U.D) as ∃r.C ⊓ ∃U.D: the universal role leads to the same from everywhere."""
    if isinstance(expression, Only):
        return expression
    inner, outer = split_universals(expression, universal)
    return And((inner, *outer)) if outer else expression


def split_universals(expression: Expression, universal: Flags) -> tuple[Expression, list[Expression]]:
    """An expression without the ∃U.D in it, and those."""
    match expression:
        case And(parts):
            inner, outer = zip(*(split_universals(part, universal) for part in parts), strict=True)
            return And(inner), [part for some in outer for part in some]
        case Some(role, filler):
            kept, found = split_universals(filler, universal)
            return (THING, [Some(role, kept), *found]) if universal[role] else (Some(role, kept), found)
    return expression, []


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
            role, filler = reader.role(arguments[0]), reader.expression(arguments[1])
            return [(Some(role, filler.part), NOTHING) if isinstance(filler, Not) else (THING, Only(role, filler))]
        case Op.ReflexiveObjectProperty:
            return [(THING, Self(reader.role(arguments[0])))]
        case Op.IrreflexiveObjectProperty:
            return [(Self(reader.role(arguments[0])), NOTHING)]
        case Op.ObjectPropertyAssertion | Op.NegativeObjectPropertyAssertion:
            role, a, b = reader.role(arguments[0]), *map(reader.expression, arguments[1:])
            if op == Op.ObjectPropertyAssertion:
                return [_of(a, Some(role, THING if _is_anybody(b) else b))]
            return [(And((a, Some(role, b))), NOTHING)]
    parts = [reader.expression(a) for a in arguments]
    match op:
        case Op.SubClassOf:
            return [(parts[0], parts[1])]
        case Op.ClassAssertion:
            return [_of(parts[1], parts[0])]
        case Op.EquivalentClasses | Op.SameIndividual:
            return [pair for a, b in pairwise(parts) for pair in ((a, b), (b, a))]
        case Op.DisjointClasses | Op.DifferentIndividuals:
            return [(And((a, b)), NOTHING) for a, b in combinations(parts, 2)]
        case Op.DisjointUnion:
            whole, *members = parts
            pairs: list[tuple[Expression, Expression]] = [(And((a, b)), NOTHING) for a, b in combinations(members, 2)]
            return [(whole, Or(tuple(members))), *((m, whole) for m in members), *pairs]
    raise Unsayable(f"{op.name} axioms cannot be decided in EL++")


def _of(individual: Expression, expression: Expression) -> tuple[Expression, Expression]:
    """That an individual is in an expression, or anybody at all."""
    return (THING, Some(TOP_ROLE, expression)) if _is_anybody(individual) else (individual, expression)


def _is_anybody(individual: Expression) -> bool:
    """Whether an individual is anonymous and not one of the ontology's: then the question is whether there is one."""
    return isinstance(individual, Atom) and individual.id < 0 and individual.iri.startswith("_:")


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
