"""`AxiomPool`: axioms that do not follow and are still true in the boxes, a part for each form and role."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from elgeo.arrays import Ints, Longs, Table
from elgeo.datasets.model import Dataset, Kinds
from elgeo.models.boxes import attempts
from elgeo.models.boxes.halves import Halves
from elgeo.ontology.vocabulary import TOP_ROLE
from elgeo.reasoning.closure.base import Closure

CODES = {
    "subclass": attempts.SUBCLASS,
    "conjunction": attempts.CONJUNCTION,
    "existential": attempts.EXISTENTIAL,
    "left_existential": attempts.LEFT_EXISTENTIAL,
}
ROLE_COLUMN = {"existential": 1, "left_existential": 0}
BLOCK = 1 << 13
"""Axioms drawn at a time."""
BLOCKS = 8
"""How often they are drawn at most, to fill a part."""


class PoolPart(NamedTuple):
    """Axioms of one form and, where the form has one, one role: the asserted ones, whose last class is exchanged."""

    form: str
    role: int
    asserted: Table


def parts_of(dataset: Dataset) -> list[PoolPart]:
    """The parts that a dataset has axioms of."""
    found = []
    for form in CODES:
        table = dataset.forms[form]
        if form not in ROLE_COLUMN:
            found.append(PoolPart(form, -1, table))
            continue
        roles = table[:, ROLE_COLUMN[form]]
        found += [PoolPart(form, int(role), table[roles == role]) for role in np.unique(roles) if role != TOP_ROLE]
    return [part for part in found if len(part.asserted)]


def exchanged(part: PoolPart, kinds: Kinds, count: int, generator: np.random.Generator) -> Table:
    """Random asserted axioms with another last class of the same kind."""
    rows = part.asserted[generator.integers(len(part.asserted), size=count)].copy()
    of_tail = kinds.of_class[rows[:, -1]]
    for kind in np.unique(of_tail):
        those = of_tail == kind
        rows[those, -1] = generator.choice(kinds.members(int(kind)), int(those.sum()))
    return rows


class AxiomPool:
    """The parts, and for each what is still true of what was drawn."""

    def __init__(self, dataset: Dataset, closure: Closure, size: int, generator: np.random.Generator) -> None:
        self.parts = parts_of(dataset)
        self.kinds, self.closure, self.size, self.generator = dataset.kinds, closure, size, generator
        self.shares = np.ones(len(self.parts))
        """The estimated share of each part that is true and should not be."""
        self._rows: list[Table] = [part.asserted[:0] for part in self.parts]
        self._full = np.full(len(self.parts), -1, np.int64)
        """How many rows each part had when it was last drawn; where that was none it is not drawn again."""

    def refill(self, halves: Halves) -> None:
        """Draw anew for every part of which half is gone."""
        for number in range(len(self.parts)):
            if self._full[number] < 0 or 2 * len(self._rows[number]) < self._full[number]:
                self._draw(number, halves)

    def measure(self, halves: Halves) -> None:
        """Draw every part anew: boxes were chosen against the rows that are there, so these are no fair sample.

        Nor does `strike` know that an axiom whose left side has no point stays true.
        """
        for number, part in enumerate(self.parts):
            self._rows[number] = part.asserted[:0]
            self._draw(number, halves)

    def _draw(self, number: int, halves: Halves) -> None:
        part, found, drawn, missed = self.parts[number], [self._rows[number]], 0, 0
        for _ in range(BLOCKS):
            rows = exchanged(part, self.kinds, BLOCK, self.generator)
            true = rows[halves.holds(part.form, rows)]
            missing = self.size - sum(len(each) for each in found)
            true, seen = true[:missing], len(true)
            following = self.closure.contains(part.form, true)
            # what was not asked about is taken to follow as often as what was
            drawn += BLOCK - round(seen * following.mean()) if len(true) else BLOCK
            missed += round(seen * (1 - following.mean())) if len(true) else 0
            found.append(true[~following])
            if missing <= len(true):
                break
        self._rows[number] = np.concatenate(found)
        self._full[number] = len(self._rows[number])
        self.shares[number] = missed / max(drawn, 1)

    def strike(self, values: Ints, tables: Table) -> None:
        """Take out what another half dimension makes false."""
        for number, part in enumerate(self.parts):
            rows = _three(self._rows[number])
            gone = attempts.false_rows(CODES[part.form], rows, values, tables)
            if len(rows):
                self.shares[number] *= 1 - gone.mean()
                self._rows[number] = self._rows[number][~gone]

    def __len__(self) -> int:
        return sum(len(rows) for rows in self._rows)

    @property
    def sizes(self) -> Longs:
        """How many rows each part has, at least 1."""
        return np.maximum([len(rows) for rows in self._rows], 1)

    def of_part(self, number: int) -> Table:
        return self._rows[number]

    def rows(self) -> tuple[Ints, Ints, Table]:
        """All rows as kernels want them: number of the form, of the part, and three columns."""
        sizes = [len(rows) for rows in self._rows]
        codes = np.array([CODES[part.form] for part in self.parts], np.int32)
        return (
            np.repeat(codes, sizes),
            np.repeat(np.arange(len(sizes), dtype=np.int32), sizes),
            np.concatenate([_three(rows) for rows in self._rows]),
        )


def _three(rows: Table) -> Table:
    """Rows with three columns, whatever their form."""
    spare = np.zeros((len(rows), 3 - rows.shape[1]), np.int32)
    return np.ascontiguousarray(np.concatenate([rows, spare], axis=1))
