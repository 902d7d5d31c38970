"""Elements that exist for a question only: drafts that may link to each other, saturated against a finished state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from elgeo.arrays import Flags, Ints, Starts, Table
from elgeo.ontology.expressions import THING
from elgeo.ontology.extension import NewRow
from elgeo.ontology.normal_forms import NormalForms
from elgeo.ontology.vocabulary import BOTTOM, TOP, Kind
from elgeo.reasoning.questions.row_text import class_text, role_text
from elgeo.reasoning.saturation.index import HIDDEN
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
    single: bool = False
    """X is one element."""


_NOTHING_TOLD = Draft()


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
    """The drafts of a question and, once asked for, their subsumers and links; ids below `first` are classes.

    Where a draft tells more of others if it exists, all drafts become classes of a wider saturation; further ids are
    then those of its fresh classes.
    """

    def __init__(self, saturation: Saturation) -> None:
        self.saturation = saturation
        self.first = saturation.forms.vocabulary.n_classes
        self.all: list[Draft] = []

    def __getitem__(self, x: int) -> Draft:
        """What x was told; classes were told nothing."""
        return self.all[x - self.first] if self.is_draft(x) else _NOTHING_TOLD

    def is_draft(self, x: int) -> bool:
        """Whether x is no class."""
        return 0 <= x - self.first < len(self.all)

    def add(self, draft: Draft) -> int:
        """The id of a new draft. Links to it and from it see the ranges of their roles."""
        # it may tell an older one something: what was asked before is asked again
        for name in ("_rows", "_wider"):
            vars(self).pop(name, None)
        self.all.append(draft)
        return self.first + len(self.all) - 1

    def fresh(self) -> int:
        """The id of an element of which nothing is known."""
        return self.add(Draft())

    def joined(self, x: int, y: int) -> int:
        """The id of a draft that was told what both drafts were."""
        a, b = self[x], self[y]
        names, single = a.names | b.names, a.single or b.single
        return self.add(Draft(a.classes + b.classes, a.links + b.links, a.loops + b.loops, names, single))

    def copy_of(self, other: Drafts, x: int) -> int:
        """The id of a draft like x of `other`, whose drafts are all copied, or of one below the class x."""
        if x < self.first:
            return self.add(Draft(classes=(x,)))
        shift = len(self.all)
        for a in other.all:
            links = tuple((role, target + shift) for role, target in a.links)
            self.add(Draft(a.classes, links, a.loops, a.names, a.single))
        return x + shift

    @property
    def forms(self) -> NormalForms:
        """The normal forms that speak of all ids but, where no wider saturation was needed, those of drafts."""
        return self.saturation.forms if self._wider is None else self._wider.forms

    def subsumers(self, x: int) -> Ints:
        """S(x), ascending, classes only."""
        if self._wider is not None:
            return self._wider.subsumers_of(x)
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

    def named(self, x: int, iri: str) -> bool:
        """Whether x must be in a class that the ontology does not know."""
        if self._wider is not None:
            return iri in self.unknown and self.below(x, self.unknown[iri])
        return x >= self.first and iri in self[x].names

    def unsatisfiable(self, x: int) -> bool:
        """Whether x cannot exist."""
        if self._wider is not None:
            return bool(self._wider.unsatisfiable[x])
        if x < self.first:
            return bool(self.saturation.unsatisfiable[x])
        found = self.subsumers(x)
        return BOTTOM in found[:2] or not self.saturation.consistent

    def links(self, x: int) -> tuple[Ints, Ints]:
        """Roles and targets of the links of x, closed, sorted by role."""
        if self._wider is not None or x < self.first:
            s = self._wider or self.saturation
            low, high = s.link_start[x], s.link_start[x + 1]
            return s.link_roles[low:high], s.link_targets[low:high]
        rows = self._rows
        low, high = rows.link_start[x - self.first], rows.link_start[x - self.first + 1]
        return rows.link_roles[low:high], rows.link_targets[low:high]

    def targets(self, x: int, role: int) -> list[int]:
        """What x links to by a role."""
        roles, targets = self.links(x)
        found: list[int] = targets[roles.searchsorted(role) : roles.searchsorted(role, "right")].tolist()
        return found

    def loops(self, x: int, role: int) -> bool:
        """Whether x must be related to itself by a role."""
        below = self.saturation.completion.roles.below
        if any(below[told, role] for told in self[x].loops):
            return True
        if self._wider is not None or x < self.first:
            s = self._wider or self.saturation
            return bool((s.self_loops == (x, role)).all(axis=1).any())
        rows = self._rows
        mine = rows.items[rows.item_start[x - self.first] : rows.item_start[x - self.first + 1]]
        return bool((mine == self.saturation.completion.hidden.first_loop + role).any())

    def given(self, x: int, y: int) -> int:
        """What stands for x where y exists."""
        return x if self._wider is None else self._wider.given.get((x, y), x)

    @cached_property
    def _rows(self) -> DraftRows:
        return saturate_drafts(self.saturation, len(self.all), *self._told())

    @cached_property
    def _wider(self) -> Saturation | None:
        """A saturation with the drafts as classes, where one of them tells more of others if it exists."""
        s = self.saturation
        named = np.array([bool(draft.names) for draft in self.all], np.bool_)
        if not self.all or not s.may_have_conditions or not tells_more(s, self._rows, named).any():
            return None
        # only ontologies with individuals or the universal role need the module
        from elgeo.reasoning.saturation.conditions import continued, under_conditions

        rows: dict[str, list[NewRow]] = {
            form: [(row, ()) for row in table]
            for form, table in zip(("subclass", "existential", "self"), self._told_as_rows(), strict=True)
        }
        names = [self._text(x) for x in range(self.first, self.first + len(self.all))]
        names += [f"<{iri}>" for iri in self.unknown]
        kinds = [Kind.FRESH] * len(names) + [Kind.INDIVIDUAL] * len(self._singles)
        wider = continued(s, names + [f"_:{x}" for x in self._singles], rows, kinds)
        return under_conditions(wider, np.arange(self.first, self.first + len(self.all)))

    @property
    def rows(self) -> DraftRows:
        """Subsumers and links of all drafts, as far as the finished state tells."""
        return self._rows

    @property
    def is_wider(self) -> bool:
        """Whether drafts are classes of a wider saturation."""
        return self._wider is not None

    @property
    def unknown(self) -> dict[str, int]:
        """The classes that the ontology does not know, with their ids in the wider saturation."""
        names = dict.fromkeys(sorted(iri for draft in self.all for iri in draft.names))
        return {iri: self.first + len(self.all) + i for i, iri in enumerate(names)}

    def single(self, x: int) -> int:
        """The individual of the wider saturation that a draft of one element is."""
        return self.first + len(self.all) + len(self.unknown) + self._singles.index(x)

    @property
    def _singles(self) -> list[int]:
        return [self.first + i for i, draft in enumerate(self.all) if draft.single]

    def _told(self) -> tuple[Table, Table]:
        """What the drafts start with: classes and links, loops as links to themselves."""
        classes, links, loops = self._told_as_rows(wider=False)
        left_self = self.saturation.forms["left_self"]
        for x, role in loops:
            links.append((x, role, x))
            above = self.saturation.completion.roles.below[role]
            classes += [(x, int(d)) for r, d in left_self if above[r]]
        return _table(classes, 2), _table(links, 3)

    def _told_as_rows(
        self, wider: bool = True
    ) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]], list[tuple[int, ...]]]:
        """X ⊑ C, X ⊑ ∃r.Y, X ⊑ ∃r.Self, as the drafts were told."""
        classes: list[tuple[int, ...]] = []
        links: list[tuple[int, ...]] = []
        loops: list[tuple[int, ...]] = []
        for number, draft in enumerate(self.all):
            x = self.first + number
            classes += [(x, c) for c in draft.classes]
            if wider:
                classes += [(x, self.unknown[iri]) for iri in sorted(draft.names)]
                classes += [(x, self.single(x))] if draft.single else []
            for role, target in draft.links:
                links.append((x, role, target))
                classes += [(target, c) for c in ranges(self.saturation, role)]
            for role in draft.loops:
                loops.append((x, role))
                classes += [(x, c) for c in ranges(self.saturation, role)]
        if any(target < self.first for _, _, target in links):
            raise ValueError("a link of a draft leads to a draft")
        return classes, links, loops

    def _text(self, x: int) -> str:
        """What a draft was told, in functional syntax."""
        words, draft = self.saturation.forms.vocabulary, self[x]
        parts = [class_text(words, c) for c in draft.classes if c != TOP]
        parts += [f"<{iri}>" for iri in sorted(draft.names)]
        parts += [f"ObjectSomeValuesFrom({role_text(words, r)} {self._text(y)})" for r, y in draft.links]
        parts += [f"ObjectHasSelf({role_text(words, r)})" for r in draft.loops]
        if len(parts) > 1:
            return f"ObjectIntersectionOf({' '.join(parts)})"
        return parts[0] if parts else f"<{THING}>"


def tells_more(saturation: Saturation, rows: DraftRows, named: Flags) -> Flags:
    """Which drafts would tell more of others if they existed, by themselves or through what they link to.

    Those that are `named` are also in classes that the ontology does not know.
    """
    n, count = len(saturation.unsatisfiable), len(rows.subsumer_start) - 1
    nominal, hidden = saturation.completion.nominal, saturation.completion.hidden
    found = np.zeros(count, np.bool_)
    owners = np.repeat(np.arange(count), np.diff(rows.link_start))
    inner = rows.link_targets < n
    found[owners[inner][saturation.conditional[rows.link_targets[inner]]]] = True
    owners = np.repeat(np.arange(count), np.diff(rows.subsumer_start))
    inside = nominal[rows.subsumers]
    for x, a in zip(owners[inside].tolist(), rows.subsumers[inside].tolist(), strict=True):
        # one that is told nothing but that it is a is a
        mine = rows.subsumers[rows.subsumer_start[x] : rows.subsumer_start[x + 1]]
        links = rows.link_targets[rows.link_start[x] : rows.link_start[x + 1]]
        more = named[x] or not np.isin(mine, saturation.subsumers_of(a)).all()
        found[x] |= more or bool((links >= n).any())
    if len(hidden.universal):
        owners = np.repeat(np.arange(count), np.diff(rows.item_start))
        found[owners[(rows.items >= HIDDEN) & (rows.items < hidden.first_loop)]] = True
    return found


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
    saved = state.checkpoint()
    try:
        state.add_queries(np.full(count, -1, np.int32))
        state.derive(np.ascontiguousarray(told[:, 0]), np.ascontiguousarray(told[:, 1]))
        state.derive(np.ascontiguousarray(links[:, 0]), state.links(np.ascontiguousarray(links[:, 1:])))
        completion.run(frozen=n)
        arena, head = state.arena, state.head
        return DraftRows(
            *subsumer_rows(arena, head, n, n + count, n),
            *link_rows(arena, head, n, n + count, completion.link_tables),
            *subsumer_rows(arena, head, n, n + count, _EVERY_ITEM),
        )
    finally:
        state.rollback(saved)


def _table(rows: Sequence[tuple[int, ...]], width: int) -> Table:
    return np.array(rows, np.int32).reshape(-1, width)
