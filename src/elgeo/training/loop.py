"""`train`: a dataset and settings become a `Run`, written as it goes so that it can be broken off at any moment."""

from __future__ import annotations

import json
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from elgeo.datasets.model import Dataset
from elgeo.errors import ElgeoError, SettingError
from elgeo.models import find
from elgeo.models.contract import Baseline, Fitted, Model, Sizes
from elgeo.negatives import corrupters
from elgeo.reasoning.closure.base import Closure
from elgeo.training import checkpoint as checkpoints
from elgeo.training.batches import Batches
from elgeo.training.fitting import fit
from elgeo.training.progress import Progress
from elgeo.training.run import EVALUATION, METRICS, WEIGHTS, Run, new_record, read_history, write_history, write_record
from elgeo.training.settings import Settings
from elgeo.training.tensorboard import TensorBoard
from elgeo.training.trainer import Epoch, NotANumber, Rank, Trainer

OnEpoch = Callable[[Epoch], None]
"""Told of each epoch; may raise to end the training."""


class Stopped(KeyboardInterrupt):
    """Training was interrupted and its state saved."""


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
) -> Run:
    """Train to the end, or go on where a run in `folder` was broken off (`resume`).

    Without a folder nothing is written. `place` is where the dataset came from, for the record; `rank` measures the
    validation MRR where a setting asks for it.
    """
    cls = find(settings.model)
    record = new_record(settings, dataset, place, folder)
    if issubclass(cls, Baseline):
        run = Run(settings, {**record, "result": {}}, [], None, {}, dataset)
        return run if folder is None else run.save(folder)
    use_threads(settings.training.threads)
    if issubclass(cls, Fitted):
        say = Progress(1, 0, stream).say if not quiet else lambda message: None
        return fit(cls, dataset, settings, folder, record, say)
    if not issubclass(cls, Model):
        raise SettingError(f"{settings.model} can neither be trained nor fitted nor counted")
    batches = batches_of(dataset, settings)
    trainer = Trainer(
        dataset,
        lambda generator: cls(Sizes.of(dataset), settings.own, generator),
        settings.training,
        batches,
        rank,
    )
    progress = None if quiet else Progress(settings.training.epochs, batches.axioms, stream)
    say = progress.say if progress else lambda message: None
    diary = Diary(folder, record, say)
    with diary.errors():
        diary.begin(trainer, resume)
        _epochs(trainer, diary, progress, on_epoch, settings)
        run = diary.finish(trainer, settings, dataset)
    if progress:
        progress.close()
    return run


def _epochs(
    trainer: Trainer, diary: Diary, progress: Progress | None, on_epoch: OnEpoch | None, settings: Settings
) -> None:
    board = TensorBoard(diary.folder, trainer.epoch) if settings.training.tensorboard else None
    with interruptible() as interrupted:
        while not trainer.is_over:
            try:
                for _ in trainer.steps():
                    if interrupted():
                        diary.stop(trainer)
            except NotANumber as event:
                raise trainer.explain(event.name, diary.last_checkpoint()) from None
            done = trainer.finish_epoch()
            diary.write(done)
            if board:
                board.write(done)
            if progress:
                progress.epoch(done, trainer.best.epoch)
            if on_epoch:
                on_epoch(done)
            if done.epoch % settings.training.checkpoint_every == 0 or trainer.is_over:
                diary.save(trainer)


class Diary:
    """What a run writes into its folder while it goes; nothing where there is no folder."""

    def __init__(self, folder: Path | None, record: dict[str, Any], say: Callable[[str], None]) -> None:
        self.folder, self.record, self.say = folder, record, say
        self.history: list[dict[str, Any]] = []
        self._started = time.perf_counter()

    def begin(self, trainer: Trainer, resume: bool) -> None:
        """Make the folder, or go to where the run in it was broken off."""
        if self.folder is None:
            return
        start = checkpoints.latest(self.folder, self.say) if resume else None
        if start:  # before anything is removed: it may be refused
            trainer.restore(start)
            self.history = [line for line in read_history(self.folder) if line["epoch"] <= start.epoch]
        checkpoints.tidy(self.folder, start)
        for stale in (WEIGHTS, EVALUATION):
            (self.folder / stale).unlink(missing_ok=True)
        if start:
            self.say(f"going on after epoch {start.epoch}" + (f", step {start.step}" if start.step else ""))
        write_history(self.folder, self.history)
        write_record(self.folder, self.record)

    def write(self, done: Epoch) -> None:
        self.history.append(done.to_dict())
        if self.folder is not None:
            with (self.folder / METRICS).open("a", encoding="utf-8") as file:
                file.write(json.dumps(self.history[-1]) + "\n")

    def save(self, trainer: Trainer) -> None:
        if self.folder is not None:
            checkpoints.save(self.folder, trainer.checkpoint())

    def last_checkpoint(self) -> checkpoints.Checkpoint | None:
        return checkpoints.latest(self.folder) if self.folder else None

    def stop(self, trainer: Trainer) -> None:
        """Save and raise `Stopped`."""
        self.save(trainer)
        where = f"after epoch {trainer.epoch}" + (f", step {trainer.step}" if trainer.step else "")
        raise Stopped(
            f"stopped {where}" + (f"; go on with: elgeo train -o {self.folder} --resume" if self.folder else "")
        )

    def finish(self, trainer: Trainer, settings: Settings, dataset: Dataset) -> Run:
        """Write the best weights and the result: from now on the run is finished."""
        trainer.check_result()
        self.record["result"] = {
            "best_epoch": trainer.best.epoch,
            "best_value": trainer.best.value,
            "epochs": trainer.epoch,
            "seconds": round(sum(line["seconds"] for line in self.history), 3),
        }
        if self.folder is not None:
            checkpoints.save_arrays(self.folder / WEIGHTS, trainer.best_weights, {"epoch": trainer.best.epoch})
            write_record(self.folder, self.record)
        return Run(settings, self.record, self.history, self.folder, trainer.best_weights, dataset)

    @contextmanager
    def errors(self) -> Iterator[None]:
        """A full disk or a folder that cannot be written is said plainly."""
        try:
            yield
        except OSError as error:
            raise ElgeoError(f"cannot write the run to {self.folder}: {error.strerror or error}") from None


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
    cls, training = find(settings.model), settings.training
    if not issubclass(cls, Model):
        raise SettingError(f"{settings.model} is not trained: it has no batches")
    tables = {form: dataset.forms[form] for form in cls.positive_forms if len(dataset.forms[form])}
    if not tables:
        raise SettingError(f"{dataset.name} has no axioms that {cls.name} has a loss for")
    made = corrupters(
        dataset,
        training.negatives,
        forms=[form for form in training.negative_forms if form in tables and form in cls.negative_forms],
        per_positive=training.negatives_per_positive,
        corrupt=training.corrupt,
        closure=closure or training.closure,
        entailed_fraction=training.entailed_fraction,
    )
    return Batches(tables, made, training.batch, training.weighting)
