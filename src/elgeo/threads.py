"""How many threads to use where work can be divided: as the environment says, else one for each processor."""

from __future__ import annotations

import os
from collections.abc import Callable

from elgeo.documents import shown
from elgeo.errors import SettingError

VARIABLE = "ELGEO_THREADS"
WORTH_THREADS = 200_000
"""Things to do, all small, from which on several threads are worth it."""


def threads() -> int:
    """As `ELGEO_THREADS` says, else as was said to numba, else as many as there are processors for this process."""
    if text := os.environ.get(VARIABLE, ""):
        if not text.isdecimal() or int(text) < 1:
            raise SettingError(f"{VARIABLE} is {shown(text)}: give a number of threads, 1 or more")
        return int(text)
    if (text := os.environ.get("NUMBA_NUM_THREADS", "")).isdecimal():
        return max(1, int(text))
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_parts(count: int, do: Callable[[int, int], object], work: int | None = None) -> None:
    """`do(low, high)` for parts of range(count): one part for each thread if there is much to do, else all at once.

    `work` says how many small things there are to do, where they are not `count`.
    """
    # what the environment says is checked for small things too
    several = threads()
    parts = max(1, min(several, count)) if (count if work is None else work) >= WORTH_THREADS else 1
    if parts == 1:
        do(0, count)
        return
    # only large things need it
    from concurrent.futures import ThreadPoolExecutor

    bounds = [count * i // parts for i in range(parts + 1)]
    with ThreadPoolExecutor(parts) as pool:
        list(pool.map(do, bounds[:-1], bounds[1:]))
