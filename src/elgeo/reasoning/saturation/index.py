"""`Rules`: the normal forms as rule tables that the kernel looks up by what has just been derived."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from elgeo.arrays import Bytes, Flags, Ints, Table
from elgeo.keys import distinct
from elgeo.ontology.vocabulary import BOTTOM, TOP, TOP_ROLE
from elgeo.reasoning.saturation.roles import RoleBox

HIDDEN = 1 << 29
"""Items from here on are no classes: first ∃U.C of each C in `universal`, then ∃r.Self of each role."""
LINK = 1 << 30
"""Items from here on are links ∃r.D, numbered as they are met (`memory.link_item`)."""


class Told(NamedTuple):
    """C ⊑ D, C ⊑ ∃r.D: items that follow from the key alone."""

    start: Ints
    item: Ints


class Conjunctions(NamedTuple):
    """C ⊓ D ⊑ E, under C and under D; sorted by the other."""

    start: Ints
    other: Ints
    result: Ints


class Existentials(NamedTuple):
    """∃r.C ⊑ D under C; sorted by role."""

    start: Ints
    role: Ints
    result: Ints


class Domains(NamedTuple):
    """∃s.⊤ ⊑ D under every role r ⊑ s."""

    start: Ints
    result: Ints


class Hierarchy(NamedTuple):
    """r ⊑ s: `below` as in `RoleBox`, and the roles above each role, ascending."""

    below: Bytes
    start: Ints
    above: Ints


class Compositions(NamedTuple):
    """r ∘ s ⊑ t by signature, as in `RoleBox`; `width` is the number of signatures on the right."""

    left: Ints
    right: Ints
    width: int
    start: Ints
    result: Ints


class Rules(NamedTuple):
    """All that the kernel knows of an ontology: rows of rules, grouped (`start`) by the item whose arrival fires them.

    A row number is the class id, or n + (item - HIDDEN) for hidden items. Tables only; what they are read by is in
    `rules.py`, under the same names.
    """

    told: Told
    conjunctions: Conjunctions
    existentials: Existentials
    domains: Domains
    hierarchy: Hierarchy
    compositions: Compositions
    self_chains: Table
    """Chains r ∘ s ⊑ t where r or s may be a self-loop; empty in nearly every ontology."""
    self_of_nominals: bool
    """Whether {a} ⊑ ∃r.{a} has to become {a} ⊑ ∃r.Self: not where that holds of every r for all classes."""
    n: int
    """How many classes there are."""
    first_loop: int
    """As in `Hidden`."""
    nominal: Flags
    """The classes that are individuals."""

    @property
    def firing(self) -> Flags:
        """Which rows have any rule."""
        told, conjunctions = np.diff(self.told.start), np.diff(self.conjunctions.start)
        return (told > 0) | (conjunctions > 0) | (np.diff(self.existentials.start) > 0)


class Hidden(NamedTuple):
    """What the hidden items stand for."""

    universal: Ints
    """The classes C with a hidden item for ∃U.C, ascending."""
    looping: Flags
    """The roles, not reflexive, that may have self-loops."""

    def existential(self, classes: Ints) -> Ints:
        """The items of ∃U.C."""
        return (HIDDEN + np.searchsorted(self.universal, classes)).astype(np.int32)

    def self_loop(self, roles: Ints) -> Ints:
        """The items of ∃r.Self."""
        return (self.first_loop + roles).astype(np.int32)

    @property
    def first_loop(self) -> int:
        """The item of ∃r.Self of role 0; the others follow."""
        return HIDDEN + len(self.universal)

    @property
    def how_many(self) -> int:
        return len(self.universal) + len(self.looping)

    @property
    def in_use(self) -> bool:
        return bool(len(self.universal) or self.looping.any())

    def same_as(self, other: Hidden) -> bool:
        """Whether all items stand for the same."""
        return np.array_equal(self.universal, other.universal) and np.array_equal(self.looping, other.looping)

    @classmethod
    def of(cls, tables: Mapping[str, Table], roles: RoleBox, nominals: bool) -> Hidden:
        """Those that `tables` need."""
        left = _left_existentials(tables)
        universal = distinct(left[roles.universal[left[:, 0]], 1])
        looping = np.zeros(roles.n, np.bool_)
        looping[tables["self"][:, 1]] = True
        if nominals and len(tables["left_self"]):
            looping[:] = True
        while True:
            wider = looping | (roles.below[looping].any(axis=0) if looping.any() else False)
            either = wider | roles.reflexive
            for r, s, t in roles.chains:
                wider[t] |= either[r] and either[s] and (wider[r] or wider[s])
            wider &= ~roles.reflexive
            if (wider == looping).all():
                return cls(universal.astype(np.int32), looping)
            looping = wider


class _Rows:
    """Collects pairs or triples of one rule table."""

    def __init__(self, width: int) -> None:
        self.parts: list[Table] = [np.empty((0, width), np.int32)]

    def add(self, *columns: Ints | int) -> None:
        """Rows of columns of one length; a number stands in each of them. Most tables of small ontologies are empty."""
        if rows := next((len(column) for column in columns if not isinstance(column, int)), 1):
            part = np.empty((rows, len(columns)), np.int32)
            for i, column in enumerate(columns):
                part[:, i] = column
            self.parts.append(part)

    def table(self) -> Table:
        return np.concatenate(self.parts)


def rules_of(tables: Mapping[str, Table], roles: RoleBox, hidden: Hidden, link_items: Ints, nominal: Flags) -> Rules:
    """The rules of `tables`; `link_items[i]` is the item of the right side of existential row i.

    Each row of a table becomes rows of rules by itself, given the roles: the rules of added rows are the addition to
    the rules.
    """
    n = len(nominal)
    told, conjunction, existential = _Rows(2), _Rows(3), _Rows(3)
    told.add(tables["subclass"][:, 0], tables["subclass"][:, 1])
    told.add(tables["empty"][:, 0], BOTTOM)
    told.add(tables["existential"][:, 0], link_items)
    _conjunctions(tables, told, conjunction)
    domains = _existentials(tables, roles, hidden, told, conjunction, existential)
    self_chains = _self_loops(tables, roles, hidden, told, conjunction)
    rows = n + hidden.how_many
    in_kernel = roles.in_kernel
    lower, above = (ids.astype(np.int32) for ids in np.nonzero(in_kernel))
    above_start = np.searchsorted(lower, np.arange(len(in_kernel) + 1)).astype(np.int32)
    return Rules(
        told=Told(*_grouped(told.table(), rows, n)),
        conjunctions=Conjunctions(*_grouped(conjunction.table(), rows, n)),
        existentials=Existentials(*_grouped(existential.table(), rows, n)),
        domains=Domains(*_grouped(domains, len(in_kernel), n)),
        hierarchy=Hierarchy(in_kernel, above_start, above),
        compositions=Compositions(
            *roles.signatures_in_kernel, roles.right_signatures, roles.composed_start, roles.composed_in_kernel
        ),
        self_chains=self_chains,
        self_of_nominals=bool(len(tables["left_self"]) and hidden.looping.any()),
        n=n,
        first_loop=hidden.first_loop,
        nominal=nominal,
    )


def _conjunctions(tables: Mapping[str, Table], told: _Rows, conjunction: _Rows) -> None:
    """C ⊓ D ⊑ E and C ⊓ D ⊑ ⊥; with C = D, or one of them ⊤, that is an inclusion."""
    disjoint = tables["disjoint"]
    bottoms = np.full((len(disjoint), 1), BOTTOM, np.int32)
    c, d, e = np.concatenate([tables["conjunction"], np.concatenate([disjoint, bottoms], axis=1)]).T
    single = (c == d) | (c == TOP) | (d == TOP)
    told.add(np.where(c == TOP, d, c)[single], e[single])
    c, d, e = c[~single], d[~single], e[~single]
    conjunction.add(c, d, e)
    conjunction.add(d, c, e)


def _left_existentials(tables: Mapping[str, Table]) -> Table:
    empty = tables["empty_existential"]
    bottoms = np.full((len(empty), 1), BOTTOM, np.int32)
    return np.concatenate([tables["left_existential"], np.concatenate([empty, bottoms], axis=1)])


def _existentials(
    tables: Mapping[str, Table], roles: RoleBox, hidden: Hidden, told: _Rows, conjunction: _Rows, existential: _Rows
) -> Table:
    """∃r.C ⊑ D in all its readings; the rows of ∃r.⊤ ⊑ D are returned by role."""
    left = _left_existentials(tables)
    r, c, d = left[left[:, 1] != BOTTOM].T
    # ∃U.⊥ ⊑ ⊥, and every role is below U: a link to nothing is nothing
    existential.add(BOTTOM, TOP_ROLE, BOTTOM)
    reflexive = roles.reflexive[r]
    told.add(c[reflexive], d[reflexive])
    universal = roles.universal[r]
    some = hidden.existential(c[universal])
    told.add(c[universal], some)
    told.add(some, d[universal])
    existential.add(some, TOP_ROLE, some)
    looping = hidden.looping[r]
    loop, to_top = hidden.self_loop(r[looping]), c[looping] == TOP
    told.add(loop[to_top], d[looping][to_top])
    conjunction.add(loop[~to_top], c[looping][~to_top], d[looping][~to_top])
    conjunction.add(c[looping][~to_top], loop[~to_top], d[looping][~to_top])
    rest = ~universal
    existential.add(c[rest & (c != TOP)], r[rest & (c != TOP)], d[rest & (c != TOP)])
    above, below = np.nonzero(roles.in_kernel.T[r[rest & (c == TOP)]])
    return np.stack([below, d[rest & (c == TOP)][above]], axis=1).astype(np.int32)


def _self_loops(tables: Mapping[str, Table], roles: RoleBox, hidden: Hidden, told: _Rows, conjunction: _Rows) -> Table:
    """C ⊑ ∃r.Self, ∃r.Self ⊑ D, and the ranges of loops; returns the chains a loop may take part in."""
    c, r = tables["self"].T
    local = ~roles.reflexive[r]
    told.add(c[local], hidden.self_loop(r[local]))
    for table in (tables["left_self"], tables["range"]):
        s, d = table.T
        told.add(TOP, d[roles.reflexive[s]])
        loops = hidden.looping[s]
        told.add(hidden.self_loop(s[loops]), d[loops])
    below, above = np.nonzero(roles.below * hidden.looping[:, None] * hidden.looping[None, :])
    strict = below != above
    told.add(hidden.self_loop(below[strict]), hidden.self_loop(above[strict]))
    chains = roles.chains
    r, s, t = chains[hidden.looping[chains[:, 0]] & hidden.looping[chains[:, 1]]].T
    first, second, result = hidden.self_loop(r), hidden.self_loop(s), hidden.self_loop(t)
    reflexive_result = roles.reflexive[t]
    once, twice = (r == s) & ~reflexive_result, (r != s) & ~reflexive_result
    told.add(first[once], result[once])
    conjunction.add(first[twice], second[twice], result[twice])
    conjunction.add(second[twice], first[twice], result[twice])
    return np.ascontiguousarray(chains[hidden.looping[chains[:, 0]] | hidden.looping[chains[:, 1]]])


def _grouped(table: Table, rows: int, n: int) -> Iterator[Ints]:
    """Starts and the other columns of rows sorted by the first (hidden items after the n classes), then the second."""
    keys = np.where(table[:, 0] >= HIDDEN, table[:, 0] - HIDDEN + n, table[:, 0]).astype(np.int64)
    order = np.argsort(keys << 31 | table[:, 1], kind="stable")
    start = np.zeros(rows + 1, np.int32)
    np.cumsum(np.bincount(keys, minlength=rows), out=start[1:])
    yield start
    yield from (np.ascontiguousarray(table[order, i]) for i in range(1, table.shape[1]))
