"""A kernel's build is used again only where all it is made of is as it was, and nobody else can have written it."""

from __future__ import annotations

import hashlib
import importlib
import os
import pkgutil
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher

import elgeo
from elgeo.compilation import kernel, key
from elgeo.compilation.kernels import Kernel
from elgeo.compilation.key import kernel_key, signature_key
from elgeo.errors import ElgeoError
from tests.compilation.small_kernels import Package

COMPILING = "elgeo: compiling top (once, some seconds)\n"


@pytest.fixture
def package(tmp_path: Path) -> Package:
    return Package(tmp_path)


def keys(package: Package) -> tuple[str, str, str]:
    """The keys of both kernels, and of the argument of the second."""
    names = package.load()
    pair = numba.typeof(names["Pair"](7, 3))
    return kernel_key(names["top"]), kernel_key(names["difference"]), signature_key((pair,), ())


@pytest.mark.slow
def test_an_edit_of_what_a_kernel_calls_makes_a_new_build_and_a_copy_shares_builds(package: Package) -> None:
    assert package.run() == ((120, 4), (0, 0), COMPILING)
    assert package.run() == ((120, 4), (1, 1), "")
    package.edit("parts/deep.py", "x + STEP", "x - STEP")
    assert package.run() == ((80, 4), (0, 1), COMPILING)
    package.edit("parts/deep.py", "x - STEP", "x + STEP")
    package.source.rename(package.root / "copy")
    package.source = package.root / "copy"
    assert package.run() == ((120, 4), (1, 1), "")


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("caller.py", "* FACTOR", "+ FACTOR"),
        ("caller.py", "* FACTOR", "* FACTOR * 1"),
        ("caller.py", "@kernel\ndef top", "@kernel(fastmath=True)\ndef top"),
        ("caller.py", "@kernel\ndef top", "@kernel(error_model='numpy')\ndef top"),
        ("parts/middle.py", "times * ", "times + "),
        ("parts/middle.py", "times=2", "times=3"),
        ("parts/middle.py", "inner=True", "inner=True, counted=False"),
        ("parts/middle.py", "inner=True", "boundscheck=True"),
        ("parts/deep.py", "x + STEP", "x - STEP"),
        ("parts/deep.py", "STEP, TABLE = 1,", "STEP, TABLE = 2,"),
        ("parts/deep.py", "STEP, TABLE = 1,", "STEP, TABLE = 1.0,"),
        ("parts/deep.py", "STEP, TABLE = 1,", "STEP, TABLE = True,"),
        ("parts/deep.py", "[0, 0]", "[0, 1]"),
        ("parts/deep.py", "[0, 0]", "[0, 0, 0]"),
        ("parts/deep.py", "[0, 0])", "[0, 0], np.int32)"),
        ("parts/numbers.py", "10", "20"),
    ],
)
def test_the_key_has_all_that_is_below_a_kernel(package: Package, file: str, old: str, new: str) -> None:
    top, difference, argument = keys(package)
    package.edit(file, old, new)
    after = keys(package)
    assert after[0] != top
    assert after[1:] == (difference, argument)


def test_the_key_has_the_fields_of_named_tuples(package: Package) -> None:
    top, difference, argument = keys(package)
    package.edit("parts/shapes.py", "first: int\n    second", "second: int\n    first")
    assert keys(package)[:2] == (top, difference)
    assert keys(package)[2] != argument


def test_comments_and_other_functions_are_not_in_the_key(package: Package) -> None:
    before = keys(package)
    package.edit("parts/deep.py", "STEP, TABLE", "# a comment\nOTHER = 5\nSTEP, TABLE")
    package.edit("caller.py", "@kernel\ndef top", "def neither(x):\n    return -x\n\n\n@kernel\ndef top")
    assert keys(package) == before


def test_how_code_is_made_is_part_of_the_key(package: Package, monkeypatch: pytest.MonkeyPatch) -> None:
    top = package.load()["top"]
    before = kernel_key(top)
    for name in ("OPT", "BOUNDSCHECK", "DEBUGINFO", "LOOP_VECTORIZE", "CPU_NAME", "CPU_FEATURES", "ENABLE_AVX"):
        with monkeypatch.context() as changed:
            changed.setenv(f"NUMBA_{name}", "1")
            assert kernel_key(top) != before
    with monkeypatch.context() as changed:
        changed.setattr(np, "__version__", "another")
        assert kernel_key(top) != before
    versions = {"numba": key._version("numba"), "llvmlite": key._version("llvmlite")}
    for name in versions:
        with monkeypatch.context() as changed:
            changed.setattr(key, "_version", {**versions, name: "another"}.__getitem__)
            assert kernel_key(top) != before
    monkeypatch.chdir(package.root)
    (package.root / ".numba_config.yaml").write_text("opt: 1\n")
    assert kernel_key(top) != before
    (package.root / ".numba_config.yaml").unlink()
    assert kernel_key(top) == before
    integer = (numba.int64,)
    assert signature_key(integer, ("a machine",)) == signature_key(numba.int32(*integer), ("a machine",))
    assert signature_key(integer, ("a machine",)) != signature_key(integer, ("another machine",))
    assert signature_key(integer, ()) != signature_key((numba.int32,), ())


