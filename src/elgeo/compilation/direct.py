"""Kernels that are called without numba: arrays and numbers in, a number out, nothing allocated.

Importing numba takes longer than most commands need for all else. What it compiles is plain machine code, though, and
LLVM's own loader, which is quickly there, is enough to call it: an array is handed over as its address and its shape.
So numba is needed only where no build is there yet. Such kernels run beside each other in several threads.
"""

from __future__ import annotations

import ctypes
import json
import threading
from collections.abc import Callable, Sequence
from functools import cache, cached_property
from typing import Any

import numpy as np

from elgeo.compilation.cache import say_if_nothing_was_said
from elgeo.compilation.kernels import Kernel, load_numba
from elgeo.compilation.key import digest

_LOCK = threading.RLock()
_RESULTS: dict[str, Callable[[int], object]] = {
    "none": lambda bits: None,
    "bool": lambda bits: bool(bits & 1),
    "int32": lambda bits: ctypes.c_int32(bits).value,
    "int64": lambda bits: bits,
}
"""How the eight bytes for the result are read, by numba's name of its type."""
_SUCCEEDED = (0, -2)  # with a number, with None
_NO_BYTES = ctypes.c_char * 0
"""What fits at the beginning of every array, of an empty one too."""


class DirectKernel(Kernel):
    """A kernel whose arguments are arrays, whole numbers and named tuples of them."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        super().__init__(function, False, options)
        self._entries: dict[tuple[Any, ...], tuple[Any, Callable[[int], object]]] = {}

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        if keywords:
            raise TypeError("kernels that are called directly take their arguments by place")
        kinds: list[Any] = []
        values: list[int] = []
        _flatten(args, kinds, values)
        key = tuple(kinds)
        entry = self._entries.get(key) or self._entry(key, args)
        result, error = ctypes.c_int64(0), ctypes.c_void_p(None)
        status = entry[0](ctypes.addressof(result), ctypes.addressof(error), *values)
        if status not in _SUCCEEDED:
            raise RuntimeError(f"the kernel {self.py_func.__qualname__} failed")  # it divided by zero
        return entry[1](result.value)

    @cached_property
    def dispatcher(self) -> Any:
        """The function as numba knows it."""
        load_numba()
        from elgeo.compilation.linking import outer_dispatcher

        return outer_dispatcher(self.py_func, self.options)

    @property
    def compiled(self) -> bool:
        """Whether this process has a build of it."""
        return bool(self._entries)

    def _entry(self, kinds: tuple[Any, ...], args: Sequence[Any]) -> tuple[Any, Callable[[int], object]]:
        with _LOCK:
            if kinds not in self._entries:
                name = digest([[_described(kind) for kind in kinds], _machine()])
                found = self._kept(name)
                if found is None:
                    say_if_nothing_was_said()
                    with self.builds.making(name):
                        found = self._kept(name) or self._compiled(args, name)
                address, returned, width = found
                prototype = ctypes.CFUNCTYPE(ctypes.c_int32, *[ctypes.c_void_p] * 2, *[ctypes.c_int64] * width)
                self._entries[kinds] = prototype(address), _RESULTS[returned]
            return self._entries[kinds]

    def _kept(self, name: str) -> tuple[int, str, int] | None:
        data = self.builds.read(name)
        return _loaded(data) if data else None

    def _compiled(self, args: Sequence[Any], name: str) -> tuple[int, str, int]:
        types = tuple(_numba_type(argument) for argument in args)
        self.dispatcher.compile(types)
        build = self.dispatcher.overloads[types]
        symbol, returned = build.fndesc.llvm_func_name, str(build.signature.return_type)
        if returned not in _RESULTS:
            raise TypeError(f"kernels that are called directly give a number or None, not {returned}")
        values: list[int] = []
        _flatten(args, [], values)
        code = build.library._get_compiled_object()
        head = {"symbol": symbol, "returns": returned, "width": len(values)}
        if not build.library.has_dynamic_globals:  # addresses mean nothing to another process
            self.builds.write(name, json.dumps(head).encode() + b"\n" + code)
        return build.library.get_pointer_to_function(symbol), returned, len(values)


def _flatten(args: Sequence[Any], kinds: list[Any], values: list[int]) -> None:
    """The kinds of arguments, and what numba's functions take for them."""
    for argument in args:
        if isinstance(argument, np.ndarray):
            if not argument.flags.c_contiguous:
                raise TypeError("kernels that are called directly take contiguous arrays only")
            kinds.append((argument.dtype, argument.ndim))
            values += (_address(argument), *argument.shape)
        elif isinstance(argument, tuple):
            kinds.append(type(argument))
            _flatten(argument, kinds, values)
        else:
            kinds.append("number")
            values.append(int(argument))


def _address(array: Any) -> int:
    """Where the numbers of an array are. Its interface says it too, but makes a dictionary: four times as long."""
    if array.flags.writeable:
        return ctypes.addressof(_NO_BYTES.from_buffer(array))
    return int(array.__array_interface__["data"][0])


def _described(kind: Any) -> object:
    """A kind as it is told from others from one process to the next."""
    if hasattr(kind, "_fields"):
        return kind.__qualname__, kind._fields
    return (kind[0].str, kind[1]) if isinstance(kind, tuple) else kind


def _numba_type(argument: Any) -> Any:
    """What numba is told. Arrays may be written to, whatever their owner says: then one build is enough."""
    from numba import types
    from numba.np.numpy_support import from_dtype

    from elgeo.compilation.flat import FlatArray

    if isinstance(argument, np.ndarray):
        return FlatArray(from_dtype(argument.dtype), argument.ndim)
    if isinstance(argument, tuple):
        return types.BaseTuple.from_types(  # type: ignore[no-untyped-call]
            [_numba_type(member) for member in argument], type(argument)
        )
    return types.intp


@cache
def _engine() -> Any:
    import llvmlite.binding as llvm

    for initialise in (llvm.initialize_native_target, llvm.initialize_native_asmprinter):
        initialise()
    machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)


@cache
def _machine() -> tuple[str, ...]:
    import llvmlite.binding as llvm

    return llvm.get_process_triple(), llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


def _loaded(data: bytes) -> tuple[int, str, int] | None:
    """The address of a build, what it returns, and how many values it takes; None where LLVM does not take it."""
    import llvmlite.binding as llvm

    head, _, code = data.partition(b"\n")
    document = json.loads(head)
    engine = _engine()
    try:
        engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    except RuntimeError:
        return None
    engine.finalize_object()
    address = engine.get_function_address(document["symbol"])
    return (address, document["returns"], document["width"]) if address else None
