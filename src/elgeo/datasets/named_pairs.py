"""`NamedPairs`: many pairs of names as rows of numbers, with each name once: millions of them fit into memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import overload

import numpy as np

from elgeo.arrays import Ids, Longs, Places, Table
from elgeo.keys import distinct

NamePair = tuple[str, str]


@dataclass(frozen=True, eq=False)
class NamedPairs(Sequence[NamePair]):
    """Pairs of names, ascending, each once; as a sequence it has the names themselves."""

    names: Sequence[str]
    """Different names, ascending; there may be more than the pairs have."""
    keys: Longs
    """first · 2³¹ + second, by the numbers of the names."""

    @staticmethod
    def of(pairs: Iterable[NamePair]) -> NamedPairs:
        """Of any pairs of names."""
        if isinstance(pairs, NamedPairs):
            return pairs
        numbers: dict[str, int] = {}
        flat = [numbers.setdefault(name, len(numbers)) for pair in pairs for name in pair]
        return sharing(list(numbers), {"": np.array(flat, np.int32).reshape(-1, 2)})[""]

    @property
    def rows(self) -> Table:
        """The numbers of both names, (n, 2)."""
        return np.column_stack([self.keys >> 31, self.keys & (2**31 - 1)]).astype(np.int32)

    def column(self, end: int) -> list[str]:
        """The different names that stand first (0) or second (-1), ascending."""
        return [self.names[i] for i in distinct(self.rows[:, end]).tolist()]

    def places_of(self, ids: Mapping[str, int], end: int) -> Ids:
        """For each pair the id of the name that stands first (0) or second (-1); a name without one is a KeyError."""
        numbers = self.rows[:, end]
        used = distinct(numbers)
        found = np.zeros(len(self.names), np.int32)
        found[used] = np.fromiter((ids[self.names[i]] for i in used.tolist()), np.int32, len(used))
        return found[numbers]

    def taken(self, places: Places) -> NamedPairs:
        """The pairs at some places, which are ascending."""
        return replace(self, keys=self.keys[places])

    def __len__(self) -> int:
        return len(self.keys)

    def __iter__(self) -> Iterator[NamePair]:
        return ((self.names[a], self.names[b]) for a, b in self.rows.tolist())

    @overload
    def __getitem__(self, index: int) -> NamePair: ...
    @overload
    def __getitem__(self, index: slice) -> NamedPairs: ...
    def __getitem__(self, index: int | slice) -> NamePair | NamedPairs:
        if isinstance(index, slice):
            return self.taken(np.arange(len(self))[index])
        first, second = divmod(int(self.keys[index]), 2**31)
        return self.names[first], self.names[second]


def sharing(names: Sequence[str], several: Mapping[str, Table]) -> dict[str, NamedPairs]:
    """Pairs by their part from rows of numbers, in any order; the names, all different, are numbered anew for all."""
    order = sorted(range(len(names)), key=names.__getitem__)
    place = np.empty(len(names), np.int64)
    place[order] = np.arange(len(names))
    ordered = [names[i] for i in order]
    return {
        part: NamedPairs(ordered, distinct(place[rows[:, 0]] << 31 | place[rows[:, 1]]))
        for part, rows in several.items()
    }
