"""What kernels refer to beside kernels: functions and intrinsics of files, names of packages; how kernels are made."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numba
import numpy as np
import pytest

from elgeo.compilation import kernel
from elgeo.compilation.kernels import Kernel
from elgeo.compilation.key import _defined, _file_digest, _referred, _value
from elgeo.errors import ElgeoError

TEXT = """
from numba.core import types
from numba.extending import intrinsic

def helper(x):
    return x

@intrinsic
def inside(context, x):
    return types.int64(types.int64), lambda c, b, s, a: a[0]
"""


@pytest.fixture
def module(tmp_path: Path) -> Iterator[ModuleType]:
    path = tmp_path / "helpers_of_a_kernel.py"
    path.write_text(TEXT)
    made = ModuleType("helpers_of_a_kernel")
    made.__file__ = str(path)
    sys.modules[made.__name__] = made
    exec(compile(TEXT, str(path), "exec"), made.__dict__)
    yield made
    del sys.modules[made.__name__]
    _file_digest.cache_clear()


def test_functions_and_intrinsics_are_known_by_their_file(module: ModuleType) -> None:
    path = Path(str(module.__file__))
    first = {name: _defined(getattr(module, name)) for name in ("helper", "inside")}
    assert first["helper"] == ("helper", _file_digest(str(path)))
    assert first["inside"] == ("inside", _file_digest(str(path)))
    path.write_text(TEXT + "# another line")
    _file_digest.cache_clear()
    for name, before in first.items():
        assert _defined(getattr(module, name)) != before


def test_what_packages_have_is_known_by_its_name() -> None:
    assert _defined(np.cumsum) == ("numpy", "cumsum")
    assert _defined(len) == ("builtins", "len")


def test_what_has_no_file_or_no_name_is_refused(module: ModuleType) -> None:
    module.__file__ = None
    for value in (module.helper, object(), 3.5 + 1j):
        with pytest.raises(ElgeoError, match="nothing tells when that changes"):
            _defined(value)


def test_what_is_in_packages_of_known_version_is_not_looked_at(module: ModuleType) -> None:
    """Names of modules of one's own are followed, once, whichever name leads there."""
    text = "def used(x):\n    return np.cumsum(x), math.pi, numba.core.types, one.helper(x), other.inside(x), x.helper"
    space = {"np": np, "math": math, "numba": numba, "one": module, "other": module, "unused": module}
    exec(text, space)
    found = dict(_referred(space["used"]))  # type: ignore[arg-type]
    assert found == {"one.helper": module.helper, "one.inside": module.inside}


def test_what_is_a_kernel_in_part_is_none() -> None:
    for value in (SimpleNamespace(py_func=len), SimpleNamespace(targetoptions={}), ModuleType("nowhere")):
        with pytest.raises(ElgeoError, match="nothing tells when that changes"):
            _value(value, [])


def test_how_a_kernel_is_made_follows_what_is_asked_for() -> None:
    def plain(x: int) -> int:
        return x

    options = {
        name: made.dispatcher.targetoptions
        for name, made in {
            "usual": kernel(plain),
            "inner": kernel(inner=True)(plain),
            "uncounted": kernel(counted=False)(plain),
            "parallel": kernel(parallel=True)(plain),
        }.items()
        if isinstance(made, Kernel)
    }
    if not options:
        pytest.skip("numba is switched off")
    assert "_nrt" not in options["usual"]
    assert options["uncounted"]["_nrt"] is False
    assert options["inner"]["no_cpython_wrapper"]
    assert options["inner"]["no_cfunc_wrapper"]
    assert not options["usual"].get("no_cpython_wrapper")
    assert options["parallel"]["parallel"]
    assert not options["usual"].get("parallel")
