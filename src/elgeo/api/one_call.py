"""`elgeo.pipeline`: training, evaluation and the page in one call."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from elgeo.api import training
from elgeo.api.evaluating import evaluate
from elgeo.datasets.model import Dataset
from elgeo.errors import SettingError
from elgeo.evaluation.settings import EvaluationSettings
from elgeo.files import write_text
from elgeo.training import loop
from elgeo.training.folder.record import RECORD
from elgeo.training.run import Run

if TYPE_CHECKING:
    from elgeo.report.report import Report


class Outcome(NamedTuple):
    """What `pipeline` made."""

    run: Run
    report: Report
    page: Path
    """One self-contained page about the run."""


def pipeline(
    dataset: Dataset | str | os.PathLike[str],
    folder: str | os.PathLike[str],
    model: str | None = None,
    *,
    preset: str | None = None,
    resume: bool = False,
    evaluation: EvaluationSettings | None = None,
    on_epoch: loop.OnEpoch | None = None,
    say: Callable[[str], None] = lambda stage: None,
    quiet: bool = True,
    **settings: Any,
) -> Outcome:
    """Train, evaluate and report in one: a run in `folder`, its evaluation and its page beside it.

    With `resume` a run that was broken off in the folder is gone on with first. Settings are those of `train`.

    >>> outcome = pipeline("family", "runs/family", epochs=2)  # doctest: +SKIP
    """
    if resume and (Path(folder) / RECORD).exists():
        if model is not None or preset is not None:
            raise SettingError("a resumed run has its model and settings: it takes no other to begin with")
        given = dataset if isinstance(dataset, Dataset) else os.fspath(dataset)
        run = training.resume(folder, given, on_epoch=on_epoch, quiet=quiet, **settings)
    else:
        run = training.train(dataset, model, folder=folder, preset=preset, on_epoch=on_epoch, quiet=quiet, **settings)
    from elgeo.report.pages.page import run_page
    from elgeo.report.pages.shown_run import gather

    report = evaluate(run, settings=evaluation, say=say)
    page = Path(folder) / "report.html"
    say("writing the page")
    write_text(page, run_page([gather(Path(folder), Path(folder).resolve().name, run.dataset)]))
    return Outcome(run, report, page)
