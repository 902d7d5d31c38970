"""The set of any EL expression among boxes: C ⊓ D is what two have in common, ∃r.C what r relates to points of C."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from elgeo.arrays import Flags
from elgeo.errors import UnsupportedError
from elgeo.models.boxes.halves import Halves
from elgeo.models.boxes.numbers import LAST, NOTHING
from elgeo.models.boxes.scores import MOST, BoxScorer
from elgeo.models.boxes.truth import Bytes
from elgeo.models.closed import Inclusion
from elgeo.ontology.vocabulary import BOTTOM
from elgeo.reasoning.questions.expressions import And, Atom, Expression, Self, Some

LINE = np.arange(-LAST, LAST + 1)


class PointSet(NamedTuple):
    """The points of each dimension, and a place by which what is empty is ranked too."""

    points: Flags
    """(dimension, points of a line)"""
    numbers: Bytes
    """Those of a box, both ends of each dimension; where C and D are apart, the end of each that is nearer."""

    @property
    def is_empty(self) -> bool:
        return not self.points.any(axis=1).all()


class PointSets:
    """The sets of expressions, which is what truth is of; ∃r.Self need not be a box, all else is one."""

    def __init__(self, halves: Halves) -> None:
        self._halves = halves

    def of(self, expression: Expression) -> PointSet:
        match expression:
            case Atom(c) if c >= 0:
                numbers = self._halves.classes[c]
                return PointSet(_between(numbers) & ~self._halves.empty[c], numbers)
            case Atom(_, iri):
                raise UnsupportedError(f"the run knows no class {iri}: only what its dataset names can be scored")
            case And(parts):
                sets = [self.of(part) for part in parts]
                common = np.all([each.points for each in sets], axis=0)
                return _placed(common, np.minimum.reduce([each.numbers for each in sets]))
            case Some(role, filler):
                inner = self.of(filler)
                found = (self._related(role) & inner.points[:, :, None]).any(axis=1)
                return _placed(np.zeros_like(found) if inner.is_empty else np.asarray(found))
            case Self(role):
                return _placed(np.diagonal(self._related(role), axis1=1, axis2=2))
        raise UnsupportedError("a box stands for classes, intersections and existentials: EL has no other expressions")

    def includes(self, left: Expression, right: Expression) -> Inclusion:
        """left ⊑ right: distance and score are those of the scorer, but for ⊥ on the right."""
        here, there = self.of(left), self.of(right)
        if isinstance(right, Atom) and right.id == BOTTOM:
            return _vanishes(here)
        true = here.is_empty or not (here.points & ~there.points).any()
        distance = float(np.clip(here.numbers.astype(int) - there.numbers, 0, MOST).sum())
        pair = BoxScorer(Halves(np.stack([here.numbers, there.numbers]), self._halves.roles))
        score = float(pair.pairs(np.array([0], np.int32), None, np.array([1], np.int32))[0])
        between = 0 if true or distance else 1  # a point that lies between those of ∃r.Self, and is none of them
        return Inclusion(true, distance + between, score - between)

    def _related(self, role: int) -> Flags:
        """For each dimension and points y and x whether x is related to y."""
        numbers = self._halves.roles[role].astype(np.int16)
        return np.asarray((numbers[::2, :, None] >= LINE) & (numbers[1::2, :, None] >= -LINE))


def _between(numbers: Bytes) -> Flags:
    return np.asarray((numbers[::2, None] >= LINE) & (numbers[1::2, None].astype(np.int16) >= -LINE))


def _placed(points: Flags, otherwise: Bytes | None = None) -> PointSet:
    """A set; its place is the least box around it, and where it has no points a given one."""
    upper, lower = (np.where(points, side, NOTHING).max(axis=1) for side in (LINE, -LINE))
    numbers = np.stack([upper, lower], axis=1).reshape(-1).astype(np.int8)
    return PointSet(points, numbers if otherwise is None else np.where(numbers == NOTHING, otherwise, numbers))


def _vanishes(found: PointSet) -> Inclusion:
    """C ⊑ ⊥: the fewest points of a dimension; of what has none the score is higher the farther the sides are apart."""
    points = int(found.points.sum(axis=1).min())
    if points:
        return Inclusion(False, float(points), -float(points))
    gap = -int((found.numbers[::2].astype(int) + found.numbers[1::2]).min())
    return Inclusion(True, 0.0, -1 / (1 + max(gap, 1)))
