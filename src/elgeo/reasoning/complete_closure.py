"""The complete closure: exactly what a saturated ontology entails."""

from __future__ import annotations

from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from elgeo.errors import SettingError
from elgeo.ontology.normal_forms import NormalForms, Table, form_named
from elgeo.reasoning.closure import Closure, Left
from elgeo.reasoning.closure_rows import (
    Flags,
    Ints,
    Links,
    Starts,
    TailRows,
    grouped_links,
    materialised,
    plain_rows,
    reaches_many,
    rows_of_pairs,
)

MEMORY = 2 << 30
"""Bytes that the rows of C ⊑ ∃R.D may take; above it they are found through the links at each question."""


_CHUNK = 1 << 20


class Saturated(Protocol):
    """What the closure reads of a saturation."""

    @property
    def forms(self) -> NormalForms: ...
    @property
    def subsumer_start(self) -> Starts: ...
    @property
    def subsumers(self) -> Ints: ...
    @property
    def link_start(self) -> Starts: ...
    @property
    def link_roles(self) -> Ints: ...
    @property
    def link_targets(self) -> Ints: ...
    @property
    def unsatisfiable(self) -> Flags: ...


class CompleteClosure(Closure):
    """C ⊑ D iff D ∈ S(C) or ⊥ ∈ S(C); C ⊑ ∃R.D iff ⊥ ∈ S(C) or some R-link of C leads to E with D ∈ S(E).

    `count` counts axioms between named classes and individuals whose left side is satisfiable, without C ⊑ C.
    `memory` is the number of bytes that rows may take.
    """

    mode = "complete"

    def __init__(self, saturation: Saturated, memory: int = MEMORY) -> None:
        super().__init__(saturation.forms)
        self.saturation = saturation
        self.memory = memory

    def count(self, form: str) -> int:
        name = form_named(form).name
        if name == "subclass":
            return self._count_subclass()
        if name == "existential":
            return self._count_existential()
        if name == "empty":
            return int((self.visible & self.saturation.unsatisfiable).sum())
        raise SettingError(f"{name} is not in the closure")

    @cached_property
    def subsumers(self) -> TailRows:
        """S as rows for kernels."""
        s = self.saturation
        return plain_rows(s.subsumer_start, s.subsumers, s.unsatisfiable)

    @cached_property
    def links(self) -> Links:
        """The closed links of each class and role."""
        s = self.saturation
        return grouped_links(s.link_start, s.link_roles, s.link_targets)

    @cached_property
    def _rows(self) -> TailRows | None:
        return materialised(self.links, self.subsumers, self.n_roles, self.memory)

    def _in_rows(self, form: str) -> bool:
        return form != "existential" or self._rows is not None

    def _left(self, form: str, left: Table) -> Left:
        if form == "subclass":
            return Left(self.subsumers, np.ascontiguousarray(left[:, 0]), np.zeros(len(left), np.int32))
        if form == "existential":
            heads, roles = np.ascontiguousarray(left[:, 0]), np.ascontiguousarray(left[:, 1])
            if self._rows is not None:
                return Left(self._rows, heads, roles)
            keys, index = np.unique(heads * np.int64(self.n_roles) + roles, return_inverse=True)
            rows = rows_of_pairs(self.links, self.subsumers, *_pairs(keys, self.n_roles))
            return Left(rows, index.astype(np.int32), np.zeros(len(heads), np.int32))
        raise SettingError(f"{form} is not in the closure")

    def _contains(self, form: str, table: Table) -> Flags:
        if form == "existential" and self._rows is None:
            return np.asarray(reaches_many(*self.links, *self.subsumers[:3], table))
        if form == "empty":
            return np.asarray(self.saturation.unsatisfiable[table[:, 0]])
        return super()._contains(form, table)

    def _count_subclass(self) -> int:
        rows = self.subsumers
        owners = np.repeat(np.arange(self.n_classes), np.diff(rows.start))
        sound = self.visible & ~rows.unsatisfiable
        return int((sound[owners] & self.visible[rows.tails]).sum() - sound.sum())

    def _count_existential(self) -> int:
        """Entry by entry from the links, a chunk at a time, whether rows are kept or not."""
        links, total = self.links, 0
        owners = np.repeat(np.arange(self.n_classes), np.diff(links.entry_start))
        entries = np.flatnonzero((self.visible & ~self.subsumers.unsatisfiable)[owners])
        for some in np.array_split(entries, 1 + len(entries) // _CHUNK):
            rows = rows_of_pairs(links, self.subsumers, owners[some].astype(np.int32), links.roles[some])
            total += int(self.visible[rows.tails].sum())
        return total


def _pairs(keys: NDArray[np.int64], n_roles: int) -> tuple[Ints, Ints]:
    return (keys // n_roles).astype(np.int32), (keys % n_roles).astype(np.int32)