def test_closures_and_named_tuples_and_functions_in_functions_are_in_the_key() -> None:
    def made(value: object, plus: int = 1) -> Kernel:
        @kernel
        def outer(x: int) -> object:
            def within(y: int) -> int:
                return y + plus

            return value, within(x)

        assert isinstance(outer, Kernel)
        return outer

    inner_1, inner_2 = made(1), made(2)
    values = [
        1,
        1.0,
        True,
        None,
        "1",
        b"1",
        (1,),
        [1],
        (1, 1),
        frozenset({1}),
        inner_1,
        inner_2,
        numba.int64,
        numba.int32,
    ]
    found = {kernel_key(made(value)) for value in values}
    assert len(found) == len(values)
    assert kernel_key(made(1)) == kernel_key(inner_1)
    assert kernel_key(made(1, 2)) != kernel_key(inner_1)


def test_what_cannot_be_followed_is_refused() -> None:
    strange = object()

    @kernel
    def refers(x: int) -> bool:
        return strange is x

    with pytest.raises(ElgeoError, match="nothing tells when that changes"):
        refers(1)


@pytest.mark.slow
def test_every_kernel_of_the_house_is_made_this_way() -> None:
    found = 0
    for module in pkgutil.walk_packages(elgeo.__path__, "elgeo."):
        if module.name == "elgeo.__main__":
            continue
        for name, value in vars(importlib.import_module(module.name)).items():
            assert not isinstance(value, Dispatcher), (module.name, name)
            if isinstance(value, Kernel):
                assert len(kernel_key(value)) == 32
                found += 1
    assert found > 100


@pytest.mark.slow
def test_the_builds_are_for_the_user_alone_and_so_is_what_is_loaded(package: Package) -> None:
    package.run()
    folders = [package.kernels, *(path.parent for path in package.builds())]
    assert [folder.stat().st_mode & 0o777 for folder in folders] == [0o700] * 3
    assert [path.stat().st_mode & 0o777 for path in package.builds()] == [0o600, 0o600]
    planted = b"cos\nsystem\n(S'touch attacked'\ntR."  # runs a command when it is loaded
    for file, mode in zip(package.builds(), (0o620, 0o602), strict=True):
        file.write_bytes(hashlib.blake2b(planted, digest_size=16).digest() + planted)
        file.chmod(mode)
    assert package.run()[:2] == ((120, 4), (0, 0))
    assert not (package.source / "attacked").exists()
    assert package.run()[:2] == ((120, 4), (1, 1))
    assert [path.stat().st_mode & 0o777 for path in package.builds()] == [0o600, 0o600]


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_builds_of_another_user_are_not_loaded(package: Package) -> None:
    package.run()
    for file in package.builds():
        os.chown(file, 12345, -1)
    assert package.run().hits == (0, 0)


@pytest.mark.slow
def test_damaged_builds_are_made_again(package: Package) -> None:
    package.run()
    for size, file in zip((0, 1000), package.builds(), strict=True):
        file.write_bytes(file.read_bytes()[:size])
    assert package.run()[:2] == ((120, 4), (0, 0))
    assert package.run()[:2] == ((120, 4), (1, 1))
    for file in package.builds():  # still a pickle, of another module
        file.write_bytes(file.read_bytes().replace(b"numba", b"nvmba", 1))
    assert package.run()[:2] == ((120, 4), (0, 0))
    assert package.run()[:2] == ((120, 4), (1, 1))


@pytest.mark.slow
def test_a_folder_that_is_refused_is_named_once_and_not_used(package: Package) -> None:
    package.run()
    package.kernels.chmod(0o770)
    before = package.builds()
    refused = package.run()
    assert refused[:2] == ((120, 4), (0, 0))
    assert refused.said.count(f"not kept in {package.kernels}: others can write to it") == 1
    assert len(refused.said.splitlines()) == 2  # the other line says that it compiles
    assert package.builds() == before


def test_kernels_work_where_numba_is_switched_off(package: Package) -> None:
    script = "import sys; sys.path.insert(0, sys.argv[1]); import caller; print(caller.top(5))"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", script, str(package.source)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "120\n"
