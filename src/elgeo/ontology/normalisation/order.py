"""An order of classes that depends on what they are and not on where the file has them.

Conjunctions of several classes go by steps of two, so their order decides which steps they share. With an order from
names alone every syntax of an ontology gives the same tables.
"""

from __future__ import annotations

from collections.abc import Iterable
from zlib import adler32, crc32

import numpy as np

from elgeo.arrays import Ints, Words
from elgeo.keys import distinct, mixed
from elgeo.ontology.normalisation.fresh_names import ClassNames
from elgeo.ontology.normalisation.polarity import NamedExpressions, inner
from elgeo.ontology.normalisation.shapes import ATOM, Expressions, NodeShape, among


def text_keys(texts: Iterable[str]) -> Words:
    """A number for each text, the same in every run."""
    encoded = [text.encode() for text in texts]
    high = np.fromiter((crc32(t) for t in encoded), np.uint64, len(encoded))
    low = np.fromiter((adler32(t) for t in encoded), np.uint64, len(encoded))
    return mixed(high << np.uint64(32) | low)


def class_keys(ids: Ints, names: ClassNames, expressions: Expressions, named: NamedExpressions) -> Words:
    """A number for each class id: from its name, or from the expression it stands for."""
    wanted = distinct(ids)
    keys = np.zeros(len(wanted), np.uint64)
    of_nodes = np.isin(wanted, named.ids)
    keys[~of_nodes] = text_keys(names[int(i)] for i in wanted[~of_nodes])
    keys[of_nodes] = _node_keys(named.nodes[np.searchsorted(named.ids, wanted[of_nodes])], names, expressions)
    return keys[np.searchsorted(wanted, ids)]


def _node_keys(nodes: Ints, names: ClassNames, expressions: Expressions) -> Words:
    """From the leaves up, as often as expressions are deep; the order of members does not count."""
    below = _below(nodes, expressions)
    keys = np.zeros(len(expressions.shape), np.uint64)
    shape = expressions.shape[below]
    sets = below[(shape == NodeShape.AND) | (shape == NodeShape.OR)]
    single = below[among(shape, (NodeShape.SOME, NodeShape.NOT))]
    other = below[among(shape, (NodeShape.SELF, NodeShape.OTHER, NodeShape.MANY))]
    keys[other] = text_keys(expressions.ontology.text(int(node)) for node in other)
    owner, members = expressions.members(sets)
    atoms = distinct(
        np.concatenate([members[members >= ATOM], expressions.child[single][expressions.child[single] >= ATOM]])
    )
    atom_keys = text_keys(names[int(i)] for i in atoms - ATOM)
    role_keys = np.append(text_keys(expressions.roles.names), np.uint64(0))

    def of_sides(sides: Ints) -> Words:
        found = keys[np.where(sides < ATOM, sides, 0)]
        found[sides >= ATOM] = atom_keys[np.searchsorted(atoms, sides[sides >= ATOM])]
        return found

    while True:
        before = keys.copy()
        keys[single] = mixed(of_sides(expressions.child[single]) ^ role_keys[expressions.role[single]])
        sums = np.zeros(len(sets), np.uint64)
        np.add.at(sums, owner, mixed(of_sides(members)))
        keys[sets] = mixed(sums + expressions.shape[sets].astype(np.uint64))
        if np.array_equal(before, keys):
            return keys[nodes]


def _below(nodes: Ints, expressions: Expressions) -> Ints:
    """Nodes and all they are made of."""
    marks = np.zeros(len(expressions.shape), np.bool_)
    frontier = nodes
    while len(frontier):
        marks[frontier] = True
        shape = expressions.shape[frontier]
        children = [
            expressions.members(frontier[(shape == NodeShape.AND) | (shape == NodeShape.OR)])[1],
            expressions.child[frontier[among(shape, (NodeShape.SOME, NodeShape.NOT))]],
        ]
        found = inner(np.concatenate(children))
        frontier = distinct(found[~marks[found]])
    return np.flatnonzero(marks).astype(np.int32)
