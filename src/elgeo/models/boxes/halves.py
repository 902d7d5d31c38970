"""`Halves`: boxes for classes, relations between points for roles, and which axioms are true of them.

A dimension has the points −LAST … LAST. There a box is the interval [−v[2i + 1], v[2i]]: each half dimension has one
number, and a box lies in another where no number is larger. A role says for each point y of a dimension which points x
it relates to y: an interval too, and intervals of points side by side touch, so that ∃r.C is a box. A box is empty
where the two numbers of a dimension add up to less than nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Flags, Ints, Table
from elgeo.models.boxes import truth
from elgeo.models.boxes.numbers import LAST, NOTHING, POINTS
from elgeo.models.boxes.role_truth import of_roles
from elgeo.models.boxes.truth import Bytes
from elgeo.ontology.normal_forms import FORMS, form_named
from elgeo.ontology.vocabulary import BOTTOM


@dataclass(frozen=True, eq=False)
class Halves:
    """The numbers of every class and role."""

    classes: Bytes
    """A row of 2 · dimension numbers for each class; ⊤ has LAST, ⊥ is empty."""
    roles: Bytes
    """For each role, half dimension and point y the number of ∃r.{y}; both are NOTHING where that is empty."""

    @property
    def dimension(self) -> int:
        return int(self.classes.shape[1]) // 2

    @cached_property
    def empty(self) -> Flags:
        """Which classes have no point."""
        return truth.empty_boxes(self.classes)

    def holds(self, form: str, rows: Table) -> Flags:
        """Whether each axiom is true: an inclusion of sets, without tolerance.

        >>> Halves.unplaced(3, 1, 2).holds("subclass", np.array([[2, 0], [0, 2]], np.int32)).tolist()
        [True, True]
        """
        name = form_named(form).name
        table = np.ascontiguousarray(rows, np.int32).reshape(-1, len(FORMS[name].columns))
        if name == "empty":
            return self.empty[table[:, 0]]
        if name == "subclass":
            return np.asarray(truth.subclass(self.classes, self.empty, table))
        if name in ("disjoint", "conjunction"):
            return np.asarray(truth.conjunction(self.classes, self.empty, _to_bottom(table)))
        if name == "existential":
            return self._by_role(truth.existential, table[:, 1], table[:, 0], table[:, 2])
        if name in ("left_existential", "empty_existential"):
            return self._by_role(truth.left_existential, *_to_bottom(table).T)
        return of_roles(name, self, table)

    def _by_role(self, kernel: Callable[..., Flags], roles: Ints, one: Ints, two: Ints) -> Flags:
        """What a kernel says of rows, one role after the other."""
        true = np.ones(len(roles), np.bool_)
        for role in np.unique(roles):
            those = roles == role
            reached = truth.reached_from(self.roles[role])
            true[those] = kernel(self.classes, reached, self.empty, one[those], two[those])
        return true

    def some(self, role: int, classes: Ints) -> Bytes:
        """The numbers of ∃r.C, for some classes."""
        numbers = np.where(self.empty[classes][:, None], 0, self.classes[classes]).astype(np.int64)
        upper, lower = (LAST + sign * numbers[:, k::2].repeat(2, axis=1) for k, sign in ((0, 1), (1, -1)))
        found = truth.reached_from(self.roles[role])[np.arange(numbers.shape[1]), lower, upper]
        return np.where(self.empty[classes][:, None], np.int8(NOTHING), found)

    def corners(self) -> dict[str, NDArray[np.float32]]:
        """Lower and upper corners of the boxes of classes, and of ∃r.{y} for all points y of each dimension.

        NaN for what is empty.
        """
        found = {}
        beside = self.roles.reshape(len(self.roles), -1, 2, POINTS).transpose(0, 1, 3, 2).reshape(len(self.roles), -1)
        for what, numbers in (("class", self.classes), ("role", beside)):
            real = np.where(numbers == NOTHING, np.nan, numbers.astype(np.float32))
            found[f"{what}_lower"], found[f"{what}_upper"] = -real[:, 1::2], real[:, ::2].copy()
        found["class_lower"][self.empty], found["class_upper"][self.empty] = np.nan, np.nan
        return found

    def narrowed(self, dimension: int) -> Halves:
        """The first dimensions alone: an interpretation as well."""
        last = 2 * dimension
        return Halves(self.classes[:, :last].copy(), self.roles[:, :last].copy())

    @classmethod
    def unplaced(cls, n_classes: int, n_roles: int, dimension: int) -> Halves:
        """Every class but ⊥ is everything, every role relates everything."""
        classes = np.full((n_classes, 2 * dimension), LAST, np.int8)
        classes[BOTTOM] = NOTHING
        return cls(classes, np.full((n_roles, 2 * dimension, POINTS), LAST, np.int8))


def _to_bottom(rows: Table) -> Table:
    """Rows with ⊥ as their last class, where they have but two columns."""
    if rows.shape[1] == 3:
        return rows
    return np.ascontiguousarray(np.insert(rows, 2, BOTTOM, axis=1))
