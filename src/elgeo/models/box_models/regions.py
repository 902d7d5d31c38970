"""The box of any EL expression where roles are boxes of translations: intersections and sums of boxes are boxes."""

from __future__ import annotations

from collections.abc import Callable, Collection
from itertools import permutations
from typing import NamedTuple

import numpy as np

from elgeo.arrays import Floats
from elgeo.errors import UnsupportedError
from elgeo.models.closed import Inclusion
from elgeo.ontology.vocabulary import BOTTOM, TOP, TOP_ROLE
from elgeo.reasoning.questions.expressions import And, Atom, Expression, Self, Some


class Region(NamedTuple):
    """A box by its corners, which may be infinite; empty where a lower corner is above the upper one."""

    lower: Floats
    upper: Floats

    @property
    def is_empty(self) -> bool:
        return bool((self.lower > self.upper).any())

    @staticmethod
    def everything(dimension: int) -> Region:
        return Region(np.full(dimension, -np.inf), np.full(dimension, np.inf))

    @staticmethod
    def nothing(dimension: int) -> Region:
        return Region(np.full(dimension, np.inf), np.full(dimension, -np.inf))


BoxOf = Callable[[int], Region]


class Regions:
    """Boxes of expressions from the boxes of classes and of roles; ⊤ is the whole space.

    With `between` boxes that have nothing in common in a dimension have what lies between them there: no set, but a
    place by which expressions can be ranked. What has ⊥ in it is empty then too. Of `points`, which are individuals,
    none is empty.
    """

    def __init__(
        self, dimension: int, of_class: BoxOf, of_role: BoxOf, between: bool = False, points: Collection[int] = ()
    ) -> None:
        self._dimension, self._of_class, self._of_role, self._between = dimension, of_class, of_role, between
        self._points = points

    def of(self, expression: Expression) -> Region:
        """C ⊓ D is C ∩ D, ∃r.C is C ⊕ r, ∃r.Self is everything where 0 is among the translations of r."""
        match expression:
            case Atom(class_id) if class_id == TOP:
                return Region.everything(self._dimension)
            case Atom(class_id) if class_id == BOTTOM:
                return Region.nothing(self._dimension)
            case Atom(class_id) if class_id >= 0:
                return self._of_class(class_id)
            case Atom(_, iri):
                raise UnsupportedError(f"the run knows no class {iri}: only what its dataset names can be scored")
            case And(parts):
                regions = [self.of(part) for part in parts]
                lower = np.maximum.reduce([region.lower for region in regions])
                upper = np.minimum.reduce([region.upper for region in regions])
                if not self._between:
                    return Region(lower, upper)
                if any(region.is_empty for region in regions):
                    return Region.nothing(self._dimension)  # nothing lies between anything and ⊥
                return Region(np.minimum(lower, upper), np.maximum(lower, upper))
            case Some(role, filler):
                region = self.of(filler)
                if region.is_empty:
                    return Region.nothing(self._dimension)
                if role == TOP_ROLE:
                    return Region.everything(self._dimension)
                by = self._of_role(role)
                return Region(region.lower + by.lower, region.upper + by.upper)
            case Self(role):
                by = self._of_role(role)
                here = role == TOP_ROLE or bool(((by.lower <= 0) & (by.upper >= 0)).all())
                return Region.everything(self._dimension) if here else Region.nothing(self._dimension)
        raise UnsupportedError("a box stands for classes, intersections and existentials: EL has no other expressions")

    def includes(self, left: Expression, right: Expression, tolerance: float) -> Inclusion:
        """left ⊑ right: true where the left box is empty or, in every dimension, no corner is farther outside.

        Distance and score are of the places, which are the boxes wherever boxes meet: what is empty is ranked too. What
        has no bound is infinitely far from what has one. What has ⊥ in it has no place: on the left all of that is the
        same, on the right it is as far as the left side is from empty.
        """
        places = Regions(self._dimension, self._of_class, self._of_role, True, self._points)
        here, there = places.of(left), places.of(right)
        if here.is_empty:
            return Inclusion(True, 0.0, 1.0)
        if there.is_empty:
            return places._vanishes(left, tolerance)
        a = self.of(left)
        true = a.is_empty or bool((_outside(a, self.of(right)) <= tolerance).all())
        distance = float(np.linalg.norm(np.maximum(_outside(here, there), 0.0)))
        with np.errstate(invalid="ignore"):  # ∞ − ∞: nothing is apart
            apart = np.nan_to_num(
                (here.lower + here.upper - there.lower - there.upper) / 2, nan=0.0, posinf=0.0, neginf=0.0
            )
        return Inclusion(true, distance, -distance if distance > 0 else float(1 / (1 + np.linalg.norm(apart))))

    def _vanishes(self, left: Expression, tolerance: float) -> Inclusion:
        """left ⊑ ⊥: how far boxes overlap where they overlap least; the farther they are apart the better.

        A single box is as far as it is wide, so that width 0 is read as empty. ∃r.C is as empty as C.
        """
        while isinstance(left, Some):
            left = left.filler
        overlap = self._overlap(left)
        if np.isinf(overlap):  # of no two boxes with a bound
            region = self.of(left)
            is_point = any(isinstance(part, Atom) and part.id in self._points for part in _conjuncts(left))
            overlap = np.inf if is_point else float(np.linalg.norm((region.upper - region.lower) / 2))
        score = -overlap if overlap > 0 else overlap / (overlap - 1)
        return Inclusion(overlap <= tolerance, max(overlap, 0.0), score)

    def _overlap(self, expression: Expression) -> float:
        """The least overlap in a dimension of any two boxes that are intersected: where it is below 0 that is empty."""
        parts = list(dict.fromkeys(_conjuncts(expression)))
        regions = [self.of(part) for part in parts]
        within = [self._overlap(part.filler) for part in parts if isinstance(part, Some)]
        return min([float((a.upper - b.lower).min()) for a, b in permutations(regions, 2)] + within, default=np.inf)


def _outside(a: Region, b: Region) -> Floats:
    """How far a reaches beyond b in each dimension, below 0 where it does not."""
    with np.errstate(invalid="ignore"):  # ∞ − ∞: nothing is outside
        return np.nan_to_num(np.maximum(b.lower - a.lower, a.upper - b.upper), nan=0.0, posinf=np.inf, neginf=-np.inf)


def _conjuncts(expression: Expression) -> list[Expression]:
    match expression:
        case And(parts):
            return [each for part in parts for each in _conjuncts(part)]
    return [expression]
