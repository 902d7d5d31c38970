"""`Corrupter`: corrupted axioms for the rows of one table, by one of the modes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Ints, Table
from elgeo.keys import GOLDEN
from elgeo.negatives.kernels import NONE, STREAM, Pool, draw_random
from elgeo.ontology.normal_forms import FORMS

Draw = Callable[[NDArray[np.int64], Ints, np.uint64], Ints]
"""(numbers of table rows, their classes to be replaced, seed) → the classes chosen, -1 where there is none."""


EVERYTHING = slice(None)
ATTEMPTS = 8
"""Draws of a row that are asked about one by one; after them its candidates are asked about all at once."""


class Corrupted(NamedTuple):
    """Corrupted rows, those of one positive beside each other."""

    rows: Table
    positives: NDArray[np.int64]
    """The number of the table row each was made from."""
    dropped: int
    """How many could not be made."""


class Contains(Protocol):
    """What the samplers ask of a closure."""

    def contains(self, form: str, rows: Table) -> NDArray[np.bool_]: ...


@dataclass(frozen=True, eq=False)
class Corrupter:
    """Draws corrupted axioms for the rows of one table.

    `tail` and `head` replace the last and the first class; where both are given, a coin decides for each axiom.
    """

    form: str
    table: Table
    per_positive: int
    tail: Draw | None
    head: Draw | None
    by_row: bool = False
    """Whether what is drawn for a row depends on its place alone, not on the other rows."""

    def draw(self, numbers: NDArray[np.int64], seed: int, part: slice = EVERYTHING) -> Corrupted:
        """`per_positive` corrupted axioms for each of the table's rows `numbers`; the seed alone decides which.

        With a `part` of the numbers only theirs, the same as among all.
        """
        first, last, _ = part.indices(len(numbers))
        if last - first == len(numbers):
            return _kept(*self._drawn(numbers, seed))
        if self.by_row:
            return _kept(*self._drawn(numbers[part], _from_row(seed, first * self.per_positive)))
        mine = slice(first * self.per_positive, last * self.per_positive)
        rows, behind, chosen = self._drawn(numbers, seed)
        return _kept(rows[mine], behind[mine], chosen[mine])

    def _drawn(self, numbers: NDArray[np.int64], seed: int) -> tuple[Table, NDArray[np.int64], Ints]:
        """Corrupted rows, the number of the row behind each, and the class chosen for it."""
        numbers = np.repeat(numbers, self.per_positive)
        rows = self.table.take(numbers, axis=0)
        chosen = np.empty(len(rows), np.int32)
        for draw, column, where, salt in self._sides(len(rows), seed):
            originals = np.ascontiguousarray(rows[where, column])
            chosen[where] = rows[where, column] = draw(numbers[where], originals, np.uint64(seed ^ salt))
        return rows, numbers, chosen

    def _sides(self, count: int, seed: int) -> list[tuple[Draw, int, Any, int]]:
        """How and in which column which of the rows are corrupted."""
        shape = FORMS[self.form]
        tail, head = shape.width - 1, shape.head
        if self.tail is None or self.head is None:
            everything = slice(None)
            return [(self.tail, tail, everything, 0)] if self.tail else [(self.head, head, everything, 0)]  # type: ignore[list-item]
        coin = np.random.default_rng([seed, 1]).random(count) < 0.5
        return [(self.tail, tail, np.flatnonzero(coin), 0), (self.head, head, np.flatnonzero(~coin), 0x5DEECE66D)]


def _kept(rows: Table, numbers: NDArray[np.int64], chosen: Ints) -> Corrupted:
    """Without the rows for which there was no class."""
    kept = chosen != NONE
    dropped = len(rows) - int(np.count_nonzero(kept))
    return Corrupted(rows[kept], numbers[kept], dropped) if dropped else Corrupted(rows, numbers, 0)


def _from_row(seed: int, row: int) -> int:
    """The seed with which the first row is drawn as row `row` is with the one given."""
    return (seed + int(GOLDEN) * STREAM * row) % 2**64


def random_draw(pool: Pool) -> Draw:
    """Any class of the same kind, as drawn."""

    def draw(numbers: NDArray[np.int64], originals: Ints, seed: np.uint64) -> Ints:
        chosen = np.empty(len(originals), np.int32)
        draw_random(originals, pool, seed, chosen)
        return chosen

    return draw


def asked_draw(pool: Pool, closure: Contains, form: str, table: Table, column: int) -> Draw:
    """A class of the same kind such that the axiom is not entailed, asking the closure about each candidate.

    For the replacements whose entailed classes are not kept as rows. A row that is refused again and again has its
    candidates asked about all at once; what came of it is remembered.
    """
    remembered: dict[int, Ints] = {}

    def draw(numbers: NDArray[np.int64], originals: Ints, seed: np.uint64) -> Ints:
        rows = table[numbers]
        chosen = np.full(len(numbers), NONE, np.int32)
        pending = np.arange(len(numbers))
        generator = np.random.default_rng([int(seed), 2])
        for own_seed in generator.integers(2**63, size=ATTEMPTS, dtype=np.uint64):
            candidates = np.empty(len(pending), np.int32)
            draw_random(originals[pending], pool, own_seed, candidates)
            asked = rows[pending]
            asked[:, column] = candidates
            drawn = candidates != NONE
            refused = drawn.copy()
            refused[drawn] = closure.contains(form, asked[drawn])
            chosen[pending] = np.where(refused, NONE, candidates)
            pending = pending[refused]
            if not len(pending):
                return chosen
        for i in pending.tolist():
            number = int(numbers[i])
            if number not in remembered:
                remembered[number] = _allowed_classes(pool, closure, form, rows[i], column)
            allowed = remembered[number]
            if len(allowed):
                chosen[i] = allowed[generator.integers(len(allowed))]
        return chosen

    return draw


def _allowed_classes(pool: Pool, closure: Contains, form: str, row: Ints, column: int) -> Ints:
    kind = int(pool.kind_of[row[column]])
    candidates = pool.members[pool.start[kind] : pool.start[kind + 1]]
    asked = np.tile(row, (len(candidates), 1))
    asked[:, column] = candidates
    return candidates[~closure.contains(form, asked)]
