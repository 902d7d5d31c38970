"""One way to make a compiled kernel: `kernel`. Its builds are kept from run to run, under a key of all it is made of.

Takes a function, gives its compiled twin. `key.py` says what a build depends on, `cache.py` where builds are kept.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from typing import Any, TypeVar, overload

from numba import njit

from elgeo.compilation.cache import KernelCache, say_compiling

Function = TypeVar("Function", bound=Callable[..., Any])


@overload
def kernel(function: Function, /) -> Function: ...
@overload
def kernel(*, inner: bool = ..., counted: bool = ..., **options: Any) -> Callable[[Function], Function]: ...
def kernel(
    function: Function | None = None, /, *, inner: bool = False, counted: bool = True, **options: Any
) -> Function | Callable[[Function], Function]:
    """Compile a function when it is first called, or take its build from the cache.

    Editing the function, or anything that it calls or refers to, makes a new build: nobody has to say which files
    that concerns.

    Args:
        function: For `@kernel` without arguments.
        inner: Only kernels call it. Such functions compile in half the time, and are part of their callers' builds.
        counted: Whether arrays are counted. Each call adds to and takes from the count of each of its arrays by locked
            instructions, which took nearly half of the reasoner's time; what allocates nothing can do without.
        options: Other options of `numba.njit`.
    """

    def compiled(function: Function) -> Function:
        extra: dict[str, Any] = dict(options)
        if inner:
            extra |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        if not counted:
            extra["_nrt"] = False
        made: Any = njit(**extra)(function)
        if not inner and hasattr(made, "_cache"):  # a plain function where numba is switched off
            made._cache = KernelCache(made)
        result: Function = made
        return result

    return compiled if function is None else compiled(function)


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


def announce(kernel: Any, what: str) -> None:
    """Say on standard error that `kernel` is going to be compiled, unless a build of it is in the cache."""
    cache = getattr(kernel, "_cache", None)
    if isinstance(cache, KernelCache) and not kernel.signatures and not cache.has_builds():
        say_compiling(what)
