"""Beside the five steps: what axioms say that EL++ cannot, kept as `Limits` to rule suggestions out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from elgeo.arrays import Ints
from elgeo.errors import ReadError
from elgeo.ontology.expressions import Op
from elgeo.ontology.limits import ANY_ROLE, NO_AXIOM, Limit, LimitKind, Limits
from elgeo.ontology.normalisation.axioms import Sides, joined, sides
from elgeo.ontology.normalisation.inclusions import shapes
from elgeo.ontology.normalisation.open_expressions import cardinality
from elgeo.ontology.normalisation.polarity import Polarity
from elgeo.ontology.normalisation.ranges import Ranges
from elgeo.ontology.normalisation.roles import RoleFacts
from elgeo.ontology.normalisation.shapes import ATOM, TOP_ATOM, Expressions, NodeShape, among
from elgeo.ontology.vocabulary import BOTTOM, TOP, TOP_ROLE

_BEYOND = (NodeShape.OTHER, NodeShape.OR, NodeShape.MANY)
_MOST_CLAUSES = 64
"""A filler that would be the intersection of more unions is left alone."""


class LimitReader:
    """Reads limits off inclusions; opaque expressions are classes by then, and their names have limits too."""

    def __init__(self, expressions: Expressions, roles: RoleFacts, ranges: Ranges) -> None:
        self._expressions, self._roles = expressions, roles.roles
        self._range_of = {class_id: role for role, class_id in ranges.class_of.items()}
        self._functional = roles.functional
        self._meant: dict[int, int] = {}
        """What the names of opaque expressions stand for …"""
        self._said_by: dict[int, int] = {}
        """… and the first axiom that puts something below each."""

    def limits(self, polarity: Polarity, inclusions: Sides, opaque: Ints, opaque_ids: Ints) -> Limits:
        """All limits of an ontology; most have none."""
        found = [Limit(LimitKind.ONE, TOP, role, (TOP,), axiom) for role, axiom in self._functional]
        odd = among(self._expressions.shape, _BEYOND)
        if (polarity.right & odd).any():
            self._meant = dict(zip(opaque_ids.tolist(), opaque.tolist(), strict=True))
            for left, right, axiom in self._beyond(inclusions):
                found += self._of(left, right, axiom)
            axioms = [self._said_by.get(int(name), NO_AXIOM) for name in opaque_ids]
            for left, right, axiom in self._beyond(sides(opaque_ids + ATOM, opaque, axioms)):
                found += self._of(left, right, axiom)
        return Limits.of(found)

    def _beyond(self, inclusions: Sides) -> Iterator[tuple[int, int, int]]:
        """The inclusions, conjunctions on the right and unions on the left taken apart, that EL++ has no row for."""
        expressions = self._expressions
        while len(inclusions):
            left, right = shapes(expressions, inclusions.left), shapes(expressions, inclusions.right)
            by_right, by_left = right == NodeShape.AND, (left == NodeShape.OR) & (right != NodeShape.AND)
            kept = inclusions.take(among(right, _BEYOND) & ~by_left)
            named = np.isin(inclusions.right, np.array([*self._meant], np.int32) + np.int32(ATOM))
            for name, axiom in zip(inclusions.right[named].tolist(), inclusions.axiom[named].tolist(), strict=True):
                self._said_by[name - ATOM] = min(axiom, self._said_by.get(name - ATOM, axiom))
            yield from zip(kept.left.tolist(), kept.right.tolist(), kept.axiom.tolist(), strict=True)
            at_right, at_left = inclusions.take(by_right), inclusions.take(by_left)
            owner, members = expressions.members(at_right.right)
            parts = [Sides(at_right.left[owner], members, at_right.axiom[owner])]
            owner, members = expressions.members(at_left.left)
            inclusions = joined([*parts, Sides(members, at_left.right[owner], at_left.axiom[owner])])

    def _of(self, left: int, right: int, axiom: int) -> Iterator[Limit]:
        expressions, ontology = self._expressions, self._expressions.ontology
        op = Op(int(ontology.op[right])) if right < expressions.n_read else Op.ObjectUnionOf
        if expressions.shape[right] == NodeShape.OR:
            whose = self._whose(left)
            if whose is None:
                return
            for clause in self._clauses(right):
                yield Limit(*whose, clause, axiom)
        elif left < ATOM:
            return
        elif op == Op.ObjectAllValuesFrom:
            first = int(expressions.first[right])
            role = self._role(int(ontology.args[first]))
            if role is None:
                return
            for clause in self._clauses(int(expressions.args[first + 1])):
                yield Limit(LimitKind.ONLY, left - ATOM, role, clause, axiom)
        elif op in (Op.ObjectMaxCardinality, Op.ObjectExactCardinality):
            first, last = int(expressions.first[right]), int(expressions.last[right])
            if cardinality(ontology.string(int(ontology.args[first]))) != 1:
                return
            role = self._role(int(ontology.args[first + 1]))
            filler = int(expressions.args[first + 2]) if last - first > 2 else TOP_ATOM
            if role is not None and filler >= ATOM:
                yield Limit(LimitKind.ONE, left - ATOM, role, (filler - ATOM,), axiom)

    def _whose(self, left: int) -> tuple[LimitKind, int, int] | None:
        """The limit that a union is to what it stands on the right of: C, ∃R.⊤, or what R leads to."""
        if left - ATOM in self._range_of:
            return LimitKind.ONLY, TOP, self._range_of[left - ATOM]
        if left >= ATOM:
            return LimitKind.COVER, left - ATOM, ANY_ROLE
        expressions = self._expressions
        role = int(expressions.role[left])
        if expressions.shape[left] == NodeShape.SOME and expressions.child[left] == TOP_ATOM and role != TOP_ROLE:
            return LimitKind.COVER, TOP, role
        return None

    def _role(self, node: int) -> int | None:
        """A role that links may have: an inverse only where something else speaks of it."""
        try:
            role, inverted = self._roles.split(node)
        except ReadError:
            return None
        found = self._roles.inverses.get(role) if inverted else role
        return None if found == TOP_ROLE else found

    def _clauses(self, side: int) -> list[tuple[int, ...]]:
        """Unions of classes that an expression is below all of; none where nothing is known of it."""
        if side >= ATOM:
            class_id = side - ATOM
            meant = self._meant.get(class_id)
            if meant is not None and self._expressions.shape[meant] == NodeShape.OR:
                return self._clauses(meant)
            return [] if class_id == TOP else [() if class_id == BOTTOM else (class_id,)]
        expressions = self._expressions
        shape = expressions.shape[side]
        if shape not in (NodeShape.AND, NodeShape.OR):
            return []
        parts = [self._clauses(int(member)) for member in expressions.members(np.array([side], np.int32))[1]]
        if shape == NodeShape.AND:
            return [clause for part in parts for clause in part]
        if np.prod([len(part) for part in parts], dtype=np.float64) > _MOST_CLAUSES:
            return []
        return [tuple(d for clause in chosen for d in clause) for chosen in product(*parts)]
