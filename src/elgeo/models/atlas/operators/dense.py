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

BLOCK = 48
"""Rows of one product, filled up with zeros."""
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
    """A product whose rows have the same bits whatever they are computed with.

    On some processors a product treats rows differently by where they stand: there a row's own bits say where it may.
    """
    made = np.empty((len(left), right.shape[1]), np.float32)
    places = alike_places()
    sort = _sorts(left, len(places))
    rows = [np.flatnonzero(sort == k) for k in range(len(places))]
    padded = np.zeros((BLOCK, left.shape[1]), np.float32)
    for block in range(max(-(-len(mine) // len(at)) for mine, at in zip(rows, places, strict=True))):
        some = [mine[block * len(at) : (block + 1) * len(at)] for mine, at in zip(rows, places, strict=True)]
        asked = np.concatenate(some)
        stand = np.concatenate([at[: len(mine)] for mine, at in zip(some, places, strict=True)])
        padded[:] = 0
        padded[stand] = left[asked]
        made[asked] = (padded @ right)[stand]
    return made


@cache
def alike_places() -> list[NDArray[np.int64]]:
    """Places of a block in parts: within a part a row has the same bits wherever it stands. Found by trying."""
    generator = np.random.default_rng(0)
    row, right = (generator.standard_normal(shape).astype(np.float32) for shape in ((1, 257), (257, 131)))
    parts: dict[bytes, list[int]] = {}
    for place, found in enumerate(np.repeat(row, BLOCK, axis=0) @ right):
        parts.setdefault(found.tobytes(), []).append(place)
    return [np.array(part) for part in parts.values()]


def _sorts(rows: NDArray[np.float32], count: int) -> NDArray[np.uint32]:
    """A number below `count` for each row, by its bits alone."""
    if count == 1:
        return np.zeros(len(rows), np.uint32)
    sums = np.ascontiguousarray(rows).sum(axis=1).view(np.uint32)
    return np.asarray((sums * np.uint32(0x9E3779B1) >> np.uint32(16)) % np.uint32(count))
