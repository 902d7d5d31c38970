"""The kernels that add sparse evidence to dense scores, as it is and bent, at the cost of its entries alone."""

from __future__ import annotations

import numpy as np

from elgeo.arrays import Array
from elgeo.compilation import kernel
from elgeo.models.atlas.contexts.logic import Matrix
from elgeo.models.atlas.operators.dense import Dense


def add(total: Dense, weight: float, found: Dense | Matrix) -> None:
    """total += weight · found."""
    if isinstance(found, np.ndarray):
        total += found if weight == 1 else np.float32(weight) * found
    else:
        _add(total, np.float32(weight), found.indptr, found.indices, found.data)


def add_bent(total: Dense, weight: float, bend: float, found: Dense | Matrix) -> None:
    """total += weight · asinh(bend · found), which is 0 where there is nothing."""
    if isinstance(found, np.ndarray):
        total += np.float32(weight) * np.arcsinh(np.float32(bend) * found)
    else:
        _add(total, np.float32(weight), found.indptr, found.indices, np.arcsinh(np.float32(bend) * found.data))


@kernel
def _add(total: Array, weight: np.float32, start: Array, columns: Array, values: Array) -> None:
    for i in range(len(start) - 1):
        for j in range(start[i], start[i + 1]):
            total[i, columns[j]] += weight * values[j]
