"""What the machine code of a kernel depends on, in one key: its own code, all it calls and refers to, how it is built.

Everything is found from the functions themselves, as they are in memory. So an edit anywhere is seen, whatever the
times of files say, while copies of the same source share their builds.
"""

from __future__ import annotations

import enum
import hashlib
import os
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from elgeo.errors import ElgeoError

_VERSIONED = frozenset({"builtins", "math", "numba", "numpy"})
"""Packages that change only with their version, which is part of the key."""
_OPTIONS = (
    "OPT",
    "BOUNDSCHECK",
    "DEBUGINFO",
    "LOOP_VECTORIZE",
    "SLP_VECTORIZE",
    "CPU_NAME",
    "CPU_FEATURES",
    "ENABLE_AVX",
)
"""What numba takes from the environment about the code it makes; it may also come from a file of this folder."""
_OPTIONS_FILE = Path(".numba_config.yaml")
_PLAIN = (bool, int, float, complex, str, bytes, type(None), type(...))


def kernel_key(kernel: Any) -> str:
    """A key that differs when the machine code of a kernel may."""
    found: dict[int, int] = {}
    waiting: list[Any] = []

    def number(function: Any) -> int:
        if id(function) not in found:
            found[id(function)] = len(found)
            waiting.append(function)
        return found[id(function)]

    number(kernel)
    parts: list[object] = [_builder()]
    for function in waiting:  # which grows as more are found
        text, called = _own(function)
        parts.append((text, [number(callee) for callee in called]))
    return digest(parts)


def signature_key(signature: Any, machine: object) -> str:
    """A key of the types of the arguments and of the machine a kernel is built for."""
    arguments = signature.args if hasattr(signature, "args") else signature
    return digest([[_type(argument) for argument in arguments], machine])


def digest(value: object) -> str:
    """A short name for what is printed alike wherever it is the same."""
    return hashlib.blake2b(repr(value).encode(), digest_size=16).hexdigest()


def _builder() -> object:
    return (
        *(sys.implementation.cache_tag, np.__version__, _version("numba"), _version("llvmlite")),
        *(_file_digest(str(Path(__file__).with_name(name))) for name in ("linking.py", "flat.py")),
        *(os.environ.get(f"NUMBA_{name}") for name in _OPTIONS),
        _OPTIONS_FILE.read_bytes() if _OPTIONS_FILE.is_file() else b"",
    )


@cache
def _version(package: str) -> str:
    """The version of a package that need not be imported for that."""
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    file = Path(spec.origin).with_name("_version.py")
    if file.is_file():
        return _file_digest(str(file))
    from importlib.metadata import version

    return version(package)


@cache
def _own(function: Any) -> tuple[str, tuple[Any, ...]]:
    """A function's own code, options and constants, and the functions it refers to."""
    called: list[Any] = []
    options: object = None
    python = function
    if _is_kernel(function):
        options, python = _value(function.targetoptions, called), function.py_func
    text = (
        options,
        _code(python.__code__, called),
        _value(python.__defaults__, called),
        [_value(cell.cell_contents, called) for cell in python.__closure__ or ()],
        [(name, _value(value, called)) for name, value in _referred(python)],
    )
    return repr(text), tuple(called)


def _code(code: CodeType, called: list[Any]) -> object:
    constants = [_code(c, called) if isinstance(c, CodeType) else _value(c, called) for c in code.co_consts]
    return (
        *(code.co_name, code.co_code, constants, code.co_names, code.co_varnames, code.co_cellvars, code.co_freevars),
        *(code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags),
    )


def _is_kernel(value: Any) -> bool:
    """Whether something is a kernel, or numba's own object for one."""
    return hasattr(value, "py_func") and hasattr(value, "targetoptions")


def _is_numba_type(value: Any) -> bool:
    numba = sys.modules.get("numba")
    return numba is not None and isinstance(value, numba.types.Type)


def _names(code: CodeType) -> set[str]:
    """Every name in a function's code, and in that of the functions inside it."""
    inside = (_names(c) for c in code.co_consts if isinstance(c, CodeType))
    return set(code.co_names).union(*inside)


def _referred(function: FunctionType) -> Iterator[tuple[str, object]]:
    """What names stand for in a function's module, and in the modules that it refers to."""
    names = _names(function.__code__)
    seen: set[int] = set()

    def attributes(prefix: str, space: dict[str, Any]) -> Iterator[tuple[str, object]]:
        for name in sorted(names & space.keys()):
            value = space[name]
            if not isinstance(value, ModuleType):
                yield prefix + name, value
            elif value.__name__.partition(".")[0] not in _VERSIONED and id(value) not in seen:
                seen.add(id(value))
                yield from attributes(f"{prefix}{name}.", vars(value))

    return attributes("", function.__globals__)


def _value(value: Any, called: list[Any]) -> object:
    """A description of a constant; functions are described elsewhere, and added to `called`."""
    if _is_kernel(value):
        called.append(value)
        return "kernel"
    if isinstance(value, enum.Enum):
        return type(value).__qualname__, value.name, _value(value.value, called)
    if isinstance(value, _PLAIN):
        return type(value).__name__, repr(value)
    if isinstance(value, np.ndarray | np.generic):
        return str(value.dtype), value.shape, value.tobytes()
    if isinstance(value, tuple | list):
        kind = _value(type(value), called) if hasattr(value, "_fields") else type(value).__name__
        return kind, [_value(v, called) for v in value]
    if isinstance(value, set | frozenset):
        return "set", sorted(repr(_value(v, called)) for v in value)
    if isinstance(value, dict):
        return "dict", sorted(repr((_value(k, called), _value(v, called))) for k, v in value.items())
    if isinstance(value, type) and issubclass(value, tuple) and hasattr(value, "_fields"):
        return value.__qualname__, value._fields, _value(getattr(value, "_field_defaults", None), called)
    if isinstance(value, np.dtype) or _is_numba_type(value):
        return repr(value)
    return _defined(value)


def _defined(value: Any) -> object:
    """What is neither a number nor a kernel: known by its name in a package of known version, else by its file."""
    value = getattr(value, "_defn", value)  # an intrinsic of numba
    name, module = getattr(value, "__qualname__", None), sys.modules.get(getattr(value, "__module__", None) or "")
    if name and module and module.__name__.partition(".")[0] in _VERSIONED:
        return module.__name__, name
    if name is None or module is None or module.__file__ is None:
        raise ElgeoError(f"a kernel refers to {value!r}: nothing tells when that changes, so no build can be kept")
    return name, _file_digest(module.__file__)


@cache
def _file_digest(path: str) -> str:
    return hashlib.blake2b(Path(path).read_bytes(), digest_size=16).hexdigest()


def _type(given: Any) -> object:
    """A type of an argument. Those of named tuples have their fields, which numba's names leave out."""
    if hasattr(given, "types"):
        return repr(given), getattr(given, "fields", None), [_type(member) for member in given.types]
    return repr(given)
