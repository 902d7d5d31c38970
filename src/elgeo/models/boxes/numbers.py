"""The numbers that corners of boxes are: small integers and infinity, so that truth is exact."""

from __future__ import annotations

from elgeo.compilation import kernel

INFINITE = 127
"""Stands for infinity, in 8 bits."""
LARGEST = 60
"""The largest finite corner; what would lie beyond it is infinite."""
LEAST = -60
"""A corner below all others: both corners of an empty box."""


@kernel(inner=True, counted=False)
def plus(a: int, b: int) -> int:
    """a + b, infinite where one of them is."""
    return INFINITE if a == INFINITE or b == INFINITE else a + b
