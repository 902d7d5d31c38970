"""`Halves`: boxes for classes and for roles, written as half dimensions, and which axioms are true of them.

Dimension i of a box is the interval [−v[2i + 1], v[2i]]: each half dimension has one number, and a box lies in another
where no number is larger. A role r is the box of the translations x − y of its pairs (x, y), so that ∃r.C is the sum of
two boxes, cut to the domain Δ, whose own numbers are `limits`. A box is empty where the two numbers of a dimension add
up to less than nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Flags, Table
from elgeo.models.boxes import truth
from elgeo.models.boxes.numbers import INFINITE
from elgeo.ontology.normal_forms import FORMS, form_named
from elgeo.ontology.vocabulary import BOTTOM, TOP

Bytes = NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class Halves:
    """The numbers of every class and role; `INFINITE` stands for infinity."""

    classes: Bytes
    """A row of 2 · dimension numbers for each class; ⊤ has `limits`, ⊥ is empty."""
    roles: Bytes
    limits: Bytes
    """The numbers of Δ: infinite where there is no bound."""

    @property
    def dimension(self) -> int:
        return len(self.limits) // 2

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
        if name in ("subclass", "disjoint", "conjunction"):
            kernel = {"subclass": truth.subclass, "disjoint": truth.disjoint, "conjunction": truth.conjunction}[name]
            return np.asarray(kernel(self.classes, self.empty, table))
        if name in ("existential", "left_existential", "empty_existential"):
            kernel = getattr(truth, name)
            return np.asarray(kernel(self.classes, self.roles, self.limits, self.empty, table))
        return truth.of_roles(name, self.classes, self.roles, self.limits, self.empty, table)

    def corners(self) -> dict[str, NDArray[np.float32]]:
        """Lower and upper corners of the boxes of classes and roles, with infinities; NaN for empty boxes."""
        found = {}
        for what, numbers in (("class", self.classes), ("role", self.roles)):
            real = np.where(numbers == INFINITE, np.inf, numbers.astype(np.float32))
            lower, upper = -real[:, 1::2], real[:, ::2].copy()
            if what == "class":
                lower[self.empty], upper[self.empty] = np.nan, np.nan
            found[f"{what}_lower"], found[f"{what}_upper"] = lower, upper
        return found

    def narrowed(self, dimension: int) -> Halves:
        """The first dimensions alone: an interpretation as well."""
        last = 2 * dimension
        return Halves(self.classes[:, :last].copy(), self.roles[:, :last].copy(), self.limits[:last].copy())

    @classmethod
    def unplaced(cls, n_classes: int, n_roles: int, dimension: int) -> Halves:
        """Every class but ⊥ is everything, every role relates everything."""
        wide = [np.full((n, 2 * dimension), INFINITE, np.int8) for n in (n_classes, n_roles, 1)]
        wide[0][BOTTOM] = truth.LEAST
        return cls(wide[0], wide[1], wide[2][TOP])
