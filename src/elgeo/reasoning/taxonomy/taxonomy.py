"""`Taxonomy`: named classes in groups of equivalents, each group with its direct superclasses; types of individuals."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Array, Ints, Starts
from elgeo.compilation import announce, kernel
from elgeo.ontology.vocabulary import TOP, Kind
from elgeo.reasoning.saturation.readout import sort_slice
from elgeo.reasoning.saturation.saturate import Saturation


@dataclass(frozen=True, eq=False)
class Taxonomy:
    """The hierarchy of the named classes, transitively reduced.

    A group of equivalent classes goes by its smallest id, its representative; owl:Thing's group has id 0. Individuals
    that are the same are a group too. Unsatisfiable classes are in no group.
    """

    saturation: Saturation
    representative: Ints
    """The representative of each named class and individual; -1 for unsatisfiable classes and fresh names."""
    parent_start: Starts
    parents: Ints
    """The direct superclasses (of individuals: types) of representative x, as representatives; ascending."""

    @property
    def consistent(self) -> bool:
        return self.saturation.consistent

    @property
    def n_classes(self) -> int:
        """How many named classes there are."""
        return int((self.saturation.forms.vocabulary.class_kinds == Kind.NAMED).sum())

    @property
    def unsatisfiable(self) -> Ints:
        """The named classes that can have no instance."""
        named = self.saturation.forms.vocabulary.class_kinds == Kind.NAMED
        return np.flatnonzero(self.saturation.unsatisfiable & named).astype(np.int32)

    def members(self, representative: int) -> Ints:
        """All of a group, the representative first."""
        start, members = self.group_rows
        return members[start[representative] : start[representative + 1]]

    def groups(self, kind: Kind = Kind.NAMED) -> list[Ints]:
        """The groups of more than one class (owl:Thing counts), or of individuals that are the same."""
        sizes = np.diff(self.group_rows[0])
        individuals = self.saturation.forms.vocabulary.class_kinds == Kind.INDIVIDUAL
        wanted = (sizes > 1) & (individuals == (kind == Kind.INDIVIDUAL))
        return [self.members(int(x)) for x in np.flatnonzero(wanted)]

    def direct_superclasses(self, class_id: int) -> Ints:
        """All members of the groups directly above; for an individual its direct types."""
        return self._spread(self.parent_start, self.parents, class_id)

    def direct_subclasses(self, class_id: int) -> Ints:
        """All members of the groups directly below, unsatisfiable classes left out."""
        return self._spread(*self._children, class_id, Kind.NAMED)

    def direct_instances(self, class_id: int) -> Ints:
        """The individuals that have the class as a direct type."""
        return self._spread(*self._children, class_id, Kind.INDIVIDUAL)

    def _spread(self, start: Starts, values: Ints, class_id: int, kind: Kind | None = None) -> Ints:
        group = self.representative[class_id]
        if group < 0:
            return np.empty(0, np.int32)
        found = np.concatenate([np.empty(0, np.int32), *map(self.members, values[start[group] : start[group + 1]])])
        if kind is not None:
            found = found[self.saturation.forms.vocabulary.class_kinds[found] == kind]
        return np.sort(found)

    @cached_property
    def group_rows(self) -> tuple[Starts, Ints]:
        """Starts and members of the groups, by representative."""
        return _inverse(np.flatnonzero(self.representative >= 0), self.representative)

    @cached_property
    def _children(self) -> tuple[Starts, Ints]:
        owners = np.repeat(np.arange(len(self.representative)), np.diff(self.parent_start))
        return _inverse(owners, self.parents, len(self.representative))


def _inverse(items: NDArray[Any], keys: Ints, n: int | None = None) -> tuple[Starts, Ints]:
    """Items grouped by their key, ascending."""
    wanted = keys[items] if n is None else keys
    n = len(keys) if n is None else n
    start = np.zeros(n + 1, np.int64)
    np.cumsum(np.bincount(wanted, minlength=n), out=start[1:])
    return start, items[np.argsort(wanted, kind="stable")].astype(np.int32)


def taxonomy(saturation: Saturation) -> Taxonomy:
    """Group and reduce."""
    announce(_direct, "the taxonomy")
    kinds = saturation.forms.vocabulary.class_kinds
    possible = ~saturation.unsatisfiable
    named = (kinds == Kind.NAMED) & possible
    named[TOP] = possible[TOP]
    individuals = (kinds == Kind.INDIVIDUAL) & possible
    start, items = saturation.subsumer_start, saturation.subsumers
    representative = np.full(len(named), -1, np.int32)
    _representatives(start, items, named, individuals, representative)
    parent_start, parents = np.zeros(len(named) + 1, np.int64), np.empty(len(items), np.int32)
    candidates = np.empty(np.diff(start).max(initial=0), np.int64)
    mark = np.full(len(named), -1, np.int32)
    total = _direct(start, items, representative, named, candidates, mark, parent_start, parents)
    return Taxonomy(saturation, representative, parent_start, parents[:total].copy())


@kernel(counted=False)
def _representatives(start: Array, items: Array, named: Array, individuals: Array, found: Array) -> None:
    """The smallest equivalent of each class. D ∈ S(C) makes S(D) ⊆ S(C), so that equal sizes make them equivalent."""
    for x in range(len(named)):
        alike = named if named[x] else individuals
        if not alike[x]:
            continue
        size = start[x + 1] - start[x]
        for k in range(start[x], start[x + 1]):
            y = items[k]
            if alike[y] and start[y + 1] - start[y] == size:
                found[x] = y
                break


@kernel(counted=False)
def _direct(
    start: Array, items: Array, representative: Array, named: Array,
    candidates: Array, mark: Array, parent_start: Array, parents: Array,
) -> int:  # fmt: skip
    """Fill in, for each representative, the groups above with nothing in between; how many there are."""
    total = 0
    for x in range(len(representative)):
        if representative[x] == x:
            count = 0
            for k in range(start[x], start[x + 1]):
                y = items[k]
                if y != x and named[y] and representative[y] == y:
                    # larger sets of subsumers first: they are further down
                    candidates[count] = ((start[y] - start[y + 1]) << 32) + y
                    count += 1
            sort_slice(candidates, 0, count)
            first = total
            for i in range(count):
                y = candidates[i] & 0x7FFFFFFF
                if mark[y] != x:
                    parents[total] = y
                    total += 1
                    for k in range(start[y], start[y + 1]):
                        mark[items[k]] = x
            sort_slice(parents, first, total)
        parent_start[x + 1] = total
    return total
