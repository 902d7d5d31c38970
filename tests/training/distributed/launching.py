"""Starts `elgeo`, or a script of these tests, in several processes: with torchrun, or as torchrun would."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
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


def elgeo_beside(processes: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The same without torchrun, which takes as long to start as one of them; what all of them have printed."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])

    def start(rank: int) -> subprocess.CompletedProcess[str]:
        here = environment(
            RANK=str(rank), WORLD_SIZE=str(processes), LOCAL_WORLD_SIZE=str(processes),
            MASTER_ADDR="127.0.0.1", MASTER_PORT=port,
        )  # fmt: skip
        asked = [sys.executable, "-m", "elgeo", *arguments]
        return subprocess.run(asked, env=here, cwd=ROOT, capture_output=True, text=True, timeout=600)

    with ThreadPoolExecutor(processes) as pool:
        done = list(pool.map(start, range(processes)))
    out, errors = "".join(each.stdout for each in done), "".join(each.stderr for each in done)
    assert not any(each.returncode for each in done), errors[-6000:]
    return subprocess.CompletedProcess(arguments, 0, out, errors)
