"""What stands in frames of Manchester syntax: names, literals, classes, data ranges, properties."""

from __future__ import annotations

import re
from collections.abc import Callable

from elgeo.ontology.expressions import Op
from elgeo.ontology.grammar import PREFIXES, literal
from elgeo.ontology.model import Builder
from elgeo.ontology.reading.manchester.tokens import Tokens, unquoted

DEEPEST = 200
"""How deep expressions may nest, twice over; hand-made ones stay below 20."""
_XSD = PREFIXES["xsd"]
_SHORT_TYPES = {name: _XSD + name for name in ("integer", "decimal", "float", "string")}
_NUMBERS = (
    (re.compile(r"[+-]?\d+"), "integer"),
    (re.compile(r"[+-]?\d+\.\d+"), "decimal"),
    (re.compile(r"[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?[fF]"), "float"),
)
_FACETS = {
    "length": "length", "minLength": "minLength", "maxLength": "maxLength", "pattern": "pattern",
    "langRange": "langRange", "<=": "maxInclusive", "<": "maxExclusive", ">=": "minInclusive", ">": "minExclusive",
    "totalDigits": "totalDigits", "fractionDigits": "fractionDigits",
}  # fmt: skip
_RESTRICTIONS = ("some", "only", "value", "Self", "min", "max", "exactly", "onlysome")
_CARDINALITIES = {"min": "Min", "max": "Max", "exactly": "Exact"}
_WORDS = {"and", "or", "not", "that", "inverse", "o", *_RESTRICTIONS}
_BAD_IRI = re.compile(r'[\x00-\x20<>"{}|^`\\]')
_Read = Callable[[], int]


