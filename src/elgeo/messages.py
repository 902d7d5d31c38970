"""What is said to the person at the terminal beside the results: a line on standard error, in symbols it can show."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Iterable
from typing import TextIO

_WORDS = {
    "⊑": "SubClassOf", "≡": "EquivalentTo", "⊓": "and", "∃": "some ", "∀": "only ", "⊤": "Thing", "⊥": "Nothing",
    "∘": "o", "⁻": "-", "−": "-", "–": "-", "…": "...", "→": "->", "·": "*", "×": "x", "‖": "||", "≤": "<=", "≥": ">=",
    "⊔": "or", "∈": "in", "∞": "infinity", "γ": "gamma", "Σ": "sum", "²": "^2", "’": "'", "“": '"', "”": '"',
}  # fmt: skip
"""Our symbols, for terminals that have only letters."""
_HANDLER = "elgeo.words"


def say(message: object) -> None:
    """Say it now, whatever else is waiting to be printed."""
    print(f"elgeo: {message}", file=sys.stderr, flush=True)


def nearest(given: str, known: Iterable[str]) -> str:
    """The name that is most like the one that was given; none where none is like it."""
    import difflib  # only where something is wrong: every command would wait for it

    return next(iter(difflib.get_close_matches(given, list(known))), "")


def near(given: str, known: Iterable[str]) -> str:
    """Which of the names that exist may have been meant, as a question; nothing where none is near."""
    import difflib  # only where something is wrong: every command would wait for it

    names = list(known)
    found = difflib.get_close_matches(given, names) or [each for each in names if len(given) > 2 and given in each]
    return f"did you mean {' or '.join(found[:2])}?" if found else ""


def counted(number: int, one: str, several: str | None = None) -> str:
    """A number with its noun: `1 axiom`, `2,000 axioms`; the plural is given where it is not the noun with an s."""
    return f"{number:,} {one if number == 1 else several or one + 's'}"


def use_words(stream: TextIO) -> None:
    """Let a stream that is not in Unicode take words for the symbols it does not have, and escapes for all else."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None and not codecs.lookup(stream.encoding).name.startswith("utf"):
        codecs.register_error(_HANDLER, _in_words)
        reconfigure(errors=_HANDLER)


def as_shown(text: str, stream: TextIO | None = None) -> str:
    """The text as a stream, standard output unless said, will have it: columns have to be measured in its words."""
    encoding = getattr(stream or sys.stdout, "encoding", None) or "utf-8"
    if text.isascii() or codecs.lookup(encoding).name.startswith("utf"):
        return text
    codecs.register_error(_HANDLER, _in_words)
    return text.encode(encoding, _HANDLER).decode(encoding)


def _in_words(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    text = error.object[error.start : error.end]
    return "".join(_WORDS.get(each, each.encode("ascii", "backslashreplace").decode()) for each in text), error.end
