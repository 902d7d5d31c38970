"""Reads OBO Graphs (JSON): nodes with their words, edges as axioms, and the few shapes of axioms that are no edges."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from elgeo.documents import Fields, parse_json
from elgeo.ontology.expressions import Op
from elgeo.ontology.grammar import DEFINITIONS, DEPRECATED, LABEL, RELATED, SYNONYMS, TEXTS
from elgeo.ontology.model import Builder, Ontology
from elgeo.ontology.reading.labels import ENGLISH, Naming
from elgeo.ontology.reading.obo_names import OBO

KINDS = {"CLASS": Op.Class, "PROPERTY": Op.ObjectProperty, "INDIVIDUAL": Op.NamedIndividual}
PROPERTIES = {"OBJECT": Op.ObjectProperty, "ANNOTATION": Op.AnnotationProperty, "DATA": Op.DataProperty}
IS_A, SUBPROPERTY, TYPE, INVERSE = "is_a", "subPropertyOf", "type", "inverseOf"
_SCOPES = {name.rpartition("#")[2]: name for name in SYNONYMS if "oboInOwl" in name}


def read_obograph(data: bytes, file: str, language: str = ENGLISH) -> Ontology:
    """The ontology in a document of graphs; several are taken together."""
    document = Fields(parse_json(data, Path(file)), file)
    return _Reader(file, language).read(document)


class _Reader:
    def __init__(self, file: str, language: str) -> None:
        self.file, self.builder, self.naming = file, Builder(), Naming(language)
        self.kinds: dict[str, Op] = {}

    def read(self, document: Fields) -> Ontology:
        graphs = list(_tables(document, "graphs"))
        for graph in graphs:
            for node in _tables(graph, "nodes"):
                self._node(node)
        for graph in graphs:
            self._axioms(graph)
        self.naming.into(self.builder)
        iri = next((_iri(graph, "id") for graph in graphs if graph.has("id")), None)
        return self.builder.finish(iri=iri, format="obograph")

    def _node(self, node: Fields) -> None:
        iri, kind = _iri(node, "id"), KINDS.get(str(node.values.get("type", "CLASS")))
        if kind is None:
            raise node.error(f"has to be one of {', '.join(KINDS)}", "type")
        if kind == Op.ObjectProperty:
            kind = PROPERTIES.get(str(node.values.get("propertyType", "OBJECT")), Op.ObjectProperty)
        self.kinds.setdefault(iri, kind)
        meta = node.table("meta") if node.has("meta") else Fields({}, self.file)
        deprecated = meta.values.get("deprecated") is True
        if deprecated:
            self.naming.add(DEPRECATED, iri, "true")
        # what is obsolete and says nothing else is a word, not a class
        if node.has("type") or not deprecated:
            self.builder.declare(self.builder.entity(kind, iri))
        if node.has("lbl"):
            self._word(LABEL, iri, _text(node, "lbl"))
        if meta.has("definition"):
            self._word(DEFINITIONS[0], iri, _text(meta.table("definition"), "val"))
        for synonym in _tables(meta, "synonyms"):
            pred = _text(synonym, "pred").rpartition("#")[2]
            self._word(_SCOPES.get(pred, RELATED), iri, _text(synonym, "val"))
        for said in _tables(meta, "basicPropertyValues"):
            if (pred := _text(said, "pred")) in TEXTS:
                self._word(pred, iri, _text(said, "val"))

    def _word(self, annotation: str, iri: str, text: str) -> None:
        self.builder.ignored["annotations"] += 1
        self.naming.add(annotation, iri, text)

    def _axioms(self, graph: Fields) -> None:
        builder = self.builder
        for edge in _tables(graph, "edges"):
            self._edge(edge)
        for same in _tables(graph, "equivalentNodesSets"):
            names = _names(same, "nodeIds")
            if len(names) > 1:
                builder.axiom(Op.EquivalentClasses, *(self._class(name) for name in names))
        for defined in _tables(graph, "logicalDefinitionAxioms"):
            parts = [self._class(name) for name in _names(defined, "genusIds")]
            parts += [self._some(each, "propertyId", "fillerId") for each in _tables(defined, "restrictions")]
            if not parts:
                raise defined.error("a definition of nothing")
            whole = parts[0] if len(parts) == 1 else builder.node(Op.ObjectIntersectionOf, *parts)
            builder.axiom(Op.EquivalentClasses, self._class(_iri(defined, "definedClassId")), whole)
        for said in _tables(graph, "domainRangeAxioms"):
            role = self._role(_iri(said, "predicateId"))
            for key, op in (("domainClassIds", Op.ObjectPropertyDomain), ("rangeClassIds", Op.ObjectPropertyRange)):
                for name in _names(said, key):
                    builder.axiom(op, role, self._class(name))
            for edge in _tables(said, "allValuesFromEdges"):
                only = builder.node(
                    Op.ObjectAllValuesFrom, self._role(_iri(edge, "pred")), self._class(_iri(edge, "obj"))
                )
                builder.axiom(Op.SubClassOf, self._class(_iri(edge, "sub")), only)
        for chain in _tables(graph, "propertyChainAxioms"):
            roles = [self._role(name) for name in _names(chain, "chainPredicateIds")]
            if len(roles) < 2:
                raise chain.error("a chain of fewer than two properties", "chainPredicateIds")
            whole = builder.node(Op.ObjectPropertyChain, *roles)
            builder.axiom(Op.SubObjectPropertyOf, whole, self._role(_iri(chain, "predicateId")))

    def _edge(self, edge: Fields) -> None:
        builder = self.builder
        sub, pred, obj = _iri(edge, "sub"), _text(edge, "pred"), _iri(edge, "obj")
        if pred == IS_A:
            builder.axiom(Op.SubClassOf, self._class(sub), self._class(obj))
        elif pred == SUBPROPERTY:
            if self.kinds.get(sub) in (None, Op.ObjectProperty):
                builder.axiom(Op.SubObjectPropertyOf, self._role(sub), self._role(obj))
        elif pred == TYPE:
            builder.axiom(Op.ClassAssertion, self._class(obj), builder.entity(Op.NamedIndividual, sub))
        elif pred == INVERSE:
            builder.axiom(Op.InverseObjectProperties, self._role(sub), self._role(obj))
        elif self.kinds.get(whole := _iri(edge, "pred")) in (Op.AnnotationProperty, Op.DataProperty):
            builder.ignored["annotations"] += 1
        elif self.kinds.get(sub) == Op.NamedIndividual:
            ends = (builder.entity(Op.NamedIndividual, name) for name in (sub, obj))
            builder.axiom(Op.ObjectPropertyAssertion, self._role(whole), *ends)
        else:
            builder.axiom(Op.SubClassOf, self._class(sub), self._some(edge, "pred", "obj"))

    def _some(self, fields: Fields, role: str, filler: str) -> int:
        ends = self._role(_iri(fields, role)), self._class(_iri(fields, filler))
        return self.builder.node(Op.ObjectSomeValuesFrom, *ends)

    def _class(self, iri: str) -> int:
        return self.builder.entity(Op.Class, iri)

    def _role(self, iri: str) -> int:
        return self.builder.entity(Op.ObjectProperty, iri)


def _tables(fields: Fields, name: str) -> Iterator[Fields]:
    """The tables of a list that may be missing."""
    values = fields.values.get(name) or []
    if not isinstance(values, list):
        raise fields.error("has to be a list", name)
    for place, value in enumerate(values):
        yield Fields(value, fields.file, f"{fields.place}.{name}.{place}".lstrip("."))


def _text(fields: Fields, name: str) -> str:
    """Words, which may have lines."""
    value: Any = fields.values.get(name)
    if not isinstance(value, str):
        raise fields.error("has to be text", name)
    return value


def _iri(fields: Fields, name: str) -> str:
    """A whole IRI, or the identifier of one as OBO writes it."""
    return _whole(fields, name, _text(fields, name))


def _names(fields: Fields, name: str) -> list[str]:
    values = fields.values.get(name) or []
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise fields.error("has to be a list of names", name)
    return [_whole(fields, name, value) for value in values]


def _whole(fields: Fields, name: str, value: str) -> str:
    if not value or any(c in value for c in '<>"{}|\\^`') or any(c.isspace() for c in value):
        raise fields.error("is no name", name)
    if "/" in value or value.startswith(("urn:", "_:")):
        return value
    return OBO + value.replace(":", "_", 1)
