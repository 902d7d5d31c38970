"""Labels and synonyms, collected the same way by every reader."""

from __future__ import annotations

from elgeo.ontology.grammar import LABEL


class Naming:
    """Collects the names people use: of several labels an English or untagged one wins, then the first."""

    def __init__(self) -> None:
        self.labels: dict[str, str] = {}
        self._synonyms: dict[str, dict[str, None]] = {}
        self._foreign: set[str] = set()

    def add(self, annotation: str, iri: str, text: str, language: str = "") -> None:
        """Keep an annotation whose property is `LABEL` or one of `SYNONYMS`."""
        if annotation != LABEL:
            self._synonyms.setdefault(iri, {})[text] = None
            return
        foreign = bool(language) and not language.lower().startswith("en")
        if iri not in self.labels or (iri in self._foreign and not foreign):
            self.labels[iri] = text
            if foreign:
                self._foreign.add(iri)
            else:
                self._foreign.discard(iri)

    @property
    def synonyms(self) -> dict[str, tuple[str, ...]]:
        """IRI to its synonyms, in the order of the file."""
        return {iri: tuple(names) for iri, names in self._synonyms.items()}
