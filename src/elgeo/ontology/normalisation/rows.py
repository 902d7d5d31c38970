"""Collects rows of normal forms: leaves out what is always true, finds the form a row belongs in, makes rows unique."""

from __future__ import annotations

from typing import Any, NewType

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Ints, Table
from elgeo.ontology.normal_forms import FORMS, empty_tables
from elgeo.ontology.vocabulary import BOTTOM, TOP, TOP_ROLE

BY_DEFINITION = -1
"""In place of an axiom number: the row defines a fresh name."""


class Rows:
    """Rows of every form as they are found, each with the number of the axiom it came from."""

    def __init__(self) -> None:
        self._parts: dict[str, list[Table]] = {name: [] for name in FORMS}

    def add(self, form: str, *columns: Any) -> None:
        """Add rows of a form; the last of the columns (arrays or numbers) has the axiom numbers."""
        lengths = {len(column) for column in columns if np.ndim(column)} or {1}
        if 0 in lengths:
            return
        rows = np.empty((max(lengths), len(columns)), np.int32)
        for i, column in enumerate(columns):
            rows[:, i] = column
        if form == "existential":
            self._add_existential(rows)
        elif FORMS[form].with_bottom:
            self._add_inclusion(form, rows)
        elif form == "subrole":
            self._keep(form, rows[(rows[:, 0] != rows[:, 1]) & (rows[:, 1] != TOP_ROLE)])
        elif form == "chain":
            self._keep(form, rows[rows[:, 2] != TOP_ROLE])
        elif form == "empty" or not FORMS[form].published:
            self._keep(form, rows)
        else:
            raise ValueError(f"rows of {form} come from their more general form")

    def so_far(self, form: str) -> Table:
        """The rows of a form up to now, the axiom number in the last column."""
        return np.concatenate([np.empty((0, FORMS[form].width + 1), np.int32), *self._parts[form]])

    def taken(self, form: str) -> Table:
        """The rows of a form up to now, which are taken out, to be put back changed."""
        rows = self.so_far(form)
        self._parts[form] = []
        return rows

    def finish(self, n_classes: int, n_roles: int) -> tuple[dict[str, Table], dict[str, Table]]:
        """Tables without double rows, and the (row, axiom) pairs of each."""
        tables, origins = empty_tables(), {}
        for name, form in FORMS.items():
            rows = self.so_far(name)
            if not len(rows):
                origins[name] = np.empty((0, 2), np.int32)
                continue
            limits = [n_roles if i in form.role_columns else n_classes for i in range(form.width)]
            tables[name], which = unique_rows(rows[:, :-1], limits)
            origins[name] = _origins(which, rows[:, -1], len(tables[name]))
        return tables, origins

    def _keep(self, form: str, rows: Table) -> None:
        if len(rows):
            self._parts[form].append(rows)

    def _add_existential(self, rows: Table) -> None:
        c, r, d = rows[:, 0], rows[:, 1], rows[:, 2]
        to_bottom = d == BOTTOM
        self._add_inclusion("subclass", rows[to_bottom][:, [0, 2, 3]])
        self._keep("existential", rows[~to_bottom & (c != BOTTOM) & ((r != TOP_ROLE) | (d != TOP))])

    def _add_inclusion(self, form: str, rows: Table) -> None:
        """Rows whose last class is the superclass."""
        left, right = rows[:, :-2], rows[:, -2]
        if form == "left_existential":
            everything = (left[:, 0] == TOP_ROLE) & (left[:, 1] == TOP)
            if everything.any():
                self._add_inclusion("subclass", rows[everything][:, 1:])
            trivial = everything | (left[:, 1] == BOTTOM)
        else:
            trivial = ((left == right[:, None]) | (left == BOTTOM)).any(axis=1)
        rows = rows[~trivial & (right != TOP)]
        to_bottom = rows[:, -2] == BOTTOM
        self._keep(form, rows[~to_bottom])
        self._keep(FORMS[form].with_bottom, np.delete(rows[to_bottom], -2, axis=1))


RangedRows = NewType("RangedRows", Rows)
"""Rows whose existentials have met the ranges of their roles: what is added now stays as it is."""


def unique_rows(rows: Table, limits: list[int]) -> tuple[Table, NDArray[np.int64]]:
    """The distinct rows in order, and for each row the place of its like; `limits` bound the columns."""
    if np.prod(np.array(limits, np.float64)) < 2.0**62:
        keys = np.zeros(len(rows), np.int64)
        for column, limit in zip(rows.T, limits, strict=True):
            keys = keys * limit + column
        _, first, which = np.unique(keys, return_index=True, return_inverse=True)
        return np.ascontiguousarray(rows[first]), which.ravel()
    distinct, which = np.unique(rows, axis=0, return_inverse=True)
    return distinct, which.ravel()


def _origins(which: NDArray[np.int64], axioms: Ints, n_rows: int) -> Table:
    """Pairs (row, axiom), sorted; a row that some definition gives has no origin."""
    defined = np.zeros(n_rows, np.bool_)
    defined[which[axioms == BY_DEFINITION]] = True
    asserted = ~defined[which]
    pairs = np.stack([which[asserted], axioms[asserted]], axis=1).astype(np.int32)
    return unique_rows(pairs, [n_rows + 1, int(axioms.max(initial=0)) + 1])[0]
