"""Third step of normalisation: class axioms, domains, ranges and assertions become inclusions and disjoint pairs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Ints, Places
from elgeo.keys import distinct
from elgeo.ontology.expressions import Op
from elgeo.ontology.normalisation.disjointness import PAIRWISE_UP_TO, by_halves
from elgeo.ontology.normalisation.fresh_names import LONGEST_NAME, ClassNames
from elgeo.ontology.normalisation.open_expressions import OpenExpressions
from elgeo.ontology.normalisation.ranges import Ranges
from elgeo.ontology.normalisation.roles import RoleFacts
from elgeo.ontology.normalisation.shapes import ATOM, TOP_ATOM, Nodes, NodeShape
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


def side_text(expressions: Nodes, names: ClassNames, side: int) -> str:
    """A side in functional syntax."""
    if side >= ATOM:
        return names.text(side - ATOM)
    if side < expressions.n_read:
        return expressions.ontology.text(side, LONGEST_NAME)
    if expressions.shape[side] == NodeShape.OR:
        members = expressions.ontology.args[expressions.first[side] : expressions.last[side]]
        return f"ObjectUnionOf({' '.join(expressions.ontology.text(int(m)) for m in members)})"
    filler = side_text(expressions, names, int(expressions.child[side]))
    return f"ObjectSomeValuesFrom({expressions.roles.text(int(expressions.role[side]))} {filler})"


class ClassAxioms:
    """What the axioms of an ontology say of classes and individuals."""

    def __init__(
        self,
        opened: OpenExpressions,
        roles: RoleFacts,
        ranges: Ranges,
        names: ClassNames,
        below: list[tuple[int, int, int]],
        above: list[tuple[int, int, int]],
    ) -> None:
        """`below` and `above` are further classes with the node they are below or above of, and an axiom."""
        ontology = opened.ontology
        self._ontology, self._names = ontology, names
        self._op = ontology.op[ontology.axiom_nodes]
        self._inclusions: list[Sides] = []
        self._disjoint: list[Sides] = []
        self._domains_and_ranges(roles, ranges, opened)
        self._inclusions += [sides(ATOM + c, node, axiom) for c, node, axiom in below]
        self._inclusions += [sides(node, ATOM + c, axiom) for node, c, axiom in above]
        negated = self._negative_assertions(opened)
        self._disjoint_unions(opened)
        self.expressions = opened.settled()
        """The expressions of the ontology, and those that these axioms imply."""
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
        """One argument of each of some axioms, the node that is used for it."""
        return self.expressions.args[self._ontology.start[self._ontology.axiom_nodes[axioms]] + place]

    def _as_read(self, axioms: Places, place: int) -> Ints:
        return self._ontology.args[self._ontology.start[self._ontology.axiom_nodes[axioms]] + place]

    def _settled(self, found: Sides) -> Sides:
        same = self.expressions.same
        for side in (found.left, found.right):
            inner = side < ATOM
            side[inner] = same[side[inner]]
        return found

    def _domains_and_ranges(self, roles: RoleFacts, ranges: Ranges, opened: OpenExpressions) -> None:
        if roles.domains:
            role, node, axiom = np.array(roles.domains, np.int32).T
            left = opened.some(role, np.full(len(role), TOP_ATOM, np.int32))
            self._inclusions.append(sides(left, node, axiom))
        for role, node, axiom in roles.ranges:
            # every element has an incoming edge of the universal role
            reached = TOP_ATOM if role == TOP_ROLE else ATOM + ranges.class_of[role]
            self._inclusions.append(sides(reached, node, axiom))
        self._inclusions += [sides(ATOM + c, ATOM + d, axiom) for c, d, axiom in ranges.inclusions]

    def _negative_assertions(self, opened: OpenExpressions) -> list[Sides]:
        axioms = self._of(Op.NegativeObjectPropertyAssertion)
        if not len(axioms):
            return []
        properties, subjects, objects = (self._as_read(axioms, i) for i in range(3))
        split = [opened.roles.split(int(p)) for p in properties]
        inverted = np.array([i for _, i in split])
        subjects, objects = np.where(inverted, objects, subjects), np.where(inverted, subjects, objects)
        left = opened.some(np.array([r for r, _ in split], np.int32), objects)
        return [sides(subjects, left, axioms)]

    def _disjoint_unions(self, opened: OpenExpressions) -> None:
        axioms = self._of(Op.DisjointUnion)
        if len(axioms):
            nodes = self._ontology.axiom_nodes[axioms]
            union = opened.union(self._ontology.start[nodes] + 1, self._ontology.start[nodes + 1])
            whole = self._as_read(axioms, 0)
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
        owner, members = self.expressions.members(self._ontology.axiom_nodes[axioms])
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
        for size in distinct(sizes - skip):
            chosen = sizes - skip == size
            table = self.expressions.args[first[chosen][:, None] + np.arange(size)]
            if size > PAIRWISE_UP_TO:
                for members, axiom in zip(table, axioms[chosen].tolist(), strict=True):
                    inclusions, disjoint = by_halves(members, axiom, self._names, self._text)
                    self._inclusions.append(Sides(*inclusions))
                    self._disjoint.append(Sides(*disjoint))
                continue
            i, j = np.triu_indices(size, 1)
            self._disjoint.append(sides(table[:, i].ravel(), table[:, j].ravel(), np.repeat(axioms[chosen], len(i))))

    def _text(self, side: int) -> str:
        return side_text(self.expressions, self._names, side)
