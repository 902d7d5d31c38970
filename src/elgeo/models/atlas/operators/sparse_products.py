"""Products of sparse matrices that come out dense: the sums of scipy in the same order, without its sparse result."""

from __future__ import annotations

import numpy as np

from elgeo.arrays import Array
from elgeo.compilation import kernel
from elgeo.models.atlas.contexts.logic import Matrix
from elgeo.models.atlas.operators.dense import Dense


def dense_product(left: Matrix, right: Matrix) -> Dense:
    """`left @ right` of matrices by rows, in single precision."""
    made = np.zeros((left.shape[0], right.shape[1]), np.float32)
    sides = [(each.indptr, each.indices, np.asarray(each.data, np.float32)) for each in (left, right)]
    _add_products(*sides[0], *sides[1], made)
    return made


@kernel
def _add_products(
    start: Array,
    columns: Array,
    values: Array,
    right_start: Array,
    right_columns: Array,
    right_values: Array,
    made: Array,
) -> None:
    for i in range(len(start) - 1):
        row = made[i]
        for j in range(start[i], start[i + 1]):
            value, inner = values[j], columns[j]
            for k in range(right_start[inner], right_start[inner + 1]):
                row[right_columns[k]] += value * right_values[k]
