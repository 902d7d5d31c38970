"""A cell of a table is one training and its evaluation; cells run in parallel processes and are resumed one by one."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from elgeo.files import held

Say = Callable[[str], None]


@dataclass(frozen=True)
class Cell:
    """One training and its evaluation.

    `train` and `evaluate` are further options of those commands; the folder is the cell's identity.
    """

    dataset: str
    column: str
    seed: int
    train: tuple[str, ...]
    evaluate: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return f"{self.dataset}/{self.column}/seed-{self.seed}"


def result(folder: Path, cell: Cell) -> dict[str, Any] | None:
    """What evaluating a cell gave, or None while that has not happened with these options."""
    path = folder / "runs" / cell.name / "evaluation.json"
    done = folder / "runs" / cell.name / "cell.json"
    try:
        if json.loads(done.read_text(encoding="utf-8")) != _identity(cell):
            return None
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        for setting, average in itertools.product(("raw", "filtered"), ("per_axiom", "per_class")):
            dict(found[setting][average])
    except (OSError, ValueError, KeyError, TypeError):  # not there, or no longer what was written
        return None
    return found


def run_cells(cells: Sequence[Cell], datasets: Path, folder: Path, workers: int, say: Say) -> dict[str, str]:
    """Run the cells that have no result yet, so many at a time; gives the errors by cell.

    A cell that fails, or whose process is killed, is reported and the others go on; calling this again takes it up
    from its last checkpoint.
    """
    errors: dict[str, str] = {}
    open_ones = [cell for cell in cells if result(folder, cell) is None]
    if len(cells) > len(open_ones):
        say(f"{len(cells) - len(open_ones)} of {len(cells)} cells are done already")
    if not open_ones:
        return errors
    stopped = threading.Event()
    finished = len(cells) - len(open_ones)
    counting = threading.Lock()

    def run(cell: Cell, handle: int | None) -> None:
        nonlocal finished
        if stopped.is_set():
            return
        problem = _run_cell(cell, datasets, folder, workers, handle)
        with counting:
            finished += 1
            if problem:
                errors[cell.name] = problem
            say(f"{finished} of {len(cells)}: {cell.name}" + (f" failed: {problem}" if problem else ""))

    # processes that outlive a killed coordinator hold the folder on, so that no cell runs twice
    with held(folder, "something") as handle, ThreadPoolExecutor(workers) as pool:
        try:
            list(pool.map(run, open_ones, [handle] * len(open_ones)))
        except BaseException:
            stopped.set()
            raise
    return errors


def _run_cell(cell: Cell, datasets: Path, folder: Path, workers: int, handle: int | None) -> str | None:
    run = folder / "runs" / cell.name
    run.parent.mkdir(parents=True, exist_ok=True)
    (run / "cell.json").unlink(missing_ok=True)
    place = datasets / cell.dataset
    source = str(place) if place.is_dir() else cell.dataset
    train = ["train", source, "-o", str(run), "--quiet"]
    # a run in the folder is gone on with; its settings are its own
    train += ["--resume"] if (run / "run.toml").exists() else ["--seed", str(cell.seed), *cell.train]
    for command in (train, ["evaluate", str(run), "--dataset", source, *cell.evaluate]):
        problem = _run(command, workers, handle)
        if problem:
            return problem
    (run / "cell.json").write_text(json.dumps(_identity(cell)), encoding="utf-8")
    return None


def _run(command: list[str], workers: int, handle: int | None) -> str | None:
    """Run one of our own commands in a process of its own, which holds the folder too; what went wrong, if anything."""
    threads = str(max(1, (os.cpu_count() or 1) // workers))
    environment = os.environ | {"NUMBA_NUM_THREADS": threads, "OMP_NUM_THREADS": threads}
    done = subprocess.run(
        [sys.executable, "-m", "elgeo", *command],
        env=environment,
        pass_fds=() if handle is None else (handle,),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 0:
        return None
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    return lines[-1].removeprefix("elgeo: ") if lines else f"the process ended with code {done.returncode}"


def _identity(cell: Cell) -> dict[str, Any]:
    return {"train": list(cell.train), "evaluate": list(cell.evaluate), "seed": cell.seed}
