"""SplitMix64 in plain whole numbers, as it was published: what seeded draws of kernels are made of."""

from __future__ import annotations

LARGEST = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def splitmix(state: int) -> int:
    """The number that a state gives."""
    z = state & LARGEST
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & LARGEST
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & LARGEST
    return z ^ (z >> 31)
