"""`NameList`: names by number that are made when somebody looks."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import overload


class NameList(Sequence[str]):
    """A sequence of names that says how many there are (`__len__`) and how to make one (`name`)."""

    @abstractmethod
    def name(self, index: int) -> str:
        """The name of a number from 0 to the last."""

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        places = range(len(self))[index]
        return self.name(places) if isinstance(places, int) else [self.name(place) for place in places]
