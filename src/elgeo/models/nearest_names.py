"""`nearest-names`: a baseline by words alone, what the classes with the nearest texts have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

import numpy as np
from scipy import sparse

from elgeo.arrays import Floats, Ids, Places
from elgeo.datasets.model import Dataset
from elgeo.models.atlas.contexts.logic import Matrix
from elgeo.models.contract import Baseline
from elgeo.models.placement.knowledge import Knowledge

NEAREST = 30
"""Classes that are asked what they have."""
AT_ONCE = 64
"""Classes whose likeness to all others is worked out together."""


def nearest(alike: Floats) -> Places:
    """The nearest classes by likeness (one row of it), the first ones among equals."""
    if len(alike) <= NEAREST:
        return np.argsort(-alike, kind="stable")
    least = np.partition(alike, len(alike) - NEAREST)[len(alike) - NEAREST]
    some = np.flatnonzero(alike >= least)
    return some[np.argsort(-alike[some], kind="stable")][:NEAREST]


def votes(alike: Floats, told: Matrix, as_parents: bool) -> Floats:
    """What the nearest classes have, by likeness (one row of it); as parents also the nearest themselves."""
    best = nearest(alike)
    found = np.asarray(alike[best] @ told[best], np.float64)
    return found + alike if as_parents else found


class NearestNames(Baseline):
    """score(C ⊑ ∃R.D) = Σ likeness of C to those of its 30 nearest texts that have D; for C ⊑ D also that to D."""

    name = "nearest-names"
    paper = "what the thirty classes with the nearest texts have"

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge

    @classmethod
    def fit(cls, dataset: Dataset) -> Self:
        return cls(Knowledge.of(dataset))

    def scorer(self) -> NearestScorer:
        return NearestScorer(self._knowledge)


class NearestScorer:
    """Scores by head, kept while they are asked for."""

    tolerance = 0.0

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._turned: Mapping[str, Matrix] = {
            name: sparse.csr_array(block.rows.T) for name, block in knowledge.blocks.items()
        }
        self._told = {role: sparse.csr_array(matrix, dtype=np.float64) for role, matrix in knowledge.told.items()}

    def pairs(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        asked, row = np.unique(heads, return_inverse=True)
        scores = np.empty(len(heads))
        for first in range(0, len(asked), AT_ONCE):
            mine = np.flatnonzero((row >= first) & (row < first + AT_ONCE))
            scores[mine] = self._rows(asked[first : first + AT_ONCE], role)[row[mine] - first, tails[mine]]
        return scores

    def tails(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        made = np.empty((len(heads), len(tails)))
        for first in range(0, len(heads), AT_ONCE):
            made[first : first + AT_ONCE] = self._rows(heads[first : first + AT_ONCE], role)[:, tails]
        return made

    def heads(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        return self.tails(heads, role, tails).T

    def _rows(self, heads: Ids, role: int | None) -> Floats:
        """Scores of all class ids; 0 where there are no words."""
        known = self._knowledge
        found = np.zeros((len(heads), len(known.place)))
        with_words = np.flatnonzero(known.place[heads] >= 0)
        if not len(with_words) or role not in self._told:
            return found
        places = known.place[heads[with_words]]
        alike = np.zeros((len(places), len(known.ids)))
        for name, block in known.blocks.items():
            alike += (block.rows[places] @ self._turned[name]).toarray()
        alike /= max(1, len(known.blocks))
        alike[np.arange(len(places)), places] = 0
        for row, each in zip(with_words.tolist(), alike, strict=True):
            found[row, known.ids] = votes(each, self._told[role], role is None)
        return found
