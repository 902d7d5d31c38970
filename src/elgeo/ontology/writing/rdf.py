"""An ontology as RDF triples, by the mapping of OWL 2; written as RDF/XML or Turtle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import IO

import pyoxigraph
from pyoxigraph import NamedNode

from elgeo.ontology.expressions import Op
from elgeo.ontology.grammar import DEPRECATED, PREFIXES, REPLACED
from elgeo.ontology.model import Ontology
from elgeo.ontology.writing.axiom_triples import DECLARED, NOBODY, TYPE, AxiomTriples, literal, named, q, resource
from elgeo.ontology.writing.notes import Notes
from elgeo.ontology.writing.rdfxml import Term, Triple, write_rdfxml
from elgeo.ontology.writing.words import Annotation, words


def write_rdf(ontology: Ontology, file: IO[bytes], syntax: str, notes: Notes | None = None) -> list[int]:
    """Write an ontology as triples; gives the axioms that RDF has no words for (rules)."""
    prefixes = {name: iri for name, iri in {**PREFIXES, **ontology.prefixes}.items() if name[:3].lower() != "xml"}
    triples = AxiomTriples(ontology)
    if syntax == "rdfxml":
        write_rdfxml(_parts(triples, notes or {}), file, prefixes, triples.own)
    else:
        every = (pyoxigraph.Triple(*each) for part in _parts(triples, notes or {}) for each in part)
        pyoxigraph.serialize(every, file, format=pyoxigraph.RdfFormat.TURTLE, prefixes=prefixes)
    return triples.unsaid


def _parts(triples: AxiomTriples, notes: Notes) -> Iterator[list[Triple]]:
    """First the ontology itself, then what is said of each name, then what is said of none.

    A blank node of our own occurs in one part alone.
    """
    ontology = triples.ontology
    itself = NamedNode(ontology.iri) if ontology.iri else triples.blank()
    imports = [Triple(itself, q("owl:imports"), NamedNode(iri)) for iri in ontology.imports]
    yield [Triple(itself, TYPE, q("owl:Ontology")), *imports]
    declared, axioms, said = dict.fromkeys(ontology.declared.tolist()), triples.by_owner(), _said(ontology)
    used = {each.property for texts in said.values() for each in texts}
    used |= {note.property for each in notes.values() for note in each}
    for node in dict.fromkeys([*declared, *(owner for owner in axioms if owner >= 0)]):
        about, texts = triples.term(node), said.pop(ontology.string(node), ())
        kind = [Triple(about, TYPE, DECLARED[Op(int(ontology.op[node]))])] if node in declared else []
        whole = (triples.of(axiom, notes.get(axiom, ())) for axiom in axioms.get(node, ()))
        yield [*kind, *_worded(about, texts), *chain.from_iterable(whole)]
    for node in axioms.get(NOBODY, ()):
        yield list(triples.of(node, notes.get(node, ())))
    for subject, texts in said.items():
        yield list(_worded(resource(subject), texts))
    for property_ in sorted(used - {DEPRECATED, PREFIXES["rdfs"] + "label", PREFIXES["rdfs"] + "comment"}):
        yield [Triple(named(property_), TYPE, DECLARED[Op.AnnotationProperty])]


def _said(ontology: Ontology) -> dict[str, list[Annotation]]:
    """The words for each name."""
    found: dict[str, list[Annotation]] = {}
    for each in words(ontology):
        found.setdefault(each.subject, []).append(each)
    return found


def _worded(about: Term, texts: Iterable[Annotation]) -> Iterator[Triple]:
    for each in texts:
        said = NamedNode(each.value[1:-1]) if each.property == REPLACED else literal(each.value)
        yield Triple(about, named(each.property), said)
