"""Labels, synonyms and definitions, what is deprecated and what replaces it, collected the same way by every reader."""

from __future__ import annotations

import re

from elgeo.ontology.grammar import COMMENT, DEFINITIONS, DEPRECATED, EXACT, LABEL, REPLACED
from elgeo.ontology.model import Builder
from elgeo.ontology.reading.obo_names import OBO

ENGLISH = "en"


class Naming:
    """Collects the words people use, in the language asked for.

    Of several labels one in that language wins, then an English or untagged one, of equals the first; the others, and
    those in any other language, are not shown but are names all the same. So it is with definitions, only that one in
    another language is better than none; a comment is taken for the definition of what has no other. Comments on
    axioms, which in RDF are nodes without a name, define nothing.
    """

    def __init__(self, language: str = ENGLISH) -> None:
        self._language = language.lower()
        self._labels, self._definitions = _Best(), _Best()
        self._other_labels: dict[str, dict[str, None]] = {}
        self._synonyms: dict[str, dict[str, None]] = {}
        self.scopes: dict[tuple[str, str], str] = {}
        self.deprecated: dict[str, None] = {}
        self.replaced: dict[str, str] = {}

    def add(self, annotation: str, iri: str, text: str, language: str = "") -> None:
        """Keep an annotation whose property is one of `TEXTS`."""
        if annotation == LABEL:
            badness = self._badness(language)
            other = self._labels.offer(iri, text, badness) if badness < _FOREIGN else text
            if other is not None:
                self._other_labels.setdefault(iri, {})[other] = None
        elif annotation in DEFINITIONS:
            if not iri.startswith("_:"):
                worse = _FOREIGN + 1 if annotation == COMMENT else 0
                self._definitions.offer(iri, text, worse + self._badness(language))
        elif annotation == DEPRECATED:
            if text.strip() in ("true", "1"):
                self.deprecated[iri] = None
        elif annotation == REPLACED:
            self.replaced.setdefault(iri, _obo_iri(text.strip()))
        else:
            self._add_synonym(annotation, iri, text)

    def _add_synonym(self, annotation: str, iri: str, text: str) -> None:
        """Of several scopes of one synonym the first counts, and exactness more than any."""
        known = self._synonyms.setdefault(iri, {})
        if annotation == EXACT:
            self.scopes.pop((iri, text), None)
        elif text not in known:
            self.scopes[iri, text] = annotation
        known[text] = None

    def into(self, builder: Builder) -> None:
        """Give everything to the builder of an ontology."""
        builder.labels, builder.other_labels, builder.definitions = self.labels, self.other_labels, self.definitions
        builder.synonyms = {iri: list(names) for iri, names in self._synonyms.items()}
        builder.scopes = self.scopes
        builder.deprecated, builder.replaced = self.deprecated, self.replaced

    @property
    def labels(self) -> dict[str, str]:
        """IRI to label."""
        return self._labels.texts

    @property
    def other_labels(self) -> dict[str, tuple[str, ...]]:
        """IRI to its labels that are not shown, in the order in which they gave way."""
        return {iri: tuple(names) for iri, names in self._other_labels.items()}

    @property
    def definitions(self) -> dict[str, str]:
        """IRI to definition."""
        return self._definitions.texts

    @property
    def synonyms(self) -> dict[str, tuple[str, ...]]:
        """IRI to its synonyms, in the order of the file."""
        return {iri: tuple(names) for iri, names in self._synonyms.items()}

    def _badness(self, language: str) -> int:
        if not language:
            return int(self._language != ENGLISH)
        given = language.lower()
        if given == self._language or given.startswith(self._language + "-"):
            return 0
        return 1 if given == ENGLISH or given.startswith(ENGLISH + "-") else _FOREIGN


_FOREIGN = 2
_CURIE = re.compile(r"([A-Za-z]\w*):(\w+)")


def _obo_iri(name: str) -> str:
    """The IRI that a name stands for, which may be a CURIE of the OBO Foundry."""
    found = _CURIE.fullmatch(name)
    return f"{OBO}{found[1]}_{found[2]}" if found else name


class _Best:
    """One text for each IRI: the least bad of those offered, of equals the first."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self._badness: dict[str, int] = {}  # of those that are not perfect, which are few

    def offer(self, iri: str, text: str, badness: int) -> str | None:
        """Keep the text if it is better; gives the one that gave way, if there are two."""
        before = self.texts.get(iri)
        if before is not None and badness >= self._badness.get(iri, 0):
            return text if text != before else None
        self.texts[iri] = text
        if badness:
            self._badness[iri] = badness
        else:
            self._badness.pop(iri, None)
        return before
