"""Pairs of a class and one above or below it: seldom what a role joins, and often what a model likes best."""

from __future__ import annotations

import numpy as np

from elgeo.arrays import Ids, Table
from elgeo.datasets.model import Dataset
from elgeo.evaluation.entailments import Entailments
from elgeo.evaluation.measures.hierarchy import ClassHierarchy
from elgeo.keys import contained
from elgeo.reasoning.closure.tail_rows import ranges

RARE = 0.01
"""Pairs of one direction are left out where less than this share of the training axioms are such pairs."""


def lineage(dataset: Dataset, entailments: Entailments, heads: Ids, tails: Ids) -> Table:
    """(head, tail) of all pairs that training has no use for: a tail above its head, a tail below it.

    Where the target is C ⊑ D a tail above is what is looked for; a tail below would make both the same.
    """
    ends, hierarchy = dataset.train[:, [0, -1]], entailments.hierarchy
    found = [np.empty((0, 2), np.int32)]
    if dataset.target_role is not None and not entailments.once("tails above", lambda: _is_usual(ends, hierarchy)):
        found.append(_pairs(hierarchy, heads, tails))
    if not entailments.once("tails below", lambda: _is_usual(ends[:, ::-1], hierarchy)):
        found.append(_pairs(hierarchy, tails, heads)[:, ::-1])
    return np.concatenate(found)


def _is_usual(ends: Table, hierarchy: ClassHierarchy) -> bool:
    """Whether many of the training axioms join a class and one above it."""
    trained = _pairs(hierarchy, np.unique(ends[:, 0]), np.unique(ends[:, 1]))
    return len(ends) > 0 and bool(contained(ends, trained).mean() >= RARE)


def _pairs(hierarchy: ClassHierarchy, low: Ids, high: Ids) -> Table:
    """All pairs of a class of `low` and another of `high` above it."""
    first, last = hierarchy.start[low], hierarchy.start[low + 1]
    pairs = np.column_stack([np.repeat(low, last - first), hierarchy.above[ranges(first, last)]])
    return np.asarray(pairs[np.isin(pairs[:, 1], high) & (pairs[:, 0] != pairs[:, 1])], np.int32)
