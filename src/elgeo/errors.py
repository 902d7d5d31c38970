"""The one family of errors a user can cause; the command line prints the message and exits with 2."""

from __future__ import annotations

LONGEST_MESSAGE = 700
"""Characters of a message: what it quotes may be a whole file."""


def clipped(text: str, longest: int = LONGEST_MESSAGE) -> str:
    """A text short enough to be read; what is left out is its middle, for it begins with a place and ends in advice."""
    return text if len(text) <= longest else f"{text[: longest * 2 // 3]} … {text[len(text) - longest // 3 + 3 :]}"


class ElgeoError(Exception):
    """Something about the input or the request is wrong; the message says what, where and what to do."""

    def __init__(self, message: str) -> None:
        super().__init__(clipped(message))


class ReadError(ElgeoError):
    """A file cannot be read as what it should be."""

    def __init__(self, problem: str, file: str | None = None, line: int | None = None) -> None:
        place = f"{file}:{line}: " if file and line else f"{file}: " if file else ""
        # what is quoted from a file may have line ends of its own; the message has none
        super().__init__(" ".join((place + problem).splitlines()))
        self.file, self.line = file, line


class UnsupportedError(ElgeoError):
    """The ontology says something EL++ cannot, and `strict` was asked for."""


class UnknownNameError(ElgeoError):
    """A name given by the user belongs to nothing, or to more than one thing."""


class SettingError(ElgeoError):
    """A setting has a value it cannot have."""
