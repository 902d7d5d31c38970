"""The complete closure: exactly what a saturated ontology entails."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from elgeo.arrays import Flags, Ints, Table
from elgeo.ontology.normal_forms import FORMS, form_named
from elgeo.ontology.vocabulary import BOTTOM, TOP, Kind
from elgeo.reasoning.closure.base import Closure, Left
from elgeo.reasoning.closure.complete_tables import listed
from elgeo.reasoning.closure.queries import QueryCache, universal_rows
from elgeo.reasoning.closure.tail_rows import (
    Links,
    TailRows,
    grouped_links,
    has_tail_many,
    materialised,
    plain_rows,
    reaches_many,
    rows_of_pairs,
    starts_of,
)
from elgeo.reasoning.questions.role_queries import chains_entailed
from elgeo.reasoning.saturation.queries import QueryRows, saturate_queries
from elgeo.reasoning.saturation.saturate import Saturation

MEMORY = 2 << 30
"""Bytes that the rows of C ⊑ ∃R.D may take; above it they are found through the links at each question."""


class CompleteClosure(Closure):
    """C ⊑ D iff D ∈ S(C) or ⊥ ∈ S(C); C ⊑ ∃R.D iff ⊥ ∈ S(C) or some R-link of C leads to E with D ∈ S(E).

    C ⊓ D ⊑ E and ∃R.C ⊑ D are decided by a fresh class below C and D, or below ∃R.C, saturated against the finished
    state. `memory` is the number of bytes that rows may take.

    `count` counts axioms with satisfiable classes on the left, without C ⊑ C, the universal role and roles that only
    normalisation knows: all C ⊑ D and C ⊑ ∃R.D; of C ⊓ D ⊑ E, ∃R.C ⊑ D and their ⊥ forms those with an asserted left
    side (there are too many others), C ⊓ D ⊑ E only where neither C nor D is below E alone; inclusions of roles;
    asserted compositions with smaller roles on the left and larger ones on the right.
    """

    mode = "complete"

    def __init__(self, saturation: Saturation, memory: int = MEMORY) -> None:
        super().__init__(saturation)
        self.memory = memory
        self._conjunctions = QueryCache(self._ask_conjunctions, self.n_classes, memory // 8)
        self._existentials = QueryCache(self._ask_existentials, self.n_classes, memory // 8)

    def count(self, form: str, fresh: bool = False) -> int:
        return sum(len(table) for table in self.tables(form, fresh))

    def tables(self, form: str, fresh: bool = False) -> Iterator[Table]:
        name = form_named(form).name
        return (self.of_known_roles(name, table, fresh) for table in listed(self, name, self.countable(fresh)))

    @cached_property
    def subsumers(self) -> TailRows:
        """S as rows for kernels."""
        s = self.saturation
        if s.unconditional is None:
            return plain_rows(s.subsumer_start, s.subsumers, s.unsatisfiable)
        known = s.subsumers < self.n_classes
        start = np.append(0, np.cumsum(known))[s.subsumer_start]
        return plain_rows(start, s.subsumers[known], s.unsatisfiable)

    @cached_property
    def links(self) -> Links:
        """The closed links of each class and role."""
        s = self.saturation
        return grouped_links(s.link_start, s.link_roles, s.link_targets)

    @cached_property
    def _rows(self) -> TailRows | None:
        return materialised(self.links, self.subsumers, self.n_roles, self.memory)

    @cached_property
    def _universal(self) -> Flags:
        return self.saturation.completion.roles.universal

    def _in_rows(self, form: str) -> bool:
        return form != "existential" or self._rows is not None

    def left(self, form: str, left: Table) -> Left:
        no_roles = np.zeros(len(left), np.int32)
        if form == "subclass":
            return Left(self.subsumers, np.ascontiguousarray(left[:, 0]), no_roles)
        if form == "existential":
            heads, roles = np.ascontiguousarray(left[:, 0]), np.ascontiguousarray(left[:, 1])
            if self._rows is not None and not self._universal[roles].any():
                return Left(self._rows, heads, roles)
            return self._left_on_demand(heads, roles)
        rows, index = self._cache(form).rows(_in_order(left) if form == "conjunction" else left)
        return Left(rows, index, no_roles)

    def _left_on_demand(self, heads: Ints, roles: Ints) -> Left:
        """Rows of the heads and roles that are asked for, made for this question."""
        keys, index = np.unique(heads * np.int64(self.n_roles) + roles, return_inverse=True)
        some_heads, some_roles = (keys // self.n_roles).astype(np.int32), (keys % self.n_roles).astype(np.int32)
        universal = self._universal[some_roles]
        plain = rows_of_pairs(self.links, self.subsumers, some_heads[~universal], some_roles[~universal])
        existing = np.append(np.flatnonzero(self.forms.vocabulary.class_kinds == Kind.INDIVIDUAL), TOP)
        reached = universal_rows(self.links, self.subsumers, some_heads[universal], existing.astype(np.int32))
        both = plain_rows(
            starts_of(np.concatenate([np.diff(plain.start), np.diff(reached.start)])),
            np.concatenate([plain.tails, reached.tails]),
            np.concatenate([plain.unsatisfiable, reached.unsatisfiable]),
        )
        place = np.where(universal, np.cumsum(universal) - 1 + (~universal).sum(), np.cumsum(~universal) - 1)
        return Left(both, place[index.ravel()].astype(np.int32), np.zeros(len(heads), np.int32))

    def _contains(self, form: str, table: Table) -> Flags:
        if form == "empty":
            return np.asarray(self.saturation.unsatisfiable[table[:, 0]])
        general = FORMS[form].general
        if general != form:
            bottom = np.full((len(table), 1), BOTTOM, np.int32)
            return self._contains(general, np.concatenate([table, bottom], axis=1))
        if form == "conjunction":
            return self._contains_conjunctions(table)
        if form in ("subrole", "chain"):
            return chains_entailed(self.saturation, table)
        if form == "existential" and self._rows is None and not self._universal[table[:, 1]].any():
            return np.asarray(reaches_many(*self.links, *self.subsumers[:3], table))
        return super()._contains(form, table)

    def _contains_conjunctions(self, table: Table) -> Flags:
        """E above a class below both that was asked for before; or above C or D already; or else asked for now."""
        rows, places = self._conjunctions.known(_in_order(table))
        if (places >= 0).all():
            return self._tails(rows, places, table[:, 2])
        found = np.zeros(len(table), np.bool_)
        known = np.flatnonzero(places >= 0)
        found[known] = self._tails(rows, places[known], table[known, 2])
        new = np.flatnonzero(places < 0)
        c, d, e = np.ascontiguousarray(table[new].T)
        found[new] = self._tails(self.subsumers, c, e) | self._tails(self.subsumers, d, e)
        rest = new[~found[new]]
        if len(rest):
            found[rest] = super()._contains("conjunction", table[rest])
        return found

    def _tails(self, rows: TailRows, heads: Ints, last: Ints) -> Flags:
        return np.asarray(has_tail_many(*rows, heads, np.zeros(len(heads), np.int32), np.ascontiguousarray(last)))

    def _cache(self, form: str) -> QueryCache:
        return self._conjunctions if form == "conjunction" else self._existentials

    def _ask_conjunctions(self, pairs: Table) -> QueryRows:
        number = np.arange(len(pairs), dtype=np.int32)
        both = np.concatenate([np.stack([number, pairs[:, 0]], axis=1), np.stack([number, pairs[:, 1]], axis=1)])
        return saturate_queries(self.saturation, len(pairs), subsumers=both)

    def _ask_existentials(self, pairs: Table) -> QueryRows:
        number = np.arange(len(pairs), dtype=np.int32)[:, None]
        return saturate_queries(self.saturation, len(pairs), existentials=np.concatenate([number, pairs], axis=1))


def _in_order(pairs: Table) -> Table:
    """C ⊓ D and D ⊓ C are the same question."""
    return np.stack([np.minimum(pairs[:, 0], pairs[:, 1]), np.maximum(pairs[:, 0], pairs[:, 1])], axis=1)
