"""An ontology as RDF triples, by the mapping of OWL 2; written as RDF/XML or Turtle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, pairwise
from typing import IO, Any

import pyoxigraph
from pyoxigraph import BlankNode, Literal, NamedNode, Triple

from elgeo.ontology.expressions import ENTITIES, Op
from elgeo.ontology.grammar import DEPRECATED, PREFIXES, REPLACED
from elgeo.ontology.model import Ontology
from elgeo.ontology.writing.literals import parts
from elgeo.ontology.writing.notes import Note, Notes
from elgeo.ontology.writing.words import words

Term = Any
"""A name, a blank node or a literal, each where RDF lets it stand."""
SYNTAXES = {"rdfxml": pyoxigraph.RdfFormat.RDF_XML, "turtle": pyoxigraph.RdfFormat.TURTLE}


def write_rdf(ontology: Ontology, file: IO[bytes], syntax: str, notes: Notes | None = None) -> list[int]:
    """Write an ontology as triples; gives the axioms that RDF has no words for (rules)."""
    prefixes = {name: iri for name, iri in {**PREFIXES, **ontology.prefixes}.items() if name != "xml"}
    triples = _Triples(ontology, notes or {})
    pyoxigraph.serialize(triples.every(), file, format=SYNTAXES[syntax], prefixes=prefixes)
    return triples.unsaid


def _q(name: str) -> NamedNode:
    prefix, _, local = name.partition(":")
    return NamedNode(PREFIXES[prefix] + local)


_TYPE, _FIRST, _REST, _NIL = _q("rdf:type"), _q("rdf:first"), _q("rdf:rest"), _q("rdf:nil")
_CLASS, _RESTRICTION, _DATATYPE, _LIST = _q("owl:Class"), _q("owl:Restriction"), _q("rdfs:Datatype"), _q("rdf:List")
_ON_PROPERTY, _MEMBERS, _INVERSE = _q("owl:onProperty"), _q("owl:members"), _q("owl:inverseOf")
_TRUE = Literal("true", datatype=_q("xsd:boolean"))

_DECLARED = {
    Op.Class: _CLASS,
    Op.ObjectProperty: _q("owl:ObjectProperty"),
    Op.DataProperty: _q("owl:DatatypeProperty"),
    Op.AnnotationProperty: _q("owl:AnnotationProperty"),
    Op.Datatype: _DATATYPE,
    Op.NamedIndividual: _q("owl:NamedIndividual"),
}
_BOOLEANS = {
    Op.ObjectIntersectionOf: (_CLASS, _q("owl:intersectionOf")),
    Op.ObjectUnionOf: (_CLASS, _q("owl:unionOf")),
    Op.ObjectOneOf: (_CLASS, _q("owl:oneOf")),
    Op.DataIntersectionOf: (_DATATYPE, _q("owl:intersectionOf")),
    Op.DataUnionOf: (_DATATYPE, _q("owl:unionOf")),
    Op.DataOneOf: (_DATATYPE, _q("owl:oneOf")),
}
_COMPLEMENTS = {
    Op.ObjectComplementOf: (_CLASS, _q("owl:complementOf")),
    Op.DataComplementOf: (_DATATYPE, _q("owl:datatypeComplementOf")),
}
_QUANTIFIERS = {
    Op.ObjectSomeValuesFrom: _q("owl:someValuesFrom"),
    Op.ObjectAllValuesFrom: _q("owl:allValuesFrom"),
    Op.DataSomeValuesFrom: _q("owl:someValuesFrom"),
    Op.DataAllValuesFrom: _q("owl:allValuesFrom"),
    Op.ObjectHasValue: _q("owl:hasValue"),
    Op.DataHasValue: _q("owl:hasValue"),
}
_CARDINALITIES = {
    op: (kind, "owl:onDataRange" if op.name.startswith("Data") else "owl:onClass")
    for kind in ("min", "max", "")
    for op in (Op[f"Object{kind.title() or 'Exact'}Cardinality"], Op[f"Data{kind.title() or 'Exact'}Cardinality"])
}
_PAIRS = {
    Op.SubClassOf: "rdfs:subClassOf",
    Op.ObjectPropertyDomain: "rdfs:domain",
    Op.DataPropertyDomain: "rdfs:domain",
    Op.ObjectPropertyRange: "rdfs:range",
    Op.DataPropertyRange: "rdfs:range",
    Op.SubDataPropertyOf: "rdfs:subPropertyOf",
    Op.InverseObjectProperties: "owl:inverseOf",
    Op.DatatypeDefinition: "owl:equivalentClass",
    Op.EquivalentClasses: "owl:equivalentClass",
    Op.EquivalentObjectProperties: "owl:equivalentProperty",
    Op.EquivalentDataProperties: "owl:equivalentProperty",
    Op.SameIndividual: "owl:sameAs",
}
"""One triple for each argument and the next."""
_ALL_OF = {
    Op.DisjointClasses: ("owl:disjointWith", "owl:AllDisjointClasses"),
    Op.DisjointObjectProperties: ("owl:propertyDisjointWith", "owl:AllDisjointProperties"),
    Op.DisjointDataProperties: ("owl:propertyDisjointWith", "owl:AllDisjointProperties"),
    Op.DifferentIndividuals: ("owl:differentFrom", "owl:AllDifferent"),
}
"""One triple for two, a node with a list of its members for more."""
_CHARACTERISTICS = {
    op: f"owl:{op.name.removesuffix('ObjectProperty').removesuffix('DataProperty')}Property"
    for op in (*range(Op.FunctionalObjectProperty, Op.TransitiveObjectProperty + 1), Op.FunctionalDataProperty)
    for op in (Op(op),)
}
_LISTS = {Op.DisjointUnion: _q("owl:disjointUnionOf"), Op.HasKey: _q("owl:hasKey")}


class _Triples:
    """The triples of an ontology, made as they are asked for."""

    def __init__(self, ontology: Ontology, notes: Notes) -> None:
        self.ontology, self.notes, self.unsaid = ontology, notes, list[int]()
        self._numbers = count()
        self._waiting: list[tuple[int, BlankNode]] = []
        self._entities: dict[int, Term] = {}

    def every(self) -> Iterator[Triple]:
        ontology = self.ontology
        itself = NamedNode(ontology.iri) if ontology.iri else self._blank()
        yield Triple(itself, _TYPE, _q("owl:Ontology"))
        for iri in ontology.imports:
            yield Triple(itself, _q("owl:imports"), NamedNode(iri))
        for node in ontology.declared.tolist():
            yield Triple(self._term(node), _TYPE, _DECLARED[Op(int(ontology.op[node]))])
        for node in dict.fromkeys(ontology.axiom_nodes.tolist()):
            made = list(self._axiom(node))
            yield from made
            if node in self.notes and len(made) == 1:
                yield from self._noted(made[0], self.notes[node])
            while self._waiting:
                yield from self._expression(*self._waiting.pop())
        for property_, subject, value in words(ontology):
            about = BlankNode(subject[2:]) if subject.startswith("_:") else NamedNode(subject)
            said = NamedNode(value[1:-1]) if property_ == REPLACED else _literal(value)
            yield Triple(about, NamedNode(property_), said)
        used = {each.property for each in words(ontology)} | {n.property for each in self.notes.values() for n in each}
        for property_ in sorted(used - {DEPRECATED, PREFIXES["rdfs"] + "label", PREFIXES["rdfs"] + "comment"}):
            yield Triple(NamedNode(property_), _TYPE, _DECLARED[Op.AnnotationProperty])

    def _noted(self, triple: Triple, notes: Sequence[Note]) -> Iterator[Triple]:
        """The notes of an axiom that is one triple."""
        about = self._blank()
        yield Triple(about, _TYPE, _q("owl:Axiom"))
        yield Triple(about, _q("owl:annotatedSource"), triple.subject)
        yield Triple(about, _q("owl:annotatedProperty"), triple.predicate)
        yield Triple(about, _q("owl:annotatedTarget"), triple.object)
        for note in notes:
            yield Triple(about, NamedNode(note.property), _literal(note.value))

    def _blank(self) -> BlankNode:
        return BlankNode(f"elgeo{next(self._numbers)}")

    def _term(self, node: int) -> Term:
        """What stands for a node; of an expression a new blank node, whose triples are still to come."""
        op = Op(int(self.ontology.op[node]))
        if op not in ENTITIES:
            blank = self._blank()
            self._waiting.append((node, blank))
            return blank
        made = self._entities.get(node)
        if made is None:
            string = self.ontology.string(node)
            if op == Op.Literal:
                made = _literal(string) if string.startswith('"') else _number(string)
            else:
                made = BlankNode(string[2:]) if string.startswith("_:") else NamedNode(string)
            self._entities[node] = made
        return made

    def _list(self, terms: Sequence[Term], subject: Term, predicate: NamedNode) -> Iterator[Triple]:
        """`subject predicate (terms)`."""
        cells: list[Term] = [self._blank() for _ in terms]
        yield Triple(subject, predicate, cells[0] if cells else _NIL)
        for cell, term, after in zip(cells, terms, [*cells[1:], _NIL], strict=True):
            yield Triple(cell, _FIRST, term)
            yield Triple(cell, _REST, after)

    def _axiom(self, node: int) -> Iterator[Triple]:
        op, arguments = Op(int(self.ontology.op[node])), self.ontology.arguments(node)
        if op in _PAIRS:
            for one, other in pairwise([self._term(a) for a in arguments]):
                yield Triple(one, _q(_PAIRS[op]), other)
        elif op in _ALL_OF:
            two, many = _ALL_OF[op]
            terms = [self._term(a) for a in arguments]
            if len(terms) == 2:
                yield Triple(terms[0], _q(two), terms[1])
            else:
                about = self._blank()
                yield Triple(about, _TYPE, _q(many))
                yield from self._list(terms, about, _MEMBERS)
        elif op in _CHARACTERISTICS:
            yield Triple(self._term(arguments[0]), _TYPE, _q(_CHARACTERISTICS[op]))
        elif op in _LISTS:
            yield from self._list([self._term(a) for a in arguments[1:]], self._term(arguments[0]), _LISTS[op])
        elif op == Op.SubObjectPropertyOf:
            sub, role = arguments
            if self.ontology.op[sub] == Op.ObjectPropertyChain:
                chain = [self._term(a) for a in self.ontology.arguments(sub)]
                yield from self._list(chain, self._term(role), _q("owl:propertyChainAxiom"))
            else:
                yield Triple(self._term(sub), _q("rdfs:subPropertyOf"), self._term(role))
        elif op == Op.ClassAssertion:
            yield Triple(self._term(arguments[1]), _TYPE, self._term(arguments[0]))
        elif op in (Op.ObjectPropertyAssertion, Op.DataPropertyAssertion):
            role, subject, value = arguments
            while self.ontology.op[role] == Op.ObjectInverseOf:
                role, subject, value = self.ontology.arguments(role)[0], value, subject
            yield Triple(self._term(subject), self._term(role), self._term(value))
        elif op in (Op.NegativeObjectPropertyAssertion, Op.NegativeDataPropertyAssertion):
            about, terms = self._blank(), [self._term(a) for a in arguments]
            target = "owl:targetIndividual" if op == Op.NegativeObjectPropertyAssertion else "owl:targetValue"
            yield Triple(about, _TYPE, _q("owl:NegativePropertyAssertion"))
            yield Triple(about, _q("owl:sourceIndividual"), terms[1])
            yield Triple(about, _q("owl:assertionProperty"), terms[0])
            yield Triple(about, _q(target), terms[2])
        else:
            self.unsaid.append(node)

    def _expression(self, node: int, me: BlankNode) -> Iterator[Triple]:
        op, arguments = Op(int(self.ontology.op[node])), self.ontology.arguments(node)
        if op == Op.ObjectInverseOf:
            yield Triple(me, _INVERSE, self._term(arguments[0]))
        elif op in _BOOLEANS:
            kind, predicate = _BOOLEANS[op]
            yield Triple(me, _TYPE, kind)
            yield from self._list([self._term(a) for a in arguments], me, predicate)
        elif op in _COMPLEMENTS:
            kind, predicate = _COMPLEMENTS[op]
            yield Triple(me, _TYPE, kind)
            yield Triple(me, predicate, self._term(arguments[0]))
        elif op == Op.DatatypeRestriction:
            yield Triple(me, _TYPE, _DATATYPE)
            yield Triple(me, _q("owl:onDatatype"), self._term(arguments[0]))
            facets = [self._blank() for _ in arguments[1::2]]
            yield from self._list(facets, me, _q("owl:withRestrictions"))
            for blank, facet, value in zip(facets, arguments[1::2], arguments[2::2], strict=True):
                yield Triple(blank, self._term(facet), self._term(value))
        else:
            yield Triple(me, _TYPE, _RESTRICTION)
            yield from self._restriction(op, arguments, me)

    def _restriction(self, op: Op, arguments: list[int], me: BlankNode) -> Iterator[Triple]:
        if op in _CARDINALITIES:
            kind, on = _CARDINALITIES[op]
            qualified = len(arguments) == 3
            name = f"{kind}{'QualifiedCardinality' if qualified else 'Cardinality'}"
            yield Triple(me, _q(f"owl:{name[0].lower()}{name[1:]}"), self._term(arguments[0]))
            yield Triple(me, _ON_PROPERTY, self._term(arguments[1]))
            if qualified:
                yield Triple(me, _q(on), self._term(arguments[2]))
        elif op == Op.ObjectHasSelf:
            yield Triple(me, _ON_PROPERTY, self._term(arguments[0]))
            yield Triple(me, _q("owl:hasSelf"), _TRUE)
        elif len(arguments) > 2:
            yield from self._list([self._term(a) for a in arguments[:-1]], me, _q("owl:onProperties"))
            yield Triple(me, _QUANTIFIERS[op], self._term(arguments[-1]))
        else:
            yield Triple(me, _ON_PROPERTY, self._term(arguments[0]))
            yield Triple(me, _QUANTIFIERS[op], self._term(arguments[1]))


def _literal(text: str) -> Literal:
    value, language, datatype = parts(text)
    if language:
        return Literal(value, language=language)
    return Literal(value, datatype=NamedNode(datatype)) if datatype else Literal(value)


def _number(text: str) -> Literal:
    return Literal(text, datatype=_q("xsd:nonNegativeInteger"))
