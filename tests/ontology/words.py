"""The words of an ontology: odd ones put into it, and all of them taken out to be compared."""

from __future__ import annotations

from elgeo.ontology.model import Builder, Ontology


def words(ontology: Ontology) -> dict[str, object]:
    return {
        "labels": dict(ontology.labels),
        "synonyms": {iri: set(names) for iri, names in ontology.synonyms.items()},
        "definitions": dict(ontology.definitions),
        "deprecated": set(ontology.deprecated),
        "replaced": dict(ontology.replaced),
    }


def worded(builder: Builder) -> None:
    """Words with everything in them that a syntax has to escape."""
    builder.labels["http://ex.org/A"] = 'an "A" & <b> \\ {x} ! ☃'
    builder.labels["http://ex.org/r"] = "related to"
    builder.synonyms["http://ex.org/A"] = ["first", 'second, "quoted" [sic]', "new\nline"]
    builder.definitions["http://ex.org/B#b"] = "What\tis it?\nA 'B': 100 % {of} it."
    builder.deprecated["http://ex.org/old"] = None
    builder.replaced["http://ex.org/old"] = "http://ex.org/A"
