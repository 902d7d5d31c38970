"""Dimensions of their own for disjoint classes: one of a pair lies below, the other above, and roles lead across.

In such a dimension C ends at 0, with all that is below it, and D begins at 1; the other classes reach over both. Δ is
bounded there. What roles have to bridge is found from the axioms: C ⊑ ∃r.D widens r, until nothing changes. A role in a
chain is either kept at a width, so that what leads into C lies below as well, or free. Where one side of E ⊓ F has to
lie below, it is one that has nothing of D. Pairs share a dimension where their classes do not get into each other's
way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np

from elgeo.arrays import Flags, Ids, Ints, Table
from elgeo.models.boxes.grow import grow, shrink
from elgeo.models.boxes.numbers import INFINITE, LEAST
from elgeo.models.boxes.problem import Problem

HIGH = 20
"""Where Δ ends, in both halves."""
LOW = (0, -1)
"""The numbers of what is kept apart in the upper and in the lower half."""
DEPTH = 10
"""How far below that numbers may go where a role leads down."""
MANY = 7
"""Roles of which all sets are tried."""
COMPANIONS = 24
"""How many attempts are made to put further pairs into a dimension."""


class Way(NamedTuple):
    """Which roles are kept at which width, and which of the two rule books (which side of C ⊓ D is lowered) is used."""

    kept: tuple[int, ...]
    width: int
    book: int
    limit: int = HIGH
    """Where Δ ends."""
    lowest: int = 0
    """How much lower than what is kept apart numbers may be."""


def ways(problem: Problem, thorough: bool) -> Iterator[Way]:
    """From free roles to roles that are all kept; all sets of roles in chains only where it is to be `thorough`."""
    chained = [int(role) for role in np.unique(problem.roles.chain)]
    if thorough:
        some = [kept for k in range(len(chained) + 1) for kept in combinations(chained[:MANY], k)]
    else:
        some = [(), *(tuple(r for r in chained if r != free) for free in chained), tuple(chained)]
    for kept in dict.fromkeys(some):
        yield from (Way(kept, 0, book) for book in range(2))
    # where a role leads down, its cycles need room without bound
    yield from (Way((role,), -1, book, INFINITE, DEPTH) for role in chained for book in range(2))


class Separation(NamedTuple):
    """Classes that are to end below where those at the same place of `above` begin, and the way of the upper half."""

    below: list[int]
    above: list[int]
    way: Way
    subclasses: Callable[[int], Ids]


@dataclass(frozen=True, eq=False)
class Dimension:
    """Numbers of classes and widths of roles in the two halves of one dimension."""

    values: tuple[Ints, Ints]
    widths: tuple[Ints, Ints]
    limits: tuple[int, int]

    def separates(self, pairs: Table) -> Flags:
        """Which pairs of classes have no point in common here."""
        c, d = pairs.T
        upper, lower = (np.minimum(half[c], half[d]) for half in self.values)
        return np.asarray(upper + lower < 0)

    def is_sound(self, empty: Flags) -> bool:
        """No class but the empty ones is without a point, no role is without a pair."""
        upper, lower = self.widths
        paired = (upper == INFINITE) | (lower == INFINITE) | (upper + lower >= 0)
        return bool((self.values[0] + self.values[1] >= 0)[~empty].all() and paired.all())


def separate(
    problem: Problem, pairs: Table, subclasses: Callable[[int], Ids], hopeless: Callable[[int, int], bool]
) -> tuple[list[Dimension], Table]:
    """Dimensions that keep pairs of classes apart, and the pairs for which none was found.

    Where the quick ways fail the thorough ones are tried, unless a pair is known to be `hopeless`.
    """
    found: list[Dimension] = []
    failed = []
    while len(pairs):
        dimension = _for_pair(problem, pairs, subclasses, False)
        if dimension is None and not hopeless(int(pairs[0, 0]), int(pairs[0, 1])):
            dimension = _for_pair(problem, pairs, subclasses, True)
        if dimension is None:
            failed.append(pairs[0])
            pairs = pairs[1:]
        else:
            found.append(dimension)
            pairs = pairs[~dimension.separates(pairs)]
    return found, np.array(failed, np.int32).reshape(-1, 2)


def _for_pair(problem: Problem, pairs: Table, subclasses: Callable[[int], Ids], thorough: bool) -> Dimension | None:
    """A dimension for the first pair, and as many of the others as go together with it."""
    c, d = (int(each) for each in pairs[0])
    for one, two in ((c, d), (d, c)):
        for below in ways(problem, thorough):
            plan = Separation([one], [two], below, subclasses)
            upper = _upper_half(problem, plan)
            if upper is None:
                continue
            for above in ways(problem, False):
                dimension = _with_lower_half(problem, plan, upper, above)
                if dimension is not None:
                    return _with_companions(problem, dimension, plan, above, pairs[1:])
    return None


def dead_end(problem: Problem, role: int, filler: int) -> Dimension | None:
    """A dimension in which ∃role.filler is empty: the filler lies at the end of Δ, and the role leads beyond."""
    free, fixed = np.full(problem.n_classes, INFINITE, np.int32), np.zeros_like(problem.points)
    for book in range(2):
        lower = _half(problem, [filler], -HIGH, Way((role,), -1, book), _narrowest(problem), free, fixed)
        if lower is None or lower[1][role] != -1:
            continue
        upper = np.where(problem.empty, LEAST, HIGH).astype(np.int32)
        upper[problem.points] = -lower[0][problem.points]
        widths = np.full(problem.n_roles, INFINITE, np.int32)
        dimension = Dimension((upper, lower[0]), (widths, lower[1]), (HIGH, HIGH))
        if dimension.is_sound(problem.empty):
            return dimension
    return None


def _with_companions(problem: Problem, dimension: Dimension, plan: Separation, above: Way, others: Table) -> Dimension:
    tries = 0
    for c, d in others.tolist():
        if dimension.separates(np.array([[c, d]]))[0]:
            continue
        for first, second in ((c, d), (d, c)):
            if tries == COMPANIONS:
                return dimension
            tries += 1
            wider = plan._replace(below=[*plan.below, first], above=[*plan.above, second])
            upper = _upper_half(problem, wider)
            more = None if upper is None else _with_lower_half(problem, wider, upper, above)
            if more is not None:
                dimension, plan = more, wider
                break
    return dimension


def _upper_half(problem: Problem, plan: Separation) -> tuple[Ints, Ints] | None:
    """The upper half of a dimension that has room above for what is to lie there."""
    begins = np.full(problem.n_classes, INFINITE, np.int32)
    for c in plan.above:
        begins[plan.subclasses(c)] = LOW[1]
    fixed = np.zeros_like(problem.points)
    return _half(problem, plan.below, LOW[0], plan.way, _narrowest(problem), begins, fixed)


def _with_lower_half(problem: Problem, plan: Separation, upper: tuple[Ints, Ints], way: Way) -> Dimension | None:
    """The dimension whose upper half is known, if it keeps each class below apart from the one at its place above."""
    least = np.where(upper[1] == INFINITE, -2 * HIGH - 1, -upper[1]).astype(np.int32)
    lower = _half(problem, plan.above, LOW[1], way, least, upper[0], problem.points)
    if lower is None:
        return None
    dimension = Dimension((upper[0], lower[0]), (upper[1], lower[1]), (plan.way.limit, way.limit))
    apart = dimension.separates(np.stack([plan.below, plan.above], axis=1)).all()
    return dimension if apart and dimension.is_sound(problem.empty) else None


def _half(
    problem: Problem, kept: list[int], low: int, way: Way, least: Ints, other: Ints, fixed: Flags
) -> tuple[Ints, Ints] | None:
    """Numbers and widths of one half in which the classes `kept` are at `low`, or None.

    No role gets narrower than `least`. No class ends before it begins in the `other` half; the `fixed` end there.
    """
    rules, passing = problem.books[way.book], np.zeros(problem.n_roles, np.bool_)
    passing[list(way.kept)] = True
    widths = least.copy()
    widths[passing] = np.maximum(widths[passing], way.width)
    widths = problem.roles.closed(widths)
    nothing = np.full(problem.n_classes, low - way.lowest, np.int32)
    nothing = np.where(other == INFINITE, nothing, np.maximum(nothing, -other)).astype(np.int32)
    nothing[fixed] = -other[fixed]
    nothing[problem.empty] = LEAST
    c, r, d = problem.existential[~passing[problem.existential[:, 1]]].T
    while True:
        floor = nothing.copy()
        grow(floor, widths, passing, rules, way.limit)
        values = np.where(problem.empty, LEAST, HIGH).astype(np.int32)
        values[kept] = low
        values[fixed] = -other[fixed]
        shrink(values, widths, passing, floor, rules, way.limit)
        if not grow(values, widths, passing, rules, way.limit) or (values[kept] > low).any():
            return None
        wider = widths.copy()
        np.maximum.at(wider, r, np.where(values[c] == INFINITE, INFINITE, values[c] - values[d]))
        wider = problem.roles.closed(wider)
        if (wider == widths).all():
            return values, widths
        widths = wider


def _narrowest(problem: Problem) -> Ints:
    """Widths that no two points of Δ are apart."""
    return np.full(problem.n_roles, -2 * HIGH - 1, np.int32)
