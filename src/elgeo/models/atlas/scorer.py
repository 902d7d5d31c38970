"""Scores of `atlas` in bulk and by pairs, the same to the bit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Ids
from elgeo.datasets.model import Dataset
from elgeo.models.atlas.dense import Dense, one_thread
from elgeo.models.atlas.evidence import Evidence
from elgeo.models.atlas.weighing import Weighing
from elgeo.models.baselines import Naive, TableScorer

CELLS = 1 << 24
"""Scores that are held at a time."""


class AtlasScorer:
    """The target's scores; of any other role, how frequent a tail is."""

    tolerance = 0.0

    def __init__(self, dataset: Dataset, evidence: Evidence, weighing: Weighing) -> None:
        self._at_once = max(1, CELLS // len(evidence.target.tails))
        self._dataset, self._evidence, self._weighing = dataset, evidence, weighing

    def pairs(self, heads: Ids, role: int | None, tails: Ids) -> NDArray[np.float64]:
        if role != self._evidence.target.role:
            return self._frequency().pairs(heads, role, tails)
        asked, row = np.unique(heads, return_inverse=True)
        scores = np.empty(len(heads))
        for first in range(0, len(asked), self._at_once):
            mine = np.flatnonzero((row >= first) & (row < first + self._at_once))
            scores[mine] = self._rows(asked[first : first + self._at_once])[
                row[mine] - first, self._column(tails[mine])
            ]
        return scores

    def tails(self, heads: Ids, role: int | None, tails: Ids) -> Dense | NDArray[np.float64]:
        if role != self._evidence.target.role:
            return self._frequency().tails(heads, role, tails)
        made = np.empty((len(heads), len(tails)), np.float32)
        column = self._column(tails)
        for first in range(0, len(heads), self._at_once):
            made[first : first + self._at_once] = self._rows(heads[first : first + self._at_once])[:, column]
        return made

    def heads(self, heads: Ids, role: int | None, tails: Ids) -> Dense | NDArray[np.float64]:
        return self.tails(heads, role, tails).T

    def _rows(self, ids: Ids) -> Dense:
        """Scores of all tails, and 0 in a last column for classes that cannot be one."""
        with one_thread():
            scores = self._weighing.scores(self._evidence, ids)
        return np.concatenate([scores, np.zeros((len(ids), 1), np.float32)], axis=1)

    def _column(self, tails: Ids) -> NDArray[np.int64]:
        return self._evidence.target.tail_place[tails]

    def _frequency(self) -> TableScorer:
        return Naive.fit(self._dataset).scorer()
