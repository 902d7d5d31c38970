"""The truth of axioms among boxes, found by looking at points: slow, and written from the definition of the sets.

All corners are whole numbers, so whole points decide. A box is a set of points in each dimension; a role is a set of
pairs of points in each dimension.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from elgeo.models.boxes.halves import Halves
from elgeo.models.boxes.numbers import INFINITE

FAR = 24
"""Points from −FAR to FAR are looked at; corners of the boxes are at most 4 from 0."""
NEAR = 12
"""Left sides are compared up to here: what happens further out is due to the end of the points."""
POINTS = np.arange(-FAR, FAR + 1)
Sets = NDArray[np.bool_]


class PlainBoxes:
    """Sets of points: (dimension, points) for a class, (dimension, points, points) for a role."""

    def __init__(self, halves: Halves) -> None:
        self.delta = self._between(halves.limits)
        self.classes = [self._between(row) & self.delta for row in halves.classes]
        steps = POINTS[:, None] - POINTS[None, :]
        both = self.delta[:, :, None] & self.delta[:, None, :]
        self.roles = []
        for row in halves.roles:
            upper, lower = row[::2].astype(int), row[1::2].astype(int)
            below = np.array([(steps <= u) | (u == INFINITE) for u in upper])
            above = np.array([(-steps <= v) | (v == INFINITE) for v in lower])
            self.roles.append(below & above & both)

    def _between(self, row: NDArray[np.int8]) -> Sets:
        upper, lower = row[::2].astype(int), row[1::2].astype(int)
        return np.array(
            [
                ((u == INFINITE) | (u >= POINTS)) & ((v == INFINITE) | (-v <= POINTS))
                for u, v in zip(upper, lower, strict=True)
            ]
        )

    def some(self, role: int, filler: Sets) -> Sets:
        """∃r.C: the points with an r-successor in C."""
        if not filler.any(axis=1).all():
            return np.zeros_like(filler)
        return np.asarray((self.roles[role] & filler[:, None, :]).any(axis=2))

    @staticmethod
    def inside(left: Sets, right: Sets) -> bool:
        """Whether one product of sets lies in another."""
        middle = left & (abs(POINTS) <= NEAR)
        if not left.any(axis=1).all():
            return True
        return bool(right.any(axis=1).all() and (~middle | right).all())

    def holds(self, form: str, row: list[int]) -> bool:
        none = np.zeros_like(self.delta)
        classes, roles = self.classes, self.roles
        if form == "subclass":
            return self.inside(classes[row[0]], classes[row[1]])
        if form == "conjunction":
            return self.inside(classes[row[0]] & classes[row[1]], classes[row[2]])
        if form == "existential":
            return self.inside(classes[row[0]], self.some(row[1], classes[row[2]]))
        if form == "left_existential":
            return self.inside(self.some(row[0], classes[row[1]]), classes[row[2]])
        if form == "empty":
            return self.inside(classes[row[0]], none)
        if form == "disjoint":
            return self.inside(classes[row[0]] & classes[row[1]], none)
        if form == "empty_existential":
            return self.inside(self.some(row[0], classes[row[1]]), none)
        if form == "subrole":
            return self.pairs_inside(roles[row[0]], roles[row[1]])
        if form == "chain":
            steps = roles[row[0]].astype(int) @ roles[row[1]].astype(int)
            return self.pairs_inside(steps > 0, roles[row[2]])
        loops = {r: np.array([np.diag(pairs) for pairs in roles[r]]) for r in range(len(roles))}
        if form == "reflexive":
            return self.inside(self.delta, loops[row[0]])
        if form == "self":
            return self.inside(classes[row[0]], loops[row[1]])
        if form == "left_self":
            return self.inside(loops[row[0]], classes[row[1]])
        assert form == "range"
        if not roles[row[0]].any(axis=(1, 2)).all():
            return True
        return self.inside(roles[row[0]].any(axis=1), classes[row[1]])

    @staticmethod
    def pairs_inside(left: Sets, right: Sets) -> bool:
        near = abs(POINTS) <= NEAR
        if not left.any(axis=(1, 2)).all():
            return True
        middle = left & near[None, :, None] & near[None, None, :]
        return bool(right.any(axis=(1, 2)).all() and (~middle | right).all())
