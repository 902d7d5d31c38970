"""A graph of triples with the lookups the mapping to OWL needs: lists, kinds of properties, one value of a node."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from elgeo.errors import ReadError
from elgeo.ontology.expressions import Op
from elgeo.ontology.grammar import COMMENT, DEPRECATED, PREFIXES, TEXTS, literal
from elgeo.ontology.reading.rdf.triples import Triples

SWRL = "http://www.w3.org/2003/11/swrl#"
_RDF_NAMES = "type first rest nil Property List"
_RDFS_NAMES = "subClassOf subPropertyOf domain range comment seeAlso isDefinedBy Class Datatype Literal"
_OWL_NAMES = (
    "Class Restriction ObjectProperty DatatypeProperty AnnotationProperty NamedIndividual Ontology Axiom Annotation "
    "AllDisjointClasses AllDisjointProperties AllDifferent NegativePropertyAssertion DataRange DeprecatedClass "
    "DeprecatedProperty OntologyProperty FunctionalProperty InverseFunctionalProperty ReflexiveProperty "
    "IrreflexiveProperty SymmetricProperty AsymmetricProperty TransitiveProperty "
    "onProperty onProperties someValuesFrom allValuesFrom hasValue hasSelf cardinality minCardinality maxCardinality "
    "qualifiedCardinality minQualifiedCardinality maxQualifiedCardinality onClass onDataRange intersectionOf unionOf "
    "complementOf oneOf datatypeComplementOf onDatatype withRestrictions inverseOf propertyChainAxiom equivalentClass "
    "disjointWith disjointUnionOf equivalentProperty propertyDisjointWith hasKey sameAs differentFrom members "
    "distinctMembers sourceIndividual assertionProperty targetIndividual targetValue annotatedSource annotatedProperty "
    "annotatedTarget imports versionIRI versionInfo deprecated backwardCompatibleWith incompatibleWith priorVersion"
)
_SWRL_NAMES = (
    "Imp body head AtomList ClassAtom IndividualPropertyAtom DatavaluedPropertyAtom SameIndividualAtom "
    "DifferentIndividualsAtom DataRangeAtom BuiltinAtom Variable Builtin"
)
VOCABULARY = [
    *(f"rdf:{n}" for n in _RDF_NAMES.split()),
    *(f"rdfs:{n}" for n in _RDFS_NAMES.split()),
    *(f"owl:{n}" for n in _OWL_NAMES.split()),
    *(f"swrl:{n}" for n in _SWRL_NAMES.split()),
]
_WORDS = [iri for iri in TEXTS if iri not in (COMMENT, DEPRECATED)]
_SPACES = PREFIXES | {"swrl": SWRL}
FIRST_TERMS = [_SPACES[q.partition(":")[0]] + q.partition(":")[2] for q in VOCABULARY] + _WORDS
ID = {q: i for i, q in enumerate(VOCABULARY)}
"""The number of each term of the vocabulary, under its usual abbreviation."""
WORDS = {ID["rdfs:comment"]: COMMENT, ID["owl:deprecated"]: DEPRECATED, **dict(enumerate(_WORDS, len(VOCABULARY)))}
"""The properties whose words are kept, by their numbers."""

_NAMED_KINDS = {
    "owl:Class": Op.Class,
    "rdfs:Class": Op.Class,
    "owl:DeprecatedClass": Op.Class,
    "rdfs:Datatype": Op.Datatype,
    "owl:ObjectProperty": Op.ObjectProperty,
    "owl:DatatypeProperty": Op.DataProperty,
    "owl:AnnotationProperty": Op.AnnotationProperty,
    "owl:OntologyProperty": Op.AnnotationProperty,
    "owl:NamedIndividual": Op.NamedIndividual,
}
DECLARATIONS = {ID[name]: op for name, op in _NAMED_KINDS.items()}
_IMPLY_OBJECT = [
    ID[f"owl:{n}"]
    for n in [
        "InverseFunctionalProperty",
        "ReflexiveProperty",
        "IrreflexiveProperty",
        "SymmetricProperty",
        "AsymmetricProperty",
        "TransitiveProperty",
    ]
]
_ANNOTATIONS = [
    ID[n]
    for n in [
        "rdfs:comment",
        "rdfs:seeAlso",
        "rdfs:isDefinedBy",
        "owl:versionInfo",
        "owl:deprecated",
        "owl:backwardCompatibleWith",
        "owl:incompatibleWith",
        "owl:priorVersion",
    ]
]
_OWL_DATATYPES = {PREFIXES["owl"] + "real", PREFIXES["owl"] + "rational"}
_LITERAL = re.compile(r'"(.*)"(?:@([\w-]+)|\^\^<(.*)>)?', re.DOTALL)
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_BAD_IRI = re.compile(r'[\x00-\x20<>"]')


class Graph:
    """Triples by subject. `known` are entities declared in imported ontologies."""

    def __init__(self, triples: Triples, file: str, known: dict[str, set[Op]]) -> None:
        self.triples, self.file, self.terms = triples, file, triples.terms
        order = np.argsort(triples.subjects, kind="stable")
        self._predicates = triples.predicates[order]
        self._objects = triples.objects[order]
        self._starts = np.searchsorted(triples.subjects[order], np.arange(len(self.terms) + 1))
        self.kinds = self._kinds(known)

    @cached_property
    def blank(self) -> NDArray[np.bool_]:
        """Whether each term is a blank node."""
        return np.fromiter((t.startswith("_:") for t in self.terms), np.bool_, len(self.terms))

    def outgoing(self, node: int) -> Iterator[tuple[int, int]]:
        """The predicates and objects of a node's triples."""
        span = slice(self._starts[node], self._starts[node + 1])
        return zip(self._predicates[span].tolist(), self._objects[span].tolist(), strict=True)

    def values(self, node: int) -> dict[int, int]:
        """The first object of each predicate of a node."""
        found: dict[int, int] = {}
        for predicate, value in self.outgoing(node):
            found.setdefault(predicate, value)
        return found

    def rows(self, *predicates: str) -> NDArray[np.intp]:
        """The triples with one of these predicates, in the order of the file."""
        return np.flatnonzero(np.isin(self.triples.predicates, [ID[p] for p in predicates]))

    def column(self, predicate: str) -> NDArray[np.int32]:
        """For each term the object of its only triple with this predicate, -1 where there is none or several."""
        rows = self.rows(predicate)
        found = np.full(len(self.terms), -1, np.int32)
        subjects = self.triples.subjects[rows]
        found[subjects] = self.triples.objects[rows]
        unique, counts = np.unique(subjects, return_counts=True)
        found[unique[counts > 1]] = -1
        return found

    @cached_property
    def _cells(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        return self.column("rdf:first"), self.column("rdf:rest")

    def items(self, node: int, near: int) -> list[int]:
        """The members of an RDF list."""
        first, rest = self._cells
        found: list[int] = []
        while node != ID["rdf:nil"]:
            if first[node] < 0 or rest[node] < 0 or len(found) > len(self.terms):
                raise self.error("a list that is broken, or has no end", near)
            found.append(int(first[node]))
            node = int(rest[node])
        return found

    def iri(self, term: int, near: int) -> str:
        """The IRI of a term that has to be one."""
        text = self.terms[term]
        if text.startswith(("_:", '"')):
            raise self.error(f"a {'literal' if text[0] == chr(34) else 'blank node'} where an IRI should be", near)
        if _BAD_IRI.search(text) or not text:
            raise self.error(f"<{text}> is no IRI", near)
        return text

    def is_literal(self, term: int) -> bool:
        return self.terms[term].startswith('"')

    def text(self, term: int) -> tuple[str, str, str]:
        """Text, datatype and language of a literal."""
        found = _LITERAL.fullmatch(self.terms[term])
        if not found:
            raise ReadError(f"a literal that cannot be read: {self.terms[term][:60]}", self.file)
        text = found[1]
        if "\\" in text:
            text = _ESCAPE.sub(_unescaped, text)
        return text, found[3] or "", found[2] or ""

    def literal(self, term: int, near: int) -> str:
        """A literal as functional syntax writes it."""
        if not self.is_literal(term):
            raise self.error(f"{self.terms[term]} where a literal should be", near)
        return literal(*self.text(term))

    def is_a(self, term: int, op: Op) -> bool:
        """Whether a term is declared as an entity of this kind, or used as only such ones can be."""
        return term in self.kinds[op]

    def error(self, problem: str, near: int) -> ReadError:
        """An error about the axioms of a subject; triples have no lines."""
        return ReadError(f"{problem} (near {self.name_near(near)})", self.file)

    def name_near(self, node: int) -> str:
        """The node itself, or else an IRI from which it is reached."""
        seen = set()
        while self.terms[node].startswith("_:") and node not in seen:
            seen.add(node)
            into = np.flatnonzero(self.triples.objects == node)
            if not len(into):
                break
            node = int(self.triples.subjects[into[0]])
        return self.terms[node] if self.terms[node].startswith("_:") else f"<{self.terms[node]}>"

    def _kinds(self, known: dict[str, set[Op]]) -> dict[Op, set[int]]:
        triples = self.triples
        types = triples.predicates == ID["rdf:type"]
        subjects, objects = triples.subjects[types], triples.objects[types]
        kinds: dict[Op, set[int]] = {op: set() for op in set(DECLARATIONS.values())}
        for type_id, op in DECLARATIONS.items():
            kinds[op].update(subjects[objects == type_id].tolist())
        kinds[Op.Datatype].update(subjects[objects == ID["owl:DataRange"]].tolist())
        for type_id in _IMPLY_OBJECT:
            kinds[Op.ObjectProperty].update(subjects[objects == type_id].tolist())
        chained = self.rows("owl:propertyChainAxiom")
        kinds[Op.ObjectProperty].update(triples.subjects[chained].tolist())
        kinds[Op.AnnotationProperty].update([*_ANNOTATIONS, *range(len(VOCABULARY), len(FIRST_TERMS))])
        if known:
            for number in [i for i, term in enumerate(self.terms) if term in known]:
                for op in known[self.terms[number]]:
                    kinds[op].add(number)
        built_in = (PREFIXES["xsd"], PREFIXES["owl"])
        for number in [i for i, term in enumerate(self.terms) if term.startswith(built_in)]:
            term = self.terms[number]
            if term.startswith(PREFIXES["xsd"]) or term in _OWL_DATATYPES:
                kinds[Op.Datatype].add(number)
            elif term.endswith(("topObjectProperty", "bottomObjectProperty")):
                kinds[Op.ObjectProperty].add(number)
            elif term.endswith(("topDataProperty", "bottomDataProperty")):
                kinds[Op.DataProperty].add(number)
        kinds[Op.Datatype].add(ID["rdfs:Literal"])
        return kinds


def _unescaped(found: re.Match[str]) -> str:
    code = found[1] or found[2]
    if code:
        return chr(int(code, 16)) if int(code, 16) <= 0x10FFFF else "\ufffd"
    return _ESCAPED.get(found[3], found[3])
