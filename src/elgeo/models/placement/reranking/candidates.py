"""Which classes are looked at closely as parents of a term: the best by closed form, and what is around those."""

from __future__ import annotations

import numpy as np

from elgeo.arrays import Places
from elgeo.models.atlas.operators.dense import Dense
from elgeo.models.placement.hierarchy import ToldHierarchy

MOST = 300
AROUND, BELOW = 25, 8
"""Of so many of the best the parents and their parents are looked at too, and of so many the children."""
SHARE = 3
"""What is around takes at most a third of the places."""


def candidates(scores: Dense, hierarchy: ToldHierarchy) -> Places:
    """For each row of scores as many classes, the best first."""
    count = min(MOST, scores.shape[1])
    return np.stack([_of_row(row, hierarchy, count) for row in scores])


def _of_row(scores: Dense, hierarchy: ToldHierarchy, count: int) -> Places:
    best = _ordered(np.argpartition(-scores, count - 1)[:count], scores)
    above = hierarchy.up[best[:AROUND]].indices
    around = [above, hierarchy.up[above].indices, hierarchy.down[best[:BELOW]].indices]
    more = np.setdiff1d(np.concatenate(around), best)
    more = _ordered(more, scores)[: count // SHARE]
    return _ordered(np.concatenate([best[: count - len(more)], more]), scores)


def _ordered(places: Places, scores: Dense) -> Places:
    places = np.sort(places).astype(np.int64)
    return places[np.argsort(-scores[places], kind="stable")]
