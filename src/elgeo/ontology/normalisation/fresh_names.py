"""Fresh class ids, and the expressions they stand for, written when somebody looks."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator

import numpy as np

from elgeo.arrays import Ints
from elgeo.ontology.expressions import OWL
from elgeo.ontology.name_lists import NameList

LONGEST_NAME = 10_000
"""Characters of a fresh name: expressions nested a thousand deep would otherwise fill the memory with their names."""
RANGE_OF = "ObjectSomeValuesFrom(ObjectInverseOf({}) <" + OWL + "Thing>)"
"""The class of all things with an incoming edge of a role."""


class ClassNames(NameList):
    """Names by class id: a list for the real ones; hands out fresh ids, whose names are written when looked at."""

    def __init__(self, real: list[str], n_individuals: int) -> None:
        self._real, self._n_named = real, len(real) - n_individuals
        self._size = len(real)
        self._starts: list[int] = []
        self._writers: list[Callable[[int], str]] = []
        self._pairs: dict[int, tuple[Ints, Ints]] = {}

    def add(self, how_many: int, write: Callable[[int], str]) -> Ints:
        """Further ids; `write(i)` gives the expression behind the i-th of them."""
        ids = np.arange(self._size, self._size + how_many, dtype=np.int32)
        if how_many:
            self._starts.append(self._size)
            self._writers.append(write)
            self._size += how_many
        return ids

    def add_pairs(self, first: Ints, second: Ints) -> Ints:
        """Further ids, for the conjunctions of two classes each."""
        ids = self.add(len(first), lambda i: self.conjunction(int(first[i]), int(second[i])))
        if len(ids):
            self._pairs[len(self._starts) - 1] = (first, second)
        return ids

    @property
    def n_real(self) -> int:
        """How many classes are not fresh."""
        return len(self._real)

    def __len__(self) -> int:
        return self._size

    def name(self, index: int) -> str:
        return self._real[index] if index < len(self._real) else self._written(index)

    def __iter__(self) -> Iterator[str]:
        yield from self._real
        for i in range(len(self._real), len(self)):
            yield self._written(i)

    def text(self, class_id: int) -> str:
        """A class as an expression in functional syntax."""
        name = self[class_id]
        if class_id < self._n_named:
            return f"<{name}>"
        if class_id < len(self._real):
            return f"ObjectOneOf({name})" if name.startswith("_:") else f"ObjectOneOf(<{name}>)"
        return name

    def conjunction(self, first: int, second: int) -> str:
        """The conjunction of two classes; in place of one that is of that kind itself, its members are named."""
        members: list[str] = []
        waiting = [second, first]
        while waiting:
            member = waiting.pop()
            if pair := self._pair(member):
                waiting += reversed(pair)
            else:
                members.append(self.text(member))
        return f"ObjectIntersectionOf({' '.join(members)})"

    def _written(self, class_id: int) -> str:
        """The expression a fresh class stands for, in functional syntax; a very long one is cut, and still unique."""
        block = bisect_right(self._starts, class_id) - 1
        text = self._writers[block](class_id - self._starts[block])
        return text if len(text) <= LONGEST_NAME else f"{text[:LONGEST_NAME]}… #{class_id}"

    def _pair(self, class_id: int) -> tuple[int, int] | None:
        """The two classes a fresh class is the conjunction of, if it is one."""
        block = bisect_right(self._starts, class_id) - 1
        if block not in self._pairs:
            return None
        place = class_id - self._starts[block]
        first, second = self._pairs[block]
        return int(first[place]), int(second[place])
