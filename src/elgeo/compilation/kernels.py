"""`Kernel`: a function that is compiled when it is first called. numba is imported then, not before."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from functools import cached_property, update_wrapper
from typing import Any

from elgeo.compilation.cache import Builds, KernelCache

_QUICKLY: list[bool] = []


def start_quickly() -> None:
    """Let numba, should it be needed, load without scipy, for commands that are over in a second.

    It looks for scipy's matrix products, which takes a seventh of that second, only to know whether kernels may use
    `np.cov`. Matrix products themselves look again.
    """
    _QUICKLY.append(True)


def load_numba() -> Any:
    """The module."""
    if _QUICKLY and "scipy.linalg" not in sys.modules and "numba.np.arraymath" not in sys.modules:
        sys.modules["scipy.linalg"] = None  # type: ignore[assignment]
        try:
            importlib.import_module("numba.np.arraymath")
        finally:
            del sys.modules["scipy.linalg"]
    return importlib.import_module("numba")


class Kernel:
    """A function, how it is to be compiled, and its builds; kernels that call it get numba's own object instead."""

    def __init__(self, function: Callable[..., Any], inner: bool, options: dict[str, Any]) -> None:
        self.py_func: Any = function
        self.inner, self.options = inner, options
        update_wrapper(self, function)

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        return self.dispatcher(*args, **keywords)

    @cached_property
    def dispatcher(self) -> Any:
        """The function as numba knows it."""
        njit = load_numba().njit
        if self.inner:
            from elgeo.compilation.linking import inner_dispatcher

            return inner_dispatcher(self.py_func, self.options)
        if self.options.get("parallel"):
            from elgeo.compilation.linking import parallel_dispatcher

            made = parallel_dispatcher(self.py_func, self.options)
        else:
            made = njit(**self.options)(self.py_func)
        made._cache = kept = KernelCache(self.builds)
        compiled = made.compile

        def compile(signature: Any) -> Any:
            try:
                return compiled(signature)
            finally:
                kept.made()

        made.compile = compile
        return made

    @cached_property
    def builds(self) -> Builds:
        """Where its builds are kept."""
        return Builds(self)

    @property
    def compiled(self) -> bool:
        """Whether this process has a build of it."""
        return "dispatcher" in vars(self) and bool(self.dispatcher.signatures)

    @property
    def _numba_type_(self) -> Any:
        return self.dispatcher._numba_type_

    @property
    def targetoptions(self) -> dict[str, Any]:
        """What numba asks before it copies a function into its callers (`inline`)."""
        return self.options
