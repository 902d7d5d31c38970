"""Dense linear algebra in single precision whose bits depend on nothing but the numbers."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack
from threadpoolctl import ThreadpoolController

from elgeo.errors import ElgeoError

Dense = NDArray[np.float32]

BLOCK = 64
"""Rows of one product, filled up with zeros: a row has the same bits whatever it is computed with."""
SQUARE = 512
"""Rows and columns that are mirrored at a time: as many as a processor has at hand."""


def one_thread() -> Any:
    """Sums are taken in one order, however many processors there are."""
    return _libraries().limit(limits=1, user_api="blas")


@cache
def _libraries() -> ThreadpoolController:
    """Those that multiply: they are looked for once, for that takes longer than most of what is multiplied."""
    return ThreadpoolController()


def inverse(gram: Dense) -> Dense:
    """Of a symmetric positive definite matrix, which is overwritten."""
    if not len(gram):
        return gram
    factor, failed = lapack.spotrf(gram.T, lower=0, overwrite_a=1)
    if failed:
        raise ElgeoError("the tails cannot be regressed on each other: their Gram matrix is singular")
    found, _ = lapack.spotri(factor, lower=0, overwrite_c=1)
    found = found.T  # lower triangle, in the order of C
    for first in range(0, len(found), SQUARE):
        last = first + SQUARE
        found[first:last, last:] = found[last:, first:last].T
        corner = found[first:last, first:last]
        corner[:] = np.tril(corner) + np.tril(corner, -1).T
    return np.ascontiguousarray(found)


def fixed_product(left: NDArray[np.float32], right: Dense) -> Dense:
    """A product whose rows do not depend on how many are asked for at once."""
    made = np.empty((len(left), right.shape[1]), np.float32)
    padded = np.zeros((BLOCK, left.shape[1]), np.float32)
    for first in range(0, len(left), BLOCK):
        part = left[first : first + BLOCK]
        padded[: len(part)] = part
        padded[len(part) :] = 0
        made[first : first + BLOCK] = (padded @ right)[: len(part)]
    return made
