"""A run of several members: the same settings with one seed after the other, each in a folder under one record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from elgeo.datasets.model import Dataset
from elgeo.errors import SettingError
from elgeo.files import held
from elgeo.models import find
from elgeo.models.contract import Baseline
from elgeo.places import check_new_run, holds_run
from elgeo.training.folder.history import METRICS
from elgeo.training.folder.record import RECORD, Record, write_record
from elgeo.training.run import CALIBRATION, EVALUATION, Run
from elgeo.training.settings import Settings

MOST = 1_000

TrainMember = Callable[[Settings, Path | None], Run]
"""Trains one member with its settings, in its folder; goes on with what was begun there."""


def train_members(
    dataset: Dataset, settings: Settings, seeds: int, folder: Path | None, place: str | None, train: TrainMember
) -> Run:
    """Train an ensemble to the end, or go on with one that was broken off."""
    if not 1 <= seeds <= MOST:
        raise SettingError(f"seeds have to be a number from 1 to {MOST:,}, not {seeds}")
    if issubclass(find(settings.model), Baseline):
        raise SettingError(f"{settings.model} is counted and has no seed: --seeds is for models that are trained")
    first = settings.training.seed
    names = [f"seed-{seed}" for seed in range(first, first + seeds)]
    record = replace(Record.of(settings, dataset, place, folder), members=tuple(names))
    if folder is None:
        members = _trained(settings, names, None, train)
        return Run(replace(record, result={}), given_dataset=dataset, given_members=members)
    check_new_run(folder)
    with held(folder, "another training"):
        (folder / METRICS).unlink(missing_ok=True)
        for member in (folder / name for name in names):
            if not holds_run(member):  # one of which nothing was kept would go on with its own settings
                (member / RECORD).unlink(missing_ok=True)
        write_record(folder, record)
    return finish_members(Run(record, (), folder, None, dataset), train)


def finish_members(run: Run, train: TrainMember) -> Run:
    """Train the members of a run that are not finished."""
    folder = run.folder
    assert folder is not None
    with held(folder, "another training"):
        for name in (EVALUATION, CALIBRATION):
            (folder / name).unlink(missing_ok=True)
        members = _trained(run.settings, run.record.members, folder, train)
        seconds = sum(float(member.result["seconds"]) for member in members)
        record = replace(run.record, result={"seconds": round(seconds, 3)})
        write_record(folder, record)
    return replace(run, record=record)


def _trained(settings: Settings, names: Sequence[str], folder: Path | None, train: TrainMember) -> list[Run]:
    first = settings.training.seed
    return [
        train(settings.changed({"seed": first + i}), None if folder is None else folder / name)
        for i, name in enumerate(names)
    ]
