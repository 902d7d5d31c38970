"""Real processes without the seconds in which torch is loaded: forked from one process that has loaded it already.

For tests that need several processes, or one that is killed, and in which not the start of Python is what is tested.
"""

from __future__ import annotations

import atexit
import functools
import gc
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[1]
ONE_THREAD = {"OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}
"""Each process has one thread, since there are few processors and several processes."""
TRAINING = ("torch.distributed.run", "torch.optim.adam", "elgeo.api", "elgeo.training.distributed.sharded")
"""What is loaded where models are trained."""


class Forked:
    """A process that `start` has started; the part of `subprocess.Popen` that is needed."""

    def __init__(self, pid: int, status: socket.socket, out: Path, err: Path) -> None:
        self.pid, self._status, self._out, self._err = pid, status, out, err
        self.returncode: int | None = None

    def poll(self) -> int | None:
        return self.returncode if not self._ended(0) else self.wait()

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            if not self._ended(timeout):
                raise TimeoutError(f"process {self.pid} has not ended within {timeout} seconds")
            self.returncode = int(self._status.recv(100))
            self._status.close()
        return self.returncode

    def _ended(self, timeout: float | None) -> bool:
        return self.returncode is not None or bool(select.select([self._status], [], [], timeout)[0])

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """What it has printed until its end, and what it has said."""
        self.wait(timeout)
        return self._out.read_text(encoding="utf-8"), self._err.read_text(encoding="utf-8")


def start(
    folder: Path,
    module: str,
    *arguments: str,
    environment: Mapping[str, str] = {},
    loaded: tuple[str, ...] = TRAINING,
) -> Forked:
    """`python -m module arguments`, with more in its environment; what it prints is kept in a folder."""
    number = len(list(folder.glob("*.out"))) if folder.is_dir() else 0
    folder.mkdir(parents=True, exist_ok=True)
    out, err = folder / f"{number}.out", folder / f"{number}.err"
    mine, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with its, out.open("wb") as output, err.open("wb") as errors:
        asked = json.dumps({"module": module, "arguments": arguments, "environment": dict(environment)})
        server = _server(loaded)
        socket.send_fds(server, [asked.encode()], [its.fileno(), output.fileno(), errors.fileno()])
        return Forked(int(mine.recv(100)), mine, out, err)


@functools.cache
def _server(loaded: tuple[str, ...]) -> socket.socket:
    mine, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    with its:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.forked", str(its.fileno()), *loaded],
            env={**os.environ, **ONE_THREAD, "PYTHONPATH": paths},
            cwd=ROOT,
            pass_fds=[its.fileno()],
        )

    def end() -> None:
        mine.close()
        process.wait()

    atexit.register(end)
    return mine


def _serve(requests: socket.socket, modules: Iterable[str]) -> None:
    """Fork for every request until nobody asks any more; returns in a process that is to do what was asked."""
    for module in modules:
        import_module(module)
    gc.freeze()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started it ends it
    running: dict[int, tuple[int, socket.socket]] = {}
    while True:
        for ready in select.select([requests.fileno(), *running], [], [])[0]:
            if ready != requests.fileno():
                pid, status = running.pop(ready)
                os.close(ready)
                code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
                with status:
                    status.sendall(str(code).encode())
                continue
            asked, handles, *_ = socket.recv_fds(requests, 1 << 20, 3)
            if not asked:
                sys.exit()
            status, pid = socket.socket(fileno=handles[0]), os.fork()
            if pid == 0:
                requests.close()
                status.close()
                for number, handle in zip((1, 2), handles[1:], strict=True):
                    os.dup2(handle, number)
                return _become(**json.loads(asked))
            for handle in handles[1:]:
                os.close(handle)
            running[os.pidfd_open(pid)] = pid, status
            status.sendall(str(pid).encode())


def _become(module: str, arguments: list[str], environment: dict[str, str]) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.update(environment)
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])), sys.argv[2:])
