"""Classes that exist for a question only: saturated in batches against a finished saturation, which stays as it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from elgeo.arrays import Flags, Ints, Longs, Table
from elgeo.ontology.vocabulary import BOTTOM
from elgeo.reasoning.saturation.readout import subsumer_rows
from elgeo.reasoning.saturation.saturate import Saturation


@dataclass(frozen=True, eq=False)
class QueryRows:
    """S(X) of each query class X, as in `Saturation`; X itself has no id and is not in it."""

    subsumer_start: Longs
    subsumers: Ints
    unsatisfiable: Flags

    def contains(self, queries: ArrayLike, classes: ArrayLike) -> Flags:
        """Whether X ⊑ D follows, for pairs of a query number and a class."""
        queries, classes = np.asarray(queries, np.int64), np.asarray(classes, np.int64)
        width = np.int64(1) << 32
        owners = np.repeat(np.arange(len(self.unsatisfiable), dtype=np.int64), np.diff(self.subsumer_start))
        keys = owners * width + self.subsumers
        wanted = queries * width + classes
        at = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
        found: Flags = (keys[at] == wanted) | self.unsatisfiable[queries]
        return found


def saturate_queries(
    saturation: Saturation, count: int, subsumers: ArrayLike = (), existentials: ArrayLike = ()
) -> QueryRows:
    """Saturate `count` fresh classes X₀, X₁, … against `saturation`.

    `subsumers` has rows (i, c) for Xᵢ ⊑ C, `existentials` rows (i, r, c) for Xᵢ ⊑ ∃r.C; as everywhere, C is then in the
    range of r too. So C ⊓ D ⊑ E follows iff E is in the row of X with (i, c), (i, d), and ∃r.C ⊑ D iff D is in the row
    of X with (i, r, c). The saturation gives the same answers afterwards: the batch leaves nothing behind.

    >>> rows = saturate_queries(saturation, 1, subsumers=[(0, c), (0, d)])      # doctest: +SKIP
    >>> rows.contains([0], [e])                                                 # doctest: +SKIP
    """
    told, links = _table(subsumers, 2), _table(existentials, 3)
    completion = saturation.completion
    state = completion.state
    n = completion.n
    saved = state.checkpoint()
    try:
        links, fillers, inner, items = _fillers(saturation, links)
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
        start, items = subsumer_rows(state.arena, state.head, first, first + count, n)
    finally:
        state.rollback(saved)
    unsatisfiable = np.zeros(count, np.bool_)
    unsatisfiable[np.repeat(np.arange(count), np.diff(start))[items == BOTTOM]] = True
    return QueryRows(start, items, unsatisfiable)


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
