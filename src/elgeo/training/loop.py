"""`train`: a dataset and settings become a `Run`, written as it goes so that it can be broken off at any moment."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from elgeo.arrays import Table
from elgeo.datasets.model import Dataset
from elgeo.errors import SettingError
from elgeo.files import held
from elgeo.models import find
from elgeo.models.contract import Baseline, Fitted, Model, Predictor, Sizes
from elgeo.negatives import corrupters
from elgeo.ontology.normal_forms import FORMS
from elgeo.places import check_new_run
from elgeo.reasoning.closure.base import Closure
from elgeo.training.batches import Batches
from elgeo.training.diary import Diary, Stopped
from elgeo.training.distributed.diary import SharedDiary
from elgeo.training.distributed.processes import ALONE, Processes
from elgeo.training.distributed.sharded import Sharded
from elgeo.training.fitting import fit
from elgeo.training.folder.history import Epoch
from elgeo.training.folder.record import RECORD, Record, read_record
from elgeo.training.progress import Progress
from elgeo.training.run import Run
from elgeo.training.settings import Settings
from elgeo.training.tensorboard import TensorBoard
from elgeo.training.trainer import NotANumber, Rank, Trainer
from elgeo.training.workshop import InOneProcess, Workshop

__all__ = ["OnEpoch", "Stopped", "batches_of", "on_epoch", "train"]

OnEpoch = Callable[[Epoch], None]
"""Told of each epoch; may raise to end the training."""
_LISTENERS: list[OnEpoch] = []


def on_epoch(listener: OnEpoch) -> OnEpoch:
    """Let a function hear of every epoch of every training from now on; a decorator for modules of one's own.

    >>> @on_epoch
    ... def log(epoch):
    ...     print(epoch.epoch, epoch.loss["total"])
    >>> _LISTENERS.remove(log)
    """
    _LISTENERS.append(listener)
    return listener


def train(
    dataset: Dataset,
    settings: Settings,
    folder: Path | None = None,
    *,
    place: str | None = None,
    resume: bool = False,
    rank: Rank | None = None,
    on_epoch: OnEpoch | None = None,
    stream: TextIO | None = None,
    quiet: bool = False,
    processes: Processes = ALONE,
) -> Run:
    """Train to the end, or go on where a run in `folder` was broken off (`resume`).

    Without a folder nothing is written; with one nobody else trains in it meanwhile. `place` is where the dataset came
    from, for the record; `rank` measures the validation MRR where a setting asks for it. Where there are several
    `processes`, all of them call this alike, and the first one prints and tells of epochs.
    """
    cls = find(settings.model)
    if issubclass(cls, Model):
        settings = settings.sized(max(map(len, trained_tables(cls, dataset).values())))
    record = Record.of(settings, dataset, place, folder)
    first = processes.is_first
    with held(folder, "another training") if folder is not None and first else nullcontext():
        if folder is not None and first:
            if not resume and processes.restarts > 0 and (folder / RECORD).exists():
                # torchrun begins again, after a process has died, with the command that was given
                resume = _is_run_of(folder, record)
            check_new_run(folder, resume)
            if not resume:
                (folder / RECORD).unlink(missing_ok=True)  # of a run of which nothing was kept
        resume = bool(processes.told("resume" if resume else ""))
        return _train(
            cls,
            dataset,
            record,
            folder,
            resume,
            rank,
            on_epoch if first else None,
            stream,
            quiet or not first,
            processes,
        )


def _is_run_of(folder: Path, record: Record) -> bool:
    """Whether the run in a folder is one with the same settings on the same dataset."""
    there = read_record(folder)
    return there.settings == record.settings and there.dataset.sha256 == record.dataset.sha256


def _train(
    cls: type[Predictor],
    dataset: Dataset,
    record: Record,
    folder: Path | None,
    resume: bool,
    rank: Rank | None,
    hear: OnEpoch | None,
    stream: TextIO | None,
    quiet: bool,
    processes: Processes,
) -> Run:
    settings = record.settings
    if not issubclass(cls, Model) and processes.size > 1:
        raise SettingError(
            f"{settings.model} is not trained in steps, so processes cannot share it: leave out torchrun, or name a"
            " model that is (--model elem)"
        )
    if issubclass(cls, Baseline):
        run = Run(replace(record, result={}), (), None, {}, dataset)
        return run if folder is None else run.save(folder)
    use_threads(settings.training.threads or processes.threads)
    if issubclass(cls, Fitted):
        say = Progress(1, 0, stream).say if not quiet else lambda message: None
        return fit(cls, dataset, settings, folder, record, say)
    if not issubclass(cls, Model):
        raise SettingError(f"{settings.model} can neither be trained nor fitted nor counted")
    batches = batches_of(dataset, settings)
    model, sizes, device = cls, Sizes.of(dataset), settings.training.device

    def workshop(generator: np.random.Generator) -> Workshop:
        if processes.size == 1:
            return InOneProcess(model(sizes, settings.own, generator), device)
        return Sharded(
            lambda sizes, generator: model(sizes, settings.own, generator), sizes, generator, processes, device
        )

    trainer = Trainer(dataset, cls, workshop, settings.training, batches, rank)
    progress = None if quiet else Progress(settings.training.epochs, batches.axioms, stream)
    say = progress.say if progress else lambda message: None
    if not any(FORMS[form].role_columns for form in trained_tables(cls, dataset)):
        say(
            f"{dataset.name} has no axiom with a role for {settings.model}: what it knows of roles is left as it begins"
        )
    diary = Diary(folder, record, say) if processes.size == 1 else SharedDiary(folder, record, say, processes)
    with diary.errors(), closing(progress) if progress else nullcontext():
        diary.begin(trainer, resume)
        _epochs(trainer, diary, progress, hear, settings)
        run = diary.finish(trainer, dataset)
    say(f"{trainer.why_over}; the best was epoch {trainer.best.epoch}")
    return run


def _epochs(
    trainer: Trainer, diary: Diary, progress: Progress | None, hear: OnEpoch | None, settings: Settings
) -> None:
    board = TensorBoard(diary.folder, trainer.epoch) if settings.training.tensorboard and diary.is_first else None
    with interruptible() as interrupted:
        while not trainer.is_over:
            try:
                for _ in trainer.steps():
                    if trainer.workshop.agreed(interrupted()):
                        diary.stop(trainer)
            except NotANumber as event:
                raise trainer.explain(event.name, diary.last_checkpoint(trainer)) from None
            done = trainer.finish_epoch()
            diary.write(done)
            if board:
                board.write(done)
            if progress:
                progress.epoch(done, trainer.best.epoch)
            for listener in (*(_LISTENERS if diary.is_first else ()), *([hear] if hear else [])):
                listener(done)
            if done.epoch % settings.training.checkpoint_every == 0 or trainer.is_over:
                diary.save(trainer)


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Ctrl-C and SIGTERM are remembered rather than raised, so that state is saved whole; a second one is raised."""
    caught: list[int] = []

    def remember(number: int, frame: Any) -> None:
        if caught:
            raise KeyboardInterrupt
        caught.append(number)

    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    before = {number: signal.signal(number, remember) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: bool(caught)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def use_threads(count: int) -> None:
    """Let kernels and torch use so many threads, never more than there are processors; 0 leaves them at all."""
    if count:
        import numba
        import torch

        # torch would start any number of them, and run out of memory
        count = min(count, int(numba.config.NUMBA_NUM_THREADS))  # type: ignore[attr-defined]
        numba.set_num_threads(count)
        torch.set_num_threads(count)


def batches_of(dataset: Dataset, settings: Settings, closure: Closure | None = None) -> Batches:
    """The batches a run with these settings trains on; a closure at hand saves making one."""
    cls = find(settings.model)
    if not issubclass(cls, Model):
        raise SettingError(f"{settings.model} is not trained: it has no batches")
    tables = trained_tables(cls, dataset)
    training = settings.sized(max(map(len, tables.values()))).training
    made = corrupters(
        dataset,
        training.negatives,
        forms=[form for form in training.negative_forms if form in tables and form in cls.negative_forms],
        per_positive=training.negatives_per_positive,
        corrupt=training.corrupt,
        closure=closure or training.closure,
        entailed_fraction=training.entailed_fraction,
    )
    assert training.batch is not None
    return Batches(tables, made, training.batch, training.weighting, fixed_steps=training.steps)


def trained_tables(cls: type[Model], dataset: Dataset) -> dict[str, Table]:
    """The tables of a dataset that a model has a loss for."""
    tables = {form: dataset.forms[form] for form in cls.positive_forms if len(dataset.forms[form])}
    if not tables:
        raise SettingError(f"{dataset.name} has no axioms that {cls.name} has a loss for")
    return tables
