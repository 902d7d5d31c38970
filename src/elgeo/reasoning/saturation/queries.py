"""Classes that exist for a question only: saturated in batches against a finished saturation, which stays as it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from elgeo.arrays import Flags, Ints, Longs, Table
from elgeo.ontology.extension import NewRow
from elgeo.ontology.vocabulary import BOTTOM
from elgeo.reasoning.saturation.readout import subsumer_rows
from elgeo.reasoning.saturation.saturate import Saturation


@dataclass(frozen=True, eq=False)
class QueryRows:
    """S(X) of each query class X, as in `Saturation`; X itself has no id and is not in it."""

    subsumer_start: Longs
    subsumers: Ints
    unsatisfiable: Flags


def saturate_queries(
    saturation: Saturation, count: int, subsumers: ArrayLike = (), existentials: ArrayLike = ()
) -> QueryRows:
    """Saturate `count` fresh classes X₀, X₁, … against `saturation`.

    `subsumers` has rows (i, c) for Xᵢ ⊑ C, `existentials` rows (i, r, c) for Xᵢ ⊑ ∃r.C; as everywhere, C is then in the
    range of r too. So C ⊓ D ⊑ E follows iff E is in the row of X with (i, c), (i, d), and ∃r.C ⊑ D iff D is in the row
    of X with (i, r, c). The saturation gives the same answers afterwards: the batch leaves nothing behind.

    >>> rows = saturate_queries(saturation, 1, subsumers=[(0, c), (0, d)])      # doctest: +SKIP
    >>> e in rows.subsumers or rows.unsatisfiable[0]                            # doctest: +SKIP
    """
    told, asked = _table(subsumers, 2), _table(existentials, 3)
    completion = saturation.completion
    state = completion.state
    n = completion.n
    saved = state.checkpoint()
    try:
        links, fillers, inner, items = _fillers(saturation, asked)
        state.add_queries(fillers)
        state.derive(inner, items)
        completion.run(frozen=n)
        first = state.n
        parents = np.full(count, -1, np.int32)
        parents[told[::-1, 0]] = told[::-1, 1]
        state.add_queries(parents)
        state.derive(told[:, 0] + np.int32(first), np.ascontiguousarray(told[:, 1]))
        state.derive(links[:, 0] + np.int32(first), state.links(links[:, 1:]))
        completion.run(frozen=first)
        start, items = subsumer_rows(state.arena, state.head, first, first + count, saturation.n_known)
    finally:
        state.rollback(saved)
    if saturation.may_have_conditions:
        start, items = _under_conditions(saturation, start, items, told, asked)
    unsatisfiable = np.zeros(count, np.bool_)
    unsatisfiable[np.repeat(np.arange(count), np.diff(start))[items == BOTTOM]] = True
    return QueryRows(start, items, unsatisfiable)


def _under_conditions(
    saturation: Saturation, start: Longs, items: Ints, told: Table, links: Table
) -> tuple[Longs, Ints]:
    """The rows with those made anew of queries that, if they had an instance, would tell more of others."""
    from elgeo.reasoning.saturation.conditions import continued, under_conditions

    n, count = len(saturation.unsatisfiable), len(start) - 1
    owners = np.repeat(np.arange(count), np.diff(start))
    doubtful = np.zeros(count, np.bool_)
    doubtful[owners[saturation.completion.nominal[items]]] = True
    doubtful[told[saturation.conditional[told[:, 1]], 0]] = True
    doubtful[links[:, 0]] = True
    if len(saturation.completion.hidden.universal):
        doubtful[:] = True
    doubtful[owners[items == BOTTOM]] = False
    which = np.flatnonzero(doubtful)
    if not len(which):
        return start, items
    place = np.full(count, -1)
    place[which] = np.arange(len(which))
    told, links = told[doubtful[told[:, 0]]], links[doubtful[links[:, 0]]]
    fillers = n + len(which) + np.arange(len(links))
    below = saturation.completion.roles.below
    pairs = list(zip(fillers.tolist(), links[:, 1].tolist(), strict=True))
    ranges = [(y, c) for y, r in pairs for s, c in saturation.forms["range"].tolist() if below[r, s]]
    subclass = [(n + int(place[i]), int(c)) for i, c in told]
    subclass += [(int(y), int(c)) for y, c in zip(fillers, links[:, 2], strict=True)] + ranges
    existential = [(n + int(place[i]), int(r), int(y)) for (i, r, _), y in zip(links, fillers, strict=True)]
    rows: dict[str, list[NewRow]] = {
        "subclass": [(row, ()) for row in subclass],
        "existential": [(row, ()) for row in existential],
    }
    size = len(which) + len(links)
    wider = continued(saturation, [f"query {i}" for i in range(size)], rows)
    wider = under_conditions(wider, np.arange(n, n + len(which)))
    parts = [items[start[i] : start[i + 1]] for i in range(count)]
    for i in which.tolist():
        mine = wider.subsumers_of(int(n + place[i]))
        parts[i] = mine[mine < saturation.n_known]
    sizes = np.array([len(part) for part in parts], np.int64)
    return np.append(0, np.cumsum(sizes)), np.concatenate([np.empty(0, np.int32), *parts])


def _fillers(saturation: Saturation, links: Table) -> tuple[Table, Ints, Ints, Ints]:
    """Rows with C ⊓ range of r, a context of its own, for C where r has a range.

    Also the C of each of those contexts, and the pairs of a context and a range in it.
    """
    completion = saturation.completion
    ranges = saturation.forms["range"]
    below, which = np.nonzero(completion.roles.below[:, ranges[:, 0]])
    ranged = np.isin(links[:, 1], below)
    pairs, number = np.unique(links[ranged, 1:], axis=0, return_inverse=True)
    links = links.copy()
    links[ranged, 2] = completion.n + number.ravel()
    row, at = np.nonzero(pairs[:, 0][:, None] == below[None, :])
    inner, items = completion.n + row, ranges[which[at], 1]
    return links, np.ascontiguousarray(pairs[:, 1]), inner.astype(np.int32), items.astype(np.int32)


def _table(rows: ArrayLike, width: int) -> Table:
    return np.ascontiguousarray(np.asarray(rows, np.int32).reshape(-1, width))
