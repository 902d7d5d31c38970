"""Nodes of an RDF graph as expressions of OWL."""

from __future__ import annotations

from elgeo.ontology.expressions import NOTHING, THING, Op
from elgeo.ontology.grammar import MAX_DEPTH, Sort
from elgeo.ontology.model import Builder
from elgeo.ontology.reading.rdf.graph import ID, Graph

_QUANTIFIERS = {
    ID["owl:someValuesFrom"]: (Op.ObjectSomeValuesFrom, Op.DataSomeValuesFrom),
    ID["owl:allValuesFrom"]: (Op.ObjectAllValuesFrom, Op.DataAllValuesFrom),
}
_CARDINALITIES = {
    ID[f"owl:{name}"]: (object_op, data_op)
    for names, object_op, data_op in (
        ("cardinality qualifiedCardinality", Op.ObjectExactCardinality, Op.DataExactCardinality),
        ("minCardinality minQualifiedCardinality", Op.ObjectMinCardinality, Op.DataMinCardinality),
        ("maxCardinality maxQualifiedCardinality", Op.ObjectMaxCardinality, Op.DataMaxCardinality),
    )
    for name in names.split()
}
_BOOLEANS = {
    ID["owl:intersectionOf"]: (Op.ObjectIntersectionOf, Op.DataIntersectionOf),
    ID["owl:unionOf"]: (Op.ObjectUnionOf, Op.DataUnionOf),
}
_ON_PROPERTY, _ON_PROPERTIES, _INVERSE = ID["owl:onProperty"], ID["owl:onProperties"], ID["owl:inverseOf"]
_COMPLEMENTS = {ID["owl:complementOf"], ID["owl:datatypeComplementOf"]}
_ONE_OF, _HAS_VALUE, _HAS_SELF = ID["owl:oneOf"], ID["owl:hasValue"], ID["owl:hasSelf"]
_ON_CLASS, _ON_RANGE = ID["owl:onClass"], ID["owl:onDataRange"]
_ON_DATATYPE, _WITH = ID["owl:onDatatype"], ID["owl:withRestrictions"]
DEFINING = {*_BOOLEANS, *_COMPLEMENTS, _ONE_OF}
"""What may stand at a named class too, and then defines it."""


