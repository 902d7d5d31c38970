"""A small package of kernels that call each other across files, run in processes that share nothing but a cache."""

from __future__ import annotations

import multiprocessing
import os
import runpy
import sys
import textwrap
from pathlib import Path
from typing import Any, NamedTuple

import numba

from elgeo.compilation import cache

FILES = {
    "caller.py": """
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


        if __name__ == "__main__":
            announce(top, "top")
            results = [top(5), difference(Pair(7, 3))]
            print(*results, *(sum(k.dispatcher.stats.cache_hits.values()) for k in (top, difference)))
            announce(top, "top")
        """,
    "parts/__init__.py": "",
    "parts/middle.py": """
        from elgeo.compilation import kernel
        from parts import deep


        @kernel(inner=True)
        def twice(x, times=2):
            return times * deep.more(x)
        """,
    "parts/deep.py": """
        import numpy as np

        from elgeo.compilation import kernel

        STEP, TABLE = 1, np.array([0, 0])


        @kernel(inner=True)
        def more(x):
            return x + STEP + TABLE[1]
        """,
    "parts/numbers.py": "FACTOR = 10\n",
    "parts/shapes.py": """
        from typing import NamedTuple


        class Pair(NamedTuple):
            first: int
            second: int
        """,
}


class Result(NamedTuple):
    """What a process gave: the values of the two kernels, how many builds came from the cache, what was said."""

    values: tuple[int, int]
    hits: tuple[int, int]
    said: str


class Package:
    """The package in a folder `source`, its cache in a folder `kernels` beside it."""

    def __init__(self, root: Path) -> None:
        self.root, self.source, self.kernels = root, root / "source", root / "kernels"
        for name, text in FILES.items():
            path = self.source / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(textwrap.dedent(text))

    def edit(self, name: str, old: str, new: str) -> None:
        """Change a file without changing its time, as an update may."""
        path = self.source / name
        before, text = path.stat(), path.read_text()
        assert text.count(old) == 1
        path.write_text(text.replace(old, new))
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    def builds(self) -> list[Path]:
        """The files in the cache."""
        return sorted(path for path in self.kernels.rglob("*") if path.is_file())

    def run(self, **environment: str) -> Result:
        """Call the kernels in a new process, which is a fork because numba takes long to import."""
        process = multiprocessing.get_context("fork").Process(target=self._run, args=(environment,))
        process.start()
        process.join()
        out, err = (self.root / "out").read_text(), (self.root / "err").read_text()
        assert process.exitcode == 0, err
        first, second, *hits = map(int, out.split())
        return Result((first, second), (hits[0], hits[1]), err)

    def _run(self, environment: dict[str, str]) -> None:
        os.environ[cache.FOLDER_VARIABLE] = str(self.kernels)
        os.environ.update(environment)
        os.chdir(self.source)
        cache._folder.cache_clear()
        with (self.root / "out").open("w") as sys.stdout, (self.root / "err").open("w") as sys.stderr:
            self.load("__main__")

    def load(self, name: str = "caller") -> dict[str, Any]:
        """The names in the caller, all of its modules read anew."""
        for module in [m for m in sys.modules if m.partition(".")[0] == "parts"]:
            del sys.modules[module]
        sys.path.insert(0, str(self.source))
        sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
        try:
            return runpy.run_path(str(self.source / "caller.py"), run_name=name)
        finally:
            sys.path.remove(str(self.source))
            sys.dont_write_bytecode = before


assert not numba.config.DISABLE_JIT  # type: ignore[attr-defined]
