"""What the net learns from: training axioms held out of their own evidence, among candidates of the same heads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Places, Table
from elgeo.models.atlas.operators.dense import Dense
from elgeo.models.atlas.reranking.table import PairTable

BEST, MIDDLE, REST = 200, 60, 60
"""Candidates of a head beside its held-out tails: the best by closed form, and some of the next and of the rest."""
SCORED = 0
"""The place of the closed form among a table's evidence."""
NEXT = 1000
"""Where the rest begins."""


@dataclass(frozen=True, eq=False)
class Examples:
    """Rows of a table for some heads."""

    others: NDArray[np.float16]
    """(head, candidate, column): tails that no axiom joins with the head."""
    weights: Dense
    """(head, candidate): ln of for how many it stands, -inf for none."""
    true: Dense
    """(axiom, column)."""
    head: Places
    """The head of each axiom."""

    @classmethod
    def draw(
        cls, table: PairTable, axioms: Table, columns: Sequence[str], most: int, generator: np.random.Generator
    ) -> Examples:
        """`axioms` must not be among those that the table is made of; of at most so many heads.

        A column that the table has not is 0.
        """
        target = table.target
        order = np.array([table.columns.index(name) if name in table.columns else -1 for name in columns])
        lacking = np.flatnonzero(order < 0)
        head, tail = target.head_place[axioms[:, 0]], target.tail_place[axioms[:, -1]]
        heads = np.sort(generator.permutation(np.unique(head))[:most])
        others, weights, true, owner = [], [], [], []
        first = 0
        for at in table.blocks(heads):
            raw, hidden = table.raw(at), table.hidden(at)
            rest = table.rest(at, raw)
            for i, place in enumerate(at.tolist()):
                mine = tail[head == place]
                hidden[i, mine] = True
                chosen, weight = _candidates(raw[SCORED, i], np.flatnonzero(~hidden[i]), generator)
                places = np.concatenate([mine, chosen])
                rows = np.concatenate([table.bent(raw[:, i, places]), rest[:, i, places]])[order]
                rows[lacking] = 0
                others.append(rows[:, len(mine) :].T.astype(np.float16))
                weights.append(weight)
                true.append(rows[:, : len(mine)].T)
                owner.append(np.full(len(mine), first + i))
            first += len(at)
        return cls(np.stack(others), np.stack(weights), np.concatenate(true), np.concatenate(owner))

    @staticmethod
    def together(parts: list[Examples]) -> Examples:
        firsts = np.cumsum([0, *(len(each.others) for each in parts)])
        return Examples(
            np.concatenate([each.others for each in parts]),
            np.concatenate([each.weights for each in parts]),
            np.concatenate([each.true for each in parts]),
            np.concatenate([each.head + first for each, first in zip(parts, firsts, strict=False)]),
        )


def _candidates(scores: Dense, allowed: Places, generator: np.random.Generator) -> tuple[Places, Dense]:
    """Some of those allowed and ln of for how many each stands; always as many, the last ones for none if need be."""
    order = allowed[np.argsort(-scores[allowed], kind="stable")]
    chosen = np.zeros(BEST + MIDDLE + REST, np.int64)
    weights = np.full(len(chosen), -np.inf, np.float32)
    filled = 0
    for pool, count in ((order[:BEST], BEST), (order[BEST:NEXT], MIDDLE), (order[NEXT:], REST)):
        taken = pool if len(pool) <= count else generator.choice(pool, count, replace=False)
        chosen[filled : filled + len(taken)] = taken
        weights[filled : filled + len(taken)] = np.log(max(len(pool), 1) / max(len(taken), 1))
        filled += len(taken)
    return chosen, weights
