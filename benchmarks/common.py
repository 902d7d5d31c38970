"""What benchmarks share: where the real data is, and a measured subprocess."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]


def data_folder() -> Path:
    """The folder of real data (ELGEO_DATA); a benchmark without it says so and ends well."""
    folder = Path(os.environ.get("ELGEO_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        print(f"skipped: no real data at {folder} (set ELGEO_DATA)")
        sys.exit(0)
    return folder


def go_releases() -> list[Path]:
    """GO of 2019 and of 2026."""
    return [data_folder() / "go" / f"go_{date}.obo.gz" for date in ("2019-01-27", "2026-06-15")]


def yeast_words() -> list[str]:
    """What `elgeo dataset build` is told to make the yeast interactions, split as their files are."""
    yeast = data_folder() / "yeast"
    words = ["--ontology", str(go_releases()[0]), "--annotations", str(yeast / "annotations.tsv.gz")]
    return words + [
        word
        for part in ("train", "valid", "test")
        for word in (f"--{part}", str(yeast / f"interactions_{part}.tsv.gz"))
    ]


def peers_folder() -> Path | None:
    """The folder of scripts that run the peers (ELGEO_PEERS, default beside the data), or None."""
    folder = Path(os.environ.get("ELGEO_PEERS", data_folder().parent / "peers"))
    return folder if folder.is_dir() else None


def mowl_python() -> str | None:
    """The Python of an environment with mOWL: ELGEO_MOWL, or one made in a cache folder; says why there is none."""
    if found := os.environ.get("ELGEO_MOWL"):
        return found
    peers = peers_folder()
    if peers is None or shutil.which("java") is None:
        print("skipped: mOWL (set ELGEO_MOWL to the Python of an environment with it; making one needs java)")
        return None
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "elgeo-peers" / "mowl"
    if not (cache / "bin" / "python").exists():
        print(f"making an environment with mOWL in {cache} (1.6 GB, once)", file=sys.stderr)
    made = subprocess.run(["bash", str(peers / "mowl-env.sh"), str(cache)], stdout=sys.stderr, check=False)
    if made.returncode:
        print("skipped: mOWL (its environment could not be made)")
        return None
    return str(cache / "bin" / "python")


class Measured(NamedTuple):
    """What a finished process cost."""

    seconds: float
    peak_bytes: int
    output: str
    processor: float
    """Seconds of processor."""


LAUNCHER = """
import json, os, subprocess, sys, time
started = time.perf_counter()
process = subprocess.Popen(sys.argv[2:])
_, status, usage = os.wait4(process.pid, 0)
seconds = time.perf_counter() - started
with open(sys.argv[1], "w") as report:
    processor = usage.ru_utime + usage.ru_stime
    json.dump([seconds, usage.ru_maxrss * 1024, processor, os.waitstatus_to_exitcode(status)], report)
"""


def measured(command: Sequence[str], **options: object) -> Measured:
    """Run a process to its end; its wall time, its peak resident memory, what it printed.

    A small process starts it, because the system counts the memory of the one that starts another as the other's.
    """
    with tempfile.NamedTemporaryFile("r") as report:
        launch = [sys.executable, "-I", "-S", "-c", LAUNCHER, report.name, *command]
        output = subprocess.run(launch, stdout=subprocess.PIPE, text=True, check=True, **options).stdout  # type: ignore[call-overload]
        seconds, peak_bytes, processor, code = json.load(report)
    if code:
        raise subprocess.CalledProcessError(code, command, output)
    return Measured(seconds, peak_bytes, output, processor)
