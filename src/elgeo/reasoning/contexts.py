"""Elements that exist for a question only: drafts that may link to each other, saturated against a finished state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from elgeo.ontology.vocabulary import BOTTOM, TOP, TOP_ROLE
from elgeo.reasoning.closure_rows import Ints, Starts
from elgeo.reasoning.rows import link_rows, subsumer_rows
from elgeo.reasoning.saturation import Saturation

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


class Contexts:
    """Drafts and, once asked for, their subsumers and links; ids from `first` on are drafts, others classes."""

    def __init__(self, saturation: Saturation) -> None:
        self.saturation = saturation
        self.first = saturation.forms.vocabulary.n_classes
        self.drafts: list[Draft] = []

    def add(self, draft: Draft) -> int:
        """The id of a new draft. Links to it and from it see the ranges of their roles."""
        self.drafts.append(draft)
        return self.first + len(self.drafts) - 1

    def fresh(self) -> int:
        """The id of an element of which nothing is known."""
        return self.add(Draft())

    def joined(self, x: int, y: int) -> int:
        """The id of a draft that was told what both drafts were."""
        a, b = self.drafts[x - self.first], self.drafts[y - self.first]
        return self.add(Draft(a.classes + b.classes, a.links + b.links, a.loops + b.loops, a.names | b.names))

    def copy_of(self, other: Contexts, x: int) -> int:
        """The id of a draft like x of `other`, whose drafts are all copied, or of one below the class x."""
        if x < self.first:
            return self.add(Draft(classes=(x,)))
        shift = len(self.drafts)
        for a in other.drafts:
            links = tuple((role, target + shift) for role, target in a.links)
            self.drafts.append(Draft(a.classes, links, a.loops, a.names))
        return x + shift

    def subsumers(self, x: int) -> Ints:
        """S(x), ascending, classes only."""
        if x < self.first:
            return self.saturation.subsumers_of(x)
        start, items = self._rows[0]
        return items[start[x - self.first] : start[x - self.first + 1]]

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
        start, roles, targets = self._rows[1]
        low, high = start[x - self.first], start[x - self.first + 1]
        return roles[low:high], targets[low:high]

    def targets(self, x: int, role: int) -> list[int]:
        """What x links to by a role."""
        roles, targets = self.links(x)
        low, high = np.searchsorted(roles, [role, role + 1])
        return [int(y) for y in targets[low:high]]

    def loops(self, x: int, role: int) -> bool:
        """Whether x must be related to itself by a role."""
        below = self.saturation.engine.roles.below
        if x < self.first:
            return bool((self.saturation.self_loops == (x, role)).all(axis=1).any())
        if any(below[told, role] for told in self.drafts[x - self.first].loops):
            return True
        start, items = self._rows[2]
        mine = items[start[x - self.first] : start[x - self.first + 1]]
        return bool((mine == self.saturation.engine.hidden.first_loop + role).any())

    @cached_property
    def _rows(self) -> tuple[tuple[Starts, Ints], tuple[Starts, Ints, Ints], tuple[Starts, Ints]]:
        """Saturate the drafts; the state is afterwards as it was."""
        engine = self.saturation.engine
        state, n = engine.state, self.first
        contexts, items, sources, pairs = self._told()
        saved = state.checkpoint()
        try:
            last = n + len(self.drafts)
            state.add_contexts(len(self.drafts), own_item=False)
            state.derive(contexts, items)
            state.derive(sources, state.links(pairs))
            engine.run(frozen=n)
            lower, above = np.nonzero(engine.roles.below)
            above_start = np.searchsorted(lower, np.arange(engine.roles.n + 1))
            reflexive = np.flatnonzero(engine.roles.reflexive)
            return (
                subsumer_rows(state.arena, state.head, n, last, n),
                link_rows(
                    state.arena,
                    state.head,
                    n,
                    last,
                    engine.hidden.first_loop,
                    state.link_role,
                    state.link_target,
                    above_start,
                    above,
                    reflexive[reflexive != TOP_ROLE],
                ),
                subsumer_rows(state.arena, state.head, n, last, _EVERY_ITEM),
            )
        finally:
            state.rollback(saved)

    def _told(self) -> tuple[Ints, Ints, Ints, Ints]:
        """What the drafts start with: contexts and their classes, contexts and their links."""
        classes: list[tuple[int, int]] = []
        links: list[tuple[int, int, int]] = []
        left_self = self.saturation.forms["left_self"]
        for number, draft in enumerate(self.drafts):
            x = self.first + number
            classes += [(x, c) for c in draft.classes]
            for role, target in draft.links:
                links.append((x, role, target))
                classes += [(target, c) for c in self.ranges(role)]
            for role in draft.loops:
                links.append((x, role, x))
                above = self.saturation.engine.roles.below[role]
                classes += [(x, c) for c in self.ranges(role)]
                classes += [(x, int(d)) for r, d in left_self if above[r]]
        if any(target < self.first for _, _, target in links):
            raise ValueError("a link of a draft leads to a draft")
        told, linked = _table(classes, 2), _table(links, 3)
        return (*np.ascontiguousarray(told.T), np.ascontiguousarray(linked[:, 0]), np.ascontiguousarray(linked[:, 1:]))

    def ranges(self, role: int) -> list[int]:
        """The classes that every target of a role is in."""
        above = self.saturation.engine.roles.below[role]
        return [int(c) for r, c in self.saturation.forms["range"] if above[r]]


def _table(rows: Sequence[tuple[int, ...]], width: int) -> NDArray[np.int32]:
    return np.array(rows, np.int32).reshape(-1, width)
