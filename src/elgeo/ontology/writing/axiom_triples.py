"""Axioms as RDF triples, by the mapping of OWL 2."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import count, pairwise

from pyoxigraph import BlankNode, Literal, NamedNode

from elgeo.ontology.expressions import ENTITIES, Op
from elgeo.ontology.grammar import PREFIXES
from elgeo.ontology.model import Ontology
from elgeo.ontology.writing.literals import parts
from elgeo.ontology.writing.notes import Note
from elgeo.ontology.writing.rdfxml import Term, Triple

NOBODY = -1


@cache
def q(name: str) -> NamedNode:
    prefix, _, local = name.partition(":")
    return NamedNode(PREFIXES[prefix] + local)


TYPE, _FIRST, _REST, _NIL = q("rdf:type"), q("rdf:first"), q("rdf:rest"), q("rdf:nil")
_CLASS, _RESTRICTION, _DATATYPE, _LIST = q("owl:Class"), q("owl:Restriction"), q("rdfs:Datatype"), q("rdf:List")
_ON_PROPERTY, _MEMBERS, _INVERSE = q("owl:onProperty"), q("owl:members"), q("owl:inverseOf")
_TRUE = Literal("true", datatype=q("xsd:boolean"))

DECLARED = {
    Op.Class: _CLASS,
    Op.ObjectProperty: q("owl:ObjectProperty"),
    Op.DataProperty: q("owl:DatatypeProperty"),
    Op.AnnotationProperty: q("owl:AnnotationProperty"),
    Op.Datatype: _DATATYPE,
    Op.NamedIndividual: q("owl:NamedIndividual"),
}
_BOOLEANS = {
    Op.ObjectIntersectionOf: (_CLASS, q("owl:intersectionOf")),
    Op.ObjectUnionOf: (_CLASS, q("owl:unionOf")),
    Op.ObjectOneOf: (_CLASS, q("owl:oneOf")),
    Op.DataIntersectionOf: (_DATATYPE, q("owl:intersectionOf")),
    Op.DataUnionOf: (_DATATYPE, q("owl:unionOf")),
    Op.DataOneOf: (_DATATYPE, q("owl:oneOf")),
}
_COMPLEMENTS = {
    Op.ObjectComplementOf: (_CLASS, q("owl:complementOf")),
    Op.DataComplementOf: (_DATATYPE, q("owl:datatypeComplementOf")),
}
_QUANTIFIERS = {
    Op.ObjectSomeValuesFrom: q("owl:someValuesFrom"),
    Op.ObjectAllValuesFrom: q("owl:allValuesFrom"),
    Op.DataSomeValuesFrom: q("owl:someValuesFrom"),
    Op.DataAllValuesFrom: q("owl:allValuesFrom"),
    Op.ObjectHasValue: q("owl:hasValue"),
    Op.DataHasValue: q("owl:hasValue"),
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
_ASSERTIONS = (Op.ClassAssertion, Op.ObjectPropertyAssertion, Op.DataPropertyAssertion)
_LISTS = {Op.DisjointUnion: q("owl:disjointUnionOf"), Op.HasKey: q("owl:hasKey")}


class AxiomTriples:
    """The triples of each axiom of an ontology, made as they are asked for."""

    def __init__(self, ontology: Ontology) -> None:
        self.ontology, self.unsaid = ontology, list[int]()
        self._numbers = count()
        self._waiting: list[tuple[int, BlankNode]] = []
        self._entities: dict[int, Term] = {}
        individuals = [name for name in ontology.strings if name.startswith("_:")]
        self.own = "elgeo"
        """How the names of blank nodes begin that stand for expressions and axioms, as those of no individual do."""
        while any(name.startswith(f"_:{self.own}") for name in individuals):
            self.own += "x"

    def of(self, node: int, notes: Sequence[Note]) -> Iterator[Triple]:
        """An axiom with its expressions and notes."""
        made = list(self._axiom(node))
        yield from made
        while self._waiting:
            yield from self._expression(*self._waiting.pop())
        if notes and len(made) == 1:
            yield from self._noted(made[0], notes)

    def by_owner(self) -> dict[int, list[int]]:
        """The axioms by the name that is the subject of their triples, or by `NOBODY`."""
        found: dict[int, list[int]] = {}
        for node in dict.fromkeys(self.ontology.axiom_nodes.tolist()):
            op, arguments = Op(int(self.ontology.op[node])), self.ontology.arguments(node)
            owner = arguments[op in _ASSERTIONS] if len(arguments) > 1 or op in _CHARACTERISTICS else NOBODY
            if op == Op.SubObjectPropertyOf and self.ontology.op[owner] == Op.ObjectPropertyChain:
                owner = arguments[1]
            elif (op in _ALL_OF and len(arguments) > 2) or Op(int(self.ontology.op[owner])) not in ENTITIES:
                owner = NOBODY
            found.setdefault(owner, []).append(node)
        return found

    def _noted(self, triple: Triple, notes: Sequence[Note]) -> Iterator[Triple]:
        """The notes of an axiom that is one triple."""
        about = self.blank()
        yield Triple(about, TYPE, q("owl:Axiom"))
        yield Triple(about, q("owl:annotatedSource"), triple.subject)
        yield Triple(about, q("owl:annotatedProperty"), triple.predicate)
        yield Triple(about, q("owl:annotatedTarget"), triple.object)
        for note in notes:
            yield Triple(about, named(note.property), literal(note.value))

    def blank(self) -> BlankNode:
        return BlankNode(f"{self.own}{next(self._numbers)}")

    def term(self, node: int) -> Term:
        """What stands for a node; of an expression a new blank node, whose triples are still to come."""
        op = Op(int(self.ontology.op[node]))
        if op not in ENTITIES:
            blank = self.blank()
            self._waiting.append((node, blank))
            return blank
        made = self._entities.get(node)
        if made is None:
            string = self.ontology.string(node)
            if op == Op.Literal:
                made = literal(string) if string.startswith('"') else _number(string)
            else:
                made = resource(string)
            self._entities[node] = made
        return made

    def _list(self, terms: Sequence[Term], subject: Term, predicate: NamedNode) -> Iterator[Triple]:
        """`subject predicate (terms)`."""
        cells: list[Term] = [self.blank() for _ in terms]
        yield Triple(subject, predicate, cells[0] if cells else _NIL)
        for cell, term, after in zip(cells, terms, [*cells[1:], _NIL], strict=True):
            yield Triple(cell, _FIRST, term)
            yield Triple(cell, _REST, after)

    def _axiom(self, node: int) -> Iterator[Triple]:
        op, arguments = Op(int(self.ontology.op[node])), self.ontology.arguments(node)
        if op in _PAIRS:
            for one, other in pairwise([self.term(a) for a in arguments]):
                yield Triple(one, q(_PAIRS[op]), other)
        elif op in _ALL_OF:
            two, many = _ALL_OF[op]
            terms = [self.term(a) for a in arguments]
            if len(terms) == 2:
                yield Triple(terms[0], q(two), terms[1])
            else:
                about = self.blank()
                yield Triple(about, TYPE, q(many))
                yield from self._list(terms, about, _MEMBERS)
        elif op in _CHARACTERISTICS:
            yield Triple(self.term(arguments[0]), TYPE, q(_CHARACTERISTICS[op]))
        elif op in _LISTS:
            yield from self._list([self.term(a) for a in arguments[1:]], self.term(arguments[0]), _LISTS[op])
        elif op == Op.SubObjectPropertyOf:
            sub, role = arguments
            if self.ontology.op[sub] == Op.ObjectPropertyChain:
                chain = [self.term(a) for a in self.ontology.arguments(sub)]
                yield from self._list(chain, self.term(role), q("owl:propertyChainAxiom"))
            else:
                yield Triple(self.term(sub), q("rdfs:subPropertyOf"), self.term(role))
        elif op == Op.ClassAssertion:
            yield Triple(self.term(arguments[1]), TYPE, self.term(arguments[0]))
        elif op in (Op.ObjectPropertyAssertion, Op.DataPropertyAssertion):
            role, subject, value = arguments
            while self.ontology.op[role] == Op.ObjectInverseOf:
                role, subject, value = self.ontology.arguments(role)[0], value, subject
            yield Triple(self.term(subject), self.term(role), self.term(value))
        elif op in (Op.NegativeObjectPropertyAssertion, Op.NegativeDataPropertyAssertion):
            about, terms = self.blank(), [self.term(a) for a in arguments]
            target = "owl:targetIndividual" if op == Op.NegativeObjectPropertyAssertion else "owl:targetValue"
            yield Triple(about, TYPE, q("owl:NegativePropertyAssertion"))
            yield Triple(about, q("owl:sourceIndividual"), terms[1])
            yield Triple(about, q("owl:assertionProperty"), terms[0])
            yield Triple(about, q(target), terms[2])
        else:
            self.unsaid.append(node)

    def _expression(self, node: int, me: BlankNode) -> Iterator[Triple]:
        op, arguments = Op(int(self.ontology.op[node])), self.ontology.arguments(node)
        if op == Op.ObjectInverseOf:
            yield Triple(me, _INVERSE, self.term(arguments[0]))
        elif op in _BOOLEANS:
            kind, predicate = _BOOLEANS[op]
            yield Triple(me, TYPE, kind)
            yield from self._list([self.term(a) for a in arguments], me, predicate)
        elif op in _COMPLEMENTS:
            kind, predicate = _COMPLEMENTS[op]
            yield Triple(me, TYPE, kind)
            yield Triple(me, predicate, self.term(arguments[0]))
        elif op == Op.DatatypeRestriction:
            yield Triple(me, TYPE, _DATATYPE)
            yield Triple(me, q("owl:onDatatype"), self.term(arguments[0]))
            facets = [self.blank() for _ in arguments[1::2]]
            yield from self._list(facets, me, q("owl:withRestrictions"))
            for blank, facet, value in zip(facets, arguments[1::2], arguments[2::2], strict=True):
                yield Triple(blank, self.term(facet), self.term(value))
        else:
            yield Triple(me, TYPE, _RESTRICTION)
            yield from self._restriction(op, arguments, me)

    def _restriction(self, op: Op, arguments: list[int], me: BlankNode) -> Iterator[Triple]:
        if op in _CARDINALITIES:
            kind, on = _CARDINALITIES[op]
            qualified = len(arguments) == 3
            name = f"{kind}{'QualifiedCardinality' if qualified else 'Cardinality'}"
            yield Triple(me, q(f"owl:{name[0].lower()}{name[1:]}"), self.term(arguments[0]))
            yield Triple(me, _ON_PROPERTY, self.term(arguments[1]))
            if qualified:
                yield Triple(me, q(on), self.term(arguments[2]))
        elif op == Op.ObjectHasSelf:
            yield Triple(me, _ON_PROPERTY, self.term(arguments[0]))
            yield Triple(me, q("owl:hasSelf"), _TRUE)
        elif len(arguments) > 2:
            yield from self._list([self.term(a) for a in arguments[:-1]], me, q("owl:onProperties"))
            yield Triple(me, _QUANTIFIERS[op], self.term(arguments[-1]))
        else:
            yield Triple(me, _ON_PROPERTY, self.term(arguments[0]))
            yield Triple(me, _QUANTIFIERS[op], self.term(arguments[1]))


def resource(name: str) -> Term:
    return BlankNode(name[2:]) if name.startswith("_:") else NamedNode(name)


@cache
def named(iri: str) -> NamedNode:
    """For the few that are asked for again and again."""
    return NamedNode(iri)


def literal(text: str) -> Literal:
    value, language, datatype = parts(text)
    if language:
        return Literal(value, language=language)
    return Literal(value, datatype=NamedNode(datatype)) if datatype else Literal(value)


def _number(text: str) -> Literal:
    return Literal(text, datatype=q("xsd:nonNegativeInteger"))
