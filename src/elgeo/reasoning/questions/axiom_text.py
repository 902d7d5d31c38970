"""Axioms as people write them: functional syntax, or `A SubClassOf r some B`; read into the nodes of an ontology."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise

from elgeo.errors import ElgeoError, UnknownNameError
from elgeo.ontology.expressions import NOTHING, OWL, THING, TOP_OBJECT_PROPERTY, Op
from elgeo.ontology.grammar import PREFIXES, SIGNATURES, Sort, literal
from elgeo.ontology.model import Builder
from elgeo.ontology.vocabulary import Kind, Vocabulary

_TOKEN = re.compile(
    r"""\s*(?:<[^<>\s]*>                         # a whole IRI
    | "(?:[^"\\]|\\.)*"(?:\^\^(?:<[^<>]*>|[^\s(){},]+)|@[\w-]+)?   # a literal, or a label
    | '(?:[^'\\]|\\.)*'                           # a label
    | [(){},⊑≡⊓⊔¬∘]
    | [^\s(){},<>"'⊑≡⊓⊔¬∘]+)""",
    re.VERBOSE,
)
_SYMBOLS = {"⊑": "SubClassOf", "≡": "EquivalentTo", "⊓": "and", "⊔": "or", "¬": "not", "∘": "o", "⊤": "owl:Thing"}
_CARDINALITIES = {"min": Op.ObjectMinCardinality, "max": Op.ObjectMaxCardinality, "exactly": Op.ObjectExactCardinality}
_FRAMES = {
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
_NEVER_ASKED = (Op.HasKey, Op.DatatypeRestriction)
"""Keys and facets have a syntax of their own."""
_KEYWORDS = {"and", "or", "not", "some", "only", "value", "self", "o", *_CARDINALITIES, *_FRAMES}

_WRITTEN = ("SubClassOf", "EquivalentTo", "DisjointWith", "Type", "SubPropertyOf", "SameAs", "DifferentFrom")
"""Keywords as people write them."""
_SPOKEN = ("is", "isa", "is_a", "is-a", "are")
"""Words that people say for SubClassOf."""
_NEAR = 0.66
"""How much of a word must be a keyword's for it to be a slip of the pen: `adn` still is one."""


class AxiomError(ElgeoError):
    """The text of an axiom, or of an expression, cannot be read."""

    def __init__(self, text: str, problem: str, what: str = "axiom") -> None:
        super().__init__(f"{what} {text.strip()!r}: {problem}")


def parse_axiom(text: str, vocabulary: Vocabulary, builder: Builder) -> int:
    """Read one axiom into `builder`; returns its node. Names are whole IRIs, CURIEs, fragments or quoted labels."""
    return _Parser(text, vocabulary, builder, "axiom").node()


def parse_class(text: str, vocabulary: Vocabulary, builder: Builder) -> int:
    """Read one class expression; returns its node."""
    return _Parser(text, vocabulary, builder, "expression").node()


class _Parser:
    def __init__(self, text: str, vocabulary: Vocabulary, builder: Builder, what: str) -> None:
        self.text, self.vocabulary, self.builder, self.what = text, vocabulary, builder, what
        self.tokens: list[str] = []
        at, stripped = 0, text.rstrip()
        while at < len(stripped):
            match = _TOKEN.match(stripped, at)
            if match is None:
                raise self._error(f"cannot read {stripped[at : at + 20]!r}")
            token = match.group().strip()
            self.tokens.append(_SYMBOLS.get(token, token))
            at = match.end()
        self.at = 0

    def node(self) -> int:
        """All of the text as one axiom or one expression."""
        if not self.tokens:
            raise self._error("there is nothing in it")
        try:
            node = self._axiom() if self.what == "axiom" else self._union()
            if self.at < len(self.tokens):
                raise self._error(f"did not expect {self.tokens[self.at]!r} after its end")
        except AxiomError as error:
            raise self._advised(error) from None
        return node

    def _error(self, problem: str) -> AxiomError:
        return AxiomError(self.text, problem, self.what)

    def _axiom(self) -> int:
        functional = len(self.tokens) > 1 and self.tokens[1] == "(" and self.tokens[0] in Op.__members__
        return self._functional(Sort.AXIOM) if functional else self._manchester()

    def _advised(self, error: AxiomError) -> AxiomError:
        """The error, with what may have been meant where some word is no keyword but nearly one, or stands for one."""
        if "did you mean" in str(error):
            return error
        words = [token.rstrip(":").lower() for token in self.tokens]
        if self.what != "axiom" and any(word in _FRAMES for word in words):
            return self._error(
                "this is an axiom: `elgeo entails` says whether it follows; give what stands on one side"
            )
        if self.what == "axiom" and not any(word in _FRAMES for word in words):
            spoken = [token for token in self.tokens if token.lower() in _SPOKEN and not self._is_name(token)]
            if spoken:
                return self._error(f"{spoken[0]!r} is no keyword: did you mean SubClassOf?")
            if words[2:3] in (["some"], ["only"]):
                subject, *rest = self.tokens
                return self._error(f"did you mean {' '.join([subject, 'SubClassOf', *rest])!r}?")
        known = {word.lower(): word for word in (*_KEYWORDS, *_WRITTEN, *Op.__members__)}
        for token, after in pairwise([*self.tokens, ""]):
            candidates = Op.__members__ if after == "(" else (*_KEYWORDS, *_WRITTEN)
            meant = difflib.get_close_matches(token.lower(), [each.lower() for each in candidates], 1, _NEAR)
            if meant and meant[0] != token.lower().rstrip(":") and not self._is_name(token):
                return self._error(f"{token!r} is no keyword: did you mean {known[meant[0]]}?")
        return error

    def _is_name(self, token: str) -> bool:
        """Whether a class, an individual or a role is called so."""
        for find in (self.vocabulary.class_id, self.vocabulary.role_id):
            with suppress(UnknownNameError):
                find(token)
                return True
        return False

    def _peek(self, ahead: int = 0) -> str:
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else ""

    def _next(self) -> str:
        token = self._peek()
        if not token:
            raise self._error("it ends too early")
        self.at += 1
        return token

    def _expect(self, wanted: str) -> None:
        found = self._peek()
        if found != wanted:
            raise self._error(f"expected {wanted!r}, not {found or 'its end'!r}")
        self.at += 1

    def _functional(self, *makes: Sort) -> int:
        """One constructor with its arguments, of a sort that fits its place."""
        op = Op[self._next()]
        shape = SIGNATURES.get(op)
        if shape is None or shape.makes not in makes or op in _NEVER_ASKED:
            what = "an axiom" if Sort.AXIOM in makes else "an expression"
            raise self._error(f"{op.name} is not {what} that can be asked for here")
        self._expect("(")
        arguments = list[int]()
        while self._peek() != ")":
            sort = shape.place(len(arguments))
            if not self._peek():
                raise self._error("it ends too early: a bracket is open")
            if sort is None:
                raise self._error(f"{op.name} has too many arguments")
            arguments.append(self._argument(sort))
        if len(arguments) < shape.fewest:
            raise self._error(f"{op.name} has too few arguments")
        self._expect(")")
        return (self.builder.axiom if shape.makes == Sort.AXIOM else self.builder.node)(op, *arguments)

    def _argument(self, sort: Sort) -> int:
        if sort == Sort.DATA_RANGE_LAST:
            last = self._peek(1) == ")" or self._peek() in Op.__members__
            sort = Sort.DATA_RANGE if last else Sort.DATA_PROPERTY
        readers: dict[Sort, Callable[[], int]] = {
            Sort.CLASS: self._class,
            Sort.ROLE: self._role,
            Sort.CHAIN: lambda: self._role(Sort.CHAIN),
            Sort.INDIVIDUAL: self._individual,
            Sort.NUMBER: self._number,
            Sort.DATA_PROPERTY: lambda: self.builder.entity(Op.DataProperty, self._whole(self._next())),
            Sort.DATA_RANGE: self._data_range,
            Sort.LITERAL: self._literal,
        }
        return readers[sort]()

    def _literal(self) -> int:
        token = self._next()
        end = token.rfind('"')
        text, rest = token[1:end].replace('\\"', '"').replace("\\\\", "\\"), token[end + 1 :]
        kind = self._whole(rest[2:]) if rest.startswith("^^") else ""
        return self.builder.entity(Op.Literal, literal(text, kind, rest[1:] if rest.startswith("@") else ""))

    def _data_range(self) -> int:
        if self._peek() in Op.__members__ and self._peek(1) == "(":
            return self._functional(Sort.DATA_RANGE)
        return self.builder.entity(Op.Datatype, self._whole(self._next()))

    def _whole(self, token: str) -> str:
        """The IRI of a name that the vocabulary does not keep."""
        if token.startswith("<"):
            return token[1:-1]
        prefix, _, local = token.partition(":")
        prefixes = {**PREFIXES, **self.vocabulary.prefixes}
        return prefixes[prefix] + local if prefix in prefixes else token

    def _class(self) -> int:
        """One class expression of functional syntax, or a name."""
        if self._peek() in Op.__members__ and self._peek(1) == "(":
            return self._functional(Sort.CLASS)
        return self._class_name(self._next())

    def _role(self, *also: Sort) -> int:
        if self._peek() in Op.__members__ and self._peek(1) == "(":
            return self._functional(Sort.ROLE, *also)
        return self._role_name(self._next())

    def _individual(self) -> int:
        return self._individual_name(self._next())

    def _number(self) -> int:
        token = self._next()
        if not token.isdigit():
            raise self._error(f"{token!r} should be a number")
        return self.builder.entity(Op.Literal, token)

    def _manchester(self) -> int:
        names = self.tokens
        frame = next((i for i, t in enumerate(names) if t.rstrip(":").lower() in _FRAMES), -1)
        if frame < 0:
            if len(names) == 3:
                subject, role, value = (self._next() for _ in range(3))
                return self.builder.axiom(
                    Op.ObjectPropertyAssertion,
                    self._role_name(role),
                    self._individual_name(subject),
                    self._individual_name(value),
                )
            raise self._error("no SubClassOf, EquivalentTo, DisjointWith, Type or the like in it")
        op = _FRAMES[names[frame].rstrip(":").lower()]
        if op == Op.SubObjectPropertyOf:
            left = self._chain()
        elif op in (Op.ObjectPropertyDomain, Op.ObjectPropertyRange):
            left = self._role_name(self._next())
        elif op in (Op.ClassAssertion, Op.SameIndividual, Op.DifferentIndividuals):
            left = self._individual_name(self._next())
        else:
            left = self._union()
        if self.at != frame:
            raise self._error(f"did not expect {self._peek()!r}: names with spaces need quotes")
        self.at += 1
        if op == Op.SubObjectPropertyOf:
            right = self._role_name(self._next())
        elif op in (Op.SameIndividual, Op.DifferentIndividuals):
            right = self._individual_name(self._next())
        else:
            right = self._union()
        return self.builder.axiom(op, *((right, left) if op == Op.ClassAssertion else (left, right)))

    def _chain(self) -> int:
        roles = [self._role_name(self._next())]
        while self._peek() == "o":
            self.at += 1
            roles.append(self._role_name(self._next()))
        return roles[0] if len(roles) == 1 else self.builder.node(Op.ObjectPropertyChain, *roles)

    def _union(self) -> int:
        return self._joined("or", Op.ObjectUnionOf, lambda: self._joined("and", Op.ObjectIntersectionOf, self._primary))

    def _joined(self, keyword: str, op: Op, operand: Callable[[], int]) -> int:
        parts = [operand()]
        while self._peek().lower() == keyword:
            self.at += 1
            parts.append(operand())
        return parts[0] if len(parts) == 1 else self.builder.node(op, *parts)

    def _primary(self) -> int:
        token = self._peek()
        if token == "(":
            self.at += 1
            inner = self._union()
            self._expect(")")
            return inner
        if token == "{":
            return self._one_of()
        if token.lower() == "not":
            self.at += 1
            return self.builder.node(Op.ObjectComplementOf, self._primary())
        if token in Op.__members__ and self._peek(1) == "(":
            return self._functional(Sort.CLASS)
        restriction = self._peek(1).lower()
        if restriction in ("some", "only", "value", "self", *_CARDINALITIES):
            return self._restriction(restriction)
        return self._class_or_individual(self._next())

    def _one_of(self) -> int:
        self._expect("{")
        members = [self._individual()]
        while self._peek() == ",":
            self.at += 1
            members.append(self._individual())
        self._expect("}")
        return self.builder.node(Op.ObjectOneOf, *members)

    def _restriction(self, keyword: str) -> int:
        role = self._role_name(self._next())
        self.at += 1
        if keyword == "self":
            return self.builder.node(Op.ObjectHasSelf, role)
        if keyword == "value":
            return self.builder.node(Op.ObjectHasValue, role, self._individual())
        if keyword in ("some", "only"):
            op = Op.ObjectSomeValuesFrom if keyword == "some" else Op.ObjectAllValuesFrom
            return self.builder.node(op, role, self._primary())
        return self.builder.node(_CARDINALITIES[keyword], self._number(), role, self._primary())

    def _class_name(self, token: str) -> int:
        return self.builder.entity(Op.Class, self._found(token, self.vocabulary.class_id, self.vocabulary.classes))

    def _class_or_individual(self, token: str) -> int:
        """A class; a name that only an individual has stands for the individual alone, as in the tables."""
        name = self._found(token, self.vocabulary.class_id, self.vocabulary.classes)
        try:
            kind = self.vocabulary.class_kinds[self.vocabulary.class_id(name)]
        except UnknownNameError:
            kind = Kind.NAMED
        if kind == Kind.INDIVIDUAL:
            return self.builder.node(Op.ObjectOneOf, self.builder.entity(Op.NamedIndividual, name))
        return self.builder.entity(Op.Class, name)

    def _individual_name(self, token: str) -> int:
        name = self._found(token, self.vocabulary.class_id, self.vocabulary.classes)
        return self.builder.entity(Op.NamedIndividual, name)

    def _role_name(self, token: str) -> int:
        return self.builder.entity(
            Op.ObjectProperty, self._found(token, self.vocabulary.role_id, self.vocabulary.roles)
        )

    def _found(self, token: str, find: Callable[[str], int], names: object) -> str:
        """The whole IRI of a name; one given whole may be new to the ontology."""
        built_in = {"Thing": THING, "Nothing": NOTHING, "topObjectProperty": TOP_OBJECT_PROPERTY}
        if token in "(){}," or token in _KEYWORDS or token.lower() in _FRAMES:
            raise self._error(f"expected a name, not {token!r}")
        if token.startswith("owl:"):
            return built_in.get(token[4:], OWL + token[4:])
        try:
            return str(names[find(token)])  # type: ignore[index]
        except UnknownNameError as error:
            if token.startswith("<"):
                return token[1:-1]
            if token.startswith("_:"):
                return token
            raise self._error(str(error)) from None
