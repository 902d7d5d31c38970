"""`Ranks`: where the true answers came among their candidates; metrics are pure functions of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Floats, Ids, Longs


@dataclass(frozen=True, eq=False)
class Ranks:
    """The rank of each axiom's answer among the candidates; 1 is best, ties are kept apart from ranks."""

    heads: Ids
    """The class each axiom is asked of: its head, or its tail where heads are ranked."""
    answers: Ids
    """The true answer: the axiom's tail, or its head where heads are ranked."""
    optimistic: Longs
    """The rank if the answer came first among candidates with its score."""
    pessimistic: Longs
    """The rank if it came last among them."""
    candidates: Longs
    """How many candidates the answer was ranked among, itself included, after the filter."""
    total: int
    """How many candidates there were before anything was taken out; the n of an AUC."""

    def __len__(self) -> int:
        return len(self.heads)

    @property
    def average(self) -> Floats:
        """The expected rank if ties are broken by chance; what every metric is made of."""
        return (self.optimistic + self.pessimistic) / 2.0

    @property
    def tie_widths(self) -> Longs:
        """How many other candidates have the answer's score."""
        return self.pessimistic - self.optimistic

    @staticmethod
    def joined(several: Sequence[Ranks]) -> Ranks:
        """The ranks of several, among as many candidates, behind each other."""
        names = ("heads", "answers", "optimistic", "pessimistic", "candidates")
        columns = {name: np.concatenate([getattr(each, name) for each in several]) for name in names}
        return Ranks(**columns, total=several[0].total)

    def take(self, which: NDArray[np.bool_] | NDArray[np.integer]) -> Ranks:
        """The ranks of some of the axioms (a mask or indices)."""
        return Ranks(
            self.heads[which],
            self.answers[which],
            self.optimistic[which],
            self.pessimistic[which],
            self.candidates[which],
            self.total,
        )


class Ranking(NamedTuple):
    """Both settings, counted in one pass."""

    raw: Ranks
    filtered: Ranks
