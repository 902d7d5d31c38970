"""Kernels that are called without numba: the same results in a process that never imports it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import numpy as np
import pytest
from numba.core import types

from elgeo.compilation import direct, kernel
from elgeo.compilation.direct import DirectKernel
from elgeo.compilation.flat import FlatArray

SCRIPT = '''
import json, sys
from typing import NamedTuple
import numpy as np
from elgeo.compilation import kernel

class Inside(NamedTuple):
    step: int
    flags: object

class Pair(NamedTuple):
    first: object
    inside: Inside

@kernel(inner=True, counted=False)
def weighted(table, x, i, step):
    return table[x, i] * (i + step)

@kernel(counted=False)
def total(pair, table, start):
    """The sum of rows, each number times its place; counts are written back."""
    found = start
    for x in range(len(table)):
        for i in range(len(pair.inside.flags)):
            if pair.inside.flags[i]:
                found += weighted(table, x, i, pair.inside.step)
        pair.first[x] += 3
    return found

@kernel(counted=False)
def above(numbers, limit):
    return numbers[0] > limit

@kernel(counted=False)
def nothing(numbers):
    for i in range(len(numbers)):
        numbers[i] = 7

@kernel(counted=False)
def small(numbers):
    return numbers[1]

counts = np.zeros(2, np.int64)
flags = np.array([True, False, True])
table = np.array([[1, 2, 3], [-40, 5, 6]], np.int32)
table.flags.writeable = False
found = [
    total(Pair(counts, Inside(10, flags)), table, 1000),
    total(Pair(counts, Inside(-1, flags)), table.astype(np.int16), np.int32(5)),
    above(counts, 3), above(counts, 6), nothing(counts), small(np.array([3, -9], np.int32)),
    small(np.array([3, -2**40])),
]
print(json.dumps([found, counts.tolist(), "numba" in sys.modules]))
'''


def expected() -> list[object]:
    """The same by hand."""
    table, flags = [[1, 2, 3], [-40, 5, 6]], [True, False, True]
    sums = [
        start + sum(n * (i + step) for row in table for i, n in enumerate(row) if flags[i])
        for start, step in ((1000, 10), (5, -1))
    ]
    return [[*sums, True, False, None, -9, -(2**40)], [7, 7]]


def run(folder: Path) -> tuple[list[object], bool, str]:
    """Results, whether numba was imported, and what was said, of a process of its own."""
    script = folder / "script.py"
    script.write_text(SCRIPT)
    environment = {**os.environ, "ELGEO_KERNELS": str(folder / "kernels")}
    done = subprocess.run([sys.executable, str(script)], env=environment, capture_output=True, text=True, check=True)
    *results, imported = json.loads(done.stdout)
    return results, imported, done.stderr


@pytest.mark.slow
def test_without_numba_the_results_are_the_same_and_a_damaged_build_is_made_again(tmp_path: Path) -> None:
    results, imported, said = run(tmp_path)
    assert (results, imported) == (expected(), True)
    assert said == "elgeo: compiling what this machine has not run yet (once, some seconds)\n"
    assert run(tmp_path) == (expected(), False, "")
    builds = sorted(path for path in (tmp_path / "kernels").rglob("*") if path.is_file())
    assert len(builds) == 6
    wholes = [build.read_bytes() for build in builds]
    damages: list[Callable[[bytes], bytes]] = [
        lambda whole: whole[:-1],
        lambda whole: whole[:-40] + bytes(40),
        lambda whole: b"",
        lambda whole: b"{}\n" + whole,
        lambda whole: whole.replace(b'"width": ', b'"width": 9', 1),
        lambda whole: whole.replace(b'"returns": "', b'"returns": "u', 1),
        lambda whole: b"[]",
    ]
    for some in (damages[:6], damages[6:]):
        damaged = {build: damage(whole) for build, whole, damage in zip(builds, wholes, some, strict=False)}
        assert not set(wholes) & set(damaged.values())
        for build, data in damaged.items():
            build.write_bytes(data)
        assert run(tmp_path)[:2] == (expected(), True)
        assert all(build.read_bytes() != data for build, data in damaged.items()), "one was not made again"
        assert run(tmp_path) == (expected(), False, "")
    builds[0].chmod(0o620)
    assert run(tmp_path)[:2] == (expected(), True)


def test_what_is_not_contiguous_or_not_by_place_is_refused(folder: Path) -> None:
    @kernel(counted=False)
    def first(numbers: object) -> int:
        return int(numbers[0])  # type: ignore[index]

    with pytest.raises(TypeError, match="contiguous"):
        first(np.zeros((4, 4))[:, 1])
    with pytest.raises(TypeError, match="by place"):
        first(numbers=np.zeros(4))


def test_what_gives_no_number_is_refused(folder: Path) -> None:
    @kernel(counted=False)
    def both(x: int) -> object:
        return x, x

    with pytest.raises(TypeError, match="a number or None, not UniTuple"):
        both(1)


def test_small_whole_numbers_are_read_as_large_ones_and_all_else_as_it_is() -> None:
    small = (types.int8, types.uint8, types.int16, types.uint16, types.int32, types.uint32)
    assert {FlatArray(kind, 1).read_as for kind in small} == {types.intp}
    others: list[Any] = [types.uint64, types.float32, types.float64, types.boolean]
    assert [FlatArray(kind, 2).read_as for kind in others] == others


@pytest.mark.parametrize("dimensions", [1, 2, 3])
def test_an_index_is_a_whole_number_for_each_dimension(dimensions: int) -> None:
    array = FlatArray(types.int32, dimensions)
    for given in range(1, 5):
        several = types.UniTuple(types.int32, given)
        assert array.allows(several) == (given == dimensions > 1)
    assert array.allows(types.uint8) == (dimensions == 1)
    assert array.index == (types.intp if dimensions == 1 else types.UniTuple(types.intp, dimensions))
    for wrong in (types.float64, types.slice2_type, types.Tuple((types.intp, types.float64)), types.none):
        assert not array.allows(wrong)


def test_an_error_inside_is_an_error_outside(folder: Path) -> None:
    @kernel(counted=False)
    def divided(a: int, b: int) -> int:
        return a // b

    assert divided(7, 2) == 3
    with pytest.raises(RuntimeError, match="divided failed"):
        divided(7, 0)


def test_kinds_of_machines_have_builds_of_their_own(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def same(x: int) -> int:
        return x

    for machine in ("one", "another", "one"):
        made = kernel(counted=False)(same)
        assert isinstance(made, DirectKernel)
        monkeypatch.setattr(direct, "_machine", lambda machine=machine: (machine,))
        assert made(3) == 3
    assert len([path for path in folder.rglob("*") if path.is_file()]) == 2


def test_they_run_beside_each_other(folder: Path) -> None:
    @kernel(counted=False)
    def until(cell: object, mine: int, other: int, patience: int) -> int:
        cell[mine] = 1  # type: ignore[index]
        for step in range(patience):
            cell[2] += step & 1  # type: ignore[index]
            if cell[other]:  # type: ignore[index]
                return 1
        return 0

    cell = np.zeros(3, np.int64)
    assert until(cell, 0, 1, 2) == 0
    cell[:] = 0
    together, found = Barrier(2), []

    def wait(mine: int) -> None:
        together.wait()
        found.append(until(cell, mine, 1 - mine, 2_000_000_000))

    threads = [Thread(target=wait, args=(i,)) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [1, 1]
