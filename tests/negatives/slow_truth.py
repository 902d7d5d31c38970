"""Entailed and refuted axioms of a small dataset by the slow reasoner, asked one by one."""

from __future__ import annotations

from functools import cached_property

from elgeo.datasets.model import Dataset
from elgeo.ontology.vocabulary import BOTTOM
from tests.reasoning.brute import Brute, rows_of

Row = tuple[int, ...]


class Truth:
    """Left sides of two classes, or of a role and a class, become classes of their own; nobody is below them."""

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = dataset
        self._rows = rows_of(dataset.forms)
        self._n = dataset.vocabulary.n_classes

    @cached_property
    def _slow(self) -> Brute:
        return self._with([])

    @cached_property
    def _sides(self) -> dict[tuple[str, Row], int]:
        sides = [
            (form, tuple(row[:2]))
            for form in ("conjunction", "left_existential")
            for row in self.dataset.forms[form].tolist()
        ]
        return {side: self._n + i for i, side in enumerate(dict.fromkeys(sides))}

    @cached_property
    def _existentials(self) -> set[Row]:
        return {(c, r, d) for c, r, e in self._slow.links for d in self._slow.subsumers[e]}

    def _with(self, extra: list[tuple[str, Row, int]]) -> Brute:
        """The slow reasoner, with classes for left sides, and one more for each of `extra` (form, left side, last)."""
        rows = {name: set(found) for name, found in self._rows.items()}
        for (form, side), name in self._sides.items():
            self._define(rows, form, side, name)
        n = self._n + len(self._sides)
        for i, (form, side, last) in enumerate(extra):
            self._define(rows, form, side, n + i)
            if form == "existential":
                rows["existential"].add((n + i, side[1], last))
            else:
                rows["subclass"].add((n + i, last))
        return Brute(n + len(extra), self.dataset.vocabulary.n_roles, rows)

    @staticmethod
    def _define(rows: dict[str, set[Row]], form: str, side: Row, name: int) -> None:
        if form in ("subclass", "existential"):
            rows["subclass"].add((name, side[0]))
        elif form == "conjunction":
            rows["subclass"] |= {(name, side[0]), (name, side[1])}
        else:
            rows["existential"].add((name, side[0], side[1]))

    def entailed(self, form: str, row: Row) -> bool:
        if form == "subclass":
            return self._slow.subsumed(*row)
        if form == "existential":
            return BOTTOM in self._slow.subsumers[row[0]] or row in self._existentials
        return self._slow.subsumed(self._sides[form, tuple(row[:2])], row[2])

    def refuted(self, form: str, rows: list[Row]) -> list[bool]:
        """Whether each row, as a further superclass of its left side, leaves nothing in it."""
        slow = self._with([(form, tuple(row[:-1]), row[-1]) for row in rows])
        first = len(slow.classes) - len(rows)
        return [BOTTOM in slow.subsumers[first + i] for i in range(len(rows))]
