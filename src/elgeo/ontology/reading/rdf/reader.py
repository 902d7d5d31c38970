"""Reads RDF/XML and Turtle: the mapping of OWL 2 from triples back to axioms."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from elgeo.ontology.expressions import Op
from elgeo.ontology.grammar import MAX_DEPTH, PREFIXES, REPLACED, Sort
from elgeo.ontology.model import Builder, Ontology
from elgeo.ontology.reading.complaints import Complaints
from elgeo.ontology.reading.labels import ENGLISH, Naming
from elgeo.ontology.reading.rdf.expressions import DEFINING, RdfExpressions
from elgeo.ontology.reading.rdf.graph import DECLARATIONS, FIRST_TERMS, ID, SWRL, VOCABULARY, WORDS, Graph
from elgeo.ontology.reading.rdf.swrl import rule_of
from elgeo.ontology.reading.rdf.triples import Triples, read_triples

_PAIRS = {"owl:disjointWith": Op.DisjointClasses, "rdfs:subClassOf": Op.SubClassOf}
_PROPERTY_PAIRS = {
    "rdfs:subPropertyOf": (Op.SubObjectPropertyOf, Op.SubDataPropertyOf),
    "owl:equivalentProperty": (Op.EquivalentObjectProperties, Op.EquivalentDataProperties),
    "owl:propertyDisjointWith": (Op.DisjointObjectProperties, Op.DisjointDataProperties),
}
_BOUNDS = {
    "rdfs:domain": (Op.ObjectPropertyDomain, Op.DataPropertyDomain),
    "rdfs:range": (Op.ObjectPropertyRange, Op.DataPropertyRange),
}
_INDIVIDUAL_PAIRS = {"owl:sameAs": Op.SameIndividual, "owl:differentFrom": Op.DifferentIndividuals}
_CHARACTERISTICS = {
    ID[f"owl:{name}Property"]: Op[f"{name}ObjectProperty"]
    for name in ["Functional", "InverseFunctional", "Reflexive", "Irreflexive", "Symmetric", "Asymmetric", "Transitive"]
}
_STRUCTURAL_TYPES = {
    ID[n]
    for n in [
        "owl:Restriction",
        "owl:Axiom",
        "owl:Annotation",
        "owl:Ontology",
        "owl:DataRange",
        "rdf:List",
        "rdf:Property",
    ]
}
_SWRL_TYPES = {i for name, i in ID.items() if name.startswith("swrl:")}
_TYPE = ID["rdf:type"]
_PARTS = (PREFIXES["xsd"], PREFIXES["rdf"] + "langRange", SWRL)
"""Facets and the parts of rules: never declared, and no annotations."""


def imports_of(triples: Triples) -> tuple[str, ...]:
    """The IRIs of the ontologies a graph imports."""
    rows = np.flatnonzero(triples.predicates == ID["owl:imports"])
    return tuple(triples.terms[o] for o in triples.objects[rows].tolist())


def declarations_in(triples: Triples) -> dict[str, set[Op]]:
    """The entities a graph declares, and as what."""
    found: dict[str, set[Op]] = {}
    rows = np.flatnonzero((triples.predicates == _TYPE) & np.isin(triples.objects, list(DECLARATIONS)))
    for s, _, o in _rows(triples, rows):
        found.setdefault(triples.terms[s], set()).add(DECLARATIONS[o])
    return found


def triples_of(data: bytes, format_name: str, file: str) -> Triples:
    """The triples of a document, ready for `ontology_of`."""
    return read_triples(data, format_name, file, FIRST_TERMS)


def ontology_of(
    triples: Triples, format_name: str, file: str, known: dict[str, set[Op]], language: str = ENGLISH
) -> Ontology:
    """The ontology in a graph; `known` are the entities that imported ontologies declare."""
    limit = sys.getrecursionlimit()
    # an expression is made by calls as deep as it nests; `RdfExpressions` stops at its own limit
    sys.setrecursionlimit(max(limit, 8 * MAX_DEPTH))
    try:
        return _Mapping(Graph(triples, file, known), Naming(language)).ontology(format_name)
    finally:
        sys.setrecursionlimit(limit)


class _Mapping:
    def __init__(self, graph: Graph, naming: Naming) -> None:
        self.graph, self.builder, self.naming = graph, Builder(), naming
        self.complaints = Complaints(graph.file)
        self.make = RdfExpressions(graph, self.builder)
        self.handlers: dict[int, Callable[[int, int], Any]] = {
            _TYPE: self._type,
            ID["owl:equivalentClass"]: self._equivalent,
            ID["owl:inverseOf"]: self._inverse,
            ID["owl:propertyChainAxiom"]: self._chain,
            ID["owl:hasKey"]: self._key,
            ID["owl:disjointUnionOf"]: self._disjoint_union,
            **{ID[n]: self._class_pair(op) for n, op in _PAIRS.items()},
            **{ID[n]: self._property_pair(*ops) for n, ops in _PROPERTY_PAIRS.items()},
            **{ID[n]: self._bound(n, *ops) for n, ops in _BOUNDS.items()},
            **{ID[n]: self._individual_pair(op) for n, op in _INDIVIDUAL_PAIRS.items()},
            **{predicate: self._definition(predicate) for predicate in DEFINING},
        }

    def ontology(self, format_name: str) -> Ontology:
        graph, builder, triples = self.graph, self.builder, self.graph.triples
        used = np.unique(triples.predicates)
        assertions = {p: self._assertion(p) for p in used.tolist() if p >= len(VOCABULARY) and self._is_logical(p)}
        handlers = self.handlers | assertions
        undeclared = [
            p
            for p in used.tolist()
            if p >= len(FIRST_TERMS) and p not in assertions and not graph.is_a(p, Op.AnnotationProperty)
            if not graph.terms[p].startswith(_PARTS)
        ]
        logical = np.isin(triples.predicates, list(handlers))
        structural = (triples.predicates == _TYPE) & np.isin(triples.objects, list(_STRUCTURAL_TYPES))
        for s, p, o in _rows(triples, np.flatnonzero(logical & ~structural)):
            handlers[p](s, o)
        parts = [p for p in used.tolist() if graph.terms[p].startswith(_PARTS)]
        annotating = [p for p in used.tolist() if p < len(VOCABULARY) and graph.is_a(p, Op.AnnotationProperty)]
        annotations = ~logical & ((triples.predicates >= len(VOCABULARY)) | np.isin(triples.predicates, annotating))
        for s, p, o in _rows(triples, np.flatnonzero(annotations & ~np.isin(triples.predicates, parts))):
            builder.ignored["annotations"] += 1
            if WORDS.get(p) == REPLACED and not graph.is_literal(o):
                self.naming.add(REPLACED, graph.terms[s], graph.terms[o])
            elif p in WORDS and graph.is_literal(o):
                subject = graph.terms[s]
                # a blank node is most often an axiom that is spoken of, and has no name that outlives this reading
                if not subject.startswith("_:") or builder.has(Op.NamedIndividual, subject):
                    text, _, language = graph.text(o)
                    self.naming.add(WORDS[p], subject, text, language)
        if undeclared:
            names = ", ".join(f"<{graph.terms[p]}>" for p in undeclared[:3])
            are = "1 property is not declared and taken as an annotation"
            if len(undeclared) > 1:
                are = f"{len(undeclared)} properties are not declared and taken as annotations"
            self.complaints.add(f"{are}: {names}")
        builder.warnings += self.complaints.lines()
        ontologies = triples.subjects[(triples.predicates == _TYPE) & (triples.objects == ID["owl:Ontology"])]
        iri = next((graph.terms[s] for s in ontologies.tolist() if not graph.terms[s].startswith("_:")), None)
        builder.prefixes.update(triples.prefixes)
        self.naming.into(builder)
        return builder.finish(iri=iri, format=format_name, imports=imports_of(triples))

    def _is_logical(self, predicate: int) -> bool:
        graph = self.graph
        if graph.is_a(predicate, Op.ObjectProperty) or graph.is_a(predicate, Op.DataProperty):
            return True
        return predicate in self._spoken_of and not self._is_annotation(predicate)

    @cached_property
    def _spoken_of(self) -> set[int]:
        """Properties that restrictions or axioms about properties speak of, declared or not."""
        triples = self.graph.triples
        about = [ID[name] for name in ("owl:inverseOf", "owl:propertyChainAxiom", *_PROPERTY_PAIRS, *_BOUNDS)]
        subjects = np.isin(triples.predicates, about)
        subjects |= (triples.predicates == _TYPE) & np.isin(triples.objects, list(_CHARACTERISTICS))
        restricted = triples.objects[triples.predicates == ID["owl:onProperty"]]
        return {*triples.subjects[subjects].tolist(), *restricted.tolist()}

    def _type(self, s: int, o: int) -> None:
        graph, builder, make = self.graph, self.builder, self.make
        named = not graph.terms[s].startswith("_:")
        if o in DECLARATIONS:
            if named:
                builder.declare(builder.entity(DECLARATIONS[o], graph.iri(s, s)))
                if o == ID["owl:DeprecatedClass"]:
                    self.naming.deprecated[graph.terms[s]] = None
        elif o in _CHARACTERISTICS:
            if _CHARACTERISTICS[o] == Op.FunctionalObjectProperty and make.is_data_property(s):
                builder.axiom(Op.FunctionalDataProperty, make.data_property(s, s))
            else:
                builder.axiom(_CHARACTERISTICS[o], make.role(s, s))
        elif o == ID["owl:AllDisjointClasses"]:
            builder.axiom(Op.DisjointClasses, *(make.class_(m, s) for m in self._members(s)))
        elif o == ID["owl:AllDisjointProperties"]:
            members = self._members(s)
            if all(make.is_data_property(m) for m in members):
                builder.axiom(Op.DisjointDataProperties, *(make.data_property(m, s) for m in members))
            else:
                builder.axiom(Op.DisjointObjectProperties, *(make.role(m, s) for m in members))
        elif o == ID["owl:AllDifferent"]:
            builder.axiom(Op.DifferentIndividuals, *(make.individual(m, s) for m in self._members(s)))
        elif o == ID["owl:NegativePropertyAssertion"]:
            self._negative(s)
        elif o == ID["swrl:Imp"]:
            builder.axiom(Op.DLSafeRule, builder.entity(Op.Literal, rule_of(graph, s, make)))
        elif o == ID["owl:DeprecatedProperty"]:
            builder.ignored["annotations"] += 1
            self.naming.deprecated[graph.terms[s]] = None
        elif o not in _SWRL_TYPES:
            builder.axiom(Op.ClassAssertion, make.class_(o, s), make.individual(s, s))

    def _members(self, s: int) -> list[int]:
        values = self.graph.values(s)
        members = values.get(ID["owl:members"], values.get(ID["owl:distinctMembers"]))
        if members is None:
            raise self.graph.error("an axiom about all of its members that has none", s)
        found = self.graph.items(members, s)
        if not found:
            raise self.graph.error("an axiom about all of its members that has none", s)
        return found

    def _negative(self, s: int) -> None:
        graph, make, values = self.graph, self.make, self.graph.values(s)
        source, on = values.get(ID["owl:sourceIndividual"]), values.get(ID["owl:assertionProperty"])
        target, value = values.get(ID["owl:targetIndividual"]), values.get(ID["owl:targetValue"])
        if source is None or on is None or (target is None and value is None):
            raise graph.error("a negative property assertion without source, property or target", s)
        individual = make.individual(source, s)
        if value is not None:
            op, rest = Op.NegativeDataPropertyAssertion, (make.data_property(on, s), individual, make.literal(value, s))
        elif target is not None:
            op, rest = Op.NegativeObjectPropertyAssertion, (make.role(on, s), individual, make.individual(target, s))
        self.builder.axiom(op, *rest)

    def _class_pair(self, op: Op) -> Callable[[int, int], Any]:
        axiom, class_ = self.builder.axiom, self.make.class_
        return lambda s, o: axiom(op, class_(s, s), class_(o, s))

    def _individual_pair(self, op: Op) -> Callable[[int, int], Any]:
        individual = self.make.individual
        return lambda s, o: self.builder.axiom(op, individual(s, s), individual(o, s))

    def _property_pair(self, object_op: Op, data_op: Op) -> Callable[[int, int], Any]:
        def axiom(s: int, o: int) -> None:
            make, builder = self.make, self.builder
            kinds = {make.is_data_property(s), make.is_data_property(o)}
            if False in kinds:
                builder.axiom(object_op, make.role(s, s), make.role(o, s))
            elif True in kinds:
                builder.axiom(data_op, make.data_property(s, s), make.data_property(o, s))
            elif self._is_annotation(s) or self._is_annotation(o):
                builder.ignored["annotations"] += 1
            elif self._has_values(s) or self._has_values(o):
                builder.axiom(data_op, make.data_property(s, s), make.data_property(o, s))
            else:
                builder.axiom(object_op, make.role(s, s), make.role(o, s))

        return axiom

    def _bound(self, name: str, object_op: Op, data_op: Op) -> Callable[[int, int], Any]:
        def axiom(s: int, o: int) -> None:
            make, builder = self.make, self.builder
            data = make.is_data_property(s)
            if data is None and self._is_annotation(s):
                builder.ignored["annotations"] += 1
            elif data or (data is None and (make.is_range(o) if name == "rdfs:range" else self._has_values(s))):
                bound = make.range_(o, s) if name == "rdfs:range" else make.class_(o, s)
                builder.axiom(data_op, make.data_property(s, s), bound)
            else:
                builder.axiom(object_op, make.role(s, s), make.class_(o, s))

        return axiom

    def _is_annotation(self, node: int) -> bool:
        return self.graph.is_a(node, Op.AnnotationProperty)

    def _definition(self, predicate: int) -> Callable[[int, int], Any]:
        def axiom(s: int, o: int) -> None:
            # at a blank node it is an expression, made where it is used
            if self.graph.terms[s].startswith("_:"):
                return
            if self.graph.is_a(s, Op.Datatype):
                return
            expression = self.make.boolean(predicate, o, Sort.CLASS, s)
            self.builder.axiom(Op.EquivalentClasses, self.make.class_(s, s), expression)

        return axiom

    def _equivalent(self, s: int, o: int) -> None:
        make, builder = self.make, self.builder
        if self.graph.is_a(s, Op.Datatype) and not self.graph.is_a(s, Op.Class):
            builder.axiom(Op.DatatypeDefinition, make.range_(s, s), make.range_(o, s))
        else:
            builder.axiom(Op.EquivalentClasses, make.class_(s, s), make.class_(o, s))

    def _inverse(self, s: int, o: int) -> None:
        # at a blank node the first is the property expression itself
        if self.graph.terms[s].startswith("_:") and self.graph.values(s)[ID["owl:inverseOf"]] == o:
            return
        self.builder.axiom(Op.InverseObjectProperties, self.make.role(s, s), self.make.role(o, s))

    def _chain(self, s: int, o: int) -> None:
        roles = [self.make.role(r, s) for r in self.graph.items(o, s)]
        if not roles:
            raise self.graph.error("an empty property chain", s)
        chain = self.builder.node(Op.ObjectPropertyChain, *roles)
        self.builder.axiom(Op.SubObjectPropertyOf, chain, self.make.role(s, s))

    def _key(self, s: int, o: int) -> None:
        make, properties = self.make, self.graph.items(o, s)
        data = [p for p in properties if self._has_values(p)]
        roles = [make.role(p, s) for p in properties if p not in data]
        self.builder.axiom(Op.HasKey, make.class_(s, s), *roles, *(make.data_property(p, s) for p in data))

    def _has_values(self, node: int) -> bool:
        """Whether a property is a data property, or not declared and used with literals alone."""
        said, triples = self.make.is_data_property(node), self.graph.triples
        if said is not None:
            return said
        values = triples.objects[triples.predicates == node].tolist()
        return bool(values) and all(map(self.graph.is_literal, values))

    def _disjoint_union(self, s: int, o: int) -> None:
        parts = [self.make.class_(c, s) for c in self.graph.items(o, s)]
        if not parts:
            raise self.graph.error("a disjoint union of nothing", s)
        self.builder.axiom(Op.DisjointUnion, self.make.class_(s, s), *parts)

    def _assertion(self, predicate: int) -> Callable[[int, int], Any]:
        graph, make, builder = self.graph, self.make, self.builder
        data = make.is_data_property(predicate)

        def axiom(s: int, o: int) -> None:
            if data or ((data is None or graph.is_a(predicate, Op.DataProperty)) and graph.is_literal(o)):
                value = make.literal(o, s)
                builder.axiom(Op.DataPropertyAssertion, make.data_property(predicate, s), make.individual(s, s), value)
            elif graph.is_literal(o):
                # one such triple says nothing about the rest of the file
                builder.ignored["annotations"] += 1
                self.complaints.add(
                    "an object property has a literal as value: taken as an annotation",
                    f" (<{graph.terms[predicate]}> of {graph.name_near(s)})",
                )
            else:
                builder.axiom(
                    Op.ObjectPropertyAssertion, make.role(predicate, s), make.individual(s, s), make.individual(o, s)
                )

        return axiom


def _rows(triples: Triples, rows: Any) -> Any:
    columns = (triples.subjects, triples.predicates, triples.objects)
    return zip(*(column[rows].tolist() for column in columns), strict=True)
