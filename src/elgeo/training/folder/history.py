"""`Epoch`: what one epoch brought; `metrics.jsonl` is the history of a run, a line for each."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from elgeo.documents import Fields, parse_json
from elgeo.errors import ReadError
from elgeo.files import write_text

METRICS = "metrics.jsonl"


@dataclass(frozen=True)
class Epoch:
    """What one epoch brought; a line of `metrics.jsonl`."""

    epoch: int
    seconds: float
    loss: Mapping[str, float]
    """Mean losses by normal form, negatives with a minus (`existential-`), and the weighted `total`."""
    lr: float
    valid_loss: float | None = None
    valid_mrr: float | None = None
    dropped: Mapping[str, int] = field(default_factory=dict)
    """Corrupted axioms that could not be made, by normal form."""

    def to_dict(self) -> dict[str, Any]:
        record: dict[str, Any] = {
            "epoch": self.epoch,
            "seconds": round(self.seconds, 6),
            "loss": dict(self.loss),
            "lr": self.lr,
            "valid_loss": self.valid_loss,
        }
        if self.valid_mrr is not None:
            record["valid_mrr"] = self.valid_mrr
        if any(self.dropped.values()):
            record["dropped_negatives"] = dict(self.dropped)
        return record

    @staticmethod
    def from_fields(fields: Fields) -> Epoch:
        """What `to_dict` wrote, checked."""
        loss = fields.numbers("loss")
        if "total" not in loss:
            raise fields.error("is missing", "loss.total")
        return Epoch(
            fields.whole("epoch", 1),
            fields.number("seconds", 0),
            loss,
            fields.number("lr", 0),
            fields.or_none(fields.number, "valid_loss"),
            fields.or_none(fields.number, "valid_mrr", 0, 1),
            fields.or_none(fields.counts, "dropped_negatives") or {},
        )


def read_history(folder: Path) -> list[Epoch]:
    """The epochs of `metrics.jsonl`; a last line that was cut off is left out."""
    path = folder / METRICS
    if not path.is_file():
        return []
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise ReadError(error.strerror or str(error), str(path)) from None
    history: list[Epoch] = []
    for number, line in enumerate(lines, 1):
        try:
            found = parse_json(line, path, number)
        except ReadError:
            if number < len(lines):
                raise
            break
        epoch = Epoch.from_fields(Fields(found, path, line=number))
        if epoch.epoch != number:
            raise ReadError(f"epoch: has to be {number} on this line, not {epoch.epoch}", str(path), number)
        history.append(epoch)
    return history


def write_history(folder: Path, history: Sequence[Epoch]) -> None:
    write_text(folder / METRICS, "".join(line(epoch) for epoch in history))


def append_epoch(folder: Path, epoch: Epoch) -> None:
    with (folder / METRICS).open("a", encoding="utf-8") as file:
        file.write(line(epoch))


def line(epoch: Epoch) -> str:
    """An epoch as a line of `metrics.jsonl`."""
    return json.dumps(epoch.to_dict()) + "\n"
