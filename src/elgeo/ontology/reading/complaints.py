"""What is odd about a file and no reason to refuse it: said once for each kind, with how often."""

from __future__ import annotations

from elgeo.errors import clipped

CUT_OFF = "the last line is not finished: is the file whole?"
MOST = 12
"""Kinds of complaints about one file that are told apart."""
_LONGEST = 300


class Complaints:
    """Collects complaints about one file."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._first: dict[str, str] = {}
        self._count: dict[str, int] = {}

    def add(self, kind: str, what: str = "", line: int | None = None) -> None:
        """Complain; of several of a kind the first is shown, with `what` it is about."""
        if kind not in self._first:
            place = f"{self._file}:{line}" if line else self._file
            self._first[kind] = clipped(" ".join(f"{place}: {kind}{what}".split()), _LONGEST)
        self._count[kind] = self._count.get(kind, 0) + 1

    def lines(self) -> list[str]:
        """One line for each kind."""
        kinds = list(self._first)
        found = [
            self._first[kind] + (f" (and {self._count[kind] - 1:,} more of the kind)" if self._count[kind] > 1 else "")
            for kind in kinds[:MOST]
        ]
        if rest := sum(self._count[kind] for kind in kinds[MOST:]):
            found.append(f"{self._file}: and {rest:,} warnings more")
        return found
