"""The words of an axiom as people write it, taken one after the other, and the names among them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress

from elgeo.documents import shown
from elgeo.errors import ElgeoError, UnknownNameError
from elgeo.ontology.expressions import OWL, Op
from elgeo.ontology.grammar import PREFIXES
from elgeo.ontology.model import Builder
from elgeo.ontology.vocabulary import Kind, Vocabulary

CARDINALITIES = {"min": Op.ObjectMinCardinality, "max": Op.ObjectMaxCardinality, "exactly": Op.ObjectExactCardinality}
FRAMES = {
    "subclassof": Op.SubClassOf,
    "equivalentto": Op.EquivalentClasses,
    "disjointwith": Op.DisjointClasses,
    "type": Op.ClassAssertion,
    "types": Op.ClassAssertion,
    "subpropertyof": Op.SubObjectPropertyOf,
    "domain": Op.ObjectPropertyDomain,
    "range": Op.ObjectPropertyRange,
    "sameas": Op.SameIndividual,
    "differentfrom": Op.DifferentIndividuals,
}
KEYWORDS = {"and", "or", "not", "some", "only", "value", "self", "o", *CARDINALITIES, *FRAMES}
"""Words that are never names unless quoted."""

_TOKEN = re.compile(
    r"""\s*(?:<[^<>\s]*>                         # a whole IRI
    | "(?:[^"\\]|\\.)*"(?:\^\^(?:<[^<>]*>|[^\s(){},]+)|@[\w-]+)?   # a literal, or a label
    | '(?:[^'\\]|\\.)*'                           # a label
    | [(){},⊑≡⊓⊔¬∘]
    | [^\s(){},<>"'⊑≡⊓⊔¬∘]+)""",
    re.VERBOSE,
)
_SYMBOLS = {"⊑": "SubClassOf", "≡": "EquivalentTo", "⊓": "and", "⊔": "or", "¬": "not", "∘": "o", "⊤": "owl:Thing"}

_LONGEST = 100
"""Characters of a text that are said with what is wrong in it."""


class AxiomError(ElgeoError):
    """The text of an axiom, or of an expression, cannot be read."""

    def __init__(self, text: str, problem: str, what: str = "axiom") -> None:
        super().__init__(f"{what} {shown(text.strip(), _LONGEST)}: {problem}")
        self.problem = problem


class AxiomWords:
    """The words of one text, from the first to the last; names become nodes of `builder`."""

    def __init__(self, text: str, vocabulary: Vocabulary, builder: Builder, what: str) -> None:
        self.text, self.vocabulary, self.builder, self.what = text, vocabulary, builder, what
        self.tokens: list[str] = []
        at, stripped = 0, text.rstrip()
        while at < len(stripped):
            match = _TOKEN.match(stripped, at)
            if match is None:
                raise self.error(f"cannot read {stripped[at : at + 20]!r}")
            token = match.group().strip()
            self.tokens.append(_SYMBOLS.get(token, token))
            at = match.end()
        self.at = 0

    def error(self, problem: str) -> AxiomError:
        return AxiomError(self.text, problem, self.what)

    def peek(self, ahead: int = 0) -> str:
        """The word that comes next, or some words later; nothing after the end."""
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else ""

    def next(self) -> str:
        token = self.peek()
        if not token:
            raise self.error("it ends too early")
        self.at += 1
        return token

    def expect(self, wanted: str) -> None:
        found = self.peek()
        if found != wanted:
            raise self.error(f"expected {wanted!r}, not {shown(found or 'its end')}")
        self.at += 1

    def at_constructor(self) -> bool:
        """Whether a constructor of functional syntax comes next, as in `ObjectSomeValuesFrom(`."""
        return self.peek() in Op.__members__ and self.peek(1) == "("

    def number(self) -> int:
        token = self.next()
        if not token.isdigit():
            raise self.error(f"{shown(token)} should be a number")
        return self.builder.entity(Op.Literal, token)

    def class_name(self) -> int:
        return self.builder.entity(Op.Class, self._class())

    def individual_name(self) -> int:
        return self.builder.entity(Op.NamedIndividual, self._class())

    def role_name(self) -> int:
        return self.builder.entity(
            Op.ObjectProperty, self._found(self.next(), self.vocabulary.role_id, self.vocabulary.roles)
        )

    def class_or_individual(self) -> int:
        """A class; a name that only an individual has stands for the individual alone, as in the tables."""
        name = self._class()
        try:
            kind = self.vocabulary.class_kinds[self.vocabulary.class_id(name)]
        except UnknownNameError:
            kind = Kind.NAMED
        if kind == Kind.INDIVIDUAL:
            return self.builder.node(Op.ObjectOneOf, self.builder.entity(Op.NamedIndividual, name))
        return self.builder.entity(Op.Class, name)

    def is_name(self, token: str) -> bool:
        """Whether a class, an individual or a role is called so."""
        for find in (self.vocabulary.class_id, self.vocabulary.role_id):
            with suppress(UnknownNameError):
                find(token)
                return True
        return False

    def whole(self, token: str) -> str:
        """The IRI of a name that the vocabulary does not keep."""
        if token.startswith("<"):
            return token[1:-1]
        prefix, _, local = token.partition(":")
        prefixes = {**PREFIXES, **self.vocabulary.prefixes}
        return prefixes[prefix] + local if prefix in prefixes else token

    def _class(self) -> str:
        return self._found(self.next(), self.vocabulary.class_id, self.vocabulary.classes)

    def _found(self, token: str, find: Callable[[str], int], names: Sequence[str]) -> str:
        """The whole IRI of a name; one given whole may be new to the ontology."""
        if token in "(){}," or token in KEYWORDS or token.lower() in FRAMES:
            raise self.error(f"expected a name, not {shown(token)}")
        if token.startswith("owl:"):
            return OWL + token[4:]
        try:
            return names[find(token)]
        except UnknownNameError as error:
            if token.startswith("<"):
                return token[1:-1]
            if token.startswith("_:"):
                return token
            raise self.error(str(error)) from None
