"""What a person sees while a run trains: losses, rate, time left, and why it ended."""

from __future__ import annotations

import sys
import time
from collections import deque
from typing import TextIO

from tqdm import tqdm

from elgeo.messages import as_shown
from elgeo.ontology.normal_forms import FORMS
from elgeo.training.folder.history import Epoch

EVERY_SECONDS = 10.0
"""Where the output is not a terminal: at most a line in so many seconds."""
BAR = "epoch {n_fmt}/{total_fmt} |{bar:10}| at most {remaining} left{postfix}"
"""A run may end before its last epoch, where it gets no better."""


class Progress:
    """Writes to standard error, or wherever `stream` is: a bar on a terminal, as wide as that is; else lines."""

    def __init__(self, epochs: int, axioms: int, stream: TextIO | None = None) -> None:
        self.epochs, self.axioms = epochs, axioms
        self.stream = sys.stderr if stream is None else stream
        self._last = 0.0
        self._recent: deque[float] = deque(maxlen=10)
        self._bar: tqdm[None] | None = None

    def epoch(self, done: Epoch, best_epoch: int) -> None:
        """Show an epoch; the first and the last one are always shown."""
        self._recent.append(done.seconds)
        if self.stream.isatty():
            self._draw(done, best_epoch)
        elif time.monotonic() - self._last >= EVERY_SECONDS or done.epoch in (1, self.epochs):
            self._last = time.monotonic()
            left = tqdm.format_interval(self._each * (self.epochs - done.epoch))
            self.say(
                f"epoch {done.epoch}/{self.epochs}, at most {left} left, {', '.join(self._figures(done, best_epoch))}"
            )

    def say(self, message: str) -> None:
        """A message that stays."""
        self.close()
        print(message, flush=True, file=self.stream)

    def close(self) -> None:
        """End the line that is being rewritten."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def _draw(self, done: Epoch, best_epoch: int) -> None:
        if self._bar is None:
            self._bar = tqdm(
                total=self.epochs, initial=done.epoch - 1, file=self.stream, dynamic_ncols=True, bar_format=BAR
            )
        self._bar.set_postfix_str(self._fitting(self._bar, self._figures(done, best_epoch)), refresh=False)
        self._bar.update()

    def _fitting(self, bar: tqdm[None], figures: list[str]) -> str:
        """As many figures as the terminal has room for, each whole."""
        state = bar.format_dict
        if not state["ncols"]:
            return ", ".join(figures)
        room = state["ncols"] - len(tqdm.format_meter(**{**state, "n": bar.n + 1, "ncols": None, "postfix": ""}))
        shown = ""
        for figure in figures:
            # the bar puts a comma and a blank before, and keeps a column for itself
            longer = f"{shown}, {as_shown(figure, self.stream)}"
            if len(longer) >= room:
                break
            shown = longer
        return shown.removeprefix(", ")

    @property
    def _each(self) -> float:
        """Seconds that an epoch takes now."""
        return max(sum(self._recent) / len(self._recent), 1e-9)

    def _figures(self, done: Epoch, best_epoch: int) -> list[str]:
        """The most important first: what does not fit on the line is left out at its end."""
        parts = [f"loss {done.loss['total']:.4f}"]
        if done.valid_loss is not None:
            parts.append(f"valid {done.valid_loss:.4f}")
        if done.valid_mrr is not None:
            parts.append(f"MRR {done.valid_mrr:.4f}")
        parts += [f"best {best_epoch}", f"lr {done.lr:g}", f"{self.axioms / self._each:,.0f} axioms/s"]
        losses = [
            f"{FORMS[name.rstrip('-')].symbol}{'⁻' if name.endswith('-') else ''} {value:.3f}"
            for name, value in done.loss.items()
            if name != "total"
        ]
        return [*parts, *losses]
