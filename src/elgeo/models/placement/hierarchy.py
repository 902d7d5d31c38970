"""What is above and below each class by what is told: without what follows, and around classes that are left out."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from scipy import sparse

from elgeo.arrays import Flags, Floats, Longs
from elgeo.models.atlas.contexts.logic import Matrix, binary


class ToldHierarchy:
    """Told C ⊑ D as a matrix, rows C and columns D, and what follows by going up."""

    def __init__(self, told: Matrix) -> None:
        self.up: Matrix = sparse.csr_array(told, dtype=np.float32)

    @cached_property
    def down(self) -> Matrix:
        return sparse.csr_array(self.up.T)

    @cached_property
    def above(self) -> Matrix:
        """1 for each class and all that is one step or more above it."""
        return all_above(self.up)

    @cached_property
    def children(self) -> Longs:
        return np.asarray(np.diff(self.down.indptr), np.int64)

    @cached_property
    def descendants(self) -> Longs:
        return np.bincount(self.above.indices, minlength=self.up.shape[0]).astype(np.int64)

    @cached_property
    def top(self) -> Longs:
        """Of each class one that is above it and has nothing above; itself if there is none such."""
        tops = np.diff(self.up.indptr) == 0
        found = np.arange(self.up.shape[0])
        listed = sparse.coo_array(self.above)
        at_top = tops[listed.col]
        found[listed.row[at_top][::-1]] = listed.col[at_top][::-1]  # the first of several
        return found

    @cached_property
    def depth(self) -> Floats:
        """Told steps from each class to one that has nothing above it, the fewest."""
        found = np.where(np.diff(self.up.indptr) == 0, 0.0, np.inf)
        level = 0
        while len(here := np.flatnonzero(found == level)):
            level += 1
            below = np.unique(self.down[here].indices)
            found[below[np.isinf(found[below])]] = level
        return found


def all_above(told: Matrix) -> Matrix:
    """Everything that is reached by one step or more."""
    found = binary(told)
    while True:
        more = binary(found + found @ found)
        if more.nnz == found.nnz:
            return more
        found = more


def reduced(told: Matrix) -> Matrix:
    """Without C ⊑ D where something else told to be above C is strictly below D, as the parts of definitions often are.

    What classes that are above each other say of themselves stays.
    """
    above = all_above(told)
    back = sparse.csr_array(above.T)
    strictly = above - above.multiply(back)
    open_ones = told - told.multiply(back)
    follows = told.multiply(binary(sparse.csr_array(open_ones @ strictly)))
    return _cleared(told - follows)


def without(told: Matrix, kept: Flags) -> Matrix:
    """The hierarchy of the classes that are kept: what is above a class that goes is above those below it."""
    inside, away = np.flatnonzero(kept), np.flatnonzero(~kept)
    low, high = told[inside], told[away]
    through = high[:, away]
    ways = sparse.csr_array(sparse.eye_array(len(away), dtype=told.dtype) + all_above(through))
    around = low[:, away] @ ways @ high[:, inside]
    return reduced(binary(_off_diagonal(sparse.csr_array(low[:, inside] + around))))


def _off_diagonal(matrix: Matrix) -> Matrix:
    matrix.setdiag(0)
    return _cleared(matrix)


def _cleared(matrix: Matrix) -> Matrix:
    made = sparse.csr_array(matrix)
    made.eliminate_zeros()
    return made
