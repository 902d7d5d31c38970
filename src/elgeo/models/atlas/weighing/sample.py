"""`Sample`: held-out axioms among candidates, with all evidence for them, small enough to weigh evidence quickly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Table
from elgeo.compilation import kernel
from elgeo.models.atlas.evidence import Evidence
from elgeo.models.atlas.operators.dense import Dense
from elgeo.models.atlas.operators.selecting import mark_best
from elgeo.models.atlas.operators.target import Places, take

Real = NDArray[np.float64]
BEST, OTHERS = 60, 400
"""Candidates of a head: so many of the best by each piece of evidence, and so many of the rest by chance."""
CELLS = 1 << 24
"""Scores of pairs that are held at a time, all evidence together."""
Drawn = tuple[Dense, Dense, Places]
"""Values, weights and tails of the candidates of some heads."""


@dataclass(frozen=True, eq=False)
class Sample:
    """Candidates of some heads; those drawn by chance stand for several."""

    values: NDArray[np.float32]
    """(evidence, head, candidate)."""
    weight: Dense
    """(head, candidate): for how many candidates it stands; 0 for none."""
    row: Places
    """The head of each axiom."""
    column: Places
    """The candidate that is its tail."""

    def __len__(self) -> int:
        return len(self.row)

    def ranks(self, scores: Dense, added: Dense, factor: float) -> Real:
        """Estimated ranks of the axioms by `scores + factor · added`, ties on average."""
        return _ranks(scores, added, factor, self.weight, self.row, self.column)

    @classmethod
    def draw(cls, evidence: Evidence, axioms: Table, generator: np.random.Generator, without_head: bool) -> Sample:
        """`axioms` must not be among those that the evidence is made of."""
        target = evidence.target
        heads, row = np.unique(axioms[:, 0], return_inverse=True)
        answers = target.tail_place[axioms[:, -1]]
        parts = []
        at_once = min(max(1, CELLS // (len(evidence.names) * len(target.tails))), len(heads))
        room = np.empty((len(evidence.names), at_once, len(target.tails)), np.float32)
        for first in range(0, len(heads), at_once):
            ids = heads[first : first + at_once]
            values = evidence.rows(ids, room[:, : len(ids)])
            allowed = take(target.known, target.head_place[ids]).toarray() == 0
            if without_head:
                own = target.tail_place[ids]
                allowed[np.flatnonzero(own >= 0), own[own >= 0]] = False
            mine = (row >= first) & (row < first + len(ids))
            true = np.zeros_like(allowed)
            true[row[mine] - first, answers[mine]] = True
            parts.append(_candidates(values, allowed | true, true, generator))
        return cls._joined(parts, row, answers)

    @classmethod
    def _joined(cls, parts: Sequence[Drawn], row: Places, answers: Places) -> Sample:
        width = max(weight.shape[1] for _, weight, _ in parts)
        values = np.concatenate([_wider(part, width, 0) for part, _, _ in parts], axis=1)
        weight = np.concatenate([_wider(part, width, 0) for _, part, _ in parts])
        chosen = np.concatenate([_wider(part, width, -1) for _, _, part in parts])
        return cls(values, weight, row, (chosen[row] == answers[:, None]).argmax(axis=1))

    @staticmethod
    def together(samples: Sequence[Sample]) -> Sample:
        """Several samples of the same evidence as one."""
        width = max(each.weight.shape[1] for each in samples)
        firsts = np.cumsum([0, *(len(each.weight) for each in samples)])
        return Sample(
            np.concatenate([_wider(each.values, width, 0) for each in samples], axis=1),
            np.concatenate([_wider(each.weight, width, 0) for each in samples]),
            np.concatenate([each.row + first for each, first in zip(samples, firsts, strict=False)]),
            np.concatenate([each.column for each in samples]),
        )


def _wider(array: NDArray[Any], width: int, fill: float) -> NDArray[Any]:
    padding = [(0, 0)] * (array.ndim - 1) + [(0, width - array.shape[-1])]
    return np.pad(array, padding, constant_values=fill)


def _candidates(
    values: Dense, allowed: NDArray[np.bool_], true: NDArray[np.bool_], generator: np.random.Generator
) -> Drawn:
    """The candidates of each head, in rows of one length."""
    chosen = true.copy()
    for each in values:
        # what heads have in common is left to chance
        if len(each) == 1 or any((row != each[0]).any() for row in each[1:]):
            mark_best(each, allowed, BEST, chosen)
    rest, drawn = allowed & ~chosen, np.zeros_like(chosen)
    mark_best(generator.random(allowed.shape, dtype=np.float32), rest, OTHERS, drawn)
    stand_for = rest.sum(axis=1) / np.maximum(drawn.sum(axis=1), 1)
    weight = chosen + drawn * stand_for[:, None].astype(np.float32)
    width = int((weight > 0).sum(axis=1).max(initial=1))
    order = np.argsort(weight <= 0, axis=1, kind="stable")[:, :width]
    kept = np.take_along_axis(weight, order, axis=1)
    return np.take_along_axis(values, order[None], axis=2), kept, np.where(kept > 0, order, -1)


# sums may be taken in any order, so that several candidates are compared at a time
@kernel(fastmath={"reassoc"})
def _ranks(scores: Dense, added: Dense, factor: float, weight: Dense, row: Places, column: Places) -> Real:
    found = np.empty(len(row), np.float64)
    for i in range(len(row)):
        r, c = row[i], column[i]
        level = scores[r, c] + factor * added[r, c]
        above, equal = 0.0, 0.0
        for j in range(scores.shape[1]):
            x = scores[r, j] + factor * added[r, j]
            above += weight[r, j] if x > level else 0.0
            equal += weight[r, j] if x == level else 0.0
        found[i] = 1 + above + (equal - weight[r, c]) / 2
    return found
