"""`Drops`: what was left out on the way to a dataset, counted and listed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Drops:
    """What was left out on the way to a dataset, and why."""

    counts: Counter[str] = field(default_factory=Counter)
    listed: list[tuple[str, str]] = field(default_factory=list)
    """(why, what) of everything worth a look: a name counts once, however often it occurs."""
    _seen: set[tuple[str, str]] = field(default_factory=set)

    def count(self, why: str, times: int = 1) -> None:
        """Count lines that were left out as asked for."""
        if times:
            self.counts[why] += times

    def add(self, why: str, what: str, times: int = 1) -> None:
        """Count a line, or several, that could not be used, and list what they speak of."""
        self.counts[why] += times
        if (why, what) not in self._seen:
            self._seen.add((why, what))
            self.listed.append((why, what))
