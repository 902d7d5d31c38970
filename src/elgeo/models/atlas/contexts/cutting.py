"""Texts cut into features: words, pairs of words, how a text begins and ends, and pieces of words."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable

STEM = 7
"""Letters of a word that count: `phosphorylation` and `phosphorylated` are one word."""
GRAM = 5
BEGINNING = 8
"""Words of a definition that say what sort of thing is defined."""
FIRST, LAST = "^", "$"
"""What the first words of a text begin with, and the last ones end with, as features."""

WORD = re.compile(r"\w+")

Cut = Callable[[str], Iterable[str]]


def words(text: str) -> list[str]:
    return [word[:STEM] for word in WORD.findall(text.lower())]


def grams(text: str) -> Iterable[str]:
    """Pieces of five letters, word borders among them."""
    whole = " ".join(["", *WORD.findall(text.lower()), ""])
    return (whole[i : i + GRAM] for i in range(len(whole) - GRAM + 1))


def pairs(text: str) -> list[str]:
    """Words, and pairs of words that follow each other."""
    found = words(text)
    return found + [f"{a} {b}" for a, b in itertools.pairwise(found)]


def beginning(text: str) -> list[str]:
    """The first words, their pairs, and the first three, four and five together."""
    found = words(text)[:BEGINNING]
    joined = [f"{a} {b}" for a, b in itertools.pairwise(found)]
    return found + joined + [" ".join(found[:k]) for k in (3, 4, 5) if len(found) >= k]


def ends(text: str) -> list[str]:
    """The first and the last one, two and three words, told apart."""
    found = words(text)
    sizes = range(1, min(3, len(found)) + 1)
    return [FIRST + " ".join(found[:k]) for k in sizes] + [" ".join(found[-k:]) + LAST for k in sizes]
