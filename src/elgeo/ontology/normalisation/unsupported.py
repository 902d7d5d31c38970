"""Which class axioms say something EL++ cannot, and through which constructor."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from elgeo.ontology.expressions import Op
from elgeo.ontology.normalisation.axioms import Sides
from elgeo.ontology.normalisation.shapes import ATOM, Expressions, NodeShape, among

LEFT, RIGHT = 0, 1

_NOT_ON = {
    LEFT: (NodeShape.OTHER, NodeShape.NOT, NodeShape.MANY),
    RIGHT: (NodeShape.OTHER, NodeShape.OR, NodeShape.MANY),
}
_BELOW = {
    LEFT: (NodeShape.AND, NodeShape.OR, NodeShape.SOME),
    RIGHT: (NodeShape.AND, NodeShape.SOME),
}


class Unsupported:
    """Marks expressions that EL++ cannot say, on either side, and everything around them."""

    def __init__(self, expressions: Expressions) -> None:
        self._expressions = expressions
        size = len(expressions.shape)
        inverse = np.zeros(len(expressions.roles.names) + 1, np.bool_)
        inverse[list(expressions.roles.inverses.values())] = True
        by_inverse = inverse[expressions.role] & among(expressions.shape, (NodeShape.SOME, NodeShape.MANY))
        expression = np.ones(size, np.bool_)
        op = expressions.ontology.op
        expression[: expressions.n_read] = (op >= Op.ObjectIntersectionOf) & (op <= Op.DataExactCardinality)
        self.own = np.stack([by_inverse | (expression & among(expressions.shape, _NOT_ON[i])) for i in (LEFT, RIGHT)])
        self.around = self.own & (expressions.same == np.arange(size))
        self._spread()

    def axioms(self, inclusions: Sides, disjoint: Sides) -> dict[int, str]:
        """The reason for each axiom that is not said in full."""
        found: dict[int, str] = {}
        for sides, axioms, side in (
            (inclusions.left, inclusions.axiom, LEFT),
            (inclusions.right, inclusions.axiom, RIGHT),
            (disjoint.left, disjoint.axiom, LEFT),
            (disjoint.right, disjoint.axiom, LEFT),
        ):
            nodes = np.flatnonzero(sides < ATOM)
            for place in nodes[self.around[side][sides[nodes]]].tolist():
                axiom = int(axioms[place])
                if axiom not in found:
                    found[axiom] = self._reason(int(sides[place]), side)
        return found

    def _spread(self) -> None:
        """From expressions to those they stand in, keeping to the side they would be on."""
        expressions = self._expressions
        if not self.around.any():
            return
        sets = np.flatnonzero((expressions.shape == NodeShape.AND) | (expressions.shape == NodeShape.OR)).astype(
            np.int32
        )
        owner, member = expressions.members(sets)
        single = np.flatnonzero(among(expressions.shape, (NodeShape.SOME, NodeShape.NOT))).astype(np.int32)
        parents = np.concatenate([sets[owner], single])
        children = np.concatenate([member, expressions.child[single]])
        real = children < ATOM
        parents, children = parents[real], children[real]
        shape = expressions.shape[parents]
        carries = [(among(shape, _BELOW[side]), side, side) for side in (LEFT, RIGHT)]
        carries.append((shape == NodeShape.NOT, LEFT, RIGHT))
        changed = True
        while changed:
            before = int(self.around.sum())
            for which, below, above in carries:
                self.around[above, parents[which][self.around[below][children[which]]]] = True
            changed = int(self.around.sum()) != before

    def _reason(self, node: int, side: int) -> str:
        """The outermost, leftmost constructor that EL++ does not have on that side."""
        expressions = self._expressions
        while not self.own[side][node]:
            shape = expressions.shape[node]
            if shape == NodeShape.NOT:
                side = LEFT
            several = shape in (NodeShape.AND, NodeShape.OR)
            below = expressions.members(np.array([node], np.int32))[1] if several else expressions.child[[node]]
            node = next(int(c) for c in below if c < ATOM and self.around[side][c])
        if expressions.shape[node] == NodeShape.SOME:
            return Op.ObjectInverseOf.name
        return Op.DisjointUnion.name if node >= expressions.n_read else Op(int(expressions.ontology.op[node])).name


def reason_of_kind(op: NDArray[np.uint8]) -> dict[int, str]:
    """The axioms that EL++ has nothing for at all, by their own keyword."""
    return dict.fromkeys(np.flatnonzero(op == Op.DLSafeRule).tolist(), Op.DLSafeRule.name)
