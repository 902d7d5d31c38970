"""`Moments`: a parameter as a fused step wants it, in memory that begins on cache lines, with Adam's running means."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

BETAS, EPSILON = (0.9, 0.999), 1e-8
"""Adam's constants, as torch has them."""
LINE = 64
"""Bytes of a cache line; rows begin on one and are padded with zeros to the next."""
WORTH_THREADS = 1 << 20
"""Numbers in a step from which on several threads are worth waking."""


class Moments(NamedTuple):
    """A parameter in its two buffers, old and new, and Adam's running means of its gradient and its square."""

    old: NDArray[Any]
    new: NDArray[Any]
    mean: NDArray[Any]
    square: NDArray[Any]

    @staticmethod
    def of(values: NDArray[Any], in_place: bool = False) -> Moments:
        """With a buffer of its own for what is new, unless whoever moves it has read all of it before (`in_place`)."""
        old, mean, square = (padded(values.shape, values.dtype) for _ in range(3))
        old[..., : values.shape[-1]] = values
        return Moments(old, old if in_place else padded(values.shape, values.dtype), mean, square)

    def swapped(self) -> Moments:
        return self._replace(old=self.new, new=self.old)

    def move(self, gradient: NDArray[Any], adam: tuple[float, ...]) -> None:
        """Take Adam's step from the old buffer to the new one, for parameters of which there are few."""
        rate, root, mean_share, square_keep, square_share, epsilon = adam
        self.mean[:] += (gradient - self.mean) * mean_share
        self.square[:] = square_keep * self.square + square_share * gradient * gradient
        self.new[:] = self.old - rate * self.mean / (np.sqrt(self.square) * root + epsilon)


def adam_constants(learning_rate: float, steps: int) -> tuple[float, ...]:
    """Rate and root with the corrections for the first steps, then the shares of new and old in the means."""
    rate = learning_rate / (1 - BETAS[0] ** steps)
    root = (1 - BETAS[1] ** steps) ** -0.5
    return rate, root, 1 - BETAS[0], BETAS[1], 1 - BETAS[1], EPSILON


AS_THEY_ARE = (0.0, 0.0, 1.0, 0.0, 0.0, 1.0)
"""Constants with which nothing moves and Adam's mean is the gradient itself: how a fused step tells its gradients."""


@contextmanager
def few_threads(is_little: bool) -> Iterator[None]:
    """Use one thread where there is too little to do for two; the result is the same."""
    threads = numba.get_num_threads()
    if is_little:
        numba.set_num_threads(1)
    try:
        yield
    finally:
        numba.set_num_threads(threads)


def padded(shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Zeros of a shape whose last axis, in a matrix, is padded to whole cache lines."""
    if len(shape) == 1:
        return np.zeros(shape, dtype)
    rows, width = shape[0], padded_width(shape[1], dtype)
    per_line = LINE // dtype.itemsize
    flat = np.zeros(rows * width + per_line, dtype)
    begin = -flat.ctypes.data % LINE // dtype.itemsize
    return flat[begin : begin + rows * width].reshape(rows, width)


def padded_width(width: int, dtype: np.dtype[Any]) -> int:
    """So many numbers, rounded up to whole cache lines."""
    per_line = LINE // dtype.itemsize
    return -(-width // per_line) * per_line
