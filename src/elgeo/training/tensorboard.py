"""The TensorBoard log of a run, for those who have the package."""

from __future__ import annotations

from pathlib import Path

from elgeo.errors import SettingError
from elgeo.training.folder.history import Epoch


class TensorBoard:
    """Writes the losses, the learning rate and the validation figures of each epoch under `RUN/tensorboard`."""

    def __init__(self, folder: Path | None, epoch: int) -> None:
        if folder is None:
            raise SettingError("tensorboard writes into the run's folder: give one")
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError:
            raise SettingError(
                "tensorboard=true needs the package `tensorboard`: install it, or leave it off"
            ) from None
        self._writer = SummaryWriter(str(folder / "tensorboard"), purge_step=epoch + 1)

    def write(self, done: Epoch) -> None:
        for name, value in done.loss.items():
            self._writer.add_scalar(f"loss/{name}", value, done.epoch)
        self._writer.add_scalar("lr", done.lr, done.epoch)
        for name, measured in (("valid/loss", done.valid_loss), ("valid/mrr", done.valid_mrr)):
            if measured is not None:
                self._writer.add_scalar(name, measured, done.epoch)
        self._writer.flush()
