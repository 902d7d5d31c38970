"""Half dimension after half dimension: of many proposals the one that makes most of what should not be true false."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from elgeo.arrays import Ints
from elgeo.models.boxes.attempts import attempt
from elgeo.models.boxes.disjoint import Dimension
from elgeo.models.boxes.halves import Halves
from elgeo.models.boxes.numbers import INFINITE
from elgeo.models.boxes.pool import AxiomPool
from elgeo.models.boxes.problem import Problem
from elgeo.models.boxes.proposals import BoxProposal, Proposer, together

KEPT = 4
"""The best proposals of a half dimension, which are varied further."""
FOCUS = 1.5
"""Above 1, what is worst counts for more than its share."""
PATIENCE, FEW = 4, 4
"""After so many half dimensions that made nothing false only so many proposals are made, until one does again."""
EVERY_SECONDS = 10.0


class GreedyFill:
    """Fills `halves`, dimension by dimension; whatever is filled is an interpretation in which all axioms are true."""

    def __init__(self, problem: Problem, dimension: int, generator: np.random.Generator) -> None:
        self.problem, self.generator = problem, generator
        self.halves = Halves.unplaced(problem.n_classes, problem.n_roles, dimension)
        self.halves.classes[problem.empty] = -1
        self._idle = 0
        self.filled = 0
        """Half dimensions that have their numbers."""

    def put(self, dimension: Dimension) -> None:
        """Add a dimension that separates disjoint classes."""
        for values, widths, limit in zip(dimension.values, dimension.widths, dimension.limits, strict=True):
            self._put(values, widths, limit)

    def fill(
        self, pool: AxiomPool, proposals: int, rounds: int, say: Callable[[str], None], shown: Callable[[], str]
    ) -> None:
        """Fill what is left; now and then `say` is told how far it is, and what is `shown`."""
        proposer = Proposer(pool, self.problem)
        last, started, first = time.monotonic(), time.monotonic(), self.filled
        while self.filled < len(self.halves.limits):
            pool.refill(self.halves)
            self._half(pool, proposer, proposals, rounds)
            now = time.monotonic()
            if now - last > EVERY_SECONDS:
                last = now
                left = (now - started) / (self.filled - first) * (len(self.halves.limits) - self.filled)
                say(f"dimension {self.filled // 2} of {self.halves.dimension}, {shown()}, {left:.0f} s left")
        pool.refill(self.halves)

    def _half(self, pool: AxiomPool, proposer: Proposer, proposals: int, rounds: int) -> None:
        problem, half = self.problem, self.filled % 2
        if half and problem.points.any():
            self._mirror()
            return
        least = -self.halves.roles[:, self.filled - 1].astype(np.int32) if half else np.full(problem.n_roles, -1)
        least = np.maximum(least, -1).astype(np.int32)
        best: list[tuple[float, BoxProposal, Ints]] = []
        if self._idle >= PATIENCE or not len(pool):
            proposals, rounds = min(proposals, FEW), 1
        for turn in range(rounds):
            if turn:
                made = [proposer.vary(best[i % len(best)][1], least, self.generator) for i in range(proposals // 2)]
            else:
                made = [proposer.propose(least, half, self.generator) for _ in range(proposals)]
            possible, found, refuted = attempt(
                together(made), problem.empty, problem.points, problem.books[0], *pool.rows(), len(pool.parts)
            )
            proposer.learn(made, refuted, half)
            gains = np.where(possible, refuted / pool.sizes @ pool.shares**FOCUS, -1.0)
            order = np.argsort(-gains, kind="stable")[:KEPT]
            best += [(float(gains[i]), made[i], found[i]) for i in order]
            best = sorted(best, key=lambda each: -each[0])[:KEPT]
        gain, chosen, values = best[0]
        if gain < 0:  # nothing was possible: a half dimension without any information always is
            self._put(np.full(problem.n_classes, INFINITE), np.full(problem.n_roles, INFINITE), INFINITE)
            return
        self._idle = 0 if gain else self._idle + 1
        self._put(values, chosen.widths, chosen.limit)
        pool.strike(values, chosen.widths, chosen.limit)

    def _mirror(self) -> None:
        """The other half of a dimension with points: they have the opposite number, all else is unbounded."""
        values = np.full(self.problem.n_classes, INFINITE, np.int32)
        points = self.problem.points
        values[points] = -self.halves.classes[points, self.filled - 1].astype(np.int32)
        self._put(values, np.full(self.problem.n_roles, INFINITE), INFINITE)

    def _put(self, values: Ints, widths: Ints, limit: int) -> None:
        self.halves.classes[:, self.filled] = np.where(self.problem.empty, -1, values)
        self.halves.roles[:, self.filled] = widths
        self.halves.limits[self.filled] = limit
        self.filled += 1
