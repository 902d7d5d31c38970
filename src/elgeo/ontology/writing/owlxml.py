"""An ontology in OWL/XML: the elements are the keywords of functional syntax, so the writing is the tree itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO
from xml.sax.saxutils import escape, quoteattr

from elgeo.ontology.expressions import Op
from elgeo.ontology.grammar import PREFIXES
from elgeo.ontology.model import Ontology
from elgeo.ontology.writing.literals import parts
from elgeo.ontology.writing.notes import Note, Notes
from elgeo.ontology.writing.words import words

_CARDINALITIES = {op for op in Op if op.name.endswith("Cardinality")}


def write_owlxml(ontology: Ontology, file: IO[bytes], notes: Notes | None = None) -> list[int]:
    """Write an ontology; gives the axioms that were left out (rules)."""
    unsaid = [n for n in ontology.axiom_nodes.tolist() if ontology.op[n] == Op.DLSafeRule]
    for line in _lines(ontology, notes or {}):
        file.write(f"{line}\n".encode())
    return unsaid


def _lines(ontology: Ontology, notes: Notes) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    iri = f" ontologyIRI={_attribute(ontology.iri)}" if ontology.iri else ""
    yield f'<Ontology xmlns="{PREFIXES["owl"]}" xml:base={_attribute(ontology.iri or "urn:elgeo:ontology")}{iri}>'
    # some readers resolve every IRI without `//` by the empty prefix, and fail where there is none
    usual = {"": ontology.iri} if ontology.iri else {}
    for name, start in {**usual, **PREFIXES, **ontology.prefixes}.items():
        yield f"  <Prefix name={_attribute(name)} IRI={_attribute(start)}/>"
    for imported in ontology.imports:
        yield f"  <Import>{escape(imported)}</Import>"
    for node in ontology.declared.tolist():
        yield f"  <Declaration>{_entity(ontology, node)}</Declaration>"
    for node in ontology.axiom_nodes.tolist():
        if ontology.op[node] != Op.DLSafeRule:
            opening, *rest = _elements(ontology, node)
            yield f"  {opening}{''.join(map(_annotation, notes.get(node, ())))}{''.join(rest)}"
    for property_, subject, value in words(ontology):
        about = _anonymous(subject) if subject.startswith("_:") else f"<IRI>{escape(subject)}</IRI>"
        said = f"<IRI>{escape(value[1:-1])}</IRI>" if value.startswith("<") else _literal(value)
        named = f"<AnnotationProperty IRI={_attribute(property_)}/>"
        yield f"  <AnnotationAssertion>{named}{about}{said}</AnnotationAssertion>"
    yield "</Ontology>"


def _elements(ontology: Ontology, root: int) -> Iterator[str]:
    """A node and all below it; with a stack of its own, because expressions may nest deeper than Python calls."""
    waiting: list[int | str] = [root]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
            continue
        op = Op(int(ontology.op[item]))
        if op <= Op.Literal:
            yield _entity(ontology, item)
            continue
        arguments: list[int | str] = [*ontology.arguments(item)]
        attributes = ""
        if op in _CARDINALITIES:
            attributes = f' cardinality="{ontology.string(ontology.arguments(item)[0])}"'
            del arguments[0]
        elif op == Op.DatatypeRestriction:
            arguments = [arguments[0], *_facets(ontology, ontology.arguments(item)[1:])]
        # an inverse and a chain are named by what they are where they stand
        yield f"<{op.name}{attributes}>"
        waiting += [f"</{op.name}>", *reversed(arguments)]


def _annotation(note: Note) -> str:
    return f"<Annotation><AnnotationProperty IRI={_attribute(note.property)}/>{_literal(note.value)}</Annotation>"


def _facets(ontology: Ontology, pairs: list[int]) -> Iterator[str]:
    for facet, value in zip(pairs[::2], pairs[1::2], strict=True):
        name = _attribute(ontology.string(facet))
        yield f"<FacetRestriction facet={name}>{_literal(ontology.string(value))}</FacetRestriction>"


def _entity(ontology: Ontology, node: int) -> str:
    op, string = Op(int(ontology.op[node])), ontology.string(node)
    if op == Op.Literal:
        return _literal(string)
    return _anonymous(string) if string.startswith("_:") else f"<{op.name} IRI={_attribute(string)}/>"


def _anonymous(name: str) -> str:
    return f"<AnonymousIndividual nodeID={_attribute(name)}/>"


def _literal(text: str) -> str:
    value, language, datatype = parts(text)
    said = f" xml:lang={_attribute(language)}" if language else ""
    said += f" datatypeIRI={_attribute(datatype)}" if datatype else ""
    return f"<Literal{said}>{_text(value)}</Literal>"


def _text(value: str) -> str:
    return escape(value, {"\r": "&#13;"})


def _attribute(value: str) -> str:
    return quoteattr(value, {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})
