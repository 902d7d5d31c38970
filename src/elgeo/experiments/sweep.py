"""Hyperparameter search: workers train the trials of a shared study; the best becomes a preset that `train` takes."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

import optuna
from optuna.trial import FrozenTrial, TrialState

from elgeo.datasets.model import Dataset
from elgeo.errors import ElgeoError, SettingError
from elgeo.evaluation.validation import validation_rank
from elgeo.experiments.presets import settings_from
from elgeo.experiments.space import Choice, Range, Space, Value
from elgeo.experiments.study import Objective, OnRank, describe, finished, work
from elgeo.files import InUseError, write_json, write_text, written_atomically
from elgeo.messages import say
from elgeo.training import loop
from elgeo.training.folder.history import Epoch
from elgeo.training.folder.record import RECORD
from elgeo.training.settings import Settings, settings_of

WAIT = 1.0
"""Seconds between two looks whether another worker has left a trial's folder."""


def storage_url(folder: Path) -> str:
    """The embedded database of a sweep's folder."""
    folder.mkdir(parents=True, exist_ok=True)
    return f"sqlite:///{folder.resolve()}/study.db"


def base_settings(space: Space) -> Settings:
    """What trials start from; refuses settings that do not exist or cannot have a value before anything is trained."""
    base = settings_from(space.fixed)
    kinds = {each.name: each.type for group in settings_of(base.model).values() for each in group}
    for name, domain in space.vary.items():
        for value in domain.values if isinstance(domain, Choice) else (domain.low, domain.high):
            base.changed({name: int(value) if isinstance(domain, Range) and domain.whole else value})
        kind = kinds[name.removeprefix(f"{base.model}.")]
        if int in (kind, *get_args(kind)) and isinstance(domain, Range) and not domain.whole:
            raise SettingError(f"{name} has to be a whole number: write low and high without a point")
    return base


def objective(dataset: Dataset, place: str | None, space: Space, folder: Path) -> Objective:
    """Train a trial in its own folder, or go on with it there; its worth is the filtered MRR on all of valid."""
    base, whole = base_settings(space), validation_rank(dataset)

    def run(settings: Mapping[str, Value], name: str, on_rank: OnRank) -> float:
        chosen = base.changed({key: settings[key] for key in space.vary})
        if space.prune:
            chosen = chosen.changed({"show_rank": True})
        sample = validation_rank(dataset, chosen.training.rank_sample, chosen.training.seed)

        def on_epoch(epoch: Epoch) -> None:
            if epoch.valid_mrr is not None:
                on_rank(epoch.epoch, epoch.valid_mrr)

        trial = folder / "trials" / name
        while True:
            resume = (trial / RECORD).exists()
            try:
                finished_run = loop.train(
                    dataset, chosen, trial, place=place, resume=resume, rank=sample, on_epoch=on_epoch, quiet=True
                )
                return whole(finished_run.predictor())
            except InUseError:
                # a worker that was given up for dead is still at it; where it ends, this one goes on
                time.sleep(WAIT)

    return run


def run_worker(study: optuna.Study, space: Space, dataset: Dataset, place: str | None, folder: Path) -> None:
    """Work on a study until nothing is left of it."""
    work(study, space, objective(dataset, place, space, folder))


def run_workers(command: list[str], count: int, study: optuna.Study, space: Space) -> None:
    """Start worker processes and watch them; a worker that dies is replaced as long as there is work to do."""
    environment = os.environ | {"NUMBA_NUM_THREADS": str(max(1, (os.cpu_count() or 1) // count))}
    start = [sys.executable, "-m", "elgeo", *command]
    processes = [subprocess.Popen(start, env=environment) for _ in range(count)]
    deaths, shown = 0, -1
    try:
        while processes:
            for process in list(processes):
                try:
                    code = process.wait(timeout=0.5)
                except subprocess.TimeoutExpired:
                    continue
                processes.remove(process)
                if code == 2:
                    raise ElgeoError("a worker could not go on; its message stands above")
                if code != 0:
                    deaths += 1
                    say(f"a worker ended with code {code}; its trial is taken up again")
                    if deaths <= 3 * count:
                        processes.append(subprocess.Popen(start, env=environment))
            done = len(finished(study))
            if done != shown:
                say(f"{done} of {space.size} trials done")
                shown = done
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait()


def best_trial(study: optuna.Study) -> FrozenTrial | None:
    """The trial with the highest validation MRR, the earliest of equals."""
    complete = [t for t in finished(study) if t.state == TrialState.COMPLETE]
    return max(complete, key=lambda t: (t.value or 0.0, -t.number), default=None)


def ranked(study: optuna.Study) -> list[dict[str, Any]]:
    """The trials that are done, best first; those without a result come last."""
    return sorted((describe(t) for t in finished(study)), key=lambda row: -(row["valid_mrr"] or -1.0))


def write_results(study: optuna.Study, space: Space, folder: Path) -> dict[str, Any]:
    """The trials as a table, best first; the best settings as a preset; gives a summary of both."""
    rows = ranked(study)
    columns = list(dict.fromkeys(key for row in rows for key in row))
    with written_atomically(folder / "trials.tsv") as path, path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, delimiter="\t", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    summary: dict[str, Any] = {"study": study.study_name, "trials": len(rows), "of": space.size, "best": None}
    best = best_trial(study)
    if best is not None:
        import tomli_w

        settings = {**space.fixed, **best.params}
        write_text(folder / "best.toml", tomli_w.dumps(settings))
        summary["best"] = {"trial": best.number, "valid_mrr": best.value, "settings": settings}
    write_json(folder / "summary.json", summary)
    return summary
