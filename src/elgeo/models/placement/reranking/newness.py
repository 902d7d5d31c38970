"""Old classes that are treated as new ones: some with all their siblings, some with all that is below, some alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy import sparse

from elgeo.arrays import Flags, Ints, Places
from elgeo.models.placement.knowledge import Knowledge
from elgeo.models.placement.terms import Term

SHARE = 0.2
"""At most this share of the classes that something is above."""
SIBLINGS, BRANCHES = 0.4, 0.25
"""Shares of those chosen that are whole families without children, and whole branches."""
LARGEST_FAMILY, LARGEST_BRANCH = 40, 12
MOST_BELOW = 50
"""A class with more below it has long been there."""


class HeldOut(NamedTuple):
    """Classes that are treated as new, what is left without them, and what is told of them about what is left."""

    left: Knowledge
    terms: Sequence[Term]
    true: Mapping[int | None, Sequence[Places]]
    """By role the ends of each term, numbers of `left`."""


def choose(knowledge: Knowledge, most: int, generator: np.random.Generator) -> Flags:
    """Which classes are to be new: curators add families and branches as well as single classes."""
    hierarchy = knowledge.hierarchy
    children, below = hierarchy.children, hierarchy.descendants
    labelled = np.array([bool(term.label) for term in knowledge.terms], np.bool_)
    may_be = (np.diff(hierarchy.up.indptr) > 0) & labelled & (below <= MOST_BELOW)
    count = min(most, int(SHARE * may_be.sum()))
    chosen = np.zeros(len(labelled), np.bool_)
    down, under = hierarchy.down, sparse.csr_array(hierarchy.above.T)
    for parent in generator.permutation(np.flatnonzero(children > 1)).tolist():
        family = down.indices[down.indptr[parent] : down.indptr[parent + 1]]
        family = family[may_be[family] & (children[family] == 0)]
        if len(family) <= LARGEST_FAMILY and chosen.sum() + len(family) <= SIBLINGS * count:
            chosen[family] = True
    for top in generator.permutation(np.flatnonzero((below > 0) & (below <= LARGEST_BRANCH) & may_be)).tolist():
        branch = np.append(under.indices[under.indptr[top] : under.indptr[top + 1]], top)
        branch = branch[may_be[branch]]
        if chosen.sum() + len(branch) <= (SIBLINGS + BRANCHES) * count:
            chosen[branch] = True
    alone = np.flatnonzero(may_be & ~chosen)
    chosen[generator.choice(alone, count - int(chosen.sum()), replace=False)] = True
    return chosen


def hold_out(knowledge: Knowledge, away: Flags) -> HeldOut:
    """Leave classes out; of what is told of them counts what is about classes that stay."""
    place = np.where(away, -1, np.cumsum(~away) - 1)
    classes: Ints = np.flatnonzero(away).astype(np.int32)
    true: dict[int | None, list[Places]] = {}
    for role, matrix in knowledge.told.items():
        ends = (place[matrix.indices[matrix.indptr[c] : matrix.indptr[c + 1]]] for c in classes.tolist())
        true[role] = [np.sort(of_class[of_class >= 0]).astype(np.int64) for of_class in ends]
    related = [i for i in range(len(classes)) if any(len(ends[i]) for ends in true.values())]
    terms = [knowledge.terms[classes[i]] for i in related]
    return HeldOut(knowledge.without(away), terms, {role: [ends[i] for i in related] for role, ends in true.items()})
