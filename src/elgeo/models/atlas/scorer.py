"""Scores of `atlas` in bulk and by pairs, the same to the bit."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Ids
from elgeo.datasets.model import Dataset
from elgeo.models.atlas.operators.dense import Dense, one_thread
from elgeo.models.atlas.operators.target import Target
from elgeo.models.baselines import Naive, TableScorer

CELLS, KEPT = 1 << 24, 1 << 26
"""Scores that are worked out at a time, and that are kept."""


class AtlasScorer:
    """The target's scores; of any other role, how frequent a tail is."""

    tolerance = 0.0

    def __init__(self, dataset: Dataset, target: Target, scores: Callable[[Ids], Dense]) -> None:
        """`scores` gives those of some heads and all tails of the target."""
        self._at_once = max(1, CELLS // len(target.tails))
        self._room = KEPT // len(target.tails)
        self._kept: dict[int, Dense] = {}
        """Scores by head: an evaluation asks for the same heads several times."""
        self._dataset, self._target, self._scores = dataset, target, scores

    def pairs(self, heads: Ids, role: int | None, tails: Ids) -> NDArray[np.float64]:
        if role != self._target.role:
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
        if role != self._target.role:
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
        found = np.zeros((len(ids), len(self._target.tails) + 1), np.float32)
        new = np.array([i for i, head in enumerate(ids.tolist()) if head not in self._kept], np.int64)
        if len(new):
            with one_thread():
                found[new, :-1] = self._scores(ids[new])
        for i in np.setdiff1d(np.arange(len(ids)), new).tolist():
            found[i] = self._kept[int(ids[i])]
        for i in new[: max(0, self._room - len(self._kept))].tolist():
            self._kept[int(ids[i])] = found[i].copy()
        return found

    def _column(self, tails: Ids) -> NDArray[np.int64]:
        return self._target.tail_place[tails]

    def _frequency(self) -> TableScorer:
        return Naive.fit(self._dataset).scorer()
