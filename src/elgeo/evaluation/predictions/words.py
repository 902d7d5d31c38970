"""What predictions may leave out, by name; apart, so that the command line can say so without loading anything."""

from __future__ import annotations

from collections.abc import Sequence

from elgeo.documents import shown
from elgeo.errors import SettingError

EXCLUDABLE = ("entailed", "train", "contradicted", "domain", "obsolete", "general", "lineage", "mirrored")
"""What predictions may leave out: what follows, what is asserted, what makes its head or a class below it
unsatisfiable, classes outside the domain or range of the role, obsolete classes, classes too general to be worth
saying, pairs of a class and one above or below it, unless the training axioms join such pairs, and pairs whose mirror
is known or better, where the training axioms go one way."""
GENERAL = 0.2
"""A class with more than this share of the candidates below it is too general."""


def listed_words(words: str | Sequence[str]) -> Sequence[str]:
    """Words as a list; a text has them between commas, and `nothing` is none."""
    if not isinstance(words, str):
        return words
    return [word for word in map(str.strip, words.split(",")) if word and word != "nothing"]


def check_choices(head: str | None, tail: str | None, top: int, exclude: Sequence[str], general: float) -> None:
    """Refuse what cannot be asked for."""
    if head is not None and tail is not None:
        raise SettingError("give a head or a tail to predict for, not both")
    if top < 1:
        raise SettingError(f"top has to be at least 1, not {top}")
    if not 0 <= general <= 1:
        raise SettingError(f"general has to be a share from 0 to 1, not {general}")
    if wrong := [name for name in exclude if name not in EXCLUDABLE]:
        raise SettingError(f"{shown(wrong[0])} cannot be excluded; there are {', '.join(EXCLUDABLE)}")
