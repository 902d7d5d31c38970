"""A literal of functional syntax taken apart, for syntaxes that write its parts in places of their own."""

from __future__ import annotations

import re
from typing import NamedTuple

_LITERAL = re.compile(r'"(?P<text>(?:[^"\\]|\\.)*)"(?:@(?P<language>[\w-]+)|\^\^<(?P<datatype>[^>]*)>)?', re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


class LiteralParts(NamedTuple):
    """The text, and a language or the IRI of a datatype; neither means a plain text."""

    text: str
    language: str
    datatype: str


def parts(literal: str) -> LiteralParts:
    """The parts of what `grammar.literal` made."""
    if literal.startswith('"') and literal.find('"', 1) == len(literal) - 1 and "\\" not in literal:
        return LiteralParts(literal[1:-1], "", "")  # as nearly all are
    found = _LITERAL.fullmatch(literal)
    if found is None:
        raise ValueError(f"no literal: {literal[:80]}")
    text = _ESCAPED.sub(r"\1", found["text"])
    return LiteralParts(text, found["language"] or "", found["datatype"] or "")
