"""Proposals for a half dimension: tables of roles, and classes to lower or to raise, chosen by what is still true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Flags, Ints, Longs, Table
from elgeo.models.boxes.attempts import Proposals
from elgeo.models.boxes.numbers import LAST
from elgeo.models.boxes.pool import ROLE_COLUMN, AxiomPool, PoolPart
from elgeo.models.boxes.problem import Problem
from elgeo.models.boxes.tables import LEVELS as LINE

SHAPES = np.minimum(
    np.stack([
        0 * LINE, np.maximum(LINE - 1, 0), LINE, LINE + 1, LINE + 2, LINE | 1, LINE | 3, LINE // 2 * 2,
        np.where(LINE < 1, 0, LAST), np.where(LINE < 2, 0, LAST), LINE + LAST,
    ]),
    LAST,
).astype(np.int32)  # fmt: skip
"""Tables to begin with: nowhere, one down, standing still, one or two up, to the end of a block of two or four, to its
beginning, without end from a level on, everywhere. The role axioms raise them."""
WAYS = ("lower", "raise", "grade", "lower in steps", "raise in steps")
LEVELS = (1, 2, 3, 5, 10, LAST)
SIZES = tuple(2**k for k in range(11))
FADING, FLOOR = 0.1, 0.3
"""Which part of what was learned is forgotten each time, and what every option counts for at least."""
DENSITIES = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0)


@dataclass(frozen=True)
class BoxProposal:
    """One proposal, before many are put together, and the options it was made of."""

    shapes: Ints
    """For each role the number of its shape."""
    tight: Flags
    base: int
    classes: NDArray[Any]
    values: NDArray[Any]
    options: tuple[tuple[str, int], ...]


def together(proposals: Sequence[BoxProposal]) -> Proposals:
    """Proposals as kernels want them."""
    sizes = [len(each.classes) for each in proposals]
    return Proposals(
        SHAPES[np.stack([each.shapes for each in proposals])],
        np.stack([each.tight for each in proposals]),
        np.array([each.base for each in proposals], np.int32),
        np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        np.concatenate([each.classes for each in proposals]).astype(np.int32),
        np.concatenate([each.values for each in proposals]).astype(np.int32),
    )


class Experience:
    """How often each option was part of the best proposal against a part: such options are tried more often."""

    def __init__(self, n_roles: int) -> None:
        sizes = {"way": len(WAYS), "level": len(LEVELS), "size": len(SIZES), "density": len(DENSITIES)}
        self.counts = {name: np.full(size, FLOOR) for name, size in sizes.items()}
        self.shapes = np.full((n_roles, len(SHAPES)), FLOOR)
        self.tight = np.full((n_roles, 2), FLOOR)

    def draw(self, what: str, generator: np.random.Generator) -> int:
        sums = np.cumsum(self.counts[what])
        return int(np.searchsorted(sums, generator.random() * sums[-1], side="right"))

    @staticmethod
    def draw_each(counts: NDArray[np.float64], generator: np.random.Generator) -> Ints:
        """An option for each role."""
        sums = np.cumsum(counts, axis=1)
        chosen = (generator.random(len(sums)) * sums[:, -1])[:, None] >= sums
        return np.asarray(chosen.sum(axis=1), np.int32)

    def learn(self, chosen: BoxProposal) -> None:
        """A proposal was the best; what was learned long ago fades."""
        for what, option in chosen.options:
            self.counts[what] += FADING * (FLOOR - self.counts[what])
            self.counts[what][option] += 1
        for counts, options in ((self.shapes, chosen.shapes), (self.tight, chosen.tight.astype(np.int32))):
            counts += FADING * (FLOOR - counts)
            counts[np.arange(len(counts)), options] += 1


class Proposer:
    """Makes proposals against the axioms in a pool."""

    def __init__(self, pool: AxiomPool, problem: Problem) -> None:
        self.pool, self.n_classes, self.n_roles = pool, problem.n_classes, problem.n_roles
        self.experience = [Experience(self.n_roles) for _ in pool.parts]

    def learn(self, made: Sequence[BoxProposal], refuted: Longs) -> None:
        """Each part of the pool remembers the proposal that made most of it false."""
        for part, experience in enumerate(self.experience):
            best = int(refuted[:, part].argmax())
            if refuted[best, part]:
                experience.learn(made[best])

    def propose(self, generator: np.random.Generator) -> BoxProposal:
        """A proposal against one part of the pool."""
        number = self._some_part(generator)
        known, part, rows = self.experience[number], self.pool.parts[number], self.pool.of_part(number)
        shapes = known.draw_each(known.shapes, generator)
        tight = known.draw_each(known.tight, generator) > 0
        way = known.draw("way", generator) if len(rows) else WAYS.index("grade")
        level = known.draw("level", generator)
        options = [("way", way), ("level", level)]
        if WAYS[way] == "grade":
            density = known.draw("density", generator)
            options.append(("density", density))
            classes = np.flatnonzero(generator.random(self.n_classes) < DENSITIES[density])
            classes = classes[classes > 1].astype(np.int32)
            values = generator.integers(0, LEVELS[level] + 1, len(classes)).astype(np.int32)
            return BoxProposal(shapes, tight, 0, classes, values, tuple(options))
        size = known.draw("size", generator)
        options.append(("size", size))
        chosen = rows[generator.integers(len(rows), size=SIZES[size])]
        lower, top = WAYS[way].startswith("lower"), LEVELS[level]
        classes = np.unique(chosen[:, -1] if lower else heads_of(part, chosen)).astype(np.int32)
        values = np.full(len(classes), 0 if lower else top, np.int32)
        if WAYS[way].endswith("steps"):
            values = generator.integers(0, top, len(classes)).astype(np.int32) + (not lower)
        return BoxProposal(shapes, tight, top if lower else 0, classes, values, tuple(options))

    def vary(self, proposal: BoxProposal, generator: np.random.Generator) -> BoxProposal:
        """A proposal with one thing changed: the table of a role, or the classes touched."""
        if generator.random() < 0.3:
            role = int(generator.integers(self.n_roles))
            shapes, tight = proposal.shapes.copy(), proposal.tight.copy()
            if generator.random() < 0.3:
                tight[role] = not tight[role]
            else:
                shapes[role] = generator.integers(len(SHAPES))
            return replace(proposal, shapes=shapes, tight=tight)
        number = self._some_part(generator)
        part, rows = self.pool.parts[number], self.pool.of_part(number)
        keep = generator.random(len(proposal.classes)) < generator.choice([0.5, 0.8, 1.0, 1.0])
        classes, values = proposal.classes[keep], proposal.values[keep]
        if len(rows):
            more = rows[generator.integers(len(rows), size=max(1, int(generator.choice([0.2, 0.5, 1]) * len(classes))))]
            added = more[:, -1] if proposal.base else heads_of(part, more)
            known = proposal.values if len(proposal.values) else np.array([0 if proposal.base else 1], np.int32)
            classes = np.concatenate([classes, added])
            values = np.concatenate([values, generator.choice(known, len(added))])
        return replace(proposal, classes=classes, values=values)

    def _some_part(self, generator: np.random.Generator) -> int:
        """A part of the pool, the more often the more of it is still true."""
        pool = self.pool
        chances = pool.shares * np.array([len(pool.of_part(k)) > 0 for k in range(len(pool.parts))]) + 1e-9
        return int(generator.choice(len(chances), p=chances / chances.sum()))


def heads_of(part: PoolPart, rows: Table) -> Ints:
    """The classes on the left of axioms."""
    column = ROLE_COLUMN.get(part.form)
    left = [k for k in range(rows.shape[1] - 1) if k != column]
    return rows[:, left].ravel()
