"""How much each piece of evidence counts: a softmax over candidates, learnt on classes that are held out whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, sparse

from elgeo.arrays import Floats, Places
from elgeo.models.atlas.contexts.logic import Matrix
from elgeo.models.atlas.operators.dense import Dense

RIVALS = 200
"""Candidates beside which a true one has to stand."""
RIDGE = 1e-4
"""How much a weight costs, so that what says nothing weighs nothing."""

Rows = Mapping[str, Matrix | Dense]


class Rivalry(NamedTuple):
    """One true relation of a held-out class among its rivals: features of all, and which is the true one."""

    features: NDArray[np.float32]
    true: int


def bent(features: NDArray[np.float32]) -> NDArray[np.float32]:
    """Features, and their roots, so that a little of a thing can count for more than its share."""
    return np.concatenate([features, np.sqrt(np.maximum(features, 0))], axis=-1)


def scores(rows: Rows, weights: Floats, n_terms: int, n_classes: int) -> Dense:
    """Σ weight · evidence + Σ weight · √evidence for all terms and classes."""
    half = len(weights) // 2
    total = np.zeros((n_terms, n_classes), np.float32)
    for (_, found), plain, root in zip(rows.items(), weights[:half].tolist(), weights[half:].tolist(), strict=True):
        if isinstance(found, np.ndarray):
            total += np.float32(plain) * found + np.float32(root) * np.sqrt(found)
        elif plain or root:
            values = np.float32(plain) * found.data + np.float32(root) * np.sqrt(found.data)
            total += sparse.csr_array((values, found.indices, found.indptr), shape=found.shape).toarray()
    return total


def rivalries(rows: Rows, true: Sequence[Places], first: Floats, n_classes: int) -> list[Rivalry]:
    """For each true end of each term the features of that end and of its rivals, by a first guess at weights."""
    guess = scores(rows, first, len(true), n_classes)
    found = []
    for row, ends in enumerate(true):
        if not len(ends):
            continue
        rough = guess[row].copy()
        rough[ends] = -np.inf
        rivals = np.argpartition(-rough, RIVALS)[:RIVALS] if n_classes > RIVALS else np.flatnonzero(np.isfinite(rough))
        rivals = rivals[np.isfinite(rough[rivals])]
        chosen = np.concatenate([ends, rivals])
        features = np.stack([_cells(found_rows, row, chosen) for found_rows in rows.values()], axis=-1)
        for number in range(len(ends)):
            kept = np.concatenate([[number], np.arange(len(ends), len(chosen))])
            found.append(Rivalry(features[kept], 0))
    return found


def _cells(found: Matrix | Dense, row: int, columns: Places) -> NDArray[np.float32]:
    if isinstance(found, np.ndarray):
        return np.asarray(found[0, columns], np.float32)
    return np.asarray(found[[row]].toarray()[0, columns], np.float32)


def learnt(asked: Sequence[Rivalry], n_features: int) -> Floats:
    """Weights, none below 0, that make the true ends likely beside their rivals."""
    if not asked:
        return np.concatenate([np.ones(n_features), np.zeros(n_features)])
    sizes = np.array([len(question.features) for question in asked])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    whole = bent(np.concatenate([question.features for question in asked])).astype(np.float64)
    size = np.sqrt((whole**2).mean(axis=0))
    scale = np.where(size > 0, size, np.inf)
    whole /= scale
    true = starts + np.array([question.true for question in asked])

    def loss(weights: Floats) -> tuple[float, Floats]:
        value = whole @ weights
        top = np.maximum.reduceat(value, starts)
        raised = np.exp(value - np.repeat(top, sizes))
        total = np.add.reduceat(raised, starts)
        share = raised / np.repeat(total, sizes)
        share[true] -= 1
        lost = float((top + np.log(total) - value[true]).mean())
        return lost + RIDGE * float(weights @ weights), whole.T @ share / len(sizes) + 2 * RIDGE * weights

    begin = np.full(2 * n_features, 0.1)
    found = optimize.minimize(loss, begin, jac=True, method="L-BFGS-B", bounds=[(0, None)] * len(begin))
    return np.asarray(found.x / scale, np.float64)
