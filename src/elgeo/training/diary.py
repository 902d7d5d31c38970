"""`Diary`: what a run writes into its folder while it trains, so that it can be broken off at any moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from elgeo.datasets.model import Dataset
from elgeo.errors import ElgeoError
from elgeo.models.contract import Arrays
from elgeo.training.folder import checkpoint as checkpoints
from elgeo.training.folder.history import Epoch, append_epoch, read_history, write_history
from elgeo.training.folder.record import Record, write_record
from elgeo.training.folder.tensors import save_arrays
from elgeo.training.run import CALIBRATION, EVALUATION, WEIGHTS, Run
from elgeo.training.trainer import Trainer


class Stopped(KeyboardInterrupt):
    """Training was interrupted and its state saved."""


class Diary:
    """What a run writes into its folder while it goes; nothing where there is no folder."""

    is_first = True
    """Whether this process is the one that tells of the run."""

    def __init__(self, folder: Path | None, record: Record, say: Callable[[str], None]) -> None:
        self.folder, self.record, self.say = folder, record, say
        self.history: list[Epoch] = []

    def begin(self, trainer: Trainer, resume: bool) -> None:
        """Make the folder, or go to where the run in it was broken off."""
        if self.folder is None:
            return
        start = self.last_checkpoint(trainer, self.say) if resume else None
        if resume and not start:
            self.say(f"{self.folder} has no checkpoint to go on with: the run begins anew")
        if start:  # before anything is removed: it may be refused
            trainer.restore(start)
            self.history = read_history(self.folder)[: start.state.epoch]
        self._once(lambda: self._tidied(start))

    def _tidied(self, start: checkpoints.Checkpoint | None) -> None:
        """Leave nothing in the folder that is not before `start`."""
        assert self.folder is not None
        checkpoints.tidy(self.folder, start)
        for stale in (WEIGHTS, EVALUATION, CALIBRATION):
            (self.folder / stale).unlink(missing_ok=True)
        if start:
            self.say(f"going on {_after(*start.place)}")
        write_history(self.folder, self.history)
        write_record(self.folder, self.record)

    def _once(self, work: Callable[[], None]) -> None:
        """Do what is done once, however many processes there are."""
        work()

    def write(self, done: Epoch) -> None:
        self.history.append(done)
        if self.folder is not None:
            append_epoch(self.folder, done)

    def save(self, trainer: Trainer) -> None:
        if self.folder is not None:
            checkpoints.save(self.folder, trainer.checkpoint())

    def last_checkpoint(
        self, trainer: Trainer, complain: Callable[[str], None] = lambda message: None
    ) -> checkpoints.Checkpoint | None:
        """The newest checkpoint that is whole; what was in the way of it is told."""
        return checkpoints.latest(self.folder, complain) if self.folder else None

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
        weights = self._weights(trainer)
        self._once(lambda: self._finished(weights or {}, trainer.best.epoch))
        return Run(self.record, self.history, self.folder, weights, dataset)

    def _weights(self, trainer: Trainer) -> Arrays | None:
        return trainer.best_weights

    def _finished(self, weights: Arrays, epoch: int) -> None:
        if self.folder is not None:
            save_arrays(self.folder / WEIGHTS, weights, {"epoch": epoch})
            write_record(self.folder, self.record)

    @contextmanager
    def errors(self) -> Iterator[None]:
        """A full disk or a folder that cannot be written is said plainly."""
        try:
            yield
        except OSError as error:
            raise ElgeoError(f"cannot write the run to {self.folder}: {error.strerror or error}") from None


def _after(epoch: int, step: int) -> str:
    return f"after epoch {epoch}" + (f", step {step}" if step else "")
