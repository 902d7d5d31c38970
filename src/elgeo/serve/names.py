"""`Names`: every name of every class, found by any part of it."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Iterator
from heapq import merge
from itertools import accumulate

_BETWEEN = "\n"
"""Stands before and after each name; no name has one, for all that is blank in it becomes a space."""
_BEFORE_WORDS = " _:-"
"""What a word within a name may follow."""


class Names:
    """One long text, short names first: what is looked for is found there from the best to the worst."""

    def __init__(self, names: Iterable[tuple[str, int]]) -> None:
        """Names of classes as people write them, each with its class; a class may have several."""
        self._names = sorted({(as_compared(name), c) for name, c in names}, key=lambda each: (len(each[0]), each))
        self._text = _BETWEEN + "".join(f"{name}{_BETWEEN}" for name, _ in self._names)
        self._ends = list(accumulate((len(name) + 1 for name, _ in self._names), initial=1))[1:]
        """Where the text goes on after each name."""

    def find(self, text: str, top: int) -> dict[int, str]:
        """The best classes one of whose names has the text, each with the best such name.

        First names that are the text, then those that begin with it, then those one of whose words does, then the rest;
        among these short names first.
        """
        wanted, found = as_compared(text), dict[int, str]()
        if not wanted or top < 1:
            return found
        begins = _BETWEEN + wanted
        within = merge(*(self._having(mark + wanted) for mark in _BEFORE_WORDS))
        for hits in (self._having(begins + _BETWEEN), self._having(begins), within, self._having(wanted)):
            for place in hits:
                name, c = self._names[place]
                found.setdefault(c, name)
                if len(found) == top:
                    return found
        return found

    def _having(self, part: str) -> Iterator[int]:
        """The places of the names that have a part, in their order."""
        at = self._text.find(part)
        while at >= 0:
            place = bisect(self._ends, at + part.startswith(_BETWEEN))
            yield place
            # what stands between two names belongs to both
            at = self._text.find(part, self._ends[place] - 1)


def as_compared(name: str) -> str:
    """A name as it is looked for: large letters and blanks make no difference."""
    return " ".join(name.casefold().split())
