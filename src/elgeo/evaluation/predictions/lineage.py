"""Pairs of a class and one above or below it: seldom what a role joins, and often what a model likes best."""

from __future__ import annotations

import numpy as np

from elgeo.arrays import Ids, Table
from elgeo.datasets.model import Dataset
from elgeo.evaluation.measures.hierarchy import ClassHierarchy
from elgeo.keys import contained

RARE = 0.01
"""Pairs of one direction are left out where less than this share of the training axioms are such pairs."""


def lineage(dataset: Dataset, hierarchy: ClassHierarchy, heads: Ids, tails: Ids) -> Table:
    """(head, tail) of all pairs that training has no use for: a tail above its head, a tail below it.

    Where the target is C ⊑ D a tail above is what is looked for; a tail below would make both the same.
    """
    ends = dataset.train[:, [0, -1]]
    found = [np.empty((0, 2), np.int32)]
    if dataset.target_role is not None:
        found.append(_unless_usual(ends, hierarchy, heads, tails))
    found.append(_unless_usual(ends[:, ::-1], hierarchy, tails, heads)[:, ::-1])
    return np.concatenate(found)


def _unless_usual(ends: Table, hierarchy: ClassHierarchy, low: Ids, high: Ids) -> Table:
    """Pairs of a class of `low` and one of `high` above it, unless many of the training axioms are such pairs."""
    trained = _pairs(hierarchy, np.unique(ends[:, 0]), np.unique(ends[:, 1]))
    if len(ends) and contained(ends, trained).mean() >= RARE:
        return np.empty((0, 2), np.int32)
    return _pairs(hierarchy, low, high)


def _pairs(hierarchy: ClassHierarchy, low: Ids, high: Ids) -> Table:
    """All pairs of a class of `low` and another of `high` above it."""
    rows = [hierarchy.superclasses(int(c)) for c in low]
    pairs = np.column_stack([np.repeat(low, [len(row) for row in rows]), np.concatenate([low[:0], *rows])])
    return np.asarray(pairs[np.isin(pairs[:, 1], high) & (pairs[:, 0] != pairs[:, 1])], np.int32)
