"""The class expressions of an ontology in seven shapes, equal ones shared: what all later steps work on."""

from __future__ import annotations

from enum import IntEnum
from functools import cache

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Flags, Ints
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Ontology
from elgeo.ontology.normalisation.roles import RoleIds
from elgeo.ontology.vocabulary import BOTTOM, TOP

ATOM = 1 << 30
"""A side of an inclusion is a node, or `ATOM` + a class id."""
TOP_ATOM, BOTTOM_ATOM = ATOM + TOP, ATOM + BOTTOM


class NodeShape(IntEnum):
    """What a node is to the normaliser."""

    OTHER = 0  # EL++ has no word for it; equal ones are still equal
    AND = 1
    OR = 2
    NOT = 3
    SOME = 4
    SELF = 5
    MANY = 6  # at least (or exactly) n > 0: implies SOME


def among(codes: NDArray[np.integer], members: tuple[int, ...]) -> Flags:
    """Which shapes or operators are some of these. `np.isin` takes ten times as long where there are few."""
    found: Flags = _table(members)[codes]
    return found


@cache
def _table(members: tuple[int, ...]) -> Flags:
    found = np.zeros(1 << 8, np.bool_)
    found[list(members)] = True
    return found


class Nodes:
    """Expressions by node: shape, role, child, and for AND and OR the slice `args[first:last]`.

    Nodes that say the same are one: `same[node]` is the node (or atom) to use for it.
    """

    ontology: Ontology
    roles: RoleIds
    n_read: int
    """So many nodes are those of the ontology; what axioms imply follows after them."""
    same: Ints
    shape: NDArray[np.uint8]
    role: Ints
    child: Ints
    first: NDArray[np.int64]
    last: NDArray[np.int64]
    args: Ints

    def members(self, nodes: Ints | NDArray[np.int64]) -> tuple[NDArray[np.int64], Ints]:
        """The arguments of AND and OR nodes, flat: (place in `nodes`, argument)."""
        sizes = self.last[nodes] - self.first[nodes]
        owner = np.repeat(np.arange(len(nodes)), sizes)
        offset = np.arange(len(owner)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return owner, self.args[self.first[nodes][owner] + offset]


class Expressions(Nodes):
    """All expressions of an ontology and those its axioms imply, made by `OpenExpressions.settled`.

    Every mention of a node is one of the node that is used for it.
    """

    def __init__(self, settled: Nodes) -> None:
        self.ontology, self.roles, self.n_read = settled.ontology, settled.roles, settled.n_read
        self.same, self.shape, self.role, self.child = settled.same, settled.shape, settled.role, settled.child
        self.first, self.last = settled.first, settled.last
        # arguments of entities are strings, not nodes
        of_nodes = np.repeat(self.ontology.op > Op.Literal, np.diff(self.ontology.start))
        self.args = np.where(of_nodes, settled.args, ATOM)
        self.replace(self.same)

    def replace(self, by: Ints) -> None:
        """Let every mention of a node be one of what `by` has for it."""
        for mentions in (self.args, self.child):
            inner = (mentions >= 0) & (mentions < ATOM)
            mentions[inner] = by[mentions[inner]]
