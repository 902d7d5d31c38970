"""`WholeSplit`: what ways to divide all of an ontology share: which one, the shares, the seed, and reading it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from elgeo.datasets.sources.given import Given, at_hand
from elgeo.datasets.sources.iris import read_aloud
from elgeo.errors import SettingError
from elgeo.ontology.model import Ontology
from elgeo.ontology.reading.labels import ENGLISH


@dataclass(frozen=True)
class WholeSplit:
    """Which ontology, and how it is divided into train, valid and test."""

    ontology: Given
    shares: tuple[float, float, float] = (0.9, 0.05, 0.05)
    seed: int = 0
    imports: tuple[Path, ...] = ()
    name: str = "dataset"
    language: str = ENGLISH

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise SettingError(f"the seed is {self.seed}, but cannot be below 0")

    def read(self, say: Callable[[str], None]) -> tuple[Ontology, list[dict[str, Any]]]:
        """The ontology, and what the record says of its file."""
        with at_hand([("ontology", self.ontology)], say) as (places, sources):
            return read_aloud(places[self.ontology], self.imports, say, self.language), sources
