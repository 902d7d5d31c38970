"""A kernel's build is used again only where all it is made of is as it was, and nobody else can have written it."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path

import pytest

CALLER = """
from elgeo.compilation import announce, kernel
from parts import middle
from parts.numbers import FACTOR
from parts.shapes import Pair


@kernel
def top(x):
    return middle.twice(x) * FACTOR


@kernel
def difference(pair):
    return pair.first - pair.second


announce(top, "top")
results = [top(5), difference(Pair(7, 3))]
print(*results, *(sum(k.stats.cache_hits.values()) for k in (top, difference) if hasattr(k, "stats")))
"""
FILES = {
    "caller.py": CALLER,
    "parts/__init__.py": "",
    "parts/middle.py": """
        from elgeo.compilation import kernel
        from parts import deep


        @kernel(inner=True)
        def twice(x):
            return 2 * deep.more(x)
        """,
    "parts/deep.py": """
        from elgeo.compilation import kernel

        STEP = 1


        @kernel(inner=True)
        def more(x):
            return x + STEP
        """,
    "parts/numbers.py": "FACTOR = 10\n",
    "parts/shapes.py": """
        from typing import NamedTuple


        class Pair(NamedTuple):
            first: int
            second: int
        """,
}


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A small package of kernels that call each other across files, with a cache of its own."""
    for name, text in FILES.items():
        path = tmp_path / "source" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
    return tmp_path


def run(package: Path, folder: str | Path | None = None, **more: str) -> subprocess.CompletedProcess[str]:
    """Run the caller in a new process; its source stands in a folder called `source`."""
    environment: Mapping[str, str] = {
        **os.environ,
        "ELGEO_KERNELS": str(package / "kernels" if folder is None else folder),
        "PYTHONDONTWRITEBYTECODE": "1",
        **more,
    }
    caller = [sys.executable, "caller.py"]
    done = subprocess.run(caller, cwd=package / "source", env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done


def results(package: Path, **more: str) -> list[int]:
    """What the two kernels gave, and how many builds each took from the cache."""
    return [int(word) for word in run(package, **more).stdout.split()]


def edit(package: Path, name: str, old: str, new: str) -> None:
    """Change a file without changing its size or its time, as an update may."""
    path = package / "source" / name
    before = path.stat()
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_an_edit_anywhere_below_a_kernel_makes_a_new_build(package: Path) -> None:
    assert results(package) == [120, 4, 0, 0]
    assert results(package) == [120, 4, 1, 1]
    edit(package, "parts/deep.py", "x + STEP", "x - STEP")
    assert results(package) == [80, 4, 0, 1]
    edit(package, "parts/deep.py", "STEP = 1", "STEP = 2")
    assert results(package) == [60, 4, 0, 1]
    edit(package, "parts/numbers.py", "10", "20")
    assert results(package) == [120, 4, 0, 1]
    edit(package, "parts/middle.py", "2 *", "3 *")
    assert results(package) == [180, 4, 0, 1]
    edit(package, "parts/middle.py", "(inner=True)", "(boundscheck=True)")
    assert results(package)[:3] == [180, 4, 0]
    edit(package, "caller.py", "FACTOR\n\n", "FACTOR - 0\n\n")
    assert results(package) == [180, 4, 0, 1]


def test_fields_of_a_named_tuple_that_change_places_make_a_new_build(package: Path) -> None:
    assert results(package)[1:] == [4, 0, 0]
    edit(package, "parts/shapes.py", "first: int\n    second", "second: int\n    first")
    assert results(package)[1:] == [-4, 1, 0]


def test_an_edit_taken_back_finds_the_old_build_and_so_does_a_copy(package: Path) -> None:
    results(package)
    edit(package, "parts/numbers.py", "10", "20")
    results(package)
    edit(package, "parts/numbers.py", "20", "10")
    edit(package, "caller.py", "\nfrom parts import middle\n", "\n# a comment\nfrom parts import middle\n")
    assert results(package) == [120, 4, 1, 1]
    (package / "source").rename(package / "copy")
    (package / "elsewhere").mkdir()
    (package / "copy").rename(package / "elsewhere" / "source")
    done = run(package / "elsewhere", package / "kernels")
    assert [int(word) for word in done.stdout.split()] == [120, 4, 1, 1]


def test_compiling_is_announced_once(package: Path) -> None:
    assert run(package).stderr == "elgeo: compiling top (once, some seconds)\n"
    assert run(package).stderr == ""
    edit(package, "parts/numbers.py", "10", "20")
    assert "compiling top" in run(package).stderr


def test_what_decides_how_code_is_made_is_part_of_the_key(package: Path) -> None:
    results(package)
    assert results(package, NUMBA_BOUNDSCHECK="1")[2:] == [0, 0]
    assert results(package, NUMBA_OPT="1")[2:] == [0, 0]
    assert results(package, NUMBA_CPU_NAME="generic")[2:] == [0, 0]
    assert results(package)[2:] == [1, 1]


def test_the_folder_and_the_builds_are_for_the_user_alone(package: Path) -> None:
    results(package)
    modes = {path.stat().st_mode & 0o777 for path in (package / "kernels").rglob("*") if path.is_file()}
    assert modes == {0o600}
    assert (package / "kernels").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777])
