"""`SharedDiary`: what a run in several processes writes: checkpoints in parts, all else by the first process."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from elgeo.errors import ElgeoError, ReadError
from elgeo.models.contract import Arrays
from elgeo.training.diary import Diary
from elgeo.training.distributed.processes import PeerError, Processes
from elgeo.training.distributed.sharded import Sharded
from elgeo.training.folder import checkpoint as checkpoints
from elgeo.training.folder.checkpoint import Checkpoint
from elgeo.training.folder.history import Epoch
from elgeo.training.folder.parts import save_part
from elgeo.training.folder.record import Record
from elgeo.training.folder.tensors import DamagedError
from elgeo.training.trainer import Trainer


class SharedDiary(Diary):
    """A `Diary` that all processes write together, in a folder that all of them see."""

    def __init__(self, folder: Path | None, record: Record, say: Callable[[str], None], processes: Processes) -> None:
        if folder is None:
            raise ElgeoError("several processes train in a folder that all of them see: name one")
        super().__init__(folder, record, say)
        self._place, self.processes = folder, processes
        self.is_first = processes.is_first

    def _once(self, work: Callable[[], None]) -> None:
        self.processes.first(work)

    def write(self, done: Epoch) -> None:
        if self.is_first:
            super().write(done)
        else:
            self.history.append(done)

    def save(self, trainer: Trainer) -> None:
        """Each process writes its part into a folder that takes its name when all parts are in it."""
        checkpoint, workshop = trainer.checkpoint(), _sharded(trainer)
        path = checkpoints.path_of(self._place, checkpoint.place)
        growing = path.with_name(f".{path.name}.part")
        self._once(lambda: checkpoints.cleared(growing))
        failed: ElgeoError | None = None
        try:
            save_part(growing, workshop.own, workshop.chosen, checkpoint.arrays, checkpoint.state.to_dict())
        except ElgeoError as error:  # a full disk of one machine ends all of them
            failed = error
        if self.processes.any(failed is not None):
            raise failed or PeerError("another process could not write its part of a checkpoint")
        self._once(lambda: checkpoints.commit(self._place, growing, path))

    def last_checkpoint(
        self, trainer: Trainer, complain: Callable[[str], None] = lambda message: None
    ) -> Checkpoint | None:
        chosen = _sharded(trainer).chosen
        while True:
            newest = checkpoints.newest_first(self._place)[:1] if self.is_first else []
            name = self.processes.told(newest[0].name if newest else "")
            if not name:
                return None
            path, found = self._place / "checkpoints" / name, None
            with suppress(DamagedError, ReadError):
                found = checkpoints.load(path, chosen)
            if not self.processes.any(found is None):
                return found
            complain(f"{path} is damaged; using the one before it")
            self._once(lambda: checkpoints.set_aside(path))  # noqa: B023 (called at once)

    def _weights(self, trainer: Trainer) -> Arrays | None:
        return _sharded(trainer).whole(trainer.best_weights) or None


def _sharded(trainer: Trainer) -> Sharded:
    assert isinstance(trainer.workshop, Sharded)
    return trainer.workshop
