"""Manchester syntax cut into tokens, with their places; whoever reads them asks for what may come next."""

from __future__ import annotations

import re
from typing import NamedTuple

from elgeo.errors import ReadError

_TOKEN = re.compile(
    r"""\s+ | \#[^\n]*
    | (?P<iri><[^<>"{}|^`\\\s]*>)
    | (?P<literal>"(?:[^"\\]|\\.)*+")
    | (?P<language>@[A-Za-z]+(?:-[A-Za-z0-9]+)*)
    | (?P<mark>\^\^|<=|>=|[<>(){}\[\],])
    | (?P<word>[^\s(){}\[\],"<>^]+)""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


class Token(NamedTuple):
    """`kind` is `iri`, `literal`, `language`, `mark`, `word` or, after the last one, `end`."""

    kind: str
    text: str
    at: int


class Tokens:
    """A text, token by token."""

    def __init__(self, text: str, file: str) -> None:
        self._text, self._file = text, file
        self._tokens: list[Token] = []
        at = 0
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None:
                raise self.error("no word, name or text begins here", at)
            if found.lastgroup is not None:
                self._tokens.append(Token(found.lastgroup, found[0], at))
            at = found.end()
        self._tokens.append(Token("end", "", len(text)))
        self.place = 0

    @property
    def next(self) -> Token:
        return self._tokens[self.place]

    def after(self, more: int) -> Token:
        """The token so many places after the next one."""
        return self._tokens[min(self.place + more, len(self._tokens) - 1)]

    def take(self) -> Token:
        """The next token, which is then behind us."""
        token = self._tokens[self.place]
        if token.kind == "end":
            raise self.error("the document ends in the middle of something", token.at)
        self.place += 1
        return token

    def takes(self, *texts: str) -> bool:
        """Take the next token if it is a mark or word with one of these texts."""
        if self.next.text in texts and self.next.kind in ("mark", "word"):
            self.place += 1
            return True
        return False

    def expect(self, text: str) -> None:
        if not self.takes(text):
            raise self.error(f"expected {text!r}, found {self.next.text[:40]!r}")

    def error(self, problem: str, at: int | None = None) -> ReadError:
        """What is wrong at a place, by default the next token's."""
        at = self.next.at if at is None else at
        return ReadError(problem, self._file, self._text.count("\n", 0, at) + 1)


def unquoted(literal: str) -> str:
    """The text between quotation marks."""
    return _ESCAPED.sub(r"\1", literal[1:-1])
