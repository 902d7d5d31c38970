"""Half dimension after half dimension: of many proposals the one that makes most of what should not be true false."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from elgeo.arrays import Ints, Table
from elgeo.models.boxes.attempts import attempt, carry_out
from elgeo.models.boxes.halves import Halves
from elgeo.models.boxes.numbers import LAST, NOTHING
from elgeo.models.boxes.pool import AxiomPool
from elgeo.models.boxes.problem import Problem
from elgeo.models.boxes.proposals import BoxProposal, Proposer, together
from elgeo.models.boxes.truth import Bytes

KEPT = 4
"""The best proposals of a half dimension, which are varied further."""
FOCUS = 1.5, 8.0
"""Above 1, what is worst counts for more than its share: a little, and much in the second half of all dimensions."""
MANY = 8
"""Rounds from which on that is so: fewer find too little to spend it on what is worst alone."""
PATIENCE, FEW = 8, 16
"""After so many half dimensions that made nothing false only so many proposals are made, until one does again."""
EVERY_SECONDS = 10.0
AWAY = np.maximum(np.arange(-LAST, LAST + 1), 0)
"""How far each point of a dimension is from the middle, in the direction of the upper half."""


class Winner(NamedTuple):
    """A proposal that was carried out: what it makes false, counted, and the numbers and tables it came to."""

    gain: float
    proposal: BoxProposal
    values: Ints
    tables: Table


class GreedyFill:
    """Fills `halves`, dimension by dimension; whatever is filled is an interpretation in which all axioms are true."""

    def __init__(self, problem: Problem, dimension: int, generator: np.random.Generator) -> None:
        self.problem, self.generator = problem, generator
        self.halves = Halves.unplaced(problem.n_classes, problem.n_roles, dimension)
        self.halves.classes[problem.empty] = NOTHING
        self._idle = 0
        self.filled = 0
        """Half dimensions that have their numbers."""

    def put(self, classes: Bytes, roles: Bytes) -> None:
        """Add a whole dimension: two numbers for each class, and for each role and point."""
        here = slice(self.filled, self.filled + 2)
        self.halves.classes[:, here], self.halves.roles[:, here] = classes, roles
        self.filled += 2

    def fill(
        self, pool: AxiomPool, proposals: int, rounds: int, say: Callable[[str], None], shown: Callable[[], str]
    ) -> None:
        """Fill what is left; now and then `say` is told how far it is, and what is `shown`."""
        proposer = Proposer(pool, self.problem)
        last, started, first = time.monotonic(), time.monotonic(), self.filled
        while self.filled < 2 * self.halves.dimension:
            pool.refill(self.halves)
            self._half(pool, proposer, proposals, rounds)
            now = time.monotonic()
            if now - last > EVERY_SECONDS:
                last = now
                left = (now - started) / (self.filled - first) * (2 * self.halves.dimension - self.filled)
                say(f"dimension {self.filled // 2} of {self.halves.dimension}, {shown()}, {left:.0f} s left")

    def _half(self, pool: AxiomPool, proposer: Proposer, proposals: int, rounds: int) -> None:
        ceiling, axioms, drawn = self._ceiling(), self.problem.axioms, pool.rows()
        best: list[Winner] = []
        focus = FOCUS[rounds >= MANY and self.filled >= self.halves.dimension]
        if self._idle >= PATIENCE or not len(pool):
            proposals, rounds = min(proposals, FEW), 1
        for turn in range(rounds):
            if turn:
                made = [proposer.vary(best[i % len(best)].proposal, self.generator) for i in range(proposals // 2)]
            else:
                made = [proposer.propose(self.generator) for _ in range(proposals)]
            possible, values, tables, refuted = attempt(
                together(made), ceiling, *drawn, len(pool.parts),
                axioms.rules, axioms.roles, axioms.existential, axioms.empty,
            )  # fmt: skip
            proposer.learn(made, refuted)
            gains = np.where(possible, refuted / pool.sizes @ pool.shares**focus, -1.0)
            order = np.argsort(-gains, kind="stable")[:KEPT]
            best += [Winner(float(gains[i]), made[i], values[i], tables[i]) for i in order]
            best = sorted(best, key=lambda each: -each.gain)[:KEPT]
        chosen = best[0]
        if chosen.gain < 0:  # nothing was possible
            self._put_least(ceiling)
            return
        self._idle = 0 if chosen.gain else self._idle + 1
        self._put(chosen.values, chosen.tables)
        pool.strike(chosen.values, chosen.tables)

    def _ceiling(self) -> Ints:
        """The largest numbers allowed: points are placed by the upper half, the lower may not pull them back."""
        return np.where(self.problem.points if self.filled % 2 else self.problem.pinned, 0, LAST).astype(np.int32)

    def _put(self, values: Ints, tables: Table) -> None:
        half, points = self.filled, self.problem.points
        self.halves.classes[:, half] = np.where(self.problem.empty, NOTHING, values)
        if half % 2:
            self.halves.classes[points, half] = -self.halves.classes[points, half - 1]
        elif points.any():
            self.halves.classes[points, half + 1] = -self.halves.classes[points, half]
        self.halves.roles[:, half] = tables[:, AWAY if half % 2 == 0 else AWAY[::-1]]
        self.filled += 1

    def _put_least(self, ceiling: Ints) -> None:
        """Fill a half dimension with the least numbers, or where even they are too much leave everything everywhere."""
        tables = np.zeros((self.problem.n_roles, LAST + 1), np.int32)
        none, no_role = np.empty(0, np.int32), np.zeros(self.problem.n_roles, np.bool_)
        possible, values = carry_out(tables, no_role, 0, none, none, ceiling, *self.problem.axioms)
        if possible:
            self._put(values, tables)
            return
        points, here = self.problem.points, self.filled
        self.halves.classes[points, here] = -self.halves.classes[points, here - 1] if here % 2 else 0
        self.filled += 1
