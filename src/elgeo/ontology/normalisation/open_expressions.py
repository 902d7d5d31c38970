"""Second step of normalisation: class expressions are read into shapes, and equal ones are found."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Ints
from elgeo.keys import distinct
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Ontology
from elgeo.ontology.normalisation.entities import Entities
from elgeo.ontology.normalisation.roles import RoleIds
from elgeo.ontology.normalisation.shapes import ATOM, BOTTOM_ATOM, TOP_ATOM, Expressions, Nodes, NodeShape, among

_SHAPES = np.zeros(256, np.uint8)
for _op, _shape in (
    (Op.ObjectIntersectionOf, NodeShape.AND),
    (Op.ObjectUnionOf, NodeShape.OR),
    (Op.ObjectOneOf, NodeShape.OR),
    (Op.ObjectComplementOf, NodeShape.NOT),
    (Op.ObjectSomeValuesFrom, NodeShape.SOME),
    (Op.ObjectHasValue, NodeShape.SOME),
    (Op.ObjectHasSelf, NodeShape.SELF),
):
    _SHAPES[_op] = _shape

_CARDINALITIES = (Op.ObjectMinCardinality, Op.ObjectMaxCardinality, Op.ObjectExactCardinality)
_COMMUTATIVE = (NodeShape.AND, NodeShape.OR)


class OpenExpressions(Nodes):
    """The expressions of an ontology as read; those that axioms imply are added until `settled` closes them.

    Reading them asks `roles` for the inverses that expressions speak of. `atoms` has the classes of nodes that other
    steps have made classes of.
    """

    def __init__(self, ontology: Ontology, entities: Entities, roles: RoleIds, atoms: Mapping[int, int]) -> None:
        self.ontology, self.roles = ontology, roles
        self.n_read = n = len(ontology.op)
        self.same: Ints = np.arange(n, dtype=np.int32)
        named = entities.class_of >= 0
        self.same[named] = entities.class_of[named] + ATOM
        self.same[list(atoms)] = np.array(list(atoms.values()), np.int32) + np.int32(ATOM)
        self.shape: NDArray[np.uint8] = _SHAPES[ontology.op]
        self.role: Ints = np.full(n, -1, np.int32)
        self.child: Ints = np.full(n, -1, np.int32)
        self.first: NDArray[np.int64] = ontology.start[:-1].copy()
        self.last: NDArray[np.int64] = ontology.start[1:].copy()
        self.args: Ints = ontology.args
        self._extra: list[tuple[NodeShape, Ints, Ints, NDArray[np.int64], NDArray[np.int64]]] = []
        self._size = n
        self._read_sets()
        self._read_restrictions()

    def of_op(self, op: Op) -> NDArray[np.int64]:
        """The nodes of one kind."""
        return np.flatnonzero(self.ontology.op == op)

    def argument(self, nodes: NDArray[np.int64] | Ints, place: int) -> Ints:
        """One argument of each of some nodes, as read."""
        return self.ontology.args[self.ontology.start[nodes] + place]

    def some(self, roles: Ints, children: Ints) -> Ints:
        """Nodes for ∃r.C."""
        nothing = np.zeros(len(roles), np.int64)
        return self._add(NodeShape.SOME, roles, children, nothing, nothing)

    def union(self, first: NDArray[np.int64], last: NDArray[np.int64]) -> Ints:
        """Nodes for unions of slices of the arguments."""
        nothing = np.full(len(first), -1, np.int32)
        return self._add(NodeShape.OR, nothing, nothing, first, last)

    def settled(self) -> Expressions:
        """All of them closed: resolve what is the same as what, and point all arguments at the one that is used."""
        if self._extra:
            shapes, roles, children, first, last = zip(*self._extra, strict=True)
            sizes = [len(r) for r in roles]
            self.shape = np.concatenate([self.shape, np.repeat(np.array(shapes, np.uint8), sizes)])
            self.role = np.concatenate([self.role, *roles])
            self.child = np.concatenate([self.child, *children])
            self.first = np.concatenate([self.first, *first])
            self.last = np.concatenate([self.last, *last])
            self.same = np.concatenate([self.same, np.arange(self.n_read, self._size, dtype=np.int32)])
        self._trivial_sets()
        self._repetitive_sets()
        self._trivial_complements()
        self._share_existentials()
        self._share_others()
        self._repetitive_sets()
        return Expressions(self)

    def _add(
        self, shape: NodeShape, roles: Ints, children: Ints, first: NDArray[np.int64], last: NDArray[np.int64]
    ) -> Ints:
        nodes = np.arange(self._size, self._size + len(roles), dtype=np.int32)
        self._extra.append((shape, roles.astype(np.int32), children.astype(np.int32), first, last))
        self._size += len(roles)
        return nodes

    def _read_sets(self) -> None:
        complements = self.of_op(Op.ObjectComplementOf)
        self.child[complements] = self.argument(complements, 0)

    def _read_restrictions(self) -> None:
        for op in (Op.ObjectSomeValuesFrom, Op.ObjectHasValue):
            nodes = self.of_op(op)
            self.role[nodes] = self.roles.ids(self.argument(nodes, 0))
            self.child[nodes] = self.argument(nodes, 1)
        selves = self.of_op(Op.ObjectHasSelf)
        # ∃R⁻.Self = ∃R.Self
        self.role[selves] = [self.roles.split(int(p))[0] for p in self.argument(selves, 0)]
        universal = self.of_op(Op.ObjectAllValuesFrom)
        fillers = self.same[self.argument(universal, 1)]
        self.same[universal[fillers == TOP_ATOM]] = TOP_ATOM
        none = universal[fillers == BOTTOM_ATOM]
        self._become_none(none, np.full(len(none), TOP_ATOM, np.int32))
        for op in _CARDINALITIES:
            self._read_cardinalities(op, self.of_op(op))

    def _read_cardinalities(self, op: Op, nodes: NDArray[np.int64]) -> None:
        if not len(nodes):
            return
        literals, which = np.unique(self.argument(nodes, 0), return_inverse=True)
        numbers = np.array([cardinality(self.ontology.string(int(i))) for i in literals])[which]
        fillers = np.full(len(nodes), TOP_ATOM, np.int32)
        qualified = np.diff(self.ontology.start)[nodes] > 2
        fillers[qualified] = self.argument(nodes[qualified], 2)
        at_least = op == Op.ObjectMinCardinality
        if at_least:
            self.same[nodes[numbers == 0]] = TOP_ATOM
        else:
            self._become_none(nodes[numbers == 0], fillers[numbers == 0])
        if op != Op.ObjectMaxCardinality:
            some = numbers > 0
            self.role[nodes[some]] = self.roles.ids(self.argument(nodes[some], 1))
            self.child[nodes[some]] = fillers[some]
            self.shape[nodes[some]] = NodeShape.MANY
            if at_least:
                self.shape[nodes[numbers == 1]] = NodeShape.SOME

    def _become_none(self, nodes: NDArray[np.int64], fillers: Ints) -> None:
        """Nodes that say ¬∃r.C: their role is the argument before the filler."""
        place = np.where(self.ontology.op[nodes] == Op.ObjectAllValuesFrom, 0, 1)
        properties = self.ontology.args[self.ontology.start[nodes] + place]
        self.child[nodes] = self.some(self.roles.ids(properties), fillers)
        self.shape[nodes] = NodeShape.NOT

    def _trivial_sets(self) -> None:
        sizes = self.last - self.first
        for shape, empty in ((NodeShape.AND, TOP_ATOM), (NodeShape.OR, BOTTOM_ATOM)):
            of_shape = self.shape == shape
            self.same[of_shape & (sizes == 0)] = empty
            single = of_shape & (sizes == 1)
            self.same[single] = self.ontology.args[self.first[single]]

    def _repetitive_sets(self) -> None:
        """A ⊓ A and A ⊔ A are A."""
        sets = (self.shape == NodeShape.AND) | (self.shape == NodeShape.OR)
        repetitive = True
        while repetitive:
            self._follow()
            nodes = np.flatnonzero(sets & (self.last > self.first) & (self.same == np.arange(self._size)))
            owner, members = self.members(nodes)
            members = self.same[members]
            firsts = self.same[self.args[self.first[nodes]]]
            varied = np.zeros(len(nodes), np.bool_)
            varied[owner[members != firsts[owner]]] = True
            self.same[nodes[~varied]] = firsts[~varied]
            repetitive = not varied.all()

    def _trivial_complements(self) -> None:
        nodes = np.flatnonzero(self.shape == NodeShape.NOT)
        if not len(nodes):
            return
        inner = self._resolved(self.child[nodes])
        self.same[nodes[inner == TOP_ATOM]] = BOTTOM_ATOM
        self.same[nodes[inner == BOTTOM_ATOM]] = TOP_ATOM
        twice = np.zeros(len(nodes), np.bool_)
        twice[inner < ATOM] = self.shape[inner[inner < ATOM]] == NodeShape.NOT
        self.same[nodes[twice]] = self.child[inner[twice]]
        self._follow()

    def _resolved(self, sides: Ints) -> Ints:
        return np.where(sides < ATOM, self.same[np.where(sides < ATOM, sides, 0)], sides)

    def _follow(self) -> None:
        """Let every node point at the end of its chain of equals."""
        while True:
            further = self._resolved(self.same)
            if np.array_equal(further, self.same):
                return
            self.same = further

    def _share_existentials(self) -> None:
        """Make one node of equal existentials that were written in different ways (∃r.{a} as hasValue, …)."""
        nodes = np.flatnonzero((self.shape == NodeShape.SOME) & (self.same == np.arange(self._size)))
        if len(nodes) == len(self.of_op(Op.ObjectSomeValuesFrom)):
            return
        keys = self.role[nodes].astype(np.int64) << 32 | self._resolved(self.child[nodes])
        _, first, which = np.unique(keys, return_index=True, return_inverse=True)
        self.same[nodes] = nodes[first][which]
        self._follow()

    def _share_others(self) -> None:
        """Make one node of unions, complements and the like that differ in the order of their members only.

        For what EL++ can say sharing only saves rows; of the rest equality is all we know, so it has to be exact.
        """
        ontology, own = self.ontology, np.arange(self._size)
        odd = (self.shape == NodeShape.OR) | (self.shape == NodeShape.NOT) | (self.shape == NodeShape.MANY)
        odd[: self.n_read] |= (ontology.op > Op.ObjectPropertyChain) & (ontology.op < Op.SubClassOf)
        odd &= (self.same == own) & ~among(self.shape, (NodeShape.AND, NodeShape.SOME, NodeShape.SELF))
        if not odd.any():
            return
        below = odd.copy()
        frontier = np.flatnonzero(odd)
        while len(frontier):
            inside = distinct(np.concatenate([self._inside(int(i)) for i in frontier]))
            inside = inside[inside < ATOM]
            frontier = inside[~below[inside]]
            below[frontier] = True
        seen: dict[tuple[int, ...], int] = {}
        # children come before parents; added nodes are shared already
        for node in np.flatnonzero(below).tolist():
            if self.same[node] != node or (node < self.n_read and ontology.op[node] <= Op.Literal):
                continue
            children = [int(self.same[c]) if c < ATOM else c for c in self._inside(node).tolist()]
            shape = int(self.shape[node])
            written = shape == NodeShape.OTHER or shape == NodeShape.MANY
            kind = -int(ontology.op[node]) if written else shape
            if shape in _COMMUTATIVE or kind == -Op.DataOneOf:
                children = sorted(set(children))
            self.same[node] = seen.setdefault((kind, int(self.role[node]), *children), node)
        self._follow()

    def _inside(self, node: int) -> Ints:
        """What a node is made of, of any sort."""
        shape = self.shape[node]
        if shape in (NodeShape.NOT, NodeShape.SOME):
            return self.child[node : node + 1]
        if node < self.n_read and self.ontology.op[node] <= Op.Literal:
            return self.child[:0]
        return self.args[self.first[node] : self.last[node]]


def cardinality(literal: str) -> int:
    """The number a cardinality literal stands for, 2 for all above; -1 if it is none."""
    digits = literal.strip('"').split('"')[0]
    if not (digits.isascii() and digits.isdigit()):
        return -1
    significant = digits.lstrip("0")
    return min(int(significant or "0"), 2) if len(significant) < 2 else 2
