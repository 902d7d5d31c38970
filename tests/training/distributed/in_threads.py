"""Several processes of one command as threads of this one: what torch would carry between them is handed over here."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import pytest
import torch

from elgeo.training.distributed import processes
from elgeo.training.distributed.processes import Processes

_WHAT = TypeVar("_WHAT")


class Meeting:
    """Speaks as `torch.distributed` does, between threads.

    While one is at work the others wait: not every library that kernels get their threads from can be called by two.
    """

    def __init__(self, size: int) -> None:
        self._said: list[Any] = [None] * size
        self.barrier, self.here, self.turn = threading.Barrier(size, timeout=60), threading.local(), threading.Lock()

    def _heard(self, mine: Any) -> list[Any]:
        """What each has said, in the order of the ranks."""
        self._said[self.here.rank] = mine
        self._meet()
        found = list(self._said)
        self._meet()
        return found

    def _meet(self) -> None:
        self.turn.release()
        try:
            self.barrier.wait()
        finally:
            self.turn.acquire()

    def all_gather(self, found: Sequence[torch.Tensor], mine: torch.Tensor) -> None:
        for room, each in zip(found, self._heard(mine.clone()), strict=True):
            room.copy_(each)

    def all_reduce(self, total: torch.Tensor) -> None:
        total.copy_(torch.stack(self._heard(total.clone())).sum(dim=0))

    def gather(self, mine: torch.Tensor, found: Sequence[torch.Tensor] | None) -> None:
        for room, each in zip(found or (), self._heard(mine.clone()), strict=False):
            room.copy_(each)

    def all_to_all_single(
        self, found: torch.Tensor, rows: torch.Tensor, received: Sequence[int], sent: Sequence[int]
    ) -> None:
        parts = [torch.split(each, counts)[self.here.rank] for each, counts in self._heard((rows.clone(), list(sent)))]
        assert [len(part) for part in parts] == list(received)
        found.copy_(torch.cat(parts))


def together(size: int, work: Callable[[Processes], _WHAT], monkeypatch: pytest.MonkeyPatch) -> list[_WHAT]:
    """What `work` gives in each of so many processes; its first error ends them all."""
    meeting = Meeting(size)
    monkeypatch.setattr(processes, "dist", meeting)
    monkeypatch.setattr(signal, "signal", lambda number, handler: None)  # only the main thread may ask for signals
    found: dict[int, _WHAT] = {}
    failed: list[BaseException] = []

    def run(rank: int) -> None:
        meeting.here.rank = rank
        try:
            with meeting.turn:
                found[rank] = work(Processes(rank, size))
        except BaseException as error:
            failed.append(error)
            meeting.barrier.abort()

    threads = [threading.Thread(target=run, args=(rank,)) for rank in range(size)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]
    return [found[rank] for rank in range(size)]
