"""`Processes`: the processes that torchrun started for one command, and the few ways in which they speak."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeVar
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from elgeo.deferred import distributed as dist
from elgeo.deferred import torch
from elgeo.errors import ElgeoError, SettingError

TIMEOUT = "ELGEO_PEER_TIMEOUT"
"""The variable of the environment that says how many seconds a process waits for another; 1800 unless it does."""
_WHAT = TypeVar("_WHAT")


class PeerError(ElgeoError):
    """Another process of the same command is not there, or is no longer."""


@dataclass(frozen=True)
class Processes:
    """This process among those of one command; alone unless torchrun started several.

    Every process has to make the same calls in the same order. What they compute is the same in all of them, to the
    last bit, and for the same number of processes every time: sums are taken in the order of the ranks.
    """

    rank: int = 0
    size: int = 1
    restarts: int = 0
    """How often torchrun has begun anew because a process had died."""
    beside: int = 1
    """Processes of the command on this machine."""

    @property
    def is_first(self) -> bool:
        """Whether this is the process that prints and writes what is written once."""
        return self.rank == 0

    @property
    def threads(self) -> int:
        """The threads that each process may use where nobody says how many; 0 for all."""
        return 0 if self.beside == 1 else max(1, (os.cpu_count() or 1) // self.beside)

    def gathered(self, array: NDArray[Any]) -> NDArray[Any]:
        """The arrays of all processes, which have one shape, in the order of their ranks."""
        if self.size == 1:
            return array[None]
        mine = torch.from_numpy(np.asarray(array, order="C"))
        found = [torch.empty_like(mine) for _ in range(self.size)]
        with _heard():
            dist.all_gather(found, mine)
        return np.stack([each.numpy() for each in found])

    def joined(self, rows: NDArray[Any]) -> NDArray[Any]:
        """The rows of all processes, of which each has as many as it has, in the order of their ranks."""
        if self.size == 1:
            return rows
        counts = self.gathered(np.array(len(rows), np.int64))
        room = np.zeros((int(counts.max()), *rows.shape[1:]), rows.dtype)
        room[: len(rows)] = rows
        every = self.gathered(room)
        return np.concatenate([each[:count] for each, count in zip(every, counts.tolist(), strict=True)])

    def summed(self, array: NDArray[Any]) -> NDArray[Any]:
        """The sum of the arrays of all processes."""
        total: NDArray[Any] = self.gathered(array).sum(axis=0)
        return total

    def reduced(self, array: NDArray[Any]) -> NDArray[Any]:
        """The sum of the arrays of all processes, for long ones: nobody has more than a few of them at a time."""
        if self.size == 1:
            return array
        total = torch.from_numpy(array.copy())
        with _heard():
            dist.all_reduce(total)
        return np.asarray(total.numpy())

    def collected(self, rows: NDArray[Any]) -> list[NDArray[Any]]:
        """The rows of all processes in the first one, each as long as the longest; nothing in the others."""
        longest = int(self.gathered(np.array(len(rows), np.int64)).max())
        room = np.zeros((longest, *rows.shape[1:]), rows.dtype)
        room[: len(rows)] = rows
        mine = torch.from_numpy(room)
        found = [torch.empty_like(mine) for _ in range(self.size)] if self.is_first else None
        with _heard():
            dist.gather(mine, found)
        return [each.numpy() for each in found or ()]

    def device(self, name: str) -> str:
        """The device of this process: of several processes on a machine with GPUs each has its own."""
        return f"cuda:{_number('LOCAL_RANK')}" if name == "cuda" and self.size > 1 else name

    def any(self, flag: bool) -> bool:
        """Whether it is so in one of the processes."""
        return bool(self.gathered(np.array(flag)).any())

    def told(self, text: str | None) -> str:
        """What the first process says, in all of them; what others would say is not heard."""
        if self.size == 1:
            return text or ""
        content = np.frombuffer((text or "").encode() if self.is_first else b"", np.uint8)
        return self.joined(content).tobytes().decode()

    def exchanged(self, rows: torch.Tensor, sent: Sequence[int], received: Sequence[int]) -> torch.Tensor:
        """Send `sent[k]` of the rows, in order, to process k; gives what came, `received[k]` rows of process k."""
        found = rows.new_empty((sum(received), *rows.shape[1:]))
        with _heard():
            dist.all_to_all_single(found, rows.contiguous(), list(received), list(sent))
        return found

    def meet(self) -> None:
        """Wait until all processes are here."""
        self.gathered(np.zeros((), np.int8))

    def first(self, work: Callable[[], _WHAT]) -> _WHAT | None:
        """Let the first process do something while the others wait; if it fails, all of them end.

        Its error is raised there; in the others a `PeerError` is.
        """
        failed: BaseException | None = None
        found: _WHAT | None = None
        if self.is_first:
            try:
                found = work()
            except (ElgeoError, OSError) as error:
                failed = error
        if self.any(failed is not None):
            raise failed or PeerError("the first process could not go on")
        return found


ALONE = Processes()


def join() -> Processes:
    """The processes of this command, by what torchrun says in the environment; waits until all of them are there."""
    if "RANK" not in os.environ:
        return ALONE
    names = ("RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE", "TORCHELASTIC_RESTART_COUNT")
    rank, size, beside, restarts = (_number(name) for name in names)
    if size <= 1:
        return Processes(restarts=restarts)
    if rank >= size:
        raise SettingError(f"RANK {rank} of the environment is not below WORLD_SIZE {size}: torchrun sets them")
    here = Processes(rank, size, restarts, max(beside, 1))
    if not dist.is_initialized():
        from torch.distributed.rendezvous import rendezvous

        seconds = _number(TIMEOUT) or 1800
        backend = "cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo"
        try:
            wait = timedelta(seconds=seconds)
            store, *_ = next(rendezvous("env://", rank, size, timeout=wait))
            # torchrun may start the processes anew with the same store, in which addresses of dead ones still stand
            fresh = dist.PrefixStore(_name_of_start(store, rank, size, seconds), store)  # type: ignore[attr-defined]
            dist.init_process_group(backend, store=fresh, timeout=wait, rank=rank, world_size=size)
        except (RuntimeError, ValueError) as error:
            raise PeerError(
                f"process {rank} of {size} does not find the others at {os.environ.get('MASTER_ADDR', '?')}:"
                f"{os.environ.get('MASTER_PORT', '?')} within {seconds} seconds ({_first_line(error)}): are all of them"
                " started, with the same --nnodes, and can they reach that address?"
            ) from None
    return here


def _name_of_start(store: Any, rank: int, size: int, seconds: float) -> str:
    """A name that the processes that are alive now have agreed on, and no others.

    Each says hello by a word of its own, the first process answers all it hears, and goes on when all have answered it:
    a dead process may have said hello, but answers no more.
    """
    if rank:
        word = uuid4().hex
        store.set(f"elgeo/hello/{rank}", word)
        name = str(store.get(f"elgeo/welcome/{word}").decode())
        store.set(f"elgeo/here/{name}/{rank}", "")
        return name
    name, missing, deadline = uuid4().hex, set(range(1, size)), time.monotonic() + seconds
    while missing:
        for other in sorted(missing):
            if store.check([f"elgeo/here/{name}/{other}"]):
                missing.discard(other)
            elif store.check([f"elgeo/hello/{other}"]):
                store.set(f"elgeo/welcome/{store.get(f'elgeo/hello/{other}').decode()}", name)
        if time.monotonic() > deadline:
            raise RuntimeError(f"process {min(missing)} does not answer")
        time.sleep(0.01)
    return name


def leave() -> None:
    """The end of all speaking; harmless where none was begun."""
    if dist.is_available() and dist.is_initialized():
        dist.destroy_process_group()


def count_up(name: str) -> int:
    """How many processes have counted this up by now, this one included; 1 where nobody can be asked."""
    try:
        address, port = os.environ["MASTER_ADDR"], _number("MASTER_PORT")
        store = dist.TCPStore(address, port, is_master=False, timeout=timedelta(seconds=5))  # type: ignore[attr-defined]
        return int(store.add(f"elgeo/{_number('TORCHELASTIC_RESTART_COUNT')}/{name}", 1))
    except (KeyError, RuntimeError, ElgeoError):
        return 1


@contextmanager
def _heard() -> Iterator[None]:
    """What torch says of a peer that is gone or does not answer, in one sentence."""
    try:
        yield
    except RuntimeError as error:
        raise PeerError(
            f"another process of this command has ended or does not answer ({_first_line(error)}): its own message says"
            " why; torchrun --max-restarts N begins again from the last checkpoint"
        ) from None


def _number(name: str) -> int:
    text = os.environ.get(name, "0")
    if not text.isdigit():
        raise SettingError(f"{name} of the environment has to be a whole number, not {text!r}: torchrun sets it")
    return int(text)


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n")[0][:200]
