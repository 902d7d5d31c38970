"""Why two disjoint classes cannot be kept apart by any boxes with translations, where that can be shown.

Two boxes are apart only if a dimension has one below the other: u_K < l_O. A transitive role r with two steps in a row
reaches there, in the direction of u, by at most 0 or without bound (2h ≤ h). In the first case every X ⊑ ∃r.Y with
u_Y ≤ u_K has u_X ≤ u_K. In the second ∃r.C has no bound, so that E ≡ ∃r.C ⊓ G gives u_G ≤ u_E. If either way something
below O comes to lie below u_K, it would have to be empty: no dimension keeps K and O apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import NamedTuple

import numpy as np

from elgeo.arrays import Flags
from elgeo.models.boxes.numbers import INFINITE, LEAST
from elgeo.models.boxes.problem import Problem
from elgeo.models.boxes.rules import BoxRules
from elgeo.ontology.vocabulary import TOP, Vocabulary
from elgeo.reasoning.saturation.saturate import Saturation

AT_MOST = 3
"""Roles that a proof distinguishes cases of."""


class Case(NamedTuple):
    """One case of a proof: which roles are unbounded, the others of the proof at most 0, and who lies on both sides."""

    unbounded: tuple[int, ...]
    narrow: tuple[int, ...]
    witness: int


class Proofs:
    """Proofs for pairs of classes, each looked for once."""

    def __init__(self, problem: Problem, saturation: Saturation) -> None:
        self._problem, self._saturation = problem, saturation
        self._found: dict[tuple[int, int], list[Case] | None] = {}

    def hopeless(self, one: int, two: int) -> bool:
        """Whether no boxes can keep two classes apart."""
        if (one, two) not in self._found:
            self._found[one, two] = proof(self._problem, self._saturation, one, two)
        return self._found[one, two] is not None

    def reason(self, one: int, two: int, names: Vocabulary) -> str:
        """Why two classes are not apart, in words."""
        if not self.hopeless(one, two):
            return "no dimension was found that keeps them apart"
        return f"it cannot be true in boxes: {in_words(self._found[one, two] or [], names)}"


def proof(problem: Problem, saturation: Saturation, one: int, two: int) -> list[Case] | None:
    """The cases that exclude a dimension between two classes, or None where this argument does not."""
    roles = _transitive(problem)
    for kept, other in ((one, two), (two, one)):
        targets = np.zeros(problem.n_classes, np.bool_)
        targets[saturation.subsumees_of(other)] = True
        targets &= ~problem.empty
        for count in range(1, AT_MOST + 1):
            for chosen in combinations(roles, count):
                cases = _cases(problem, saturation, kept, targets, chosen)
                if cases is not None:
                    return cases
    return None


def in_words(cases: list[Case], names: Vocabulary) -> str:
    """A proof for people."""
    return "; ".join(
        "if "
        + " and ".join(
            [f"{names.role_label(r)} reaches without bound" for r in case.unbounded]
            + [f"{names.role_label(r)} reaches no further than 0" for r in case.narrow]
        )
        + f", {names.class_label(case.witness)} would have to be on both sides"
        for case in cases
    )


def _transitive(problem: Problem) -> list[int]:
    """Transitive roles that the axioms follow for two steps, so that their width has to allow it."""
    found = []
    for r, s, t in problem.roles.chain.tolist():
        if r == s == t:
            rows = problem.existential[problem.existential[:, 1] == r]
            if np.isin(rows[:, 2], rows[:, 0]).any():
                found.append(r)
    return sorted(set(found))


def _cases(
    problem: Problem, saturation: Saturation, kept: int, targets: Flags, chosen: tuple[int, ...]
) -> list[Case] | None:
    cases = []
    for unbounded in product((False, True), repeat=len(chosen)):
        wide = tuple(r for r, without in zip(chosen, unbounded, strict=True) if without)
        narrow = tuple(r for r, without in zip(chosen, unbounded, strict=True) if not without)
        widths = np.full(problem.n_roles, LEAST, np.int32)
        widths[list(wide)] = INFINITE
        infinite = problem.roles.closed(widths) == INFINITE
        if infinite[list(narrow)].any():
            continue  # the role axioms exclude this case
        witness = _witness(problem, saturation, kept, targets, infinite, narrow)
        if witness is None:
            return None
        cases.append(Case(wide, narrow, witness))
    return cases


def _witness(
    problem: Problem, saturation: Saturation, kept: int, targets: Flags, infinite: Flags, narrow: tuple[int, ...]
) -> int | None:
    """A class that should lie on the other side and is forced below `kept`."""
    rules = problem.books[0]
    followed = _below_roles(problem, narrow)
    unbounded = _unbounded(rules, problem.n_classes, infinite)
    below = np.zeros(problem.n_classes, np.bool_)
    waiting = [kept]
    below[kept] = True
    while waiting:
        e = waiting.pop()
        if targets[e]:
            return e
        for c in _forced(rules, saturation, e, unbounded, followed):
            if not below[c]:
                below[c] = True
                waiting.append(c)
    return None


def _forced(rules: BoxRules, saturation: Saturation, e: int, unbounded: Flags, followed: Flags) -> Iterator[int]:
    """The classes that lie below wherever e does."""
    for i in range(rules.down_start[e], rules.down_start[e + 1]):
        if not rules.down_left[i] and (rules.down_role[i] < 0 or followed[rules.down_role[i]]):
            yield int(rules.down[i])
    above = saturation.subsumers_of(e)
    for i in range(rules.split_start[e], rules.split_start[e + 1]):
        one, two = int(rules.one[i]), int(rules.two[i])
        if not np.isin([one, two], above).all():
            continue  # their common part may be empty
        if unbounded[one] and not unbounded[two]:
            yield two
        elif unbounded[two] and not unbounded[one]:
            yield one


def _below_roles(problem: Problem, narrow: tuple[int, ...]) -> Flags:
    """The roles that are included in one of `narrow`, so that they reach no further."""
    followed = np.zeros(problem.n_roles, np.bool_)
    followed[list(narrow)] = True
    while True:
        wider = followed.copy()
        for r, s in problem.roles.subrole:
            wider[r] |= followed[s]
        if (wider == followed).all():
            return followed
        followed = wider


def _unbounded(rules: BoxRules, n: int, infinite: Flags) -> Flags:
    """The classes above some ∃r.C with an unbounded r; ⊤ too."""
    found = np.zeros(n, np.bool_)
    left = rules.up_left & infinite[rules.up_role]
    waiting = [TOP, *np.unique(rules.up[left]).tolist()]
    found[waiting] = True
    while waiting:
        c = waiting.pop()
        for i in range(rules.up_start[c], rules.up_start[c + 1]):
            d = int(rules.up[i])
            if rules.up_role[i] < 0 and not found[d]:
                found[d] = True
                waiting.append(d)
    return found
