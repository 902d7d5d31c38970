"""The truth of axioms among boxes, found by looking at points: slow, and written from the definition of the sets.

A class is a set of points in each dimension, a role a set of pairs of points in each dimension.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elgeo.models.boxes.halves import Halves
from elgeo.models.boxes.numbers import LAST

LINE = range(-LAST, LAST + 1)
Point = tuple[int, ...]
Sets = list[set[Any]]


class PlainBoxes:
    """Sets of points (dimension, points) for a class, of pairs (dimension, points, points) for a role."""

    def __init__(self, halves: Halves) -> None:
        classes, roles = halves.classes.astype(int), halves.roles.astype(int)
        dimension = range(halves.dimension)
        self.classes: list[Sets] = [
            [{p for p in LINE if -row[2 * i + 1] <= p <= row[2 * i]} for i in dimension] for row in classes
        ]
        self.roles: list[Sets] = [
            [
                {(x, y) for x in LINE for y in LINE if -row[2 * i + 1][y + LAST] <= x <= row[2 * i][y + LAST]}
                for i in dimension
            ]
            for row in roles
        ]

    @staticmethod
    def some(role: Sets, filler: Sets) -> Sets:
        """∃r.C: the points with an r-successor in C."""
        if not all(filler):
            return [set() for _ in filler]
        return [{x for x, y in pairs if y in points} for pairs, points in zip(role, filler, strict=True)]

    @staticmethod
    def inside(left: Sets, right: Sets) -> bool:
        """Whether one product of sets lies in another."""
        return not all(left) or (all(right) and all(one <= two for one, two in zip(left, right, strict=True)))

    def holds(self, form: str, row: list[int]) -> bool:
        classes: list[Sets] = self.classes
        roles: list[Sets] = self.roles
        none: Sets = [set() for _ in classes[0]]
        if form == "subclass":
            left, right = classes[row[0]], classes[row[1]]
        elif form in ("conjunction", "disjoint"):
            left = [one & two for one, two in zip(classes[row[0]], classes[row[1]], strict=True)]
            right = none if form == "disjoint" else classes[row[2]]
        elif form == "existential":
            left, right = classes[row[0]], self.some(roles[row[1]], classes[row[2]])
        elif form in ("left_existential", "empty_existential"):
            left = self.some(roles[row[0]], classes[row[1]])
            right = none if form == "empty_existential" else classes[row[2]]
        elif form == "empty":
            left, right = classes[row[0]], none
        elif form == "subrole":
            left, right = roles[row[0]], roles[row[1]]
        elif form == "chain":
            left = [
                {(x, z) for x, y in one for middle, z in two if middle == y}
                for one, two in zip(roles[row[0]], roles[row[1]], strict=True)
            ]
            right = roles[row[2]]
        elif form == "range":
            left, right = [{y for _, y in pairs} for pairs in roles[row[0]]], classes[row[1]]
        else:
            loops = [{x for x, y in pairs if x == y} for pairs in roles[row[1 if form == "self" else 0]]]
            everything: Sets = [set(LINE) for _ in loops]
            left, right = {
                "reflexive": (everything, loops),
                "self": (classes[row[0]], loops),
                "left_self": (loops, classes[row[-1]]),
            }[form]
        return self.inside(left, right)


def sampled_truth(halves: Halves, form: str, row: list[int], generator: np.random.Generator) -> bool:
    """Whether no sampled point speaks against C ⊑ ∃r.D or ∃r.C ⊑ D: points of the whole space, not of dimensions."""
    classes, roles = halves.classes.astype(int), halves.roles.astype(int)

    def point_of(c: int) -> Point | None:
        lower, upper = -classes[c, 1::2], classes[c, ::2]
        return tuple(generator.integers(lower, upper + 1).tolist()) if (lower <= upper).all() else None

    def contains(c: int, point: Point) -> bool:
        pairs = zip(point, classes[c, ::2], classes[c, 1::2], strict=True)
        return bool(all(-low <= p <= high for p, high, low in pairs))

    def related(r: int, x: Point, y: Point) -> bool:
        return all(
            -roles[r, 2 * i + 1, b + LAST] <= a <= roles[r, 2 * i, b + LAST]
            for i, (a, b) in enumerate(zip(x, y, strict=True))
        )

    def predecessor(r: int, y: Point) -> Point | None:
        high, low = (np.array([roles[r, 2 * i + k, b + LAST] for i, b in enumerate(y)]) for k in (0, 1))
        return tuple(generator.integers(-low, high + 1).tolist()) if (-low <= high).all() else None

    def points_of(c: int) -> list[Point]:
        axes = [range(-classes[c, 2 * i + 1], classes[c, 2 * i] + 1) for i in range(halves.dimension)]
        return list(itertools.product(*axes)) if all(axes) else []

    r, c, d = (row[1], row[0], row[2]) if form == "existential" else (row[0], row[1], row[2])
    for _ in range(30):
        x = point_of(c)
        if x is None:
            return True
        if form == "existential":
            if not any(related(r, x, y) for y in points_of(d)):
                return False
        else:
            before = predecessor(r, x)
            if before is not None and not contains(d, before):
                return False
    return True


def random_halves(generator: np.random.Generator, n: int = 9, roles: int = 6, dimension: int = 2) -> Halves:
    """Boxes small, large and empty, and roles whose intervals touch; ⊤ is everything, ⊥ is empty."""
    classes = np.where(generator.random((n, 2 * dimension)) < 0.3, LAST, generator.integers(-1, 4, (n, 2 * dimension)))
    classes[:, 1::2] = np.maximum(classes[:, 1::2], -classes[:, ::2])
    classes[0], classes[1], classes[2] = LAST, -100, -100
    related = np.stack([np.concatenate([random_relation(generator) for _ in range(dimension)]) for _ in range(roles)])
    return Halves(classes.astype(np.int8), related.astype(np.int8))


def random_relation(generator: np.random.Generator) -> NDArray[np.int64]:
    """The two numbers of ∃r.{y} for each y: none, all, those of tables, or intervals that touch those beside them."""
    many = len(LINE)
    kind = generator.integers(8)
    if kind == 0:
        return np.full((2, many), LAST)
    if kind == 1 and generator.random() < 0.3:
        return np.full((2, many), -100)
    if kind < 4:  # tables around the middle; some are of a role that everything has to itself
        levels = np.arange(LAST + 1)
        tables = [np.maximum(np.sort(generator.integers(0, 5, LAST + 1)), levels if kind == 3 else 0) for _ in range(2)]
        away = np.maximum(np.arange(-LAST, LAST + 1), 0)
        return np.stack([tables[0][away], tables[1][away[::-1]]])
    upper = np.clip(np.cumsum(generator.integers(-2, 3, many)) + generator.integers(-3, 4), -LAST, LAST)
    lower = np.maximum(-upper, np.minimum(LAST, -upper + generator.integers(0, 4, many)))
    for y in range(1, many):  # intervals side by side touch
        lower[y] = max(lower[y], -(upper[y - 1] + 1))
        upper[y] = max(upper[y], -(lower[y - 1] + 1))
    met = slice(*sorted(generator.integers(0, many + 1, 2))) if kind > 5 else slice(0, many)
    found = np.full((2, many), -100)
    found[:, met] = np.stack([upper, lower])[:, met]
    return found
