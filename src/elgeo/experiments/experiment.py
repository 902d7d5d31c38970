"""`Experiment`: one training and its evaluation; they run in parallel processes and are resumed one by one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from elgeo.errors import ElgeoError, ReadError
from elgeo.evaluation.document import Evaluation
from elgeo.evaluation.reading import read_evaluation
from elgeo.experiments.presets import settings_from
from elgeo.experiments.space import Value
from elgeo.files import held, write_text
from elgeo.training.folder.record import RECORD, read_record
from elgeo.training.run import EVALUATION
from elgeo.training.settings import Settings

Say = Callable[[str], None]
IDENTITY = "experiment.json"


@dataclass(frozen=True)
class Experiment:
    """What is trained on what, and how it is evaluated; the folder is its name."""

    dataset: str
    column: str
    seed: int
    train: Mapping[str, Value]
    """Settings by name, with the `preset` or the `model` they change among them."""
    evaluate: Mapping[str, Value] = field(default_factory=dict)
    """Settings of the evaluation that are not the defaults."""

    @property
    def name(self) -> str:
        return f"{self.dataset}/{self.column}/seed-{self.seed}"

    @property
    def identity(self) -> dict[str, Any]:
        """What a result has to belong to."""
        known = asdict(self)
        return {name: known[name] for name in ("train", "evaluate", "seed")}


def result(folder: Path, experiment: Experiment) -> Evaluation | None:
    """What evaluating gave, or None while that has not happened with these settings."""
    run = folder / "runs" / experiment.name
    try:
        if json.loads((run / IDENTITY).read_bytes()) != experiment.identity:
            return None
        return read_evaluation(run / EVALUATION)
    except (OSError, ValueError, ReadError):  # not there, or no longer what was written
        return None


def run_experiments(
    every: Sequence[Experiment], datasets: Path, folder: Path, workers: int, say: Say
) -> dict[str, str]:
    """Run the experiments that have no result yet, so many at a time; gives the errors by name.

    One that fails, or whose process is killed, is reported and the others go on; calling this again takes it up from
    its last checkpoint.
    """
    errors: dict[str, str] = {}
    open_ones = [each for each in every if result(folder, each) is None]
    if len(every) > len(open_ones):
        say(f"{len(every) - len(open_ones)} of {len(every)} experiments are done already")
    if not open_ones:
        return errors
    for each in open_ones:
        _check_same(each, folder / "runs" / each.name)
    stopped = threading.Event()
    finished = len(every) - len(open_ones)
    counting = threading.Lock()

    def run(experiment: Experiment, handle: int | None) -> None:
        nonlocal finished
        if stopped.is_set():
            return
        problem = _run(experiment, datasets, folder, workers, handle)
        with counting:
            finished += 1
            if problem:
                errors[experiment.name] = problem
            say(f"{finished} of {len(every)}: {experiment.name}" + (f" failed: {problem}" if problem else ""))

    # processes that outlive a killed coordinator hold the folder on, so that nothing runs twice
    with held(folder, "something") as handle, ThreadPoolExecutor(workers) as pool:
        try:
            list(pool.map(run, open_ones, [handle] * len(open_ones)))
        except BaseException:
            stopped.set()
            raise
    return errors


def _check_same(experiment: Experiment, run: Path) -> None:
    """Refuse to go on with a run that was begun with other settings, as with another budget."""
    try:
        found = read_record(run).settings
    except ReadError:  # not begun, or what training will say more about
        return
    wanted = settings_from({**experiment.train, "seed": experiment.seed})
    if wanted.training.batch is None:  # the run has what suits its data
        wanted = wanted.changed({"batch": found.training.batch})
    if found == wanted:
        return
    one, other = ({"model": each.model, **_flat(each)} for each in (found, wanted))
    name = next(name for name in one if one[name] != other.get(name))
    raise ElgeoError(
        f"{run} was trained with {name}={one[name]}, not {other.get(name)}: choose another folder for other settings"
    )


def _flat(settings: Settings) -> dict[str, Any]:
    return {**asdict(settings.training), **asdict(settings.own)}


def commands(experiment: Experiment, source: str, run: Path) -> list[list[str]]:
    """How the command line trains and evaluates it; a run in the folder is gone on with, its settings are its own."""
    train = ["train", source, "-o", str(run), "--quiet"]
    if (run / RECORD).exists():
        train.append("--resume")
    else:
        for name, value in (*experiment.train.items(), ("seed", experiment.seed)):
            train += [f"--{name}", str(value)] if name in ("preset", "model") else ["--set", f"{name}={value}"]
    evaluate = ["evaluate", str(run), "--dataset", source]
    for name, value in experiment.evaluate.items():
        evaluate += [f"--{name}", str(value)]
    return [train, evaluate]


def _run(experiment: Experiment, datasets: Path, folder: Path, workers: int, handle: int | None) -> str | None:
    run = folder / "runs" / experiment.name
    run.parent.mkdir(parents=True, exist_ok=True)
    (run / IDENTITY).unlink(missing_ok=True)
    place = datasets / experiment.dataset
    train, evaluate = commands(experiment, str(place) if place.is_dir() else experiment.dataset, run)
    problem = _process([*train, "&&", *evaluate], workers, handle)
    if problem:
        return problem
    write_text(run / IDENTITY, json.dumps(experiment.identity))
    return None


def _process(command: list[str], workers: int, handle: int | None) -> str | None:
    """Run our own commands in a process of its own, which holds the folder too; what went wrong, if anything."""
    threads = str(max(1, (os.cpu_count() or 1) // workers))
    environment = os.environ | {"NUMBA_NUM_THREADS": threads, "OMP_NUM_THREADS": threads}
    done = subprocess.run(
        [sys.executable, "-m", "elgeo.cli.in_turn", *command],
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
