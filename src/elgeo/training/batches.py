"""What an epoch is made of: shuffled tables cut into batches, a weight for each normal form, fresh negatives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Table
from elgeo.models.contract import Batch
from elgeo.negatives import Corrupter

_TOGETHER = 8
"""Steps whose batches are made at a time."""


class Portion(NamedTuple):
    """The part of rows that one of several processes has: the `rank`-th of `size` consecutive ones."""

    rank: int = 0
    size: int = 1

    def of(self, count: int) -> slice:
        return slice(count * self.rank // self.size, count * (self.rank + 1) // self.size)


WHOLE = Portion()


@dataclass
class Batches:
    """The batches of epochs.

    An epoch has as many steps as the longest table has batches, unless a number is given; the shorter tables start
    again, shuffled anew. All
    that is random is drawn from the generator in a fixed order, so its state at the start of an epoch is enough to
    make the same batches again.
    """

    tables: Mapping[str, Table]
    corrupters: Mapping[str, Corrupter]
    batch: int
    weighting: str
    dropped: dict[str, int] = field(default_factory=dict)
    """Corrupted axioms that could not be made, by normal form, since `start_counting`."""
    fixed_steps: int | None = None
    """Steps of an epoch, where they are not those of the longest table."""
    share: Portion = WHOLE
    """Which part of every batch is made here."""

    @property
    def steps(self) -> int:
        """Steps of an epoch."""
        if self.fixed_steps is not None:
            return self.fixed_steps
        return max(self._steps(table) for table in self.tables.values())

    @property
    def axioms(self) -> int:
        """Positive axioms seen in an epoch, those of the shorter tables again and again."""
        return sum(
            sum(len(range(*self._span(step, len(table)))) for step in range(self.steps))
            for table in self.tables.values()
        )

    @property
    def weights(self) -> dict[str, float]:
        """The weight w_k of each normal form: steps_k / Σ steps, or 1."""
        total = sum(self._steps(table) for table in self.tables.values())
        return {
            form: self._steps(table) / total if self.weighting == "frequency" else 1.0
            for form, table in self.tables.items()
        }

    def start_counting(self) -> None:
        self.dropped = dict.fromkeys(self.corrupters, 0)

    def epoch(self, generator: np.random.Generator, skip: int = 0) -> Iterator[dict[str, Batch]]:
        """The batches of one epoch, without the first `skip`; the generator ends where it would without skipping."""
        orders: dict[str, NDArray[np.int64]] = {}
        waiting: list[dict[str, tuple[NDArray[np.int64], int]]] = []
        for step in range(self.steps):
            drawn = {}
            for form, table in self.tables.items():
                first, last = self._span(step, len(table))
                if first == 0:
                    orders[form] = generator.permutation(len(table))
                seed = int(generator.integers(2**63)) if form in self.corrupters else 0
                drawn[form] = orders[form][first:last], seed
            if step >= skip:
                waiting.append(drawn)
            if len(waiting) == _TOGETHER or step == self.steps - 1:
                yield from self._made(waiting)
                waiting = []

    def _made(self, steps: Sequence[Mapping[str, tuple[NDArray[np.int64], int]]]) -> Iterator[dict[str, Batch]]:
        """The batches of some steps, of which the row numbers and the seeds of the negatives are known.

        All negatives of a normal form come one after the other, while the processor has what filters them at hand.
        """
        weights = self.weights
        batches: list[dict[str, Batch]] = [{} for _ in steps]
        dropped: list[dict[str, int]] = [{} for _ in steps]
        for form, table in self.tables.items():
            corrupter = self.corrupters.get(form)
            for step, batch, lost in zip(steps, batches, dropped, strict=True):
                numbers, seed = step[form]
                negatives = None
                if corrupter:
                    negatives, _, lost[form] = corrupter.draw(numbers, seed, self.share.of(len(numbers)))
                positives = table.take(numbers[self.share.of(len(numbers))], axis=0)
                batch[form] = Batch(positives, negatives, weights[form])
        for batch, lost in zip(batches, dropped, strict=True):
            for form, count in lost.items():
                self.dropped[form] = self.dropped.get(form, 0) + count
            yield batch

    def _steps(self, table: Table) -> int:
        return -(-len(table) // self.batch)

    def _span(self, step: int, size: int) -> tuple[int, int]:
        first = step % -(-size // self.batch) * self.batch
        return first, min(first + self.batch, size)
