"""Which classes a dimension of its own puts on the left, so that disjoint classes are apart and dead ends are dead.

To keep C and D apart C is put on the left, with all that is below it, and the rest on the right. Where the axioms then
bring C to the right, something that did so is put on the left as well, unless it has something of D. Otherwise D is
tried on the left. To keep ∃r.C empty C is put on the left, where r need not lead. Axioms share a dimension where what
is on the left for one does not get into the way of another. At last the two sides of C ⊓ D ⊑ E get a point in common
where they can, so that it does not become true for having nothing on its left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from elgeo.arrays import Flags, Ids, Ints, Table
from elgeo.models.boxes.halves import Halves
from elgeo.models.boxes.numbers import LAST, NOTHING
from elgeo.models.boxes.problem import Problem
from elgeo.models.boxes.sides import (
    CONJUNCTION,
    LEFT,
    LEFT_EXISTENTIAL,
    NONE,
    RIGHT,
    SUBCLASS,
    WIDE,
    settle,
)
from elgeo.models.boxes.truth import Bytes
from elgeo.ontology.normal_forms import NormalForms
from elgeo.ontology.vocabulary import TOP

Axiom = tuple[str, Table]
"""A form, and a table of one row."""
REPAIRS = 40
"""How many classes are put on the left at most beside those that are to be there."""
COMPANIONS = 12
"""How many axioms are tried at most to share a dimension with the one it was made for."""
COMMON = 12
"""How many classes are tried one by one to be on both sides, where they cannot all be."""
ABOUT_NOTHING = ("disjoint", "empty_existential")
"""The forms that need dimensions of their own; what is said to be `empty` is so anyway."""


@dataclass(frozen=True, eq=False)
class TwoSides:
    """What a fixpoint came to: levels of classes, relations of roles, and why a class has points on a side."""

    levels: Ints
    roles: Ints
    reason: Ints


@dataclass(frozen=True, eq=False)
class Separation:
    """Axioms that are to be true; for that classes on the left alone, others not there, and a role that enters deep."""

    axioms: tuple[Axiom, ...]
    left: tuple[int, ...]
    avoided: tuple[int, ...]
    deep: int


class Separator:
    """Finds dimensions for the axioms about nothing."""

    def __init__(self, problem: Problem, forms: NormalForms, subclasses: Callable[[int], Ids]) -> None:
        self.problem, self.forms, self._subclasses = problem, forms, subclasses
        self._deep = [NONE, *np.unique(forms.left_existential[:, 0]).tolist()]
        self.axioms, self._others = about_nothing(problem, forms)

    def dimensions(self) -> list[Halves]:
        """Dimensions in which as many as can be of the axioms about nothing are true."""
        waiting, found = self.axioms, list[Halves]()
        while waiting:
            made = self._for_axiom(waiting[0])
            waiting = waiting[1:]
            if made is not None:
                found.append(self._shared(*made, waiting))
                waiting = [each for each in waiting if not found[-1].holds(*each)[0]]
        return found

    def _for_axiom(self, axiom: Axiom) -> tuple[Separation, Halves] | None:
        """A dimension in which one axiom is true."""
        for left, avoided in _ways(axiom):
            for deep in self._deep:
                plan = Separation((axiom,), left, avoided, deep)
                dimension = self._carried_out(plan)
                if dimension is not None:
                    return plan, dimension
        return None

    def _shared(self, plan: Separation, dimension: Halves, others: list[Axiom]) -> Halves:
        """The dimension with more on the left, so that others are true as well."""
        for axiom in others[:COMPANIONS]:
            for left, avoided in _ways(axiom):
                if dimension.holds(*axiom)[0]:
                    break
                wider = Separation((*plan.axioms, axiom), (*plan.left, *left), (*plan.avoided, *avoided), plan.deep)
                more = self._carried_out(wider)
                if more is not None:
                    plan, dimension = wider, more
        return dimension

    def _carried_out(self, plan: Separation) -> Halves | None:
        """The dimension of a plan, in which its axioms are true, and all that are not about nothing."""
        never, left = self._below(plan.avoided), self._below(plan.left)
        never[TOP] = True
        for _ in range(REPAIRS):
            if (left & never).any():
                return None
            sides = two_sides(self.problem, left, plan.deep)
            astray = next((c for c in plan.left if sides.levels[c, RIGHT] >= 0), None)
            if astray is None:
                dimension = self._checked(plan, sides)
                return None if dimension is None else self._with_common_points(plan, sides, left, never, dimension)
            culprits = (self._below((c,)) for c in culprits_of(sides, astray, left))
            more = next((each for each in culprits if not (each & never).any()), None)
            if more is None:
                return None
            left |= more
        return None

    def _with_common_points(
        self, plan: Separation, sides: TwoSides, left: Flags, never: Flags, dimension: Halves
    ) -> Halves:
        """The dimension with classes on both sides that would have nothing in common with another side of C ⊓ D."""
        pairs = self.forms.conjunction[:, :2]
        pairs = pairs[~self.problem.empty[pairs].any(axis=1)]
        apart = pairs[(sides.levels[pairs].min(axis=1) < 0).all(axis=1)]
        wanted = np.unique(apart[sides.levels[apart, LEFT] < 0])
        wanted = wanted[~never[wanted]]
        for some in (wanted, *(wanted[i : i + 1] for i in range(min(COMMON, len(wanted))))):
            if len(some):
                wider = also_left(self.problem, sides, left, some, plan.deep)
                more = self._checked(plan, wider)
                if more is not None:
                    sides, dimension = wider, more
                    if len(some) == len(wanted):
                        break
        return dimension

    def _checked(self, plan: Separation, sides: TwoSides) -> Halves | None:
        """A dimension, if all is true in it that has to be."""
        dimension = placed(self.problem, sides)
        fit = all(dimension.holds(*axiom)[0] for axiom in plan.axioms) and self._is_sound(dimension)
        return dimension if fit else None

    def _below(self, classes: tuple[int, ...]) -> Flags:
        found = np.zeros(self.problem.n_classes, np.bool_)
        for c in classes:
            found[self._subclasses(c)] = True
        return found & ~self.problem.empty

    def _is_sound(self, dimension: Halves) -> bool:
        """Whether all axioms are true but those about nothing, and no class is empty that need not be."""
        return bool((dimension.empty == self.problem.empty).all()) and all(
            dimension.holds(form, rows).all() for form, rows in self._others.items()
        )


def about_nothing(problem: Problem, forms: NormalForms) -> tuple[list[Axiom], dict[str, Table]]:
    """The axioms C ⊓ D ⊑ ⊥ and ∃r.C ⊑ ⊥, and those whose right side is empty for another reason; then all others."""
    others = {form: rows for form, rows in forms.tables.items() if form not in ABOUT_NOTHING}
    hidden = {}
    for form in ("conjunction", "left_existential", "range", "left_self"):
        empty = problem.empty[forms[form][:, -1]]
        hidden[form], others[form] = forms[form][empty], forms[form][~empty]
    # where nothing is in the range of a role, nothing has it
    nowhere = np.insert(hidden["range"][:, :1], 1, TOP, axis=1)
    pairs = np.concatenate([forms.disjoint, hidden["conjunction"][:, :2]])
    ends = np.concatenate([forms["empty_existential"], hidden["left_existential"][:, :2], nowhere])
    tables = {
        "disjoint": pairs[~problem.empty[pairs].any(axis=1)],
        "empty_existential": ends[~problem.empty[ends[:, 1]]],
        "left_self": hidden["left_self"],
    }
    return [(form, row[None]) for form, rows in tables.items() for row in rows], others


def _ways(axiom: Axiom) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """What could be on the left so that an axiom is true, and what not; nothing where a role is to lead nowhere."""
    form, row = axiom
    one, two = (int(each) for each in row[0])
    if form == "disjoint":
        return [((one,), (two,)), ((two,), (one,))]
    nowhere: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    # what is everything, and at times what is not, cannot be on the left
    return [((two,), ()), nowhere] if form == "empty_existential" else [nowhere]


def culprits_of(sides: TwoSides, c: int, left: Flags) -> Iterator[int]:
    """What could be put on the left so that a class is not brought to the right the way it was."""
    waiting, seen = [c], {c}
    while waiting:
        c = waiting.pop()
        if not left[c]:
            yield c
            continue
        kind, one, two = sides.reason[c, RIGHT].tolist()
        before = {SUBCLASS: [one], CONJUNCTION: [one, two], LEFT_EXISTENTIAL: [one]}.get(kind, [])
        waiting += [each for each in before if each not in seen]
        seen.update(before)


def two_sides(problem: Problem, left: Flags, deep: int) -> TwoSides:
    """The least levels with which some classes are on the left, and what need not be there is on the right."""
    levels = np.full((problem.n_classes, 2), NONE, np.int32)
    levels[TOP] = WIDE - 1
    roles = np.full((problem.n_roles, 2, WIDE, 2), NONE, np.int32)
    reason = np.full((problem.n_classes, 2, 3), NONE, np.int32)
    levels[left, LEFT] = 0
    for _ in range(2):
        settle(levels, roles, reason, ~left, deep, problem.axioms.rules, problem.axioms.roles)
        levels[~problem.empty & (levels < 0).all(axis=1), RIGHT] = 0
    return TwoSides(levels, roles, reason)


def also_left(problem: Problem, sides: TwoSides, left: Flags, more: Ids, deep: int) -> TwoSides:
    """The least levels above those of a fixpoint with which more classes are on the left too."""
    levels, roles, reason = sides.levels.copy(), sides.roles.copy(), sides.reason.copy()
    levels[more, LEFT] = np.maximum(levels[more, LEFT], 0)
    settle(levels, roles, reason, ~left, deep, problem.axioms.rules, problem.axioms.roles)
    return TwoSides(levels, roles, reason)


def placed(problem: Problem, sides: TwoSides) -> Halves:
    """The dimension: the left side is −LAST … −1, the right 0 … LAST, whose last two points are alike."""
    classes = _numbers(sides.levels)
    for c in np.flatnonzero(problem.points):
        left, right = sides.levels[c]
        point = right if left < 0 else -1 - left
        classes[c] = point, -point
    classes[problem.empty] = NOTHING
    line = np.arange(-LAST, LAST + 1)
    side, level = (line >= 0).astype(int), np.minimum(np.where(line < 0, -1 - line, line), WIDE - 1)
    related = _numbers(sides.roles[:, side, level])
    return Halves(classes, np.ascontiguousarray(related.transpose(0, 2, 1)))


def _numbers(levels: Ints) -> Bytes:
    """Levels on the left and right as the numbers of an interval."""
    left, right = levels[..., LEFT] + 1, np.where(levels[..., RIGHT] == WIDE - 1, LAST, levels[..., RIGHT])
    none = (levels < 0).all(axis=-1)
    return np.stack([np.where(none, NOTHING, right), np.where(none, NOTHING, left)], axis=-1).astype(np.int8)