class ExpressionReader:
    """Reads from tokens into a builder; `kinds` are the properties and datatypes that frames speak of."""

    def __init__(self, tokens: Tokens, builder: Builder, kinds: dict[str, set[Op]]) -> None:
        self.tokens, self.builder, self.kinds = tokens, builder, kinds
        self._depth = 0
        self.parts: dict[int, list[int]] = {}
        """What is joined in each intersection that was read."""
        self.named: set[int] = set()
        """The nodes of classes by name."""

    def iri(self) -> str:
        """A whole IRI, a shortened one, or a simple name under the empty prefix."""
        token = self.tokens.take()
        if token.kind == "iri":
            return token.text[1:-1]
        if token.kind != "word" or token.text in _WORDS:
            raise self.tokens.error(f"expected a name, found {token.text[:40]!r}", token.at)
        if token.text.startswith("_:"):
            return token.text
        prefix, colon, local = token.text.partition(":")
        if not colon:
            prefix, local = "", token.text
        if prefix not in self.builder.prefixes:
            raise self.tokens.error(f"the prefix of {token.text[:80]!r} is not declared", token.at)
        found = self.builder.prefixes[prefix] + local
        if _BAD_IRI.search(found):
            raise self.tokens.error(f"{found[:80]!r} is no IRI", token.at)
        return found

    def entity(self, op: Op) -> int:
        return self.builder.entity(op, self.iri())

    def individual(self) -> int:
        return self.entity(Op.NamedIndividual)

    def listed(self, read: _Read) -> list[int]:
        """One or more, between commas."""
        found = [read()]
        while self.tokens.takes(","):
            found.append(read())
        return found

    def role(self) -> int:
        """An object property or the inverse of one."""
        if self.tokens.takes("inverse"):
            closing = self.tokens.takes("(")
            made = self.builder.node(Op.ObjectInverseOf, self.entity(Op.ObjectProperty))
            if closing:
                self.tokens.expect(")")
            return made
        return self.entity(Op.ObjectProperty)

    def literal(self) -> int:
        token = self.tokens.take()
        if token.kind == "literal":
            text = unquoted(token.text)
            if self.tokens.next.kind == "language":
                return self._literal(literal(text, language=self.tokens.take().text[1:]))
            if self.tokens.takes("^^"):
                return self._literal(literal(text, self.datatype()))
            return self._literal(literal(text))
        if token.kind == "word":
            for pattern, kind in _NUMBERS:
                if pattern.fullmatch(token.text):
                    return self._literal(
                        literal(token.text.rstrip("fF") if kind == "float" else token.text, _XSD + kind)
                    )
            if token.text in ("true", "false"):
                return self._literal(literal(token.text, _XSD + "boolean"))
        raise self.tokens.error(f"expected a literal, found {token.text[:40]!r}", token.at)

    def description(self) -> int:
        """A class: `A and (p some B) or C`."""
        return self._joined(("or",), Op.ObjectUnionOf, self._conjunction)

    def data_range(self) -> int:
        return self._joined(("or",), Op.DataUnionOf, self._data_conjunction)

    def _data_conjunction(self) -> int:
        return self._joined(("and",), Op.DataIntersectionOf, self._data_primary)

    def _joined(self, words: tuple[str, ...], op: Op, read: _Read) -> int:
        found = [self._deeper(read)]
        while self.tokens.takes(*words):
            found.append(self._deeper(read))
        if len(found) == 1:
            return found[0]
        made = self.builder.node(op, *found)
        if op == Op.ObjectIntersectionOf:
            self.parts[made] = found
        return made

    def _deeper(self, read: _Read) -> int:
        self._depth += 1
        if self._depth > DEEPEST:
            raise self.tokens.error(f"expressions nest more than {DEEPEST} deep")
        found = read()
        self._depth -= 1
        return found

    def _grouped(self, complement: Op, operand: _Read, whole: _Read, one_of: Op, member: _Read) -> int | None:
        """`not …`, `(…)` or `{…}`, of classes or of data ranges, where one of them begins."""
        if self.tokens.takes("not"):
            return self.builder.node(complement, self._deeper(operand))
        if self.tokens.takes("("):
            made = whole()
            self.tokens.expect(")")
            return made
        if self.tokens.takes("{"):
            members = self.listed(member)
            self.tokens.expect("}")
            return self.builder.node(one_of, *members)
        return None

    def _conjunction(self) -> int:
        return self._joined(("and", "that"), Op.ObjectIntersectionOf, self._primary)

    def _primary(self) -> int:
        tokens = self.tokens
        made = self._grouped(Op.ObjectComplementOf, self._primary, self.description, Op.ObjectOneOf, self.individual)
        if made is not None:
            return made
        if tokens.next.text == "inverse" or tokens.after(1).text in _RESTRICTIONS or self._has_many_properties():
            return self._restriction()
        name = self.entity(Op.Class)
        self.named.add(name)
        return name

    def _has_many_properties(self) -> bool:
        """Whether a restriction of several data properties begins: `p q some …`."""
        return tokens_are_names(self.tokens) and self._is_data(self._peeked())

    def is_data_property(self) -> bool:
        """Whether the next name is of a data property, and of nothing else."""
        return self.tokens.next.text != "inverse" and self._is_data(self._peeked())

    def _peeked(self) -> str:
        place = self.tokens.place
        found = self.iri()
        self.tokens.place = place
        return found

    def _is_data(self, iri: str) -> bool:
        return Op.DataProperty in self.kinds.get(iri, ()) and Op.ObjectProperty not in self.kinds.get(iri, ())

    def _restriction(self) -> int:
        tokens = self.tokens
        if self.is_data_property():
            return self._data_restriction()
        role = self.role()
        word = tokens.take()
        match word.text:
            case "some":
                return self.builder.node(Op.ObjectSomeValuesFrom, role, self._deeper(self._primary))
            case "only":
                return self.builder.node(Op.ObjectAllValuesFrom, role, self._deeper(self._primary))
            case "value":
                return self.builder.node(Op.ObjectHasValue, role, self.individual())
            case "Self":
                return self.builder.node(Op.ObjectHasSelf, role)
            case "min" | "max" | "exactly":
                op = Op[f"Object{_CARDINALITIES[word.text]}Cardinality"]
                number = self._number()
                filler = [self._deeper(self._primary)] if self._goes_on() else []
                return self.builder.node(op, number, role, *filler)
        raise tokens.error(f"expected some, only, value, Self, min, max or exactly, found {word.text[:40]!r}", word.at)

    def _data_restriction(self) -> int:
        tokens = self.tokens
        properties = [self.entity(Op.DataProperty)]
        while tokens.next.text not in _RESTRICTIONS:
            properties.append(self.entity(Op.DataProperty))
        word = tokens.take().text
        if word in ("some", "only"):
            op = Op.DataSomeValuesFrom if word == "some" else Op.DataAllValuesFrom
            return self.builder.node(op, *properties, self._data_primary())
        if word == "value" and len(properties) == 1:
            return self.builder.node(Op.DataHasValue, properties[0], self.literal())
        if word in _CARDINALITIES and len(properties) == 1:
            number = self._number()
            filler = [self._data_primary()] if self._goes_on() else []
            return self.builder.node(Op[f"Data{_CARDINALITIES[word]}Cardinality"], number, properties[0], *filler)
        raise tokens.error(f"a data property cannot have {word!r}")

    def _goes_on(self) -> bool:
        """Whether a filler follows a number."""
        token = self.tokens.next
        if token.kind == "word":
            return token.text not in ("and", "or", "that") and not is_keyword(token.text)
        return token.kind == "iri" or token.text in ("(", "{")

    def _number(self) -> int:
        token = self.tokens.take()
        if not (token.text.isascii() and token.text.isdigit()):
            raise self.tokens.error(f"expected a number, found {token.text[:40]!r}", token.at)
        return self.builder.entity(Op.Literal, token.text.lstrip("0") or "0")

    def _data_primary(self) -> int:
        tokens, builder = self.tokens, self.builder
        made = self._grouped(Op.DataComplementOf, self._data_primary, self.data_range, Op.DataOneOf, self.literal)
        if made is not None:
            return made
        made = builder.entity(Op.Datatype, self.datatype())
        if not tokens.takes("["):
            return made
        facets = [*self._facet()]
        while tokens.takes(","):
            facets += self._facet()
        tokens.expect("]")
        return builder.node(Op.DatatypeRestriction, made, *facets)

    def _facet(self) -> tuple[int, int]:
        token = self.tokens.take()
        if token.text not in _FACETS:
            raise self.tokens.error(f"no facet is called {token.text[:40]!r}", token.at)
        space = PREFIXES["rdf"] if token.text == "langRange" else _XSD
        return self.builder.entity(Op.AnnotationProperty, space + _FACETS[token.text]), self.literal()

    def datatype(self) -> str:
        return _SHORT_TYPES[self.tokens.take().text] if self.tokens.next.text in _SHORT_TYPES else self.iri()

    def _literal(self, text: str) -> int:
        return self.builder.entity(Op.Literal, text)


def tokens_are_names(tokens: Tokens) -> bool:
    """Whether two names follow each other."""
    return all(
        each.kind == "iri" or (each.kind == "word" and each.text not in _WORDS and not is_keyword(each.text))
        for each in (tokens.next, tokens.after(1))
    )


def is_keyword(word: str) -> bool:
    """Whether a word opens a frame or a part of one: `Class:`, `SubClassOf:`."""
    return word.endswith(":") and word[:-1].isalpha()
