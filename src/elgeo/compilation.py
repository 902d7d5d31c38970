"""Compiled kernels: their cache sees every file they are made of, and the first compilation is announced."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any, TypeVar

from numba import njit

Kernel = TypeVar("Kernel")


def unmanaged(**options: Any) -> Callable[[Kernel], Kernel]:
    """`njit` for functions that are called often and allocate nothing.

    Their arrays are not counted: elsewhere each call adds to and takes from the count of each of its arrays by locked
    instructions, which took nearly half of the reasoner's time.
    """
    uncounted: dict[str, Any] = {"_nrt": False}
    compiled: Callable[[Kernel], Kernel] = njit(**uncounted, **options)
    return compiled


def start_quickly() -> None:
    """Let numba load without scipy, for commands that are over in a second.

    It looks for scipy's matrix products, which takes a seventh of that second, only to know whether kernels may use
    `np.cov`. Matrix products themselves look again.
    """
    if "scipy.linalg" not in sys.modules and "numba.np.arraymath" not in sys.modules:
        sys.modules["scipy.linalg"] = None  # type: ignore[assignment]
        try:
            importlib.import_module("numba.np.arraymath")
        finally:
            del sys.modules["scipy.linalg"]


def depends_on(kernel: Any, *modules: ModuleType) -> None:
    """Let the cached build of a numba kernel grow stale when a module it calls changes, not only its own file."""
    cache_file = getattr(getattr(kernel, "_cache", None), "_cache_file", None)
    if cache_file is None or not hasattr(cache_file, "_source_stamp"):
        return
    files = [os.stat(m.__file__) for m in modules if m.__file__]
    cache_file._source_stamp = (cache_file._source_stamp, *((f.st_mtime, f.st_size) for f in files))


def announce(kernel: Any, what: str) -> None:
    """Say on standard error that `kernel` is going to be compiled, unless a build of it is in the cache."""
    if getattr(kernel, "signatures", None) or _is_cached(kernel):
        return
    print(f"elgeo: compiling {what} (once, some seconds)", file=sys.stderr, flush=True)


def _is_cached(kernel: Any) -> bool:
    cache_file = getattr(getattr(kernel, "_cache", None), "_cache_file", None)
    try:
        return bool(cache_file is not None and cache_file._load_index())
    except (AttributeError, OSError):
        return True
