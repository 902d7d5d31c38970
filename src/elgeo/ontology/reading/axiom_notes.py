"""`read_notes`: the annotations of single axioms, as `predict -o` and `apply` write them.

`read` leaves them out, so that reading large ontologies costs nothing more; who wants to know where an axiom comes from
asks here, by the text that the axiom has there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from xml.etree import ElementTree

import pyoxigraph

from elgeo.errors import ReadError, SettingError
from elgeo.ontology.grammar import literal
from elgeo.ontology.reading.formats import load
from elgeo.ontology.reading.xml_safety import flat_entities
from elgeo.ontology.writing.notes import Note

_OWL, _RDF = "http://www.w3.org/2002/07/owl#", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_SUBCLASS = "http://www.w3.org/2000/01/rdf-schema#subClassOf"
_RDF_FORMATS = {"rdfxml": pyoxigraph.RdfFormat.RDF_XML, "turtle": pyoxigraph.RdfFormat.TURTLE}
_VALUE = r'"(?:[^"\\]|\\.)*"(?:\^\^<[^>]*>|@[\w-]+)?|<[^>]*>'
_ANNOTATION = re.compile(rf"\s*Annotation\(\s*<([^>]*)>\s+({_VALUE})\s*\)", re.DOTALL)
_ANNOTATED = re.compile(r"^([A-Za-z]+)\((?=\s*Annotation\()", re.MULTILINE)
_LISTS = {"intersectionOf": "ObjectIntersectionOf", "unionOf": "ObjectUnionOf", "oneOf": "ObjectOneOf"}


def read_notes(path: str | os.PathLike[str]) -> dict[str, list[Note]]:
    """The annotations of each annotated axiom, which stands there in functional syntax, as `str(axiom)` gives it.

    Of files in functional syntax with whole IRIs, an axiom a line, in RDF/XML, Turtle and OWL/XML; of RDF only the
    annotations of `SubClassOf`.
    """
    data, format_name = load(path)
    file = os.fspath(path)
    if format_name in _RDF_FORMATS:
        return dict(_in_rdf(data, format_name, file))
    if format_name == "owlxml":
        return dict(_in_owlxml(flat_entities(data, file), file))
    if format_name == "functional":
        return dict(_in_functional(data.decode()))
    raise SettingError(f"{file}: annotations of axioms are read from functional syntax, RDF/XML, Turtle and OWL/XML")


def _in_functional(text: str) -> Iterator[tuple[str, list[Note]]]:
    for begin in _ANNOTATED.finditer(text):
        at, notes = begin.end(), []
        while found := _ANNOTATION.match(text, at):
            notes.append(Note(found[1], found[2]))
            at = found.end()
        yield f"{begin[1]}({text[at : text.index(chr(10), at)].strip()}", notes


def _in_owlxml(data: bytes, file: str) -> Iterator[tuple[str, list[Note]]]:
    try:
        root = ElementTree.fromstring(data)
    except ElementTree.ParseError as error:
        raise ReadError(f"not well-formed: {error}", file) from error
    for axiom in root:
        notes = [_note_of(child) for child in axiom if _tag(child) == "Annotation"]
        if notes and _tag(axiom) not in ("Annotation", "AnnotationAssertion"):
            parts = " ".join(_element_text(child) for child in axiom if _tag(child) != "Annotation")
            yield f"{_tag(axiom)}({parts})", notes


def _tag(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]


def _note_of(annotation: ElementTree.Element) -> Note:
    about, value = annotation
    text, language = value.text or "", value.get("{http://www.w3.org/XML/1998/namespace}lang", "")
    said = literal(text, value.get("datatypeIRI", ""), language) if _tag(value) == "Literal" else f"<{text}>"
    return Note(about.get("IRI", ""), said)


def _element_text(element: ElementTree.Element) -> str:
    iri = element.get("IRI")
    return f"<{iri}>" if iri is not None else f"{_tag(element)}({' '.join(map(_element_text, element))})"


class _Triples:
    """What is said of each node, as far as axioms and expressions need it."""

    def __init__(self, data: bytes, format_name: str, file: str) -> None:
        self.of: dict[object, list[tuple[str, object]]] = {}
        try:
            for quad in pyoxigraph.parse(data, format=_RDF_FORMATS[format_name]):
                if isinstance(quad.subject, pyoxigraph.BlankNode):
                    self.of.setdefault(quad.subject, []).append((quad.predicate.value, quad.object))
        except (SyntaxError, ValueError) as error:
            raise ReadError(str(error), file) from error

    def text(self, node: object) -> str:
        """A class in functional syntax."""
        if isinstance(node, pyoxigraph.NamedNode):
            return f"<{node.value}>"
        said = {name.removeprefix(_OWL): value for name, value in self.of.get(node, [])}
        if "someValuesFrom" in said:
            return f"ObjectSomeValuesFrom({self.text(said['onProperty'])} {self.text(said['someValuesFrom'])})"
        if "hasValue" in said:
            return f"ObjectHasValue({self.text(said['onProperty'])} {self.text(said['hasValue'])})"
        for name, operator in _LISTS.items():
            if name in said:
                return f"{operator}({' '.join(map(self.text, self._items(said[name])))})"
        return "?"

    def _items(self, node: object) -> Iterator[object]:
        while node in self.of:
            said = dict(self.of[node])
            yield said[f"{_RDF}first"]
            node = said[f"{_RDF}rest"]


def _in_rdf(data: bytes, format_name: str, file: str) -> Iterator[tuple[str, list[Note]]]:
    triples = _Triples(data, format_name, file)
    for said in triples.of.values():
        ends = {name.removeprefix(_OWL): value for name, value in said if name.startswith(f"{_OWL}annotated")}
        if len(ends) == 3 and str(ends["annotatedProperty"]) == f"<{_SUBCLASS}>":
            notes = [
                Note(name, _value(value))
                for name, value in said
                if not name.startswith(f"{_OWL}annotated") and name != f"{_RDF}type"
            ]
            yield f"SubClassOf({triples.text(ends['annotatedSource'])} {triples.text(ends['annotatedTarget'])})", notes


def _value(term: object) -> str:
    if not isinstance(term, pyoxigraph.Literal):
        return str(term)
    return literal(term.value, "" if term.language else term.datatype.value, term.language or "")
