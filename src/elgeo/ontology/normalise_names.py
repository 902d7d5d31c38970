"""Fresh class ids, and the expressions they stand for, written when somebody looks."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import overload

import numpy as np

from elgeo.ontology.expressions import ENTITIES, OWL, Op
from elgeo.ontology.model import Ints, Ontology

RANGE_OF = "ObjectSomeValuesFrom(ObjectInverseOf({}) <" + OWL + "Thing>)"
"""The class of all things with an incoming edge of a role."""


class FreshClasses:
    """Hands out class ids, each block with a function that writes its names."""

    def __init__(self, n_real: int) -> None:
        self.n_classes = n_real
        self._starts: list[int] = []
        self._writers: list[Callable[[int], str]] = []

    def add(self, how_many: int, write: Callable[[int], str]) -> Ints:
        """Further ids; `write(i)` gives the expression behind the i-th of them."""
        ids = np.arange(self.n_classes, self.n_classes + how_many, dtype=np.int32)
        if how_many:
            self._starts.append(self.n_classes)
            self._writers.append(write)
            self.n_classes += how_many
        return ids

    def text(self, class_id: int) -> str:
        """The expression a fresh class stands for, in functional syntax."""
        block = bisect_right(self._starts, class_id) - 1
        return self._writers[block](class_id - self._starts[block])


class ClassNames(Sequence[str]):
    """Names by class id: a list for the real ones; fresh ones are written when looked at."""

    def __init__(self, real: list[str], n_individuals: int, fresh: FreshClasses) -> None:
        self._real, self._fresh, self._n_named = real, fresh, len(real) - n_individuals

    def __len__(self) -> int:
        return self._fresh.n_classes

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        index = int(index)
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError("no such class id")
        return self._real[index] if index < len(self._real) else self._fresh.text(index)

    def __iter__(self) -> Iterator[str]:
        yield from self._real
        for i in range(len(self._real), len(self)):
            yield self._fresh.text(i)

    def text(self, class_id: int) -> str:
        """A class as an expression in functional syntax."""
        name = self[class_id]
        if class_id < self._n_named:
            return f"<{name}>"
        if class_id < len(self._real):
            return f"ObjectOneOf({name})" if name.startswith("_:") else f"ObjectOneOf(<{name}>)"
        return name

    def conjunction(self, members: list[int]) -> str:
        """A conjunction of classes, its members' own conjuncts among them."""
        return f"ObjectIntersectionOf({' '.join(self.text(m) for m in members)})"


def node_text(ontology: Ontology, node: int) -> str:
    """A node as `Ontology.text` writes it, however deep it is."""
    written: list[str] = []
    waiting: list[int | str] = [node]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            written.append(item)
            continue
        op = Op(int(ontology.op[item]))
        if op in ENTITIES:
            written.append(ontology.text(item))
            continue
        written.append(f"{op.name}(")
        waiting.append(")")
        for place, argument in enumerate(reversed(ontology.arguments(item))):
            if place:
                waiting.append(" ")
            waiting.append(argument)
    return "".join(written)
