"""Real processes without the seconds in which torch is loaded: forked from one process that has loaded it already.

For tests that need several processes, or one that is killed, and in which not the start of Python is what is tested.
What such a process starts by `sys.executable`, and what a test lets be started by `executable`, is forked as well.
"""

from __future__ import annotations

import atexit
import functools
import gc
import json
import os
import runpy
import select
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[1]
ONE_THREAD = {"OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}
"""Each process has one thread, since there are few processors and several processes."""
TRAINING = (
    *("torch.distributed.run", "torch.optim.adam", "elgeo.api", "elgeo.training.distributed.sharded"),
    *("elgeo.cli.runs.train", "elgeo.experiments.study", "optuna.storages._rdb.storage", "sqlalchemy.dialects"),
)
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
        server = _server(loaded)[0]
        socket.send_fds(server, [asked.encode()], [its.fileno(), output.fileno(), errors.fileno()])
    return Forked(int(mine.recv(100)), mine, out, err)  # its end is closed here: no answer comes from who has ended


def executable(loaded: tuple[str, ...] = TRAINING) -> str:
    """What takes `-m module arguments` as Python does: it ends when the process does, and the other way round."""
    return str(_server(loaded)[1])


@functools.cache
def _server(loaded: tuple[str, ...]) -> tuple[socket.socket, Path]:
    mine, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    folder = Path(tempfile.mkdtemp())
    command, listener = folder / "python", socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listener.bind(str(folder / "forks"))
    listener.listen()
    asking = [sys.executable, "-SE", str(Path(__file__).with_name("asking.py")), str(folder / "forks")]
    command.write_text(f'#!/bin/sh\nexec {shlex.join(asking)} "$@"\n')
    command.chmod(0o700)
    with its, listener:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.forked", str(its.fileno()), str(listener.fileno()), str(command), *loaded],
            env={**os.environ, **ONE_THREAD, "PYTHONPATH": paths},
            cwd=ROOT,
            pass_fds=[its.fileno(), listener.fileno()],
        )

    def end() -> None:
        mine.close()
        process.wait()
        shutil.rmtree(folder)

    atexit.register(end)
    return mine, command


def _serve(requests: socket.socket, listener: socket.socket, modules: Iterable[str]) -> None:
    """Fork for every request until nobody asks any more; returns in a process that is to do what was asked."""
    for module in modules:
        import_module(module)
    gc.freeze()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started it ends it
    running: dict[int, tuple[int, socket.socket]] = {}
    askers: dict[int, tuple[int, socket.socket]] = {}
    while True:
        for ready in select.select([requests.fileno(), listener.fileno(), *running, *askers], [], [])[0]:
            if ready in running:
                pid, status = running.pop(ready)
                os.close(ready)
                askers.pop(status.fileno(), None)
                code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
                with status, suppress(BrokenPipeError):  # who asked may have been killed
                    status.sendall(str(code).encode())
            elif ready in askers:
                pid, status = askers[ready]
                number = status.recv(100)
                os.kill(pid, int(number or signal.SIGKILL))
                if not number:
                    del askers[ready]
            else:
                asker = requests if ready == requests.fileno() else listener.accept()[0]
                asked, handles, *_ = socket.recv_fds(asker, 1 << 20, 3)
                if not asked and asker is requests:
                    sys.exit()
                if not asked:
                    asker.close()
                    continue
                status = socket.socket(fileno=handles.pop(0)) if asker is requests else asker
                pid = os.fork()
                if pid == 0:
                    for each in (requests, listener, status):
                        each.close()
                    for place, handle in enumerate(handles, 3 - len(handles)):
                        os.dup2(handle, place)
                    return _become(**json.loads(asked))
                for handle in handles:
                    os.close(handle)
                running[os.pidfd_open(pid)] = pid, status
                if asker is requests:
                    status.sendall(str(pid).encode())
                else:
                    askers[status.fileno()] = pid, status


def _become(module: str, arguments: list[str], environment: dict[str, str], folder: str | None = None) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if folder is not None:
        os.environ.clear()
        os.chdir(folder)
        sys.path[0] = folder
    os.environ.update(environment)
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    requests, listener = (socket.socket(fileno=int(handle)) for handle in sys.argv[1:3])
    sys.executable = sys.argv[3]
    _serve(requests, listener, sys.argv[4:])
