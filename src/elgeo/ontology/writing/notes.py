"""Annotations of single axioms, for writers: where an axiom comes from, who added it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Note(NamedTuple):
    """One annotation: the IRI of a property, and a literal as functional syntax writes it."""

    property: str
    value: str


Notes = Mapping[int, Sequence[Note]]
"""The notes of axioms, by their nodes."""
