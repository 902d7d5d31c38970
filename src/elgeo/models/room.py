"""How much of a model is in memory at a time: work on many rows of parameters is cut where it would need more.

Parameters may be mapped from a file that is larger than memory. What is looked up in them becomes double precision, so
that even the rows of one question may need more than there is. Each row is worked on alone: cutting changes no bit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from elgeo.arrays import Array

ROOM = 1 << 24
"""Numbers in memory at a time, for each side of a comparison."""
_Found = TypeVar("_Found", bound=Array)


def in_room(count: int, width: int, do: Callable[[slice], _Found], axis: int = 0) -> _Found:
    """What `do` gives for all of `count` rows with `width` numbers each, joined along an axis.

    >>> in_room(5, ROOM // 2, lambda part: np.arange(5)[part] ** 2).tolist()
    [0, 1, 4, 9, 16]
    """
    step = max(1, ROOM // max(1, width))
    if count <= step:
        return do(slice(0, count))
    return np.concatenate([do(slice(low, low + step)) for low in range(0, count, step)], axis=axis)  # type: ignore[return-value]
