"""The entailed last classes of each row of a table, laid out for the kernels; and what they are drawn from."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Ints, Table
from elgeo.datasets.model import Kinds
from elgeo.negatives.kernels import Entailed, Pool, draw_entailed, draw_filtered, fill_words
from elgeo.negatives.sampler import Draw
from elgeo.ontology.vocabulary import BOTTOM
from elgeo.reasoning.closure.base import Closure


def pool_of(kinds: Kinds) -> Pool:
    """The classes of each kind, ⊤ and ⊥ left out: they are never drawn."""
    order = np.argsort(kinds.of_class, kind="stable").astype(np.int32)
    order = order[order > BOTTOM]
    start = np.searchsorted(kinds.of_class[order], np.arange(len(kinds.names) + 1))
    return Pool(np.ascontiguousarray(kinds.of_class, np.int16), start.astype(np.int64), np.ascontiguousarray(order))


def laid_out(start: NDArray[np.int64], members: Ints, everything: NDArray[np.bool_]) -> Entailed:
    """Rows with the filter in front of them."""
    # five classes a word, four bits each: of a hundred other questions ninety-nine end at the first look
    words = np.zeros(1 + len(members) // 5, np.uint64)
    fill_words(start, members, words)
    return Entailed(start, members, everything if everything.any() else everything[:0], words)


class EntailedTails:
    """For each row of a table the classes its left side entails; rows with equal left sides share them.

    Kept are those that may be drawn: of the kind of some last class that the left side has in the table.
    """

    def __init__(self, closure: Closure, form: str, table: Table, pool: Pool) -> None:
        lefts, inverse = np.unique(table[:, :-1], axis=0, return_inverse=True)
        self.head_of_row: Ints = inverse.ravel().astype(np.int32)
        start, members, everything = closure.entailed_tails(form, np.ascontiguousarray(lefts))
        asked = np.zeros((len(lefts), len(pool.start) - 1), np.bool_)
        asked[self.head_of_row, pool.kind_of[table[:, -1]]] = True
        heads = np.repeat(np.arange(len(lefts)), np.diff(start))
        kept = asked[heads, pool.kind_of[members]]
        counted = np.concatenate([np.zeros(1, np.int64), np.cumsum(kept)])
        self.rows = laid_out(counted[start], members[kept], everything)


def draw_by(kernel: Callable[..., None], pool: Pool, head_of_row: Ints, rows: Entailed) -> Draw:
    """A class of the same kind that the kernel chooses by the row of the left side."""

    def draw(numbers: NDArray[np.int64], originals: Ints, seed: np.uint64) -> Ints:
        chosen = np.empty(len(originals), np.int32)
        kernel(originals, numbers, head_of_row, pool, rows, seed, chosen)
        return chosen

    return draw


def filtered_draw(pool: Pool, tails: EntailedTails) -> Draw:
    """A class of the same kind that is not entailed, all of them equally likely."""
    return draw_by(draw_filtered, pool, tails.head_of_row, tails.rows)


def biased_draw(pool: Pool, tails: EntailedTails, fraction: float) -> Draw:
    """Entailed classes for a fraction of the rows, not entailed ones for the others.

    Of n rows, fraction · n are entailed; where that is not a whole number a coin decides between its neighbours, so
    that the fraction is right over a run, whatever the batch size.
    """

    def draw(numbers: NDArray[np.int64], originals: Ints, seed: np.uint64) -> Ints:
        generator = np.random.default_rng([int(seed), 3])
        count = int(fraction * len(originals) + generator.random())
        order = generator.permutation(len(originals))
        chosen = np.empty(len(originals), np.int32)
        for part, kernel in ((order[:count], draw_entailed), (order[count:], draw_filtered)):
            found = np.empty(len(part), np.int32)
            kernel(originals[part], numbers[part], tails.head_of_row, pool, tails.rows, seed, found)
            chosen[part] = found
        return chosen

    return draw
