"""One way to make a compiled kernel: `kernel`. Its builds are kept from run to run, under a key of all it is made of.

Takes a function, gives its compiled twin. Begin at `kernels.py`, which has it compiled; `direct.py` calls it without
numba where that can be, with the arrays of `flat.py`, `linking.py` says what is optimised together, `key.py` what a
build depends on, `cache.py` where it is kept.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar, cast, overload

from elgeo.compilation.cache import say_compiling
from elgeo.compilation.direct import DirectKernel
from elgeo.compilation.kernels import Kernel, start_quickly

__all__ = ["Kernel", "announce", "kernel", "start_quickly"]

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
        inner: Only kernels call it. Such functions are part of their callers' builds.
        counted: Whether arrays are counted. Each call adds to and takes from the count of each of its arrays by locked
            instructions, which took nearly half of the reasoner's time; what allocates nothing can do without. Such a
            kernel takes contiguous arrays and whole numbers, gives a number or None, and is called without numba.
        options: Other options of `numba.njit`.
    """

    def compiled(function: Function) -> Function:
        if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
            return function
        made: Kernel
        if counted:
            made = Kernel(function, inner, options)
        elif inner:
            made = Kernel(function, inner, {**options, "_nrt": False})
        else:
            made = DirectKernel(function, {**options, "_nrt": False})
        return cast(Function, made)

    return compiled if function is None else compiled(function)


def announce(kernel: Any, what: str) -> None:
    """Say on standard error that `kernel` is going to be compiled, unless a build of it is in the cache."""
    if isinstance(kernel, Kernel) and not kernel.compiled and not kernel.builds.any():
        say_compiling(what)
