"""Elements that exist for a question only: drafts that may link to each other, saturated against a finished state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from elgeo.arrays import Flags, Ints, Starts, Table
from elgeo.ontology.vocabulary import BOTTOM, TOP, TOP_ROLE
from elgeo.reasoning.saturation.readout import link_rows, subsumer_rows
from elgeo.reasoning.saturation.saturate import Saturation

_EVERY_ITEM = 2**62


@dataclass(frozen=True)
class Draft:
    """A fresh class X as it was told: X ⊑ C for `classes`, X ⊑ ∃r.Y for `links` to other drafts or classes."""

    classes: tuple[int, ...] = ()
    links: tuple[tuple[int, int], ...] = ()
    """(role, target); a draft i as target is n_classes + i."""
    loops: tuple[int, ...] = ()
    """X ⊑ ∃r.Self."""
    names: frozenset[str] = field(default_factory=frozenset)
    """X ⊑ A for classes that the ontology does not know."""


class DraftRows(NamedTuple):
    """Subsumers and links of drafts, as in `Saturation`, by the number of the draft."""

    subsumer_start: Starts
    subsumers: Ints
    link_start: Starts
    link_roles: Ints
    link_targets: Ints
    item_start: Starts
    items: Ints
    """All that was derived, hidden items and links too."""

    @property
    def unsatisfiable(self) -> Flags:
        found = np.zeros(len(self.subsumer_start) - 1, np.bool_)
        owners = np.repeat(np.arange(len(found)), np.diff(self.subsumer_start))
        found[owners[self.subsumers == BOTTOM]] = True
        return found


class Drafts:
    """The drafts of a question and, once asked for, their subsumers and links; ids below `first` are classes."""

    def __init__(self, saturation: Saturation) -> None:
        self.saturation = saturation
        self.first = saturation.forms.vocabulary.n_classes
        self.all: list[Draft] = []

    def __getitem__(self, x: int) -> Draft:
        """What x, an id from `first` on, was told."""
        return self.all[x - self.first]

    def add(self, draft: Draft) -> int:
        """The id of a new draft. Links to it and from it see the ranges of their roles."""
        # it may tell an older one something: what was asked before is asked again
        vars(self).pop("_rows", None)
        self.all.append(draft)
        return self.first + len(self.all) - 1

    def fresh(self) -> int:
        """The id of an element of which nothing is known."""
        return self.add(Draft())

    def joined(self, x: int, y: int) -> int:
        """The id of a draft that was told what both drafts were."""
        a, b = self[x], self[y]
        return self.add(Draft(a.classes + b.classes, a.links + b.links, a.loops + b.loops, a.names | b.names))

    def copy_of(self, other: Drafts, x: int) -> int:
        """The id of a draft like x of `other`, whose drafts are all copied, or of one below the class x."""
        if x < self.first:
            return self.add(Draft(classes=(x,)))
        shift = len(self.all)
        for a in other.all:
            links = tuple((role, target + shift) for role, target in a.links)
            self.add(Draft(a.classes, links, a.loops, a.names))
        return x + shift

    def subsumers(self, x: int) -> Ints:
        """S(x), ascending, classes only."""
        if x < self.first:
            return self.saturation.subsumers_of(x)
        rows = self._rows
        return rows.subsumers[rows.subsumer_start[x - self.first] : rows.subsumer_start[x - self.first + 1]]

    def below(self, x: int, class_id: int) -> bool:
        """Whether x ⊑ C follows, or x is unsatisfiable."""
        if class_id == TOP or self.unsatisfiable(x):
            return True
        found = self.subsumers(x)
        at = int(np.searchsorted(found, class_id))
        return at < len(found) and int(found[at]) == class_id

    def unsatisfiable(self, x: int) -> bool:
        """Whether x cannot exist."""
        if x < self.first:
            return bool(self.saturation.unsatisfiable[x])
        found = self.subsumers(x)
        return BOTTOM in found[:2] or not self.saturation.consistent

    def links(self, x: int) -> tuple[Ints, Ints]:
        """Roles and targets of the links of x, closed, sorted by role."""
        if x < self.first:
            s = self.saturation
            low, high = s.link_start[x], s.link_start[x + 1]
            return s.link_roles[low:high], s.link_targets[low:high]
        rows = self._rows
        low, high = rows.link_start[x - self.first], rows.link_start[x - self.first + 1]
        return rows.link_roles[low:high], rows.link_targets[low:high]

    def targets(self, x: int, role: int) -> list[int]:
        """What x links to by a role."""
        roles, targets = self.links(x)
        low, high = np.searchsorted(roles, [role, role + 1])
        return [int(y) for y in targets[low:high]]

    def loops(self, x: int, role: int) -> bool:
        """Whether x must be related to itself by a role."""
        below = self.saturation.completion.roles.below
        if x < self.first:
            return bool((self.saturation.self_loops == (x, role)).all(axis=1).any())
        if any(below[told, role] for told in self[x].loops):
            return True
        rows = self._rows
        mine = rows.items[rows.item_start[x - self.first] : rows.item_start[x - self.first + 1]]
        return bool((mine == self.saturation.completion.hidden.first_loop + role).any())

    @cached_property
    def _rows(self) -> DraftRows:
        return saturate_drafts(self.saturation, len(self.all), *self._told())

    def _told(self) -> tuple[Table, Table]:
        """What the drafts start with."""
        classes: list[tuple[int, int]] = []
        links: list[tuple[int, int, int]] = []
        left_self = self.saturation.forms["left_self"]
        for number, draft in enumerate(self.all):
            x = self.first + number
            classes += [(x, c) for c in draft.classes]
            for role, target in draft.links:
                links.append((x, role, target))
                classes += [(target, c) for c in ranges(self.saturation, role)]
            for role in draft.loops:
                links.append((x, role, x))
                above = self.saturation.completion.roles.below[role]
                classes += [(x, c) for c in ranges(self.saturation, role)]
                classes += [(x, int(d)) for r, d in left_self if above[r]]
        if any(target < self.first for _, _, target in links):
            raise ValueError("a link of a draft leads to a draft")
        return _table(classes, 2), _table(links, 3)


def ranges(saturation: Saturation, role: int) -> list[int]:
    """The classes that every target of a role is in."""
    above = saturation.completion.roles.below[role]
    return [int(c) for r, c in saturation.forms["range"] if above[r]]


def saturate_drafts(saturation: Saturation, count: int, told: Table, links: Table) -> DraftRows:
    """Saturate `count` fresh classes, n_classes and on, against a finished state, which is afterwards as it was.

    `told` are rows (x, c) for X ⊑ C, `links` rows (x, r, y) for X ⊑ ∃r.Y.
    """
    completion = saturation.completion
    state, n = completion.state, saturation.forms.vocabulary.n_classes
    lower, above = np.nonzero(completion.roles.below)
    above_start = np.searchsorted(lower, np.arange(completion.roles.n + 1))
    reflexive = np.flatnonzero(completion.roles.reflexive)
    saved = state.checkpoint()
    try:
        state.add_queries(np.full(count, -1, np.int32))
        state.derive(np.ascontiguousarray(told[:, 0]), np.ascontiguousarray(told[:, 1]))
        state.derive(np.ascontiguousarray(links[:, 0]), state.links(np.ascontiguousarray(links[:, 1:])))
        completion.run(frozen=n)
        arena, head, first_loop = state.arena, state.head, completion.hidden.first_loop
        numbers = (state.link_rows, above_start, above, reflexive[reflexive != TOP_ROLE])
        return DraftRows(
            *subsumer_rows(arena, head, n, n + count, n),
            *link_rows(arena, head, n, n + count, first_loop, *numbers),
            *subsumer_rows(arena, head, n, n + count, _EVERY_ITEM),
        )
    finally:
        state.rollback(saved)


def _table(rows: Sequence[tuple[int, ...]], width: int) -> Table:
    return np.array(rows, np.int32).reshape(-1, width)
