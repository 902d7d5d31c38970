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
        scores = np.zeros(len(heads))
        for head in np.unique(heads).tolist():
            mine = heads == head
            scores[mine] = self._row(head, role)[tails[mine]]
        return scores

    def tails(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        made = np.empty((len(heads), len(tails)))
        for row, head in enumerate(heads.tolist()):
            made[row] = self._row(head, role)[tails]
        return made

    def heads(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        return self.tails(heads, role, tails).T

    def _row(self, head: int, role: int | None) -> Floats:
        """Scores of all class ids; 0 where there are no words."""
        known, place = self._knowledge, int(self._knowledge.place[head])
        found = np.zeros(len(known.place))
        if place < 0 or role not in self._told:
            return found
        alike = np.zeros(len(known.ids))
        for name, block in known.blocks.items():
            alike += (block.rows[[place]] @ self._turned[name]).toarray()[0]
        alike /= max(1, len(known.blocks))
        alike[place] = 0
        found[known.ids] = votes(alike, self._told[role], role is None)
        return found
