"""The signature of every constructor of OWL 2: what its arguments are. One table for all readers."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from elgeo.ontology.expressions import Op


class Sort(IntEnum):
    """What may stand in one place of an expression; an IRI there is an entity of that sort."""

    CLASS = 0
    ROLE = 1
    CHAIN = 2  # an object property expression or a chain of them
    DATA_PROPERTY = 3
    DATA_RANGE = 4
    INDIVIDUAL = 5
    LITERAL = 6
    NUMBER = 7
    FACET = 8
    AXIOM = 9
    DATA_RANGE_LAST = 10  # a data property, or a data range if it is the last argument


ENTITY = {
    Sort.CLASS: Op.Class,
    Sort.ROLE: Op.ObjectProperty,
    Sort.CHAIN: Op.ObjectProperty,
    Sort.DATA_PROPERTY: Op.DataProperty,
    Sort.DATA_RANGE: Op.Datatype,
    Sort.INDIVIDUAL: Op.NamedIndividual,
    Sort.FACET: Op.AnnotationProperty,
}
"""What an IRI in a place of this sort is. Facets have no operator of their own: alone they say nothing."""


class Signature(NamedTuple):
    """What a constructor makes, its first arguments, those that repeat after them, and the fewest and most of all."""

    makes: Sort
    first: tuple[Sort, ...]
    rest: tuple[Sort, ...]
    fewest: int
    most: int

    def place(self, index: int) -> Sort | None:
        """The sort of the argument with this index, None if there can be none."""
        if index >= self.most:
            return None
        if index < len(self.first):
            return self.first[index]
        return self.rest[(index - len(self.first)) % len(self.rest)]


MANY = 1 << 30


def _exactly(makes: Sort, *first: Sort) -> Signature:
    return Signature(makes, first, (), len(first), len(first))


def _many(makes: Sort, *rest: Sort, first: tuple[Sort, ...] = ()) -> Signature:
    # one argument is let pass where OWL 2 asks for two: files have it, and its meaning is clear
    return Signature(makes, first, rest, len(first) + 1, MANY)


_C, _R, _U, _D, _I, _L, _N = (
    Sort.CLASS,
    Sort.ROLE,
    Sort.DATA_PROPERTY,
    Sort.DATA_RANGE,
    Sort.INDIVIDUAL,
    Sort.LITERAL,
    Sort.NUMBER,
)
_A = Sort.AXIOM

SIGNATURES: dict[Op, Signature] = {
    Op.ObjectInverseOf: _exactly(_R, _R),
    Op.ObjectPropertyChain: _many(Sort.CHAIN, _R),
    Op.ObjectIntersectionOf: _many(_C, _C),
    Op.ObjectUnionOf: _many(_C, _C),
    Op.ObjectComplementOf: _exactly(_C, _C),
    Op.ObjectOneOf: _many(_C, _I),
    Op.ObjectSomeValuesFrom: _exactly(_C, _R, _C),
    Op.ObjectAllValuesFrom: _exactly(_C, _R, _C),
    Op.ObjectHasValue: _exactly(_C, _R, _I),
    Op.ObjectHasSelf: _exactly(_C, _R),
    **{
        op: Signature(_C, (_N, _R, _C), (), 2, 3)
        for op in (Op.ObjectMinCardinality, Op.ObjectMaxCardinality, Op.ObjectExactCardinality)
    },
    **dict.fromkeys(
        (Op.DataSomeValuesFrom, Op.DataAllValuesFrom), Signature(_C, (_U,), (Sort.DATA_RANGE_LAST,), 2, MANY)
    ),
    Op.DataHasValue: _exactly(_C, _U, _L),
    **{
        op: Signature(_C, (_N, _U, _D), (), 2, 3)
        for op in (Op.DataMinCardinality, Op.DataMaxCardinality, Op.DataExactCardinality)
    },
    Op.DataIntersectionOf: _many(_D, _D),
    Op.DataUnionOf: _many(_D, _D),
    Op.DataComplementOf: _exactly(_D, _D),
    Op.DataOneOf: _many(_D, _L),
    Op.DatatypeRestriction: Signature(_D, (_D,), (Sort.FACET, _L), 3, MANY),
    Op.SubClassOf: _exactly(_A, _C, _C),
    Op.EquivalentClasses: _many(_A, _C),
    Op.DisjointClasses: _many(_A, _C),
    Op.DisjointUnion: _many(_A, _C, first=(_C,)),
    Op.SubObjectPropertyOf: _exactly(_A, Sort.CHAIN, _R),
    Op.EquivalentObjectProperties: _many(_A, _R),
    Op.DisjointObjectProperties: _many(_A, _R),
    Op.InverseObjectProperties: _exactly(_A, _R, _R),
    Op.ObjectPropertyDomain: _exactly(_A, _R, _C),
    Op.ObjectPropertyRange: _exactly(_A, _R, _C),
    **{op: _exactly(_A, _R) for op in Op if Op.FunctionalObjectProperty <= op <= Op.TransitiveObjectProperty},
    Op.SubDataPropertyOf: _exactly(_A, _U, _U),
    Op.EquivalentDataProperties: _many(_A, _U),
    Op.DisjointDataProperties: _many(_A, _U),
    Op.DataPropertyDomain: _exactly(_A, _U, _C),
    Op.DataPropertyRange: _exactly(_A, _U, _D),
    Op.FunctionalDataProperty: _exactly(_A, _U),
    Op.DatatypeDefinition: _exactly(_A, _D, _D),
    Op.HasKey: _exactly(_A, _C),  # its two lists of properties follow; readers know them apart
    Op.SameIndividual: _many(_A, _I),
    Op.DifferentIndividuals: _many(_A, _I),
    Op.ClassAssertion: _exactly(_A, _C, _I),
    Op.ObjectPropertyAssertion: _exactly(_A, _R, _I, _I),
    Op.NegativeObjectPropertyAssertion: _exactly(_A, _R, _I, _I),
    Op.DataPropertyAssertion: _exactly(_A, _U, _I, _L),
    Op.NegativeDataPropertyAssertion: _exactly(_A, _U, _I, _L),
}

LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
SYNONYMS = (
    *(
        f"http://www.geneontology.org/formats/oboInOwl#has{scope}Synonym"
        for scope in ("Exact", "Related", "Broad", "Narrow")
    ),
    "http://www.w3.org/2004/02/skos/core#altLabel",
)
"""The annotation properties people's names are in."""
EXACT, RELATED = SYNONYMS[:2]
"""Those of synonyms that mean the same, and of such as are used for a thing without more being said of them."""
COMMENT = "http://www.w3.org/2000/01/rdf-schema#comment"
DEFINITIONS = (
    "http://purl.obolibrary.org/obo/IAO_0000115",
    "http://www.w3.org/2004/02/skos/core#definition",
    COMMENT,
)
"""The annotation properties that say in words what a thing is; a comment counts where there is nothing better."""
DEPRECATED = "http://www.w3.org/2002/07/owl#deprecated"
"""The annotation property that says that a thing is not to be used any more."""
REPLACED = "http://purl.obolibrary.org/obo/IAO_0100001"
"""The annotation property that says what to use in place of a thing; its value is an IRI, or its CURIE as text."""
TEXTS = (LABEL, *SYNONYMS, *DEFINITIONS, DEPRECATED, REPLACED)
"""All annotation properties whose words are kept."""
MAX_DEPTH = 1_000
"""How deep expressions may nest; hand-made ontologies stay below 20."""
PREFIXES = {
    "owl": "http://www.w3.org/2002/07/owl#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "xml": "http://www.w3.org/XML/1998/namespace",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
"""The prefixes every OWL file has, declared or not."""
XSD_STRING = PREFIXES["xsd"] + "string"
PLAIN_LITERAL = PREFIXES["rdf"] + "PlainLiteral"


def literal(text: str, datatype: str = "", language: str = "") -> str:
    """A literal as functional syntax writes it, with the whole IRI of its datatype, each in one way only."""
    if datatype == PLAIN_LITERAL:
        text, _, language = text.rpartition("@") if "@" in text else (text, "", language)
    quoted = '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if language:
        return f"{quoted}@{language.lower()}"
    return quoted if datatype in ("", XSD_STRING, PLAIN_LITERAL) else f"{quoted}^^<{datatype}>"
