"""Likeness of classes: features weighted by how rare they are, rows of unit length, blocks mixed by weights."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from elgeo.arrays import Floats
from elgeo.models.atlas.contexts.logic import Matrix
from elgeo.models.atlas.operators.dense import Dense
from elgeo.models.atlas.operators.selecting import keep_nearest
from elgeo.models.atlas.operators.sparse_products import dense_product

Ids = NDArray[np.int32]

COMMON = 0.1
"""A feature that more than this share of the classes has says too little."""
AT_ONCE = 1024
"""Rows of likeness that are held at a time."""
PRODUCTS = 4e8
"""So many products of features at most when all classes are compared with all others."""


def weighted(rows: Matrix, members: NDArray[np.integer], common: float = COMMON, alone: bool = False) -> Matrix:
    """Unit rows of idf weights for all class ids; how rare a feature is, is counted among `members`.

    A feature that fewer than two members have joins nothing and goes; so does one that more than `common` have. With
    `alone` what fewer than two have counts for the length all the same: it makes a class less like all others.
    """
    n = len(members)
    frequency = np.bincount(rows[members].indices, minlength=rows.shape[1])
    spoken = frequency <= max(2.0, common * n)
    keep = spoken & (frequency >= 2)
    weight = np.zeros(rows.shape[1], np.float32)
    counted = spoken if alone else keep
    weight[counted] = np.log((n + 1) / np.maximum(frequency[counted], 1))
    made = rows @ sparse.diags_array(weight)
    length = lengths(made)
    return scaled_rows(sparse.csr_array(made[:, np.flatnonzero(keep)], dtype=np.float32), length)


def unit_rows(rows: Matrix) -> Matrix:
    return scaled_rows(rows, lengths(rows))


def lengths(rows: Matrix) -> Floats:
    return np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1), np.float64).ravel())


def scaled_rows(rows: Matrix, length: Floats) -> Matrix:
    """Rows divided by their lengths; those without length are left at 0."""
    scale = np.divide(1, length, out=np.zeros_like(length), where=length > 0)
    return sparse.csr_array(sparse.diags_array(scale.astype(np.float32)) @ rows, dtype=np.float32)


def mixed(blocks: Sequence[Matrix], total: float, n_classes: int) -> Matrix:
    """Features F with F Fᵀ = the mean likeness by the blocks, times `total`."""
    if not blocks:
        return sparse.csr_array((n_classes, 0), dtype=np.float32)
    return np.float32(np.sqrt(total / len(blocks))) * sparse.hstack(blocks, format="csr", dtype=np.float32)


def likeness(left: Matrix, right: Matrix) -> Dense:
    """Every row of `left` against every row of `right`."""
    return dense_product(left, right.T.tocsr())


def affordable(features: Matrix, left: NDArray[np.integer], right: NDArray[np.integer]) -> Matrix:
    """The features without the most common ones, where comparing all of `left` with all of `right` took too long."""
    counts = [np.bincount(features[side].indices, minlength=features.shape[1]) for side in (left, right)]
    products = counts[0].astype(np.float64) * counts[1]
    order = np.argsort(products, kind="stable")
    keep = order[np.cumsum(products[order]) <= PRODUCTS]
    return features if len(keep) == len(order) else sparse.csr_array(features[:, np.sort(keep)])


def nearest(left: Matrix, right: Matrix, own: NDArray[np.integer], count: int, power: float) -> Matrix:
    """The `count` columns of `right` most like each row of `left`, their likeness raised to a power; rows sum to 1.

    Column `own[i]` is never one of them (-1: none is left out).
    """
    parts = []
    for first in range(0, left.shape[0], AT_ONCE):
        found = sparse.csr_array(left[first : first + AT_ONCE] @ right)
        keep_nearest(found.indptr, found.indices, found.data, own[first : first + AT_ONCE], count, power)
        found.eliminate_zeros()
        parts.append(found)
    return sparse.vstack(parts, format="csr") if parts else sparse.csr_array((0, right.shape[1]), dtype=np.float32)
