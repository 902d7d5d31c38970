"""`Diary`: what a run writes into its folder while it trains, so that it can be broken off at any moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from elgeo.datasets.model import Dataset
from elgeo.errors import ElgeoError
from elgeo.training import checkpoint as checkpoints
from elgeo.training.history import Epoch, append_epoch, read_history, write_history
from elgeo.training.record import Record, write_record
from elgeo.training.run import CALIBRATION, EVALUATION, WEIGHTS, Run
from elgeo.training.trainer import Trainer


class Stopped(KeyboardInterrupt):
    """Training was interrupted and its state saved."""


class Diary:
    """What a run writes into its folder while it goes; nothing where there is no folder."""

    def __init__(self, folder: Path | None, record: Record, say: Callable[[str], None]) -> None:
        self.folder, self.record, self.say = folder, record, say
        self.history: list[Epoch] = []

    def begin(self, trainer: Trainer, resume: bool) -> None:
        """Make the folder, or go to where the run in it was broken off."""
        if self.folder is None:
            return
        start = checkpoints.latest(self.folder, self.say) if resume else None
        if start:  # before anything is removed: it may be refused
            trainer.restore(start)
            self.history = read_history(self.folder)[: start.state.epoch]
        checkpoints.tidy(self.folder, start)
        for stale in (WEIGHTS, EVALUATION, CALIBRATION):
            (self.folder / stale).unlink(missing_ok=True)
        if start:
            self.say(f"going on {_after(*start.place)}")
        write_history(self.folder, self.history)
        write_record(self.folder, self.record)

    def write(self, done: Epoch) -> None:
        self.history.append(done)
        if self.folder is not None:
            append_epoch(self.folder, done)

    def save(self, trainer: Trainer) -> None:
        if self.folder is not None:
            checkpoints.save(self.folder, trainer.checkpoint())

    def last_checkpoint(self) -> checkpoints.Checkpoint | None:
        return checkpoints.latest(self.folder) if self.folder else None

    def stop(self, trainer: Trainer) -> None:
        """Save and raise `Stopped`."""
        self.save(trainer)
        raise Stopped(
            f"stopped {_after(trainer.epoch, trainer.step)}"
            + (f"; go on with: elgeo train -o {self.folder} --resume" if self.folder else "")
        )

    def finish(self, trainer: Trainer, dataset: Dataset) -> Run:
        """Write the best weights and the result: from now on the run is finished."""
        trainer.check_result()
        result = {
            "best_epoch": trainer.best.epoch,
            "best_value": trainer.best.value,
            "epochs": trainer.epoch,
            "seconds": round(sum(epoch.seconds for epoch in self.history), 3),
        }
        self.record = replace(self.record, result=result)
        if self.folder is not None:
            checkpoints.save_arrays(self.folder / WEIGHTS, trainer.best_weights, {"epoch": trainer.best.epoch})
            write_record(self.folder, self.record)
        return Run(self.record, self.history, self.folder, trainer.best_weights, dataset)

    @contextmanager
    def errors(self) -> Iterator[None]:
        """A full disk or a folder that cannot be written is said plainly."""
        try:
            yield
        except OSError as error:
            raise ElgeoError(f"cannot write the run to {self.folder}: {error.strerror or error}") from None


def _after(epoch: int, step: int) -> str:
    return f"after epoch {epoch}" + (f", step {step}" if step else "")