class RdfExpressions:
    """Makes expressions of nodes, each once."""

    def __init__(self, graph: Graph, builder: Builder) -> None:
        self.graph, self.builder = graph, builder
        self._made: dict[tuple[int, Sort], int] = {}
        self._open: set[tuple[int, Sort]] = set()
        self.used: set[int] = set()
        """The blank nodes that are property expressions."""
        self._take_simple_restrictions()

    def class_(self, node: int, near: int) -> int:
        """A class expression."""
        made = self._made.get((node, Sort.CLASS))
        return self._make(node, Sort.CLASS, near) if made is None else made

    def range_(self, node: int, near: int) -> int:
        """A data range."""
        made = self._made.get((node, Sort.DATA_RANGE))
        return self._make(node, Sort.DATA_RANGE, near) if made is None else made

    def role(self, node: int, near: int) -> int:
        """An object property or the inverse of one."""
        made = self._made.get((node, Sort.ROLE))
        return self._make(node, Sort.ROLE, near) if made is None else made

    def data_property(self, node: int, near: int) -> int:
        return self.builder.entity(Op.DataProperty, self.graph.iri(node, near))

    def individual(self, node: int, near: int) -> int:
        """A named or anonymous individual."""
        text = self.graph.terms[node]
        return self.builder.entity(Op.NamedIndividual, text if text.startswith("_:") else self.graph.iri(node, near))

    def literal(self, node: int, near: int) -> int:
        return self.builder.entity(Op.Literal, self.graph.literal(node, near))

    def is_data_property(self, node: int) -> bool | None:
        """Whether a property is a data property; None if nothing says so or not."""
        graph = self.graph
        if graph.is_a(node, Op.ObjectProperty) or graph.terms[node].startswith("_:"):
            return False
        return True if graph.is_a(node, Op.DataProperty) else None

    def is_range(self, node: int) -> bool:
        """Whether a node can only be a data range."""
        graph = self.graph
        if graph.is_literal(node) or graph.is_a(node, Op.Datatype):
            return True
        values = graph.values(node) if graph.terms[node].startswith("_:") else {}
        return _ON_DATATYPE in values or ID["owl:datatypeComplementOf"] in values

    def boolean(self, predicate: int, value: int, sort: Sort, near: int) -> int:
        """The expression that one of `DEFINING` makes of its value."""
        graph, builder, of = self.graph, self.builder, int(sort == Sort.DATA_RANGE)
        part = self.range_ if of else self.class_
        if predicate in _COMPLEMENTS:
            return builder.node(Op.DataComplementOf if of else Op.ObjectComplementOf, part(value, near))
        items = graph.items(value, near)
        if predicate == _ONE_OF:
            if of:
                return builder.node(Op.DataOneOf, *(self.literal(i, near) for i in items))
            if not items:
                return builder.entity(Op.Class, NOTHING)
            return builder.node(Op.ObjectOneOf, *(self.individual(i, near) for i in items))
        if not items and not of:
            return builder.entity(Op.Class, THING if predicate == ID["owl:intersectionOf"] else NOTHING)
        if len(items) == 1:
            return part(items[0], near)
        return builder.node(_BOOLEANS[predicate][of], *(part(i, near) for i in items))

    def _take_simple_restrictions(self) -> None:
        """Most blank nodes are ∃R.C with names; all of them at once, because this is where time goes."""
        graph, node, entity = self.graph, self.builder.node, self.builder.entity
        role, filler = graph.column("owl:onProperty"), graph.column("owl:someValuesFrom")
        both = (role >= 0) & (filler >= 0) & graph.blank
        simple = both & ~graph.blank[role] & ~graph.blank[filler]
        candidates = simple.nonzero()[0]
        properties = {r: self.is_data_property(r) for r in set(role[candidates].tolist())}
        is_range = {c: self.is_range(c) for c in set(filler[candidates].tolist())}
        fillers: dict[int, int] = {}
        roles: dict[int, int] = {}
        for blank, r, c in zip(
            candidates.tolist(), role[candidates].tolist(), filler[candidates].tolist(), strict=True
        ):
            is_data = properties[r]
            if is_data or (is_data is None and is_range[c]):
                continue
            if c not in fillers:
                fillers[c] = entity(Op.Class, graph.iri(c, blank))
            if r not in roles:
                roles[r] = entity(Op.ObjectProperty, graph.iri(r, blank))
            self._made[blank, Sort.CLASS] = node(Op.ObjectSomeValuesFrom, roles[r], fillers[c])

    def _make(self, node: int, sort: Sort, near: int) -> int:
        key = (node, sort)
        graph = self.graph
        if not graph.terms[node].startswith("_:"):
            op = {Sort.CLASS: Op.Class, Sort.DATA_RANGE: Op.Datatype, Sort.ROLE: Op.ObjectProperty}[sort]
            made = self.builder.entity(op, graph.iri(node, near))
        else:
            if key in self._open:
                raise graph.error("an expression that contains itself", near)
            if len(self._open) >= MAX_DEPTH:
                raise graph.error(f"expressions nest more than {MAX_DEPTH:,} deep", near)
            self._open.add(key)
            made = self._structure(node, sort, near)
            self._open.remove(key)
        self._made[key] = made
        return made

    def _structure(self, node: int, sort: Sort, near: int) -> int:
        graph, builder = self.graph, self.builder
        values = graph.values(node)
        if sort == Sort.ROLE:
            if _INVERSE not in values:
                raise graph.error("a blank node that is no property expression", near)
            self.used.add(node)
            return builder.node(Op.ObjectInverseOf, self.role(values[_INVERSE], near))
        if sort == Sort.CLASS and (_ON_PROPERTY in values or _ON_PROPERTIES in values):
            return self._restriction(node, values, near)
        if sort == Sort.DATA_RANGE and _ON_DATATYPE in values:
            facets: list[int] = []
            for item in graph.items(values.get(_WITH, ID["rdf:nil"]), near):
                for facet, value in graph.outgoing(item):
                    facets.append(builder.entity(Op.AnnotationProperty, graph.iri(facet, near)))
                    facets.append(self.literal(value, near))
            if not facets:
                raise graph.error("a datatype restriction without facets", near)
            return builder.node(Op.DatatypeRestriction, self.range_(values[_ON_DATATYPE], near), *facets)
        for predicate in values.keys() & DEFINING:
            return self.boolean(predicate, values[predicate], sort, near)
        raise graph.error(
            f"a blank node that is no {'data range' if sort == Sort.DATA_RANGE else 'class expression'}", near
        )

    def _restriction(self, node: int, values: dict[int, int], near: int) -> int:
        graph, builder = self.graph, self.builder
        if _ON_PROPERTIES in values:
            properties = [self.data_property(p, near) for p in graph.items(values[_ON_PROPERTIES], near)]
            for predicate in values.keys() & _QUANTIFIERS.keys():
                filler = self.range_(values[predicate], near)
                return builder.node(_QUANTIFIERS[predicate][1], *properties, filler)
            raise graph.error("a restriction on properties without a data range", near)
        on = values[_ON_PROPERTY]
        data = self.is_data_property(on)
        for predicate in values.keys() & _QUANTIFIERS.keys():
            filler_node = values[predicate]
            if data or (data is None and self.is_range(filler_node)):
                return builder.node(
                    _QUANTIFIERS[predicate][1], self.data_property(on, near), self.range_(filler_node, near)
                )
            return builder.node(_QUANTIFIERS[predicate][0], self.role(on, near), self.class_(filler_node, near))
        if _HAS_VALUE in values:
            value = values[_HAS_VALUE]
            if graph.is_literal(value):
                return builder.node(Op.DataHasValue, self.data_property(on, near), self.literal(value, near))
            return builder.node(Op.ObjectHasValue, self.role(on, near), self.individual(value, near))
        if _HAS_SELF in values:
            return builder.node(Op.ObjectHasSelf, self.role(on, near))
        for predicate in values.keys() & _CARDINALITIES.keys():
            number = graph.text(values[predicate])[0].strip() if graph.is_literal(values[predicate]) else ""
            if not (number.isascii() and number.isdigit()):
                raise graph.error(f"a cardinality that is no number: {graph.terms[values[predicate]][:40]}", near)
            count = builder.entity(Op.Literal, number.lstrip("0") or "0")
            if data or _ON_RANGE in values:
                of = [self.range_(values[_ON_RANGE], near)] if _ON_RANGE in values else []
                return builder.node(_CARDINALITIES[predicate][1], count, self.data_property(on, near), *of)
            of = [self.class_(values[_ON_CLASS], near)] if _ON_CLASS in values else []
            return builder.node(_CARDINALITIES[predicate][0], count, self.role(on, near), *of)
        raise graph.error("a restriction that says nothing about its property", near)
