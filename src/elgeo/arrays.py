"""The types of arrays, once for all rooms: what their numbers are, and the few words for what they are used as."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
"""Of any numbers: in kernels that are compiled for several kinds."""
Ints: TypeAlias = NDArray[np.int32]
Longs: TypeAlias = NDArray[np.int64]
Words: TypeAlias = NDArray[np.uint64]
Bytes: TypeAlias = NDArray[np.uint8]
Flags: TypeAlias = NDArray[np.bool_]
Floats: TypeAlias = NDArray[np.float64]
Reals: TypeAlias = NDArray[np.float32] | NDArray[np.float64]
"""Scores and weights, as precise as their model."""

Ids: TypeAlias = Ints
"""Classes or roles, by their number in the vocabulary."""
Table: TypeAlias = Ints
"""Rows of ids, (number of rows) × (number of columns)."""
Starts: TypeAlias = Longs
"""Where the part of each owner begins in one long array; one more than there are owners."""
Keys: TypeAlias = Longs
"""Rows put into one number each, so that they can be sorted and looked up."""
Places: TypeAlias = Longs
"""Positions in another array."""
