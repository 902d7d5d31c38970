"""Run by torchrun for `scale.py`: trains some epochs and writes what this process computed, moved and kept."""

from __future__ import annotations

import json
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch

from elgeo.datasets import load
from elgeo.models.engines.torch_engine import TorchEngine
from elgeo.training.distributed.processes import Processes, join, leave
from elgeo.training.loop import train
from elgeo.training.settings import Settings
from elgeo.training.trainer import Trainer

COUNTED: Counter[str] = Counter()
WAITED: Counter[str] = Counter()
WORKED: Counter[str] = Counter()
"""Processor seconds."""


class Counting(Processes):
    """Processes that count what they say."""

    def gathered(self, array: Any) -> Any:
        return _timed("small", array.nbytes * (self.size - 1), lambda: Processes.gathered(self, array))

    def reduced(self, array: Any) -> Any:
        moved = 2 * array.nbytes * (self.size - 1) // self.size
        return _timed("roles", moved, lambda: Processes.reduced(self, array))

    def exchanged(self, rows: torch.Tensor, sent: Sequence[int], received: Sequence[int]) -> torch.Tensor:
        row = rows.element_size() * int(np.prod(rows.shape[1:], dtype=np.int64))
        COUNTED["rows"] += sum(sent)
        moved = row * (sum(sent) - sent[self.rank])
        return _timed("rows", moved, lambda: Processes.exchanged(self, rows, sent, received))


def _timed(what: str, count: int, work: Callable[[], Any]) -> Any:
    started = time.perf_counter()
    found = work()
    WAITED[what] += time.perf_counter() - started
    COUNTED[f"{what}_bytes"] += count
    COUNTED[f"{what}_calls"] += 1
    return found


def network(processes: Processes) -> dict[str, float]:
    """Seconds of the smallest exchange, and bytes a second that one process sends in a large one; best of several."""

    def best(rows: int) -> float:
        counts = [rows] * processes.size
        block = torch.zeros((rows * processes.size, 64))
        times = []
        for _ in range(15):
            processes.meet()
            started = time.perf_counter()
            processes.exchanged(block, counts, counts)
            times.append(time.perf_counter() - started)
        return min(times)

    if processes.size == 1:
        return {"latency": 0.0, "bandwidth": 0.0}
    latency, rows = best(1), 1 << 15
    return {"latency": latency, "bandwidth": 256 * rows * (processes.size - 1) / (best(rows) - latency)}


def resident() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def main(folder: str, output: str, values: dict[str, Any]) -> None:
    torch.set_num_threads(1)
    here = join()
    processes = Counting(**asdict(here))
    move = TorchEngine.move

    def timed_move(self: TorchEngine, learning_rate: float) -> None:
        started = time.process_time()
        move(self, learning_rate)
        WORKED["adam"] += time.process_time() - started

    TorchEngine.move = timed_move  # type: ignore[method-assign]
    finish, kept, after = Trainer.finish_epoch, [0], [0]

    def weighed(self: Trainer) -> Any:
        found = finish(self)
        values, moments = self.workshop.arrays(), self.workshop.state()
        # gradients, in one process the buffer into which a fused step writes, are as large as the values
        kept[0] = sum(each.nbytes for part in (values, values, moments, self.best_weights) for each in part.values())
        after[0] = resident()
        return found

    Trainer.finish_epoch = weighed  # type: ignore[method-assign]
    dataset = load(folder)
    settings = Settings.of(values.pop("model"), **values, threads=1, checkpoint_every=1000)
    wires = network(processes)
    COUNTED.clear()
    WAITED.clear()
    before, ends = resident(), [time.process_time()]

    def hear(epoch: Any) -> None:
        ends.append(time.process_time())

    run = train(dataset, settings, Path(output) / "run", quiet=True, on_epoch=hear, processes=processes)
    row = sum(array[:1].nbytes for name, array in run.weights.items() if len(array) == dataset.vocabulary.n_classes)
    found = {
        "seconds": [epoch.seconds for epoch in run.history],
        "losses": [epoch.loss for epoch in run.history],
        "processor": min((after - before for before, after in pairwise(ends[1:])), default=0.0),
        "worked": WORKED,
        "waited": WAITED,
        "counted": COUNTED,
        "kept": kept[0],
        "row": row,
        "classes": dataset.vocabulary.n_classes,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        "before": before,
        "after": after[0],
        **wires,
    }
    (Path(output) / f"rank-{here.rank}.json").write_text(json.dumps(found))
    leave()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], json.loads(sys.argv[3]))
