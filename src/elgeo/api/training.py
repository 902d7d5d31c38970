"""`elgeo.train`: a dataset becomes a run; `resume` goes on with one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from elgeo import datasets
from elgeo.datasets.model import Dataset
from elgeo.errors import SettingError
from elgeo.evaluation.validation import validation_rank
from elgeo.experiments.presets import preset as preset_named
from elgeo.training import loop
from elgeo.training.distributed.processes import ALONE, Processes
from elgeo.training.ensemble import finish_members, train_members
from elgeo.training.folder.record import RECORD
from elgeo.training.resume import resumed
from elgeo.training.run import Run
from elgeo.training.settings import Settings, usual_model


def train(
    dataset: Dataset | str | os.PathLike[str],
    model: str | None = None,
    negatives: str | None = None,
    seed: int | None = None,
    folder: str | os.PathLike[str] | None = None,
    *,
    preset: str | None = None,
    seeds: int | None = None,
    resume: bool = False,
    on_epoch: loop.OnEpoch | None = None,
    quiet: bool = True,
    stream: TextIO | None = None,
    processes: Processes = ALONE,
    **settings: Any,
) -> Run:
    """Train a model on a dataset (or the name or folder of one); every setting of `elgeo models` is a keyword.

    With a folder the run is written as it goes and can be resumed; without one it stays in memory. `preset` is a name
    from `elgeo.experiments.presets`; what is given beside it counts more. With neither a model nor a preset `atlas` is
    trained, or `elem` where a setting is given that only models trained in epochs have. With `seeds` an ensemble of so
    many is trained, from the seed on: one run whose scores are means. `processes` share the work
    (`elgeo.training.distributed.processes.join()` in a script that torchrun starts).

    >>> run = train("family")  # doctest: +SKIP
    """
    place = None if isinstance(dataset, Dataset) else os.fspath(dataset)
    wanted = {**settings}
    if negatives is not None:
        wanted["negatives"] = negatives
    if seed is not None:
        wanted["seed"] = seed
    chosen = _settings(model, preset, wanted).changed(wanted)
    loaded = dataset if isinstance(dataset, Dataset) else datasets.load(dataset)
    how: dict[str, Any] = {"place": place, "on_epoch": on_epoch, "quiet": quiet, "stream": stream}
    if seeds is None:
        return train_with(loaded, chosen, folder, resume=resume, processes=processes, **how)
    _refuse_several(processes)
    whole = None if folder is None else Path(folder)
    return train_members(loaded, chosen, seeds, whole, place, partial(_member, loaded, how, {}))


def train_with(
    dataset: Dataset,
    settings: Settings,
    folder: str | os.PathLike[str] | None = None,
    *,
    place: str | None = None,
    resume: bool = False,
    on_epoch: loop.OnEpoch | None = None,
    quiet: bool = True,
    stream: TextIO | None = None,
    processes: Processes = ALONE,
) -> Run:
    """Train with settings already made; see `train`."""
    training = settings.training
    rank = validation_rank(dataset, training.rank_sample, training.seed) if len(dataset.valid) else None
    return loop.train(
        dataset,
        settings,
        None if folder is None else Path(folder),
        place=place,
        resume=resume,
        rank=rank,
        on_epoch=on_epoch,
        quiet=quiet,
        stream=stream,
        processes=processes,
    )


def resume(
    folder: str | os.PathLike[str],
    dataset: Dataset | str | None = None,
    *,
    on_epoch: loop.OnEpoch | None = None,
    quiet: bool = True,
    stream: TextIO | None = None,
    processes: Processes = ALONE,
    **changes: Any,
) -> Run:
    """Go on with a run that was broken off, to the bits it would have ended in; a finished one is given as it is.

    `changes` may extend it (`epochs`, `stop_patience`) or say how to compute (`device`, `threads`,
    `checkpoint_every`); other settings belong to the run.
    """
    run = Run.load(folder, dataset)
    known = run.record.dataset
    place = dataset if isinstance(dataset, str) else known.path or known.name
    how: dict[str, Any] = {"place": place, "on_epoch": on_epoch, "quiet": quiet, "stream": stream}
    if run.record.members:
        _refuse_several(processes)
        return finish_members(run, partial(_member, run.dataset, how, changes))
    settings = resumed(run, changes)
    if run.record.result is not None and settings == run.settings:
        if dataset is not None:
            _ = run.dataset  # refuses another one than the run's
        return run
    return train_with(run.dataset, settings, folder, resume=True, processes=processes, **how)


def _refuse_several(processes: Processes) -> None:
    if processes.size > 1:
        raise SettingError("the members of an ensemble are trained one after the other: leave out torchrun, or seeds")


def _member(
    dataset: Dataset, how: Mapping[str, Any], changes: Mapping[str, Any], settings: Settings, folder: Path | None
) -> Run:
    """One member of an ensemble, gone on with where it was begun already."""
    if folder is None or not (folder / RECORD).exists():
        return train_with(dataset, settings.changed(changes), folder, **how)
    return resume(folder, dataset, **{name: value for name, value in how.items() if name != "place"}, **changes)


def export_negatives(
    path: str | os.PathLike[str],
    dataset: Dataset | str | os.PathLike[str],
    model: str | None = None,
    preset: str | None = None,
    **settings: Any,
) -> int:
    """Write corrupted axioms as training with these settings would draw them, to look at; gives their number."""
    from elgeo.negatives.export import export
    from elgeo.reasoning import Reasoner

    chosen = _settings(model or "elem" if preset is None else model, preset, settings).changed(settings)
    loaded = dataset if isinstance(dataset, Dataset) else datasets.load(dataset)
    closure = Reasoner(loaded.forms).closure(chosen.training.closure)
    made = loop.batches_of(loaded, chosen, closure).corrupters
    return export(Path(path), loaded, made, closure, chosen.training.seed)


def _settings(model: str | None, preset: str | None, wanted: Iterable[str]) -> Settings:
    """What training starts from: a preset, or the defaults of a model; `wanted` are settings that it must have."""
    if preset is not None and model is not None:
        raise SettingError("a preset names its model: give a model or a preset, not both")
    return Settings.default(model or usual_model(wanted)) if preset is None else preset_named(preset)
