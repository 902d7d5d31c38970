"""The first parameters of some rows, drawn as they are where all rows are in one process, a block at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elgeo.models.contract import Model, Sizes
from elgeo.training.folder.parts import OwnRows

BLOCK = 1 << 16
"""Rows that are drawn at a time, of which those of one process are kept."""


class SomeClasses(int):
    """A number of classes that are some of more: whoever draws numbers for them draws for all and keeps theirs."""

    rows: OwnRows

    @staticmethod
    def of(rows: OwnRows) -> SomeClasses:
        some = SomeClasses(rows.count)
        some.rows = rows
        return some


class RowDraws:
    """Draws from a generator, which goes where it would go if tables with rows of `SomeClasses` were whole."""

    def __init__(self, generator: np.random.Generator) -> None:
        self._generator = generator

    def uniform(self, low: float, high: float, size: int | tuple[int, ...]) -> NDArray[np.float64]:
        shape = size if isinstance(size, tuple) else (size,)
        if not isinstance(shape[0], SomeClasses):
            return self._generator.uniform(low, high, size)
        rows, kept = shape[0].rows, []
        for first in range(0, rows.total, BLOCK):
            block = self._generator.uniform(low, high, (min(BLOCK, rows.total - first), *shape[1:]))
            kept.append(block[(rows.rank - first) % rows.size :: rows.size].copy())
        return np.concatenate(kept)


def sizes_of(rows: OwnRows, sizes: Sizes) -> Sizes:
    """How much there is to place in one process, by the numbers that classes have in it."""
    individuals = tuple(c // rows.size for c in sizes.individuals if c % rows.size == rows.rank)
    return replace(sizes, classes=rows.count, individuals=individuals)


def begun(make: Any, sizes: Sizes, rows: OwnRows, tables: frozenset[str], generator: np.random.Generator) -> Model:
    """A model of some rows as it begins; one that draws in another way than by `uniform` is made whole and cut."""
    # what is true of few classes is true of many: how a model draws does not depend on their number
    few = OwnRows(7, rows.rank % 2, 2)
    twins = [np.random.default_rng(0) for _ in range(2)]
    try:
        drawn = make(Sizes(SomeClasses.of(few), sizes.roles), RowDraws(twins[0])).arrays()
    except (AttributeError, TypeError):
        drawn = {}
    whole = make(Sizes(few.total, sizes.roles), twins[1]).arrays()
    cut = {name: array[few.cut] if name in tables else array for name, array in whole.items()}
    same = twins[0].bit_generator.state == twins[1].bit_generator.state and set(drawn) == set(cut)
    if same and all(np.array_equal(array, drawn[name]) for name, array in cut.items()):
        own = sizes_of(rows, sizes)
        model: Model = make(replace(own, classes=SomeClasses.of(rows)), RowDraws(generator))
        model.sizes = own
        return model
    model = make(sizes, generator)
    model.sizes = sizes_of(rows, sizes)
    model.parameters = {
        name: tensor[rows.cut].clone() if name in tables else tensor for name, tensor in model.parameters.items()
    }
    return model
