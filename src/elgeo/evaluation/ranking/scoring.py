"""Scores of many classes against all candidates, a chunk at a time, exact where it matters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, NoReturn

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Floats, Ids
from elgeo.errors import ElgeoError, SettingError
from elgeo.evaluation.ranking.counting import mark_close
from elgeo.models.contract import Scorer
from elgeo.training.batches import Portion
from elgeo.training.distributed.processes import ALONE, Processes

Side = Literal["tail", "head"]

CHUNK_BYTES = 32 << 20
"""The size of one chunk of scores; a scorer's own working space is a small multiple of it."""
PAIRS_AT_ONCE = 1 << 18


@dataclass(frozen=True, eq=False)
class Contest:
    """Candidates for the place beside a class and what scores them: tails of given heads, or heads of given tails."""

    scorer: Scorer
    role: int | None
    candidates: Ids
    """In any order, none twice."""
    side: Side = "tail"
    label: Callable[[int], str] = "class {}".format
    """What messages call a class."""
    processes: Processes = ALONE
    """Those that share the classes asked; each scores consecutive ones, and all of them have what comes out."""

    def __post_init__(self) -> None:
        if len(np.unique(self.candidates)) != len(self.candidates):
            raise SettingError("a class stands among the candidates more than once")
        if not len(self.candidates):
            raise SettingError("there are no candidates to rank")

    def bulk(self, heads: Ids) -> Floats:
        """Scores within the scorer's tolerance, shape (heads, candidates); the caller may write into them."""
        if self.side == "tail":
            scores = self.scorer.tails(heads, self.role, self.candidates)
        else:
            scores = self.scorer.heads(self.candidates, self.role, heads)
        return np.array(scores, np.float64, order="C")

    def exact(self, heads: Ids, answers: Ids) -> Floats:
        """The score of each pair (heads[i], answers[i])."""
        scores = np.empty(len(heads), np.float64)
        for first in range(0, len(heads), PAIRS_AT_ONCE):
            part = slice(first, first + PAIRS_AT_ONCE)
            pair = (heads[part], answers[part]) if self.side == "tail" else (answers[part], heads[part])
            scores[part] = self.scorer.pairs(pair[0], self.role, pair[1])
        if np.isnan(scores).any():
            self.refuse(int(heads[np.isnan(scores).argmax()]))
        return scores

    def sharpen(self, scores: Floats, heads: Ids, starts: NDArray[np.int64], levels: Floats, tolerance: float) -> None:
        """Replace, in place, what lies within the tolerance of one of its row's levels by its exact score."""
        close = np.empty(scores.shape, np.bool_)
        mark_close(scores, starts, levels, tolerance, close)
        rows, columns = np.nonzero(close)
        if len(rows):
            scores[rows, columns] = self.exact(heads[rows], self.candidates[columns])

    def refuse(self, head: int) -> NoReturn:
        """A score that is not a number has no rank."""
        raise ElgeoError(
            f"a score of {self.label(head)} is not a number, so it has no rank: the model's parameters have probably "
            "diverged (a smaller learning rate may help)"
        )

    def chunks(self, heads: Ids, within: slice = slice(None)) -> Iterator[slice]:
        """Slices of `heads`, or of some of them, whose scores fit into one chunk."""
        size = max(1, CHUNK_BYTES // (8 * len(self.candidates)))
        begin, end, _ = within.indices(len(heads))
        return (slice(first, min(first + size, end)) for first in range(begin, end, size))

    def mine(self, heads: Ids) -> slice:
        """Which of the classes asked this process scores."""
        return Portion(self.processes.rank, self.processes.size).of(len(heads))

    def positions(self, n_classes: int) -> Ids:
        """The place of each class among the candidates, or -1."""
        position = np.full(n_classes, -1, np.int32)
        position[self.candidates] = np.arange(len(self.candidates), dtype=np.int32)
        return position