def test_a_folder_that_others_can_write_to_is_refused_in_one_line(package: Path, mode: int) -> None:
    results(package)
    (package / "kernels").chmod(mode)
    done = run(package)
    assert done.stdout.split() == ["120", "4", "0", "0"]
    lines = [line for line in done.stderr.splitlines() if "compiling top" not in line]
    assert len(lines) == 1
    assert "others can write to it" in lines[0]
    assert str(package / "kernels") in lines[0]
    assert "ELGEO_KERNELS" in lines[0]
    (package / "kernels").chmod(0o755)
    assert run(package).stdout.split() == ["120", "4", "1", "1"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a folder away")
def test_what_belongs_to_another_user_is_refused(package: Path) -> None:
    results(package)
    for file in [path for path in (package / "kernels").rglob("*") if path.is_file()]:
        os.chown(file, 12345, -1)
    assert results(package)[2:] == [0, 0]
    os.chown(package / "kernels", 12345, -1)
    assert "belongs to another user" in run(package).stderr


def test_a_build_that_others_could_have_written_is_made_again(package: Path) -> None:
    results(package)
    for file in [path for path in (package / "kernels").rglob("*") if path.is_file()]:
        file.write_bytes(b"cos\nsystem\n(S'touch attacked'\ntR.")  # what a planted build does when it is loaded
        file.chmod(0o622)
    assert results(package) == [120, 4, 0, 0]
    assert not (package / "source" / "attacked").exists()
    assert results(package) == [120, 4, 1, 1]


def test_a_damaged_build_is_made_again(package: Path) -> None:
    results(package)
    for n, file in enumerate(sorted(path for path in (package / "kernels").rglob("*") if path.is_file())):
        file.write_bytes(file.read_bytes()[: 1000 * n])
    assert results(package) == [120, 4, 0, 0]
    assert results(package) == [120, 4, 1, 1]


def test_the_current_folder_is_never_used(package: Path) -> None:
    done = run(package, "kernels")
    assert "does not begin at the root" in done.stderr
    assert not (package / "source" / "kernels").exists()
    home = package / "home"
    home.mkdir()
    assert run(package, "", HOME=str(home), XDG_CACHE_HOME="caches").stdout.split() == ["120", "4", "0", "0"]
    assert not (package / "source" / "caches").exists()
    assert run(package, "", HOME=str(home), XDG_CACHE_HOME="").stdout.split() == ["120", "4", "1", "1"]
    elsewhere = str(package / "elsewhere")
    assert run(package, "", HOME=str(home), XDG_CACHE_HOME=elsewhere).stdout.split() == ["120", "4", "0", "0"]
    assert (package / "elsewhere" / "elgeo" / "kernels").is_dir()


def test_without_a_folder_kernels_work_all_the_same(package: Path) -> None:
    (package / "taken").write_text("")
    done = run(package, package / "taken")
    assert done.stdout.split() == ["120", "4", "0", "0"]
    assert f"not kept in {package / 'taken'}: File exists" in done.stderr
    assert run(package, NUMBA_DISABLE_JIT="1").stdout.split() == ["120", "4"]
