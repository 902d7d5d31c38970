"""Fourth step of normalisation: which expressions stand on the left, which on the right, and which need a name."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Flags, Ints
from elgeo.keys import distinct
from elgeo.ontology.expressions import Op
from elgeo.ontology.normalisation.axioms import Sides, side_text
from elgeo.ontology.normalisation.fresh_names import ClassNames
from elgeo.ontology.normalisation.shapes import ATOM, Expressions, NodeShape, among
from elgeo.ontology.vocabulary import BOTTOM, TOP

_NAMED_LEFT = (NodeShape.AND, NodeShape.OR, NodeShape.SOME, NodeShape.SELF)
_NAMED_RIGHT = (NodeShape.AND, NodeShape.NOT, NodeShape.SOME, NodeShape.SELF, NodeShape.MANY)


def inner(sides: Ints) -> Ints:
    """The sides that are nodes."""
    return sides[sides < ATOM]


def _unmarked(sides: Ints, marks: Flags) -> Ints:
    """The sides that are nodes without a mark, each once; they get one."""
    nodes = inner(sides)
    nodes = nodes[~marks[nodes]]
    marks[nodes] = True
    if len(nodes) * 16 < len(marks):
        return distinct(nodes)
    found = np.zeros(len(marks), np.bool_)
    found[nodes] = True
    return np.flatnonzero(found).astype(np.int32)


class Polarity:
    """Where each expression occurs: on the left of inclusions, on the right, or both."""

    def __init__(self, expressions: Expressions, inclusions: Sides, disjoint: Sides) -> None:
        size = len(expressions.shape)
        self._expressions = expressions
        self.left: Flags = np.zeros(size, np.bool_)
        self.right: Flags = np.zeros(size, np.bool_)
        below_left, below_right = [inclusions.left, disjoint.left, disjoint.right], [inclusions.right]
        while True:
            left = _unmarked(np.concatenate(below_left), self.left)
            right = _unmarked(np.concatenate(below_right), self.right)
            if not len(left) and not len(right):
                return
            shape = expressions.shape[left]
            below_left = [
                expressions.members(left[(shape == NodeShape.AND) | (shape == NodeShape.OR)])[1],
                expressions.child[left[shape == NodeShape.SOME]],
            ]
            shape = expressions.shape[right]
            # C ⊑ ¬D is C ⊓ D ⊑ ⊥
            below_left.append(expressions.child[right[shape == NodeShape.NOT]])
            below_right = [
                expressions.members(right[shape == NodeShape.AND])[1],
                expressions.child[right[(shape == NodeShape.SOME) | (shape == NodeShape.MANY)]],
            ]

    def opaque(self) -> Flags:
        """What EL++ has no words for but occurs on both sides: a name of its own keeps equal ones equal.

        One that occurs in a single equivalence of two and nowhere else can be left out: nothing follows from its name.
        """
        expressions = self._expressions
        odd = among(expressions.shape, (NodeShape.OTHER, NodeShape.OR, NodeShape.NOT, NodeShape.MANY))
        found: Flags = self.left & self.right & odd
        if not found.any():
            return found
        uses = occurrences(expressions)
        ontology = expressions.ontology
        of_two = np.diff(ontology.start) == 2
        equivalences = np.flatnonzero((ontology.op == Op.EquivalentClasses) & of_two)
        in_equivalence = np.zeros(len(odd), np.bool_)
        in_equivalence[inner(expressions.members(equivalences)[1])] = True
        # an added union belongs to one disjoint union
        in_equivalence[expressions.n_read :] = True
        found &= ~((uses == 1) & in_equivalence)
        return found


class NamedExpressions:
    """Names of expressions: `left[n]` is a class that contains n, `right[n]` one that n contains.

    They are the same fresh class where both are needed. An expression EL++ cannot say has ⊥ for its left name and ⊤ for
    its right one: true, and nothing follows from it. Nodes that need no name have ⊥ and ⊤ too.
    """

    def __init__(
        self, expressions: Expressions, polarity: Polarity, inclusions: Sides, disjoint: Sides, names: ClassNames
    ) -> None:
        shape = expressions.shape
        self.inline: Flags = (shape == NodeShape.AND) & (occurrences(expressions) <= 1)
        """Conjunctions whose members join those of the conjunction around them."""
        needed = np.zeros(len(shape), np.bool_)
        joined = np.zeros(len(shape), np.bool_)
        conjunctions = np.flatnonzero(polarity.left & (shape == NodeShape.AND)).astype(np.int32)
        negations = polarity.right & (shape == NodeShape.NOT)
        complex_right = inclusions.right < ATOM
        for sides in (
            expressions.members(conjunctions)[1],
            expressions.child[negations],
            disjoint.left,
            disjoint.right,
            inclusions.left[complex_right & (_shape(expressions, inclusions.right) == NodeShape.NOT)],
        ):
            joined[inner(sides)] = True
        needed |= joined & ~self.inline
        needed[inner(expressions.child[polarity.left & (shape == NodeShape.SOME)])] = True
        needed[inner(inclusions.left[complex_right & (_shape(expressions, inclusions.right) != NodeShape.NOT)])] = True
        self.is_left: Flags = needed & among(shape, _NAMED_LEFT)
        needed = np.zeros(len(shape), np.bool_)
        fillers = polarity.right & ((shape == NodeShape.SOME) | (shape == NodeShape.MANY))
        needed[inner(expressions.child[fillers])] = True
        self.is_right: Flags = needed & among(shape, _NAMED_RIGHT)
        self.nodes: Ints = np.flatnonzero(self.is_left | self.is_right).astype(np.int32)
        nodes = self.nodes
        self.ids: Ints = names.add(len(nodes), lambda i: side_text(expressions, names, int(nodes[i])))
        """The class id of each of `nodes`, ascending."""
        self.left: Ints = np.full(len(shape), BOTTOM, np.int32)
        self.right: Ints = np.full(len(shape), TOP, np.int32)
        at_left, at_right = self.is_left[nodes], self.is_right[nodes]
        self.left[nodes[at_left]] = self.ids[at_left]
        self.right[nodes[at_right]] = self.ids[at_right]

    def on_left(self, sides: Ints) -> Ints:
        """Class ids for sides that stand on the left."""
        return np.where(sides >= ATOM, sides - ATOM, self.left[np.where(sides < ATOM, sides, 0)])

    def on_right(self, sides: Ints) -> Ints:
        """Class ids for sides that stand on the right."""
        return np.where(sides >= ATOM, sides - ATOM, self.right[np.where(sides < ATOM, sides, 0)])


def occurrences(expressions: Expressions) -> Ints:
    """How often each node is an argument of something; added nodes belong to the axiom that needed them."""
    arguments = np.concatenate(
        [expressions.args, expressions.child[expressions.n_read :], expressions.same[expressions.n_read :]]
    )
    arguments = arguments[(arguments >= 0) & (arguments < ATOM)]
    return np.bincount(arguments, minlength=len(expressions.shape)).astype(np.int32)


def _shape(expressions: Expressions, sides: Ints) -> NDArray[np.uint8]:
    return expressions.shape[np.where(sides < ATOM, sides, 0)]
