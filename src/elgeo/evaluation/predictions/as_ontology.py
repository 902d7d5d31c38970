"""Predictions as an ontology: what they name is declared and labelled, and each axiom says where it comes from."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

import elgeo
from elgeo.ontology.expressions import Op
from elgeo.ontology.grammar import PREFIXES, literal
from elgeo.ontology.model import Builder, Ontology
from elgeo.ontology.vocabulary import Kind
from elgeo.ontology.writing.notes import Note, Notes
from elgeo.reasoning.questions.axiom_text import parse_class

if TYPE_CHECKING:
    from elgeo.evaluation.predictions.predict import Predictions

IRI = "urn:elgeo:predictions"
"""What such an ontology is called: some readers take none without a name."""
OWN = "urn:elgeo#"
"""Where the names of our own annotations begin."""
SOURCE, DATE = "http://purl.org/dc/terms/source", "http://purl.org/dc/terms/date"
SCORE, MARGIN, PROBABILITY, AGREEMENT, STATUS, EVIDENCE, NEAREST = (
    OWN + name for name in ("score", "margin", "probability", "agreement", "status", "evidence", "nearest_known")
)
_LABELS = {
    SOURCE: "source",
    DATE: "date",
    SCORE: "score",
    MARGIN: "margin",
    PROBABILITY: "probability",
    AGREEMENT: "agreement",
    STATUS: "status",
    EVIDENCE: "evidence",
    NEAREST: "nearest known",
}
_DOUBLE, _DAY = PREFIXES["xsd"] + "double", PREFIXES["xsd"] + "date"


class AsOntology(NamedTuple):
    """The predicted axioms in their order, and the annotations of each."""

    ontology: Ontology
    notes: Notes


def as_ontology(found: Predictions, run: str = "", date: str | None = None) -> AsOntology:
    """An ontology of predictions; `run` is what the run is called, `date` is today unless it is given."""
    builder, names = Builder(), found.dataset.vocabulary
    date = datetime.now(UTC).date().isoformat() if date is None else date

    def entity(op: Op, iri: str, label: str = "") -> int:
        if not builder.has(op, iri):
            builder.declare(builder.entity(op, iri))
            if label:
                builder.labels[iri] = label
        return builder.entity(op, iri)

    def one(c: int) -> int:
        iri, alone = names.classes[c], names.class_kinds[c] == Kind.INDIVIDUAL
        if names.class_kinds[c] == Kind.FRESH:  # what was asked of is an expression
            return parse_class(iri, names, builder)
        node = entity(Op.NamedIndividual if alone else Op.Class, iri, names.labels.get(iri, ""))
        return builder.node(Op.ObjectOneOf, node) if alone else node

    by = ", ".join(
        filter(None, [f"predicted by elgeo {elgeo.__version__}", f"model {found.model}", run and f"run {run}"])
    )
    notes = {}
    for place, row in enumerate(found.rows.tolist()):
        head, tail = one(row[0]), one(row[-1])
        if len(row) == 3:
            role = names.roles[row[1]]
            tail = builder.node(
                Op.ObjectSomeValuesFrom, entity(Op.ObjectProperty, role, names.labels.get(role, "")), tail
            )
        said = [Note(SOURCE, literal(by)), Note(DATE, literal(date, _DAY)), *_of(found, place)]
        for note in said:
            entity(Op.AnnotationProperty, note.property, _LABELS[note.property])
        notes[builder.axiom(Op.SubClassOf, head, tail)] = said
    return AsOntology(builder.finish(iri=IRI), notes)


def _of(found: Predictions, place: int) -> Iterator[Note]:
    """What is known of one prediction."""
    names = found.dataset.vocabulary
    yield Note(SCORE, _number(found.scores[place]))
    yield Note(MARGIN, _number(found.margins[place]))
    if found.probabilities is not None:
        yield Note(PROBABILITY, _number(found.probabilities[place]))
    if found.votes is not None:
        yield Note(AGREEMENT, literal(f"predicted by {found.votes.words(place)}"))
    yield Note(STATUS, literal(found.status[place]))
    for reason in found.reasons[place]:
        yield Note(EVIDENCE, literal(f"{reason.share:+.6g} {reason.words}"))
    for near in found.neighbours[place]:
        yield Note(NEAREST, literal(names.classes[near]))


def _number(value: float) -> str:
    """Every digit of it; infinities as XML Schema writes them."""
    return literal(repr(float(value)).replace("inf", "INF"), _DOUBLE)
