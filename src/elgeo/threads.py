"""How many threads to use where work can be divided: as the environment says, else one for each processor."""

from __future__ import annotations

import os

from elgeo.errors import SettingError

VARIABLE = "ELGEO_THREADS"


def threads() -> int:
    """As `ELGEO_THREADS` says, else as was said to numba, else as many as there are processors for this process."""
    if text := os.environ.get(VARIABLE, ""):
        if not text.isdecimal() or int(text) < 1:
            raise SettingError(f"{VARIABLE} is {text!r}: give a number of threads, 1 or more")
        return int(text)
    if (text := os.environ.get("NUMBA_NUM_THREADS", "")).isdecimal():
        return max(1, int(text))
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
