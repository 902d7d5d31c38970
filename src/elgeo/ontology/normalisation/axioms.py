"""Third step of normalisation: class axioms, domains, ranges and assertions become inclusions and disjoint pairs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Ints, Places
from elgeo.ontology.expressions import Op
from elgeo.ontology.normalisation.disjointness import PAIRWISE_UP_TO, by_halves
from elgeo.ontology.normalisation.fresh_names import LONGEST_NAME, ClassNames, FreshClasses
from elgeo.ontology.normalisation.ranges import Ranges
from elgeo.ontology.normalisation.roles import RoleAxioms
from elgeo.ontology.normalisation.shapes import ATOM, TOP_ATOM, Arena, Shape
from elgeo.ontology.vocabulary import TOP_ROLE


@dataclass
class Sides:
    """Pairs of sides (nodes or atoms), each with an axiom number: inclusions left ⊑ right, or disjoint pairs."""

    left: Ints = field(default_factory=lambda: np.empty(0, np.int32))
    right: Ints = field(default_factory=lambda: np.empty(0, np.int32))
    axiom: Ints = field(default_factory=lambda: np.empty(0, np.int32))

    def take(self, which: NDArray[np.bool_] | Places) -> Sides:
        return Sides(self.left[which], self.right[which], self.axiom[which])

    def __len__(self) -> int:
        return len(self.axiom)


def joined(parts: list[Sides]) -> Sides:
    """One after the other."""
    if not parts:
        return Sides()
    return Sides(*(np.concatenate([getattr(p, name) for p in parts]) for name in ("left", "right", "axiom")))


def sides(left: Any, right: Any, axiom: Any) -> Sides:
    """Arrays or numbers as pairs of sides."""
    return Sides(*(np.atleast_1d(a).astype(np.int32) for a in np.broadcast_arrays(left, right, axiom)))


def side_text(arena: Arena, names: ClassNames, side: int) -> str:
    """A side in functional syntax."""
    if side >= ATOM:
        return names.text(side - ATOM)
    if side < arena.n_read:
        return arena.ontology.text(side, LONGEST_NAME)
    if arena.shape[side] == Shape.OR:
        members = arena.ontology.args[arena.first[side] : arena.last[side]]
        return f"ObjectUnionOf({' '.join(arena.ontology.text(int(m)) for m in members)})"
    filler = side_text(arena, names, int(arena.child[side]))
    return f"ObjectSomeValuesFrom({arena.roles.text(int(arena.role[side]))} {filler})"


class ClassAxioms:
    """What the axioms of an ontology say of classes and individuals."""

    def __init__(self, arena: Arena, roles: RoleAxioms, ranges: Ranges, fresh: FreshClasses, names: ClassNames) -> None:
        ontology = arena.ontology
        self._ontology, self._arena, self._fresh, self._names = ontology, arena, fresh, names
        self._op = ontology.op[ontology.axiom_nodes]
        self._inclusions: list[Sides] = []
        self._disjoint: list[Sides] = []
        self._domains_and_ranges(roles, ranges)
        negated = self._negative_assertions()
        self._disjoint_unions()
        arena.settle()
        self._inclusions_proper()
        for op in (Op.EquivalentClasses, Op.SameIndividual):
            self._equivalences(self._of(op))
        for op, skip in ((Op.DisjointClasses, 0), (Op.DifferentIndividuals, 0), (Op.DisjointUnion, 1)):
            self._disjointness(self._of(op), skip)
        self._disjoint += negated
        inclusions = self._settled(joined(self._inclusions))
        self.inclusions = inclusions.take(inclusions.left != inclusions.right)
        self.disjoint = self._settled(joined(self._disjoint))

    def _of(self, op: Op) -> Places:
        return np.flatnonzero(self._op == op)

    def _argument(self, axioms: Places, place: int) -> Ints:
        """One argument of each of some axioms: as read, or settled when the arena is."""
        return self._arena.args[self._ontology.start[self._ontology.axiom_nodes[axioms]] + place]

    def _settled(self, found: Sides) -> Sides:
        same = self._arena.same
        for side in (found.left, found.right):
            inner = side < ATOM
            side[inner] = same[side[inner]]
        return found

    def _domains_and_ranges(self, roles: RoleAxioms, ranges: Ranges) -> None:
        if roles.domains:
            role, node, axiom = np.array(roles.domains, np.int32).T
            left = self._arena.some(role, np.full(len(role), TOP_ATOM, np.int32))
            self._inclusions.append(sides(left, node, axiom))
        for role, node, axiom in roles.ranges:
            # every element has an incoming edge of the universal role
            reached = TOP_ATOM if role == TOP_ROLE else ATOM + ranges.class_of[role]
            self._inclusions.append(sides(reached, node, axiom))
        self._inclusions += [sides(ATOM + c, ATOM + d, axiom) for c, d, axiom in ranges.inclusions]

    def _negative_assertions(self) -> list[Sides]:
        axioms = self._of(Op.NegativeObjectPropertyAssertion)
        if not len(axioms):
            return []
        properties, subjects, objects = (self._argument(axioms, i) for i in range(3))
        split = [self._arena.roles.split(int(p)) for p in properties]
        inverted = np.array([i for _, i in split])
        subjects, objects = np.where(inverted, objects, subjects), np.where(inverted, subjects, objects)
        left = self._arena.some(np.array([r for r, _ in split], np.int32), objects)
        return [sides(subjects, left, axioms)]

    def _disjoint_unions(self) -> None:
        axioms = self._of(Op.DisjointUnion)
        if len(axioms):
            nodes = self._ontology.axiom_nodes[axioms]
            union = self._arena.union(self._ontology.start[nodes] + 1, self._ontology.start[nodes + 1])
            whole = self._argument(axioms, 0)
            self._inclusions += [sides(union, whole, axioms), sides(whole, union, axioms)]

    def _inclusions_proper(self) -> None:
        axioms = self._of(Op.SubClassOf)
        self._inclusions.append(sides(self._argument(axioms, 0), self._argument(axioms, 1), axioms))
        axioms = self._of(Op.ClassAssertion)
        self._inclusions.append(sides(self._argument(axioms, 1), self._argument(axioms, 0), axioms))

    def _equivalences(self, axioms: Places) -> None:
        """Through the first argument that is a name, else through the first: 2(n - 1) inclusions."""
        if not len(axioms):
            return
        owner, members = self._arena.members(self._ontology.axiom_nodes[axioms])
        places = np.arange(len(members))
        starts = np.flatnonzero(np.r_[True, owner[1:] != owner[:-1]])
        best = np.minimum.reduceat(np.where(members >= ATOM, places, places + len(members)), starts)
        best = np.where(best < len(members), best, starts)
        middle = best[np.searchsorted(owner[starts], owner)]
        others = places != middle
        middle, others_ = members[middle[others]], members[others]
        axiom = axioms[owner[others]]
        self._inclusions += [sides(middle, others_, axiom), sides(others_, middle, axiom)]

    def _disjointness(self, axioms: Places, skip: int) -> None:
        """Pairwise, or by halves where there are too many; a member that is named twice is disjoint from itself."""
        nodes = self._ontology.axiom_nodes[axioms]
        first, sizes = self._ontology.start[nodes] + skip, self._ontology.start[nodes + 1] - self._ontology.start[nodes]
        for size in np.unique(sizes - skip):
            chosen = sizes - skip == size
            table = self._arena.args[first[chosen][:, None] + np.arange(size)]
            if size > PAIRWISE_UP_TO:
                for members, axiom in zip(table, axioms[chosen].tolist(), strict=True):
                    inclusions, disjoint = by_halves(members, axiom, self._fresh, self._text)
                    self._inclusions.append(Sides(*inclusions))
                    self._disjoint.append(Sides(*disjoint))
                continue
            i, j = np.triu_indices(size, 1)
            self._disjoint.append(sides(table[:, i].ravel(), table[:, j].ravel(), np.repeat(axioms[chosen], len(i))))

    def _text(self, side: int) -> str:
        return side_text(self._arena, self._names, side)
