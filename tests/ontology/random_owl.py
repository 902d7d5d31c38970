"""Random ontologies with every constructor of the grammar, irregular on purpose."""

from __future__ import annotations

import random
import re
from collections.abc import Collection

from elgeo.ontology.expressions import AXIOMS, THING, Op
from elgeo.ontology.grammar import SIGNATURES, Signature, Sort, literal
from elgeo.ontology.model import Builder, Ontology

XSD = "http://www.w3.org/2001/XMLSchema#"
NAMES = {
    Sort.CLASS: (Op.Class, ["http://ex.org/A", "http://ex.org/B#b", "http://ex.org/Ünï", "urn:c:C", THING]),
    Sort.ROLE: (Op.ObjectProperty, ["http://ex.org/r", "http://ex.org/s", "http://other.org/t_1"]),
    Sort.DATA_PROPERTY: (Op.DataProperty, ["http://ex.org/d", "http://ex.org/e-e"]),
    Sort.DATA_RANGE: (Op.Datatype, [XSD + "integer", XSD + "string", "http://ex.org/dt"]),
    Sort.INDIVIDUAL: (Op.NamedIndividual, ["http://ex.org/i", "http://ex.org/j", "http://ex.org/A"]),
    Sort.FACET: (Op.AnnotationProperty, [XSD + "minInclusive", XSD + "maxExclusive"]),
}
LITERALS = [
    literal("5", XSD + "integer"),
    literal('plain (text) # \\ "quoted" <&>'),
    literal("tägged", language="en-gb"),
    literal("", XSD + "token"),
    literal("line\nbreak", "http://ex.org/dt"),
]
PAIRS_IN_RDF = {
    Op.EquivalentClasses,
    Op.DisjointClasses,
    Op.EquivalentObjectProperties,
    Op.EquivalentDataProperties,
    Op.SameIndividual,
}
"""RDF, or the peer that writes it, splits these into pairs when there are more than two."""


NAMED_IN_RDF = {Op.ObjectPropertyAssertion, Op.NegativeObjectPropertyAssertion, Op.InverseObjectProperties}
"""RDF turns round what these say of an inverse property, or the peer does not read it."""


class RandomOwl:
    """Makes axioms from a seed."""

    def __init__(self, seed: int, without: Collection[Op] = (), for_rdf: bool = False) -> None:
        self.random = random.Random(seed)
        self.without, self.for_rdf = set(without), for_rdf
        self.builder = Builder()

    def ontology(self, axioms: int) -> Ontology:
        """An ontology with all names declared and so many axioms of random kinds."""
        for sort, (op, names) in NAMES.items():
            for name in names:
                if sort != Sort.FACET and not name.startswith((XSD, "http://www.w3.org")):
                    self.builder.declare(self.builder.entity(op, name))
        kinds = [op for op in SIGNATURES if op in AXIOMS and op not in self.without]
        for i in range(axioms):
            # each kind at least once, then at random
            op = kinds[i] if i < len(kinds) else self.random.choice(kinds)
            self.builder.axiom(op, *self.arguments(op, 4))
        return self.builder.finish(iri="http://ex.org/onto", format="random")

    def arguments(self, op: Op, depth: int) -> list[int]:
        """Random arguments of a constructor, all different where their order means nothing."""
        shape = SIGNATURES[op]
        if op == Op.HasKey:
            roles = [self.argument(Sort.ROLE, 0) for _ in range(self.random.randint(0, 2))]
            return [self.argument(Sort.CLASS, depth), *dict.fromkeys(roles), self.argument(Sort.DATA_PROPERTY, 0)]
        if op == Op.DatatypeRestriction:
            facets = self.random.sample(NAMES[Sort.FACET][1], self.random.randint(1, 2))
            pairs = [
                (self.builder.entity(Op.AnnotationProperty, f), self.builder.entity(Op.Literal, LITERALS[0]))
                for f in facets
            ]
            return [self.builder.entity(Op.Datatype, XSD + "integer"), *(n for pair in pairs for n in pair)]
        count = self._count(op, shape)
        found: list[int] = []
        for _ in range(20):
            if len(found) == count:
                break
            sort = shape.place(len(found))
            if sort == Sort.DATA_RANGE_LAST:
                sort = Sort.DATA_RANGE
            assert sort is not None
            first = op in (Op.DisjointUnion, Op.DatatypeDefinition) and not found
            asserted = self.for_rdf and op in NAMED_IN_RDF
            made = self.argument(sort, 0 if asserted else depth, name_only=first)
            if made not in found or shape.rest == ():
                found.append(made)
        return found if len(found) == count or len(found) >= shape.fewest + 1 else self.arguments(op, depth)

    def _count(self, op: Op, shape: Signature) -> int:
        if op in (Op.DataSomeValuesFrom, Op.DataAllValuesFrom) or (self.for_rdf and op in PAIRS_IN_RDF):
            return 2
        if shape.rest:
            return max(2, shape.fewest + (op == Op.DisjointUnion)) + self.random.randint(0, 2)
        # the peer writes a cardinality without a filler as one with owl:Thing
        return shape.most if self.for_rdf else self.random.randint(shape.fewest, shape.most)

    def argument(self, sort: Sort, depth: int, name_only: bool = False) -> int:
        """A random name, literal or expression for a place."""
        if sort == Sort.LITERAL:
            return self.builder.entity(Op.Literal, self.random.choice(LITERALS))
        if sort == Sort.NUMBER:
            return self.builder.entity(Op.Literal, str(self.random.randint(0, 12)))
        makers = [op for op, shape in SIGNATURES.items() if shape.makes == sort and op not in self.without]
        if sort == Sort.CHAIN and self.random.random() < 0.5:
            return self.builder.node(Op.ObjectPropertyChain, *self.arguments(Op.ObjectPropertyChain, 0))
        sort = Sort.ROLE if sort == Sort.CHAIN else sort
        if depth > 0 and makers and not name_only and sort != Sort.ROLE and self.random.random() < 0.5:
            op = self.random.choice(makers)
            return self.builder.node(op, *self.arguments(op, depth - 1))
        op, names = NAMES[sort]
        names = [n for n in names if not name_only or n not in (THING, XSD + "integer", XSD + "string")]
        named = self.builder.entity(op, self.random.choice(names))
        inverse = (
            sort == Sort.ROLE and depth > 0 and self.random.random() < 0.2 and Op.ObjectInverseOf not in self.without
        )
        return self.builder.node(Op.ObjectInverseOf, named) if inverse else named


def comparable(ontology: Ontology) -> set[str]:
    """The axioms as a set of texts; a cardinality over everything is written without its filler."""
    return {_FILLER.sub(r"\1)", str(axiom)) for axiom in ontology.axioms}


_FILLER = re.compile(
    r"(Cardinality\(\d+ (?:<[^>]*>|ObjectInverseOf\(<[^>]*>\))) "
    r"<http://www.w3.org/(?:2002/07/owl#Thing|2000/01/rdf-schema#Literal)>\)"
)
