"""Elements that cannot exist because of what EL++ cannot say: limits that they break."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from elgeo.arrays import Flags, Ints, Longs, Places
from elgeo.ontology.limits import ANY_ROLE, LimitKind
from elgeo.ontology.vocabulary import TOP
from elgeo.reasoning.closure.reached_elements import Elements
from elgeo.reasoning.closure.tail_rows import ranges
from elgeo.reasoning.questions.drafts import saturate_drafts
from elgeo.reasoning.saturation.saturate import Saturation

NO_LIMIT = -1


class _Sets(NamedTuple):
    """Sets of classes: set i is `classes[start[i]:start[i + 1]]`."""

    start: Longs
    classes: Ints


class Limited:
    """Which elements break which limit of an ontology; sound, not complete.

    An element that is in C and leads by R to y breaks C ⊑ ∀R.(D₁ ⊔ …) where y can be in no Dᵢ; C ⊑ ≤1 R.D where all
    that it leads to in D cannot be one; C ⊑ D₁ ⊔ … where it can itself be in no Dᵢ. What follows in EL++ follows with
    the limits too, so whatever breaks one is unsatisfiable in OWL; who leads to such an element, too.
    """

    def __init__(self, saturation: Saturation) -> None:
        self.saturation, self.limits = saturation, saturation.forms.limits
        self._n = len(saturation.unsatisfiable)
        self._by_class = np.argsort(self.limits.classes, kind="stable")
        self._sorted = self.limits.classes[self._by_class]

    @cached_property
    def of_classes(self) -> Ints:
        """The limit that makes each class unsatisfiable; -1 for those that can have instances, or cannot in EL++."""
        s = self.saturation
        found = np.full(self._n, NO_LIMIT, np.int32)
        if not len(self.limits) or not s.consistent:
            return found
        classes = Elements(s.subsumer_start, s.subsumers, s.link_start, s.link_roles, s.link_targets)
        while True:
            more = np.where(s.unsatisfiable | (found != NO_LIMIT), found, self._broken(classes, found, 0))
            if np.array_equal(more, found):
                return found
            found = more

    def of_drafts(self, drafts: Elements) -> Ints:
        """The limit that makes each draft unsatisfiable; -1 where none does. Drafts link to classes and drafts."""
        found = self._broken(drafts, self.of_classes, self._n)
        inner = drafts.link_targets >= self._n
        owners, targets = _owners(drafts.link_start)[inner], drafts.link_targets[inner] - self._n
        # a draft that cannot exist takes those with it that lead to it
        while len(more := np.flatnonzero((found[targets] != NO_LIMIT) & (found[owners] == NO_LIMIT))):
            found[owners[more]] = found[targets[more]]
        return found

    def _broken(self, elements: Elements, impossible: Ints, first: int) -> Ints:
        """For each element, of which the first is numbered `first`, a limit it breaks, given what cannot exist."""
        found = np.full(len(elements.subsumer_start) - 1, NO_LIMIT, np.int32)
        for owners, others in (
            (_owners(elements.subsumer_start), elements.subsumers),
            (_owners(elements.link_start), elements.link_targets),
        ):
            known = others < self._n
            by = impossible[others[known]]
            found[owners[known][by != NO_LIMIT]] = by[by != NO_LIMIT]
        owners, limits = self._met(elements)
        kinds = self.limits.kinds[limits]
        for kind, break_it in (
            (LimitKind.ONLY, self._only),
            (LimitKind.ONE, self._one),
            (LimitKind.COVER, self._cover),
        ):
            chosen = kinds == kind
            if chosen.any():
                broken = break_it(owners[chosen], limits[chosen], elements, impossible, first)
                found[owners[chosen][broken]] = limits[chosen][broken]
        return found

    def _met(self, elements: Elements) -> tuple[Places, Places]:
        """Pairs of an element and a limit of a class that it is in, and whose role, if it has one, it has."""
        count = len(elements.subsumer_start) - 1
        rest = elements.subsumers != TOP
        owners = np.concatenate([np.arange(count), _owners(elements.subsumer_start)[rest]])
        classes = np.concatenate([np.full(count, TOP, np.int32), elements.subsumers[rest]])
        low, high = (np.searchsorted(self._sorted, classes, side) for side in ("left", "right"))
        owners, limits = np.repeat(owners, high - low), self._by_class[ranges(low, high)]
        low, high = self._links(elements, owners, limits)
        has = (high > low) | (self.limits.roles[limits] == ANY_ROLE)
        return owners[has], limits[has]

    def _links(self, elements: Elements, owners: Places, limits: Places) -> tuple[Places, Places]:
        """Where among the links of each element those by the role of the limit beside it are."""
        n_roles = self.saturation.forms.vocabulary.n_roles + 1
        keys = _owners(elements.link_start) * n_roles + elements.link_roles
        wanted = owners * n_roles + self.limits.roles[limits]
        return np.searchsorted(keys, wanted, "left"), np.searchsorted(keys, wanted, "right")

    def _only(self, owners: Places, limits: Places, elements: Elements, impossible: Ints, first: int) -> Flags:
        low, high = self._links(elements, owners, limits)
        pairs, targets = np.repeat(np.arange(len(owners)), high - low), elements.link_targets[ranges(low, high)]
        asked, index = np.unique(np.stack([targets, limits[pairs]], axis=1), axis=0, return_inverse=True)
        outside = self._in_none(asked[:, 0], asked[:, 1], elements, impossible, first)[index.ravel()]
        broken = np.zeros(len(owners), np.bool_)
        broken[pairs[outside]] = True
        return broken

    def _cover(self, owners: Places, limits: Places, elements: Elements, impossible: Ints, first: int) -> Flags:
        return self._in_none(owners + first, limits, elements, impossible, first)

    def _in_none(self, members: Places, limits: Places, elements: Elements, impossible: Ints, first: int) -> Flags:
        """Whether each member, a class or an element, can be in no class of the limit beside it."""
        start, end = self.limits.start[limits], self.limits.start[limits + 1]
        pairs, fillers = np.repeat(np.arange(len(members)), end - start), self.limits.fillers[ranges(start, end)]
        fine = np.zeros(len(members), np.bool_)
        fine[pairs[self._below(members[pairs], fillers, elements, first)]] = True
        pairs, fillers = pairs[~fine[pairs]], fillers[~fine[pairs]]
        asked, index = np.unique(np.stack([members[pairs], fillers], axis=1), axis=0, return_inverse=True)
        told = self._told(asked[:, 0], elements, first)
        each = np.arange(len(asked))
        sets = _joined(_owners(told.start), told.classes, each, asked[:, 1], len(asked))
        apart = self._impossible(sets, impossible)[index.ravel()]
        possible = np.bincount(pairs[~apart], minlength=len(members))
        return np.asarray(~fine & (possible == 0))

    def _one(self, owners: Places, limits: Places, elements: Elements, impossible: Ints, first: int) -> Flags:
        low, high = self._links(elements, owners, limits)
        pairs, targets = np.repeat(np.arange(len(owners)), high - low), elements.link_targets[ranges(low, high)]
        told = self._told(targets, elements, first)
        fillers = self.limits.fillers[self.limits.start[limits]][pairs]
        inside = (fillers == TOP) | self._below(targets, fillers, elements, first)
        holders, members = _owners(told.start), told.classes
        kept = inside[holders]
        sets = _joined(pairs[holders[kept]], members[kept], pairs[:0], members[:0], len(owners))
        return self._impossible(sets, impossible)

    def _below(self, members: Places | Ints, classes: Ints, elements: Elements, first: int) -> Flags:
        """Whether each member, a class or an element, is below the class beside it."""
        s, found = self.saturation, np.zeros(len(members), np.bool_)
        for inner, start, subsumers, shift in (
            (members < self._n, s.subsumer_start, s.subsumers, 0),
            (members >= self._n, elements.subsumer_start, elements.subsumers, first),
        ):
            at = members[inner] - shift
            owners = np.repeat(np.arange(len(at)), start[at + 1] - start[at])
            hit = subsumers[ranges(start[at], start[at + 1])] == classes[inner][owners]
            found[np.flatnonzero(inner)[owners[hit]]] = True
        return found

    def _told(self, members: Places | Ints, elements: Elements, first: int) -> _Sets:
        """What each member is in: a class is itself, an element that is no class is in its subsumers."""
        inner = members < self._n
        at = np.where(inner, 0, members - first)
        low, high = elements.subsumer_start[at], elements.subsumer_start[at + 1]
        low, high = np.where(inner, 0, low), np.where(inner, 1, high)
        classes = np.repeat(members, high - low).astype(np.int32)
        outer = ~np.repeat(inner, high - low)
        classes[outer] = elements.subsumers[ranges(low, high)[outer]]
        return _Sets(np.concatenate([np.zeros(1, np.int64), np.cumsum(high - low)]), classes)

    def _impossible(self, sets: _Sets, impossible: Ints) -> Flags:
        """Whether nothing can be in all classes of each set."""
        count = len(sets.start) - 1
        # what holds only where some class has an instance is left out: it would take a saturation for each
        told = np.stack([_owners(sets.start) + self._n, sets.classes], axis=1).astype(np.int32)
        found = saturate_drafts(self.saturation, count, told, np.empty((0, 3), np.int32))
        empty: Flags = found.unsatisfiable.copy()
        empty[_owners(found.subsumer_start)[impossible[found.subsumers] != NO_LIMIT]] = True
        return empty


def _owners(start: Longs) -> Places:
    """Whose each part is, by number."""
    return np.repeat(np.arange(len(start) - 1), np.diff(start))


def _joined(owners: Places, classes: Ints, more: Places, others: Ints, count: int) -> _Sets:
    """Sets of (owner, class) pairs and further ones."""
    owners, classes = np.concatenate([owners, more]), np.concatenate([classes, others])
    order = np.argsort(owners, kind="stable")
    start = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.bincount(owners, minlength=count))])
    return _Sets(start, classes[order].astype(np.int32))
