"""`Texts`: the words people have for the classes of a dataset."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from elgeo.ontology.vocabulary import Vocabulary


@dataclass(frozen=True)
class Texts:
    """Label, synonyms and definition of each class id; empty where the ontology has none."""

    labels: tuple[str, ...]
    synonyms: tuple[tuple[str, ...], ...]
    definitions: tuple[str, ...]

    @classmethod
    def of(cls, vocabulary: Vocabulary) -> Self:
        """The texts of a vocabulary's classes; fresh classes, ⊤ and ⊥ have none."""
        names = vocabulary.classes
        return cls(
            tuple([vocabulary.labels.get(name, "") for name in names]),
            tuple([vocabulary.synonyms.get(name, ()) for name in names]),
            tuple([vocabulary.definitions.get(name, "") for name in names]),
        )

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def counts(self) -> dict[str, int]:
        """How many classes have a text of each sort."""
        sorts = {"labels": self.labels, "synonyms": self.synonyms, "definitions": self.definitions}
        return {sort: sum(map(bool, texts)) for sort, texts in sorts.items()}
