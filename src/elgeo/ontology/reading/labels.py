"""Labels, synonyms and definitions, collected the same way by every reader."""

from __future__ import annotations

from elgeo.ontology.grammar import COMMENT, DEFINITIONS, LABEL
from elgeo.ontology.model import Builder


class Naming:
    """Collects the words people use: of several labels an English or untagged one wins, then the first.

    So does of several definitions; a comment is taken for the definition of what has no other. Comments on axioms,
    which in RDF are nodes without a name, define nothing.
    """

    def __init__(self) -> None:
        self._labels, self._definitions = _Best(), _Best()
        self._synonyms: dict[str, dict[str, None]] = {}

    def add(self, annotation: str, iri: str, text: str, language: str = "") -> None:
        """Keep an annotation whose property is one of `TEXTS`."""
        foreign = bool(language) and not language.lower().startswith("en")
        if annotation == LABEL:
            self._labels.offer(iri, text, int(foreign))
        elif annotation in DEFINITIONS:
            if not iri.startswith("_:"):
                self._definitions.offer(iri, text, 2 + foreign if annotation == COMMENT else int(foreign))
        else:
            self._synonyms.setdefault(iri, {})[text] = None

    def into(self, builder: Builder) -> None:
        """Give everything to the builder of an ontology."""
        builder.labels, builder.definitions = self.labels, self.definitions
        builder.synonyms = {iri: list(names) for iri, names in self._synonyms.items()}

    @property
    def labels(self) -> dict[str, str]:
        """IRI to label."""
        return self._labels.texts

    @property
    def definitions(self) -> dict[str, str]:
        """IRI to definition."""
        return self._definitions.texts

    @property
    def synonyms(self) -> dict[str, tuple[str, ...]]:
        """IRI to its synonyms, in the order of the file."""
        return {iri: tuple(names) for iri, names in self._synonyms.items()}


class _Best:
    """One text for each IRI: the least bad of those offered, of equals the first."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self._badness: dict[str, int] = {}  # of those that are not perfect, which are few

    def offer(self, iri: str, text: str, badness: int) -> None:
        if iri not in self.texts or badness < self._badness.get(iri, 0):
            self.texts[iri] = text
            if badness:
                self._badness[iri] = badness
            else:
                self._badness.pop(iri, None)
