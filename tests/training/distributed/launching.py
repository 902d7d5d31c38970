"""Starts `elgeo`, or a module of these tests, in several processes: with torchrun, or as torchrun would."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

from tests.forked import Forked, start


def torchrun(folder: Path, processes: int, *arguments: str, restarts: int = 0) -> Forked:
    """Started under torchrun, which starts Python itself; what all of them print is kept in a folder."""
    options = ["--standalone", "--nproc-per-node", str(processes), "--max-restarts", str(restarts)]
    options += ["--monitor-interval", "0.1", *arguments]
    return start(folder, "torch.distributed.run", *options, environment={"PYTHON_EXEC": sys.executable})


def beside(folder: Path, processes: int, module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The same without torchrun, whose processes would all load torch; what all of them have printed."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    shared = {"WORLD_SIZE": str(processes), "LOCAL_WORLD_SIZE": str(processes)}
    shared |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}
    started = [
        start(folder, module, *arguments, environment={**shared, "RANK": str(rank)}) for rank in range(processes)
    ]
    done = [each.communicate(timeout=600) for each in started]
    out, errors = ("".join(each) for each in zip(*done, strict=True))
    assert not any(each.returncode for each in started), errors[-6000:]
    return subprocess.CompletedProcess([module, *arguments], 0, out, errors)
