"""`TermLists`: the terms of a batch sorted by the classes in them, and the classes cut into parts of equal work."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from elgeo.arrays import Ints, Table
from elgeo.errors import SettingError
from elgeo.models.contract import Sizes
from elgeo.models.engines.lists import ROW_AS_ROLE, SHARES, TAG_BITS, divide, expand, index


class Listed(NamedTuple):
    """A term for each row of a table: the columns of its two classes, and of its role (or `NO_ROLE`, `ROW_AS_ROLE`)."""

    form: str
    rows: Table
    first: int
    second: int
    role: int


MOST_ROWS, MOST_ENTRIES = 1 << (31 - TAG_BITS), (1 << 31) - 1
"""What 32 bits of a tag, and of a place in the lists, have room for."""
ROLE_BYTES = 64 << 20
"""What the partial gradients of the roles may take, one table of them for each part."""


def number_of_parts(role_bytes: int) -> int:
    """Into how many parts the classes are cut, where each has its own gradients of the roles."""
    return int(np.clip(ROLE_BYTES // max(role_bytes, 1), 8, 64))


class TermLists:
    """Room for lists that is used again and again; `bounds` are those of the parts after each sorting."""

    def __init__(self, sizes: Sizes, parts: int) -> None:
        self._sizes = sizes
        self.bounds = np.empty(parts + 1, np.int64)
        self._start = np.empty(sizes.classes + 1, np.int32)
        self._cursor = np.empty((SHARES, sizes.classes), np.int32)
        self._room = np.empty((5, 0), np.int32)

    def sorted(self, terms: Sequence[Listed]) -> tuple[Ints, Ints, Ints]:
        """Where the list of each class begins, the other class of each entry, and its tag."""
        count = sum(len(term.rows) for term in terms)
        for term in terms:
            if 2 * count > MOST_ENTRIES or (term.role == ROW_AS_ROLE and len(term.rows) > MOST_ROWS):
                raise SettingError(
                    f"a step with {len(term.rows):,} {term.form} axioms is too large: set a smaller batch"
                )
        if count > self._room.shape[1] // 2:
            self._room = np.empty((5, 2 * count), np.int32)
        first, second, tag = self._room[:3, :count]
        other, tags = self._room[3:, : 2 * count]
        place = 0
        for number, term in enumerate(terms):
            here = slice(place, place + len(term.rows))
            place = here.stop
            columns = (term.first, term.second, term.role)
            sizes = (self._sizes.classes, self._sizes.roles)
            if not expand(term.rows, columns, sizes, number, first[here], second[here], tag[here]):
                raise SettingError(
                    f"the {term.form} rows have ids that the model of {self._sizes.classes} classes does not know"
                )
        index(first, second, tag, self._cursor, self._start, other, tags)
        divide(self._start, self.bounds)
        return self._start, other, tags
