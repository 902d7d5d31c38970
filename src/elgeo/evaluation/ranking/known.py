"""`Known`: the answers already known to be true of each class, which a filtered ranking leaves out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Flags, Ids, Longs
from elgeo.compilation import kernel
from elgeo.keys import distinct, lower_bound


@dataclass(frozen=True, eq=False)
class Known:
    """For each class the classes it is known to go with, as rows of one array."""

    start: NDArray[np.int64]
    """The row of class c is `others[start[c]:start[c + 1]]`."""
    others: Ids
    """Ascending in each row, none twice."""

    def of(self, head: int) -> Ids:
        """The known answers of one class."""
        return self.others[self.start[head] : self.start[head + 1]]

    @classmethod
    def of_pairs(cls, heads: NDArray[np.integer], others: NDArray[np.integer], n_classes: int) -> Known:
        """From pairs in any order, repeated or not."""
        keys = distinct(heads.astype(np.int64) * n_classes + others)
        start = np.searchsorted(keys, np.arange(n_classes + 1, dtype=np.int64) * n_classes)
        return cls(start.astype(np.int64), (keys % n_classes).astype(np.int32))

    @classmethod
    def nothing(cls, n_classes: int) -> Known:
        """No answer is known of any class."""
        no_class = np.array([], np.int32)
        return cls.of_pairs(no_class, no_class, n_classes)

    @property
    def n_classes(self) -> int:
        return len(self.start) - 1

    def covering(self, n_classes: int) -> Known:
        """The same about at least so many classes; of further ones nothing is known."""
        more = np.full(max(0, n_classes - self.n_classes), len(self.others), np.int64)
        return Known(np.concatenate([self.start, more]), self.others)

    def without(self, heads: NDArray[np.integer], others: NDArray[np.integer]) -> Known:
        """What is known apart from these pairs."""
        taken = Known.of_pairs(heads, others, self.n_classes)
        keep = ~taken.contains(self._heads, self.others)
        return Known.of_pairs(self._heads[keep], self.others[keep], self.n_classes)

    def extended(self, heads: NDArray[np.integer], others: NDArray[np.integer]) -> Known:
        """What is known, and these pairs."""
        both = np.concatenate([self._heads, heads]), np.concatenate([self.others, others])
        return Known.of_pairs(*both, self.n_classes)

    @property
    def _heads(self) -> NDArray[np.int64]:
        """The class of each entry of `others`."""
        return np.repeat(np.arange(self.n_classes, dtype=np.int64), np.diff(self.start))

    def contains(self, heads: NDArray[np.integer], others: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Whether each pair is known."""
        found = np.zeros(len(heads), np.bool_)
        _find(self.start, self.others, heads.astype(np.int64), others.astype(np.int64), found)
        return found


@kernel
def _find(start: Longs, known: Ids, heads: Longs, others: Longs, found: Flags) -> None:
    """Whether each of `others` stands in the row of its head."""
    for i in range(len(heads)):
        last = start[heads[i] + 1]
        place = lower_bound(known, start[heads[i]], last, others[i])
        found[i] = place < last and known[place] == others[i]
