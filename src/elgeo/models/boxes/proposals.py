"""Proposals for a half dimension: role widths, and classes to lower or to raise, chosen by what is still true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Ints, Longs
from elgeo.models.boxes.attempts import Proposals
from elgeo.models.boxes.numbers import INFINITE
from elgeo.models.boxes.pool import ROLE_COLUMN, AxiomPool, PoolPart
from elgeo.models.boxes.problem import Problem

WIDTHS = (-1, 0, 1, INFINITE)
WAYS = ("lower", "raise", "grade")
LEVELS = (1, 2, 3, 5, 10, 20)
SIZES = tuple(2**k for k in range(11))
FADING = 0.1
LIMITS = (INFINITE, 20, 40)
"""Bounds of Δ, where domains make a difference."""
DENSITIES = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0)


@dataclass(frozen=True)
class BoxProposal:
    """One proposal, before many are put together, and the options it was made of."""

    widths: Ints
    base: int
    classes: NDArray[Any]
    values: NDArray[Any]
    asked: Ints
    """The widths asked for, before the role axioms widened them."""
    options: tuple[tuple[str, int], ...]
    limit: int = INFINITE


def together(proposals: Sequence[BoxProposal]) -> Proposals:
    """Proposals as kernels want them."""
    sizes = [len(each.classes) for each in proposals]
    return Proposals(
        np.stack([each.widths for each in proposals]).astype(np.int32),
        np.array([each.base for each in proposals], np.int32),
        np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        np.concatenate([each.classes for each in proposals]).astype(np.int32),
        np.concatenate([each.values for each in proposals]).astype(np.int32),
        np.array([each.limit for each in proposals], np.int32),
    )


class Experience:
    """How often each option was part of the best proposal against a part: such options are tried more often."""

    def __init__(self, n_roles: int, n_limits: int) -> None:
        sizes = {"way": len(WAYS), "level": len(LEVELS), "size": len(SIZES), "density": len(DENSITIES)}
        self.counts = {name: np.ones(size) for name, size in {**sizes, "limit": n_limits}.items()}
        self.widths = np.ones((n_roles, len(WIDTHS)))

    def draw(self, what: str, generator: np.random.Generator) -> int:
        sums = np.cumsum(self.counts[what])
        return int(np.searchsorted(sums, generator.random() * sums[-1], side="right"))

    def draw_widths(self, generator: np.random.Generator) -> Ints:
        """A width for each role."""
        sums = np.cumsum(self.widths, axis=1)
        chosen = (generator.random(len(sums)) * sums[:, -1])[:, None] >= sums
        return np.asarray(np.array(WIDTHS, np.int32)[chosen.sum(axis=1)])

    def learn(self, chosen: BoxProposal) -> None:
        """A proposal was the best; what was learned long ago fades."""
        for what, option in chosen.options:
            self.counts[what] += FADING * (1 - self.counts[what])
            self.counts[what][option] += 1
        self.widths += FADING * (1 - self.widths)
        self.widths += chosen.asked[:, None] == np.array(WIDTHS)


class Proposer:
    """Makes proposals against the axioms in a pool."""

    def __init__(self, pool: AxiomPool, problem: Problem) -> None:
        self.pool, self.axioms, self.n_classes, self.n_roles = pool, problem.roles, problem.n_classes, problem.n_roles
        self.limits = LIMITS if problem.bounded else LIMITS[:1]
        self.experience = [[Experience(self.n_roles, len(self.limits)) for _ in pool.parts] for _ in range(2)]

    def learn(self, made: Sequence[BoxProposal], refuted: Longs, half: int) -> None:
        """Each part of the pool remembers the proposal that made most of it false."""
        for part, experience in enumerate(self.experience[half]):
            best = int(refuted[:, part].argmax())
            if refuted[best, part]:
                experience.learn(made[best])

    def propose(self, least: Ints, half: int, generator: np.random.Generator) -> BoxProposal:
        """A proposal against one part of the pool; no role may be narrower than `least`."""
        number = self._some_part(generator)
        known, part, rows = self.experience[half][number], self.pool.parts[number], self.pool.of_part(number)
        asked = known.draw_widths(generator)
        widths = self.axioms.closed(np.maximum(asked, least))
        way = known.draw("way", generator) if len(rows) else WAYS.index("grade")
        limit = known.draw("limit", generator)
        options = [("way", way), ("limit", limit)]
        if WAYS[way] == "grade":
            density = known.draw("density", generator)
            level = known.draw("level", generator)
            options += [("density", density), ("level", level)]
            classes = np.flatnonzero(generator.random(self.n_classes) < DENSITIES[density])
            classes = classes[classes > 1].astype(np.int32)
            values = generator.integers(0, LEVELS[level] + 1, len(classes)).astype(np.int32)
            return BoxProposal(widths, 0, classes, values, asked, tuple(options), self.limits[limit])
        size, level = known.draw("size", generator), known.draw("level", generator)
        options += [("size", size), ("level", level)]
        chosen = rows[generator.integers(len(rows), size=SIZES[size])]
        if WAYS[way] == "lower":
            classes = np.unique(chosen[:, -1]).astype(np.int32)
            return BoxProposal(
                widths,
                LEVELS[level],
                classes,
                np.zeros(len(classes), np.int32),
                asked,
                tuple(options),
                self.limits[limit],
            )
        classes = np.unique(heads_of(part, chosen)).astype(np.int32)
        return BoxProposal(
            widths,
            0,
            classes,
            np.full(len(classes), LEVELS[level], np.int32),
            asked,
            tuple(options),
            self.limits[limit],
        )

    def vary(self, proposal: BoxProposal, least: Ints, generator: np.random.Generator) -> BoxProposal:
        """A proposal with one thing changed: a width, or the classes touched."""
        if generator.random() < 0.3:
            role = int(generator.integers(self.n_roles))
            asked = proposal.asked.copy()
            asked[role] = generator.choice(WIDTHS)
            widths = self.axioms.closed(np.maximum(asked, least))
            return replace(proposal, asked=asked, widths=widths)
        number = self._some_part(generator)
        part, rows = self.pool.parts[number], self.pool.of_part(number)
        keep = generator.random(len(proposal.classes)) < generator.choice([0.5, 0.8, 1.0, 1.0])
        classes, values = proposal.classes[keep], proposal.values[keep]
        if len(rows):
            more = rows[generator.integers(len(rows), size=max(1, int(generator.choice([0.2, 0.5, 1]) * len(classes))))]
            added = more[:, -1] if proposal.base else heads_of(part, more)
            level = 0 if proposal.base else int(proposal.values.max(initial=1))
            classes = np.concatenate([classes, added])
            values = np.concatenate([values, np.full(len(added), level, np.int32)])
        return replace(proposal, classes=classes, values=values)

    def _some_part(self, generator: np.random.Generator) -> int:
        """A part of the pool, the more often the more of it is still true."""
        pool = self.pool
        chances = pool.shares * np.array([len(pool.of_part(k)) > 0 for k in range(len(pool.parts))]) + 1e-9
        return int(generator.choice(len(chances), p=chances / chances.sum()))


def heads_of(part: PoolPart, rows: Ints) -> Ints:
    """The classes on the left of axioms."""
    column = ROLE_COLUMN.get(part.form)
    left = [k for k in range(rows.shape[1] - 1) if k != column]
    return rows[:, left].ravel()
