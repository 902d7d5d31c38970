"""`fit`: a run of a predictor that is made at once; it is finished and whole in its folder, or not there at all."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from elgeo.datasets.model import Dataset
from elgeo.errors import ElgeoError
from elgeo.models.contract import Fitted
from elgeo.training.folder.history import write_history
from elgeo.training.folder.record import Record, write_record
from elgeo.training.folder.tensors import save_arrays
from elgeo.training.run import CALIBRATION, EVALUATION, WEIGHTS, Run
from elgeo.training.settings import Settings


def fit(
    cls: type[Fitted],
    dataset: Dataset,
    settings: Settings,
    folder: Path | None,
    record: Record,
    say: Callable[[str], None],
) -> Run:
    """Fit and, with a folder, write the run; what an interrupted fit had begun is begun anew."""
    started = time.perf_counter()
    try:
        predictor = cls.fit(dataset, settings.own, np.random.default_rng(settings.training.seed), say)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"interrupted: {settings.model} is fitted at once, so nothing was kept") from None
    result = {"seconds": round(time.perf_counter() - started, 3), **predictor.findings()}
    run = Run(replace(record, result=result), (), None, predictor.arrays(), dataset)
    if folder is None:
        return run
    try:
        for name in (EVALUATION, CALIBRATION):
            (folder / name).unlink(missing_ok=True)
        save_arrays(folder / WEIGHTS, run.weights, {})
        write_history(folder, run.history)
        write_record(folder, run.record)  # last: a folder with a record holds a run
    except OSError as error:
        raise ElgeoError(f"cannot write the run to {folder}: {error.strerror or error}") from None
    return replace(run, folder=folder)
