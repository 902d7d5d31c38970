"""The words an ontology has for its names, as annotations: what every writer says beside the axioms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from elgeo.ontology.grammar import DEFINITIONS, DEPRECATED, EXACT, LABEL, PREFIXES, REPLACED, literal
from elgeo.ontology.model import Ontology

TRUE = literal("true", PREFIXES["xsd"] + "boolean")


class Annotation(NamedTuple):
    """An annotation of a name: the value is a literal as functional syntax writes it, or an IRI in `<…>`."""

    property: str
    subject: str
    value: str


def words(ontology: Ontology) -> Iterator[Annotation]:
    """Labels, synonyms, definitions, what is deprecated and what is used instead."""
    for iri, label in ontology.labels.items():
        yield Annotation(LABEL, iri, literal(label))
    for iri, names in ontology.synonyms.items():
        for name in names:
            yield Annotation(ontology.scopes.get((iri, name), EXACT), iri, literal(name))
    for iri, text in ontology.definitions.items():
        yield Annotation(DEFINITIONS[0], iri, literal(text))
    for iri in ontology.deprecated:
        yield Annotation(DEPRECATED, iri, TRUE)
    for iri, instead in ontology.replaced.items():
        yield Annotation(REPLACED, iri, f"<{instead}>")
