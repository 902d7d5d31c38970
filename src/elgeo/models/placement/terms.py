"""`Term`: what is known of a class that is not in the ontology yet, its words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

Tokens = tuple[str, ...]


@dataclass(frozen=True)
class Term:
    """A new class as whoever proposes it would write it down."""

    label: str
    synonyms: tuple[str, ...] = ()
    definition: str = ""

    @classmethod
    def of(cls, label: str, synonyms: Iterable[str] = (), definition: str = "") -> Term:
        """A term whose names are in words: `five_prime_cap` and `FivePrimeCap` are `five prime cap`."""
        return cls(in_words(label), tuple(map(in_words, synonyms)), definition)

    @property
    def names(self) -> tuple[str, ...]:
        return (self.label, *self.synonyms)


def in_words(name: str) -> str:
    """A name as people would write it; where capitals are the only borders of words they are taken for such."""
    spaced = name.replace("_", " ").strip()
    return spaced if " " in spaced else re.sub(r"(?<=[a-z])(?=[A-Z][a-z])", " ", spaced)


def tokens(text: str) -> Tokens:
    """The words of a name, in small letters, without signs."""
    return tuple(re.findall(r"\w+", text.lower()))
