"""What a person sees while a run trains: losses, rate, time left."""

from __future__ import annotations

import sys
import time
from typing import TextIO

from elgeo.ontology.normal_forms import FORMS
from elgeo.training.history import Epoch

EVERY_SECONDS = 10.0
"""Where the output is not a terminal: at most a line in so many seconds."""


class Progress:
    """Writes to standard error, or wherever `stream` is."""

    def __init__(self, epochs: int, axioms: int, stream: TextIO | None = None) -> None:
        self.epochs, self.axioms = epochs, axioms
        self.stream = sys.stderr if stream is None else stream
        self._rewrites = self.stream.isatty()
        self._last = 0.0
        self._seconds: list[float] = []

    def epoch(self, done: Epoch, best_epoch: int) -> None:
        """Show an epoch; the last one is always shown."""
        self._seconds = [*self._seconds[-9:], done.seconds]
        now = time.monotonic()
        if not self._rewrites and now - self._last < EVERY_SECONDS and done.epoch not in (1, self.epochs):
            return
        self._last = now
        self._show(self._line(done, best_epoch))

    def say(self, message: str) -> None:
        """A message that stays."""
        self.close()
        print(message, file=self.stream)

    def close(self) -> None:
        """End the line that is being rewritten."""
        if self._rewrites and self._last:
            print(file=self.stream)
            self._last = 0.0

    def _show(self, line: str) -> None:
        if self._rewrites:
            print(f"\r\x1b[K{line}", end="", flush=True, file=self.stream)
        else:
            print(line, flush=True, file=self.stream)

    def _line(self, done: Epoch, best_epoch: int) -> str:
        each = sum(self._seconds) / len(self._seconds)
        losses = " ".join(
            f"{FORMS[name.rstrip('-')].symbol}{'⁻' if name.endswith('-') else ''} {value:.3f}"
            for name, value in done.loss.items()
            if name != "total"
        )
        parts = [f"epoch {done.epoch}/{self.epochs}", f"loss {done.loss['total']:.4f} ({losses})"]
        if done.valid_loss is not None:
            parts.append(f"valid {done.valid_loss:.4f}")
        if done.valid_mrr is not None:
            parts.append(f"MRR {done.valid_mrr:.4f}")
        parts += [f"best {best_epoch}", f"lr {done.lr:g}", f"{self.axioms / max(each, 1e-9):,.0f} axioms/s"]
        return ", ".join([*parts, f"{duration(each * (self.epochs - done.epoch))} left"])


def duration(seconds: float) -> str:
    """Seconds as a person says them.

    >>> duration(75), duration(7380)
    ('1 min 15 s', '2 h 3 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
