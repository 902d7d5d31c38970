"""Likeness of classes: features weighted by how rare they are, rows of unit length, blocks mixed by weights."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from elgeo.models.atlas.contexts import Matrix
from elgeo.models.atlas.dense import Dense

Ids = NDArray[np.int32]

COMMON = 0.1
"""A feature that more than this share of the classes has says too little."""
PRODUCTS = 4e8
"""So many products of features at most when all classes are compared with all others."""


def weighted(rows: Matrix, members: NDArray[np.integer], common: float = COMMON) -> Matrix:
    """Unit rows of idf weights for all class ids; how rare a feature is, is counted among `members`.

    A feature that fewer than two members have joins nothing and goes; so does one that more than `common` have.
    """
    n = len(members)
    frequency = np.bincount(rows[members].indices, minlength=rows.shape[1])
    keep = (frequency >= 2) & (frequency <= max(2.0, common * n))
    weight = np.zeros(rows.shape[1], np.float32)
    weight[keep] = np.log((n + 1) / frequency[keep])
    made = rows @ sparse.diags_array(weight)
    made = sparse.csr_array(made[:, np.flatnonzero(keep)], dtype=np.float32)
    return unit_rows(made)


def unit_rows(rows: Matrix) -> Matrix:
    length = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1), np.float64).ravel())
    scale = np.divide(1, length, out=np.zeros_like(length), where=length > 0)
    return sparse.csr_array(sparse.diags_array(scale.astype(np.float32)) @ rows, dtype=np.float32)


def mixed(blocks: Sequence[Matrix], total: float, n_classes: int) -> Matrix:
    """Features F with F Fᵀ = the mean likeness by the blocks, times `total`."""
    if not blocks:
        return sparse.csr_array((n_classes, 0), dtype=np.float32)
    return np.float32(np.sqrt(total / len(blocks))) * sparse.hstack(blocks, format="csr", dtype=np.float32)


def likeness(left: Matrix, right: Matrix) -> Dense:
    """Every row of `left` against every row of `right`."""
    return np.asarray((left @ right.T.tocsr()).toarray(), np.float32)


def affordable(features: Matrix, left: NDArray[np.integer], right: NDArray[np.integer]) -> Matrix:
    """The features without the most common ones, where comparing all of `left` with all of `right` took too long."""
    counts = [np.bincount(features[side].indices, minlength=features.shape[1]) for side in (left, right)]
    products = counts[0].astype(np.float64) * counts[1]
    order = np.argsort(products, kind="stable")
    keep = order[np.cumsum(products[order]) <= PRODUCTS]
    return features if len(keep) == len(order) else sparse.csr_array(features[:, np.sort(keep)])


def nearest(scores: Dense, own: NDArray[np.integer], count: int, power: float) -> Matrix:
    """The `count` most alike of each row, raised to a power, as rows that sum to 1.

    Column `own[i]` is never one of them (-1: none is left out).
    """
    scores = scores.copy()
    has_own = np.flatnonzero(own >= 0)
    scores[has_own, own[has_own]] = 0
    count = min(count, scores.shape[1])
    if count < scores.shape[1]:
        # the count-th largest of each row, ties kept: what is equal is treated alike
        least = np.partition(scores, scores.shape[1] - count, axis=1)[:, -count]
        scores[scores < least[:, None]] = 0
    top = scores.max(axis=1, keepdims=True)
    scores = np.divide(scores, top, out=np.zeros_like(scores), where=top > 0) ** np.float32(power)
    total = scores.sum(axis=1, dtype=np.float64)
    scale = np.divide(1, total, out=np.zeros_like(total), where=total > 0)
    return sparse.csr_array(scores * scale[:, None].astype(np.float32))
