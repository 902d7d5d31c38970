"""`Target`: all that training says in the target's shape, as a matrix of heads and tails."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from elgeo.arrays import Table
from elgeo.datasets.model import Dataset
from elgeo.keys import distinct
from elgeo.models.atlas.contexts.logic import Matrix, indicator, real_classes

Ids = NDArray[np.int32]
Places = NDArray[np.int64]
Real = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Target:
    """Rows are the classes that may stand as head, columns those that may stand as tail."""

    role: int | None
    heads: Ids
    tails: Ids
    axioms: Matrix
    """1 for each axiom of the shape: those of the training split, and what definitions say of a role beside them."""
    known: Matrix
    """1 for each axiom of the training split alone: the others may be asked for."""
    told: Real
    """For each tail the axioms of the shape that name it, those of parts of definitions among them."""
    n_classes: int
    symmetric: bool
    """Then `heads` and `tails` are the same classes."""

    @classmethod
    def of(cls, dataset: Dataset) -> Target:
        real, n, train = real_classes(dataset), dataset.vocabulary.n_classes, dataset.train
        heads = np.union1d(dataset.kinds.members(dataset.head_kind), dataset.train[:, 0]).astype(np.int32)
        tails = np.union1d(dataset.kinds.members(dataset.tail_kind), dataset.train[:, -1]).astype(np.int32)
        heads, tails = heads[real[heads]], tails[real[tails]]
        if dataset.symmetric:
            heads = tails = np.union1d(heads, tails)
        said = once(np.concatenate([train[:, [0, -1]], _of_shape(dataset)]))
        of_tail = places(tails, n)[said[:, 1]]
        told = np.bincount(of_tail[of_tail >= 0], minlength=len(tails)).astype(np.float64)

        def matrix(pairs: Table) -> Matrix:
            rows, columns = places(heads, n)[pairs[:, 0]], places(tails, n)[pairs[:, -1]]
            known = (rows >= 0) & (columns >= 0)
            return indicator(rows[known], columns[known], (len(heads), len(tails)))

        return cls(dataset.target_role, heads, tails, matrix(said), matrix(train), told, n, dataset.symmetric)

    @cached_property
    def head_place(self) -> Places:
        """The row of each class id, -1 where it has none."""
        return places(self.heads, self.n_classes)

    @cached_property
    def tail_place(self) -> Places:
        return places(self.tails, self.n_classes)

    @cached_property
    def members(self) -> Ids:
        """Heads and tails."""
        return np.union1d(self.heads, self.tails)

    @property
    def by_class(self) -> Matrix:
        """The axioms with a row for each class id."""
        return take(self.axioms, self.head_place)

    @cached_property
    def tail_counts(self) -> Real:
        return np.bincount(self.axioms.indices, minlength=len(self.tails)).astype(np.float64)

    @cached_property
    def head_counts(self) -> Real:
        return np.asarray(np.diff(self.axioms.indptr), np.float64)

    def scaled(self, head_power: float, tail_power: float) -> Matrix:
        """The axioms divided by powers of how many their head and their tail have."""
        left = np.maximum(self.head_counts, 1) ** -head_power
        right = np.maximum(self.tail_counts, 1) ** -tail_power
        made = sparse.diags_array(left) @ self.axioms @ sparse.diags_array(right)
        return sparse.csr_array(made, dtype=np.float32)


def _of_shape(dataset: Dataset) -> Table:
    """Pairs C, D of all training axioms C ⊑ ∃R.D with the target's role, whatever C is.

    Of C ⊑ D there are none beside the training split: what definitions say of superclasses is in the contexts, and it
    is of another sort than what is told, and held out, apart from them.
    """
    table = dataset.forms.existential
    mine = np.zeros(len(table), np.bool_) if dataset.target_role is None else table[:, 1] == dataset.target_role
    return np.asarray(table[mine][:, [0, -1]])


def once(pairs: Table) -> Table:
    """The different pairs in order, ids being below 2³¹."""
    found = distinct(pairs[:, 0].astype(np.int64) << 31 | pairs[:, 1])
    return np.column_stack([found >> 31, found & ((1 << 31) - 1)]).astype(pairs.dtype)


def places(members: NDArray[np.integer], n_classes: int) -> Places:
    found = np.full(n_classes, -1, np.int64)
    found[members] = np.arange(len(members))
    return found


def take(matrix: Matrix, rows: NDArray[np.integer]) -> Matrix:
    """Rows of a matrix; -1 gives an empty one."""
    known = np.flatnonzero(rows >= 0)
    lift = indicator(known, rows[known], (len(rows), matrix.shape[0]))
    return sparse.csr_array(lift @ matrix, dtype=np.float32)
