"""Starts `elgeo`, or a script of these tests, in several processes as a user does: with torchrun."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def command(processes: int, *arguments: str, restarts: int = 0) -> list[str]:
    """What starts them; each process has one thread, since there are few processors and several processes."""
    return [
        sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(processes),
        "--max-restarts", str(restarts), "--monitor-interval", "0.1", *arguments,
    ]  # fmt: skip


def environment(**more: str) -> dict[str, str]:
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    return {**os.environ, "PYTHONPATH": paths, "OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1", **more}


def run(processes: int, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Run to the end; the output of all processes."""
    done = subprocess.run(
        command(processes, *arguments), env=environment(), cwd=ROOT, capture_output=True, text=True, timeout=600
    )
    assert not check or done.returncode == 0, done.stderr[-6000:]
    return done


def elgeo(processes: int, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    """`elgeo` in so many processes."""
    return run(processes, "-m", "elgeo", *arguments, check=check)
