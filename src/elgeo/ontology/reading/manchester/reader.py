"""Reads Manchester syntax: frames that say what there is to say of one name, and axioms between several."""

from __future__ import annotations

from collections.abc import Callable

from elgeo.ontology.expressions import Op
from elgeo.ontology.grammar import PREFIXES, REPLACED, TEXTS
from elgeo.ontology.model import Builder, Ontology
from elgeo.ontology.reading.formats import check_utf8
from elgeo.ontology.reading.labels import ENGLISH, Naming
from elgeo.ontology.reading.manchester.expressions import ExpressionReader, is_keyword
from elgeo.ontology.reading.manchester.tokens import Tokens, unquoted

_FRAMES = {
    "Class:": Op.Class,
    "ObjectProperty:": Op.ObjectProperty,
    "DataProperty:": Op.DataProperty,
    "AnnotationProperty:": Op.AnnotationProperty,
    "Datatype:": Op.Datatype,
    "Individual:": Op.NamedIndividual,
}
_SETS = {
    "EquivalentClasses:": Op.EquivalentClasses,
    "DisjointClasses:": Op.DisjointClasses,
    "SameIndividual:": Op.SameIndividual,
    "DifferentIndividuals:": Op.DifferentIndividuals,
    "EquivalentProperties:": Op.EquivalentObjectProperties,
    "DisjointProperties:": Op.DisjointObjectProperties,
}
_OF_DATA = {
    Op.EquivalentObjectProperties: Op.EquivalentDataProperties,
    Op.DisjointObjectProperties: Op.DisjointDataProperties,
}
_CHARACTERISTICS = {
    name: Op[f"{name}ObjectProperty"]
    for name in ("Functional", "InverseFunctional", "Reflexive", "Irreflexive", "Symmetric", "Asymmetric", "Transitive")
}
_TEXTS = frozenset(TEXTS)


def read_manchester(data: bytes, file: str, language: str = ENGLISH) -> Ontology:
    """The ontology in a document of Manchester syntax."""
    check_utf8(data, file)
    return _Reader(Tokens(data.decode(), file), language).read()


class _Reader:
    def __init__(self, tokens: Tokens, language: str) -> None:
        self.tokens, self.builder, self.naming = tokens, Builder(), Naming(language)
        self.builder.prefixes.update(PREFIXES)
        self.kinds: dict[str, set[Op]] = {}
        self.said = ExpressionReader(tokens, self.builder, self.kinds)
        self.iri: str | None = None
        self.imports: list[str] = []

    def read(self) -> Ontology:
        self._header()
        self._look_ahead()
        tokens = self.tokens
        while tokens.next.kind != "end":
            word = tokens.take()
            if word.text in _FRAMES:
                self._frame(_FRAMES[word.text])
            elif word.text in _SETS:
                self._set(_SETS[word.text])
            elif word.text == "Rule:":
                self._skip_rule()
            else:
                raise tokens.error(f"expected a frame (Class:, ObjectProperty:, …), found {word.text[:40]!r}", word.at)
        self.naming.into(self.builder)
        return self.builder.finish(iri=self.iri, format="manchester", imports=tuple(self.imports))

    def _header(self) -> None:
        tokens = self.tokens
        while tokens.takes("Prefix:"):
            name = tokens.take().text
            if not name.endswith(":"):
                raise tokens.error(f"a prefix ends in a colon, not {name[:40]!r}")
            self.builder.prefixes[name[:-1]] = self.said.iri()
        if tokens.takes("Ontology:"):
            if self.is_name():
                self.iri = self.said.iri()
            if self.is_name():
                self.said.iri()  # of its version
        while tokens.next.text in ("Import:", "Annotations:"):
            if tokens.take().text == "Import:":
                self.imports.append(self.said.iri())
            else:
                self.annotations()

    def is_name(self) -> bool:
        token = self.tokens.next
        return token.kind == "iri" or (token.kind == "word" and not is_keyword(token.text))

    def _look_ahead(self) -> None:
        """What each name is, by the frames there are: a restriction does not say whether its property is of data."""
        tokens, first = self.tokens, self.tokens.place
        while tokens.next.kind != "end":
            op = _FRAMES.get(tokens.take().text)
            if op is not None and self.is_name():
                self.kinds.setdefault(self.said.iri(), set()).add(op)
        tokens.place = first

    def _frame(self, op: Op) -> None:
        tokens, builder = self.tokens, self.builder
        iri = self.said.iri()
        me = builder.entity(op, iri)
        if not iri.startswith("_:"):
            builder.declare(me)
        parts = _PARTS[op]
        while is_keyword(tokens.next.text) and tokens.next.text not in _FRAMES and tokens.next.text not in _SETS:
            word = tokens.take()
            if word.text == "Annotations:":
                self.annotations(iri)
            elif word.text in parts:
                parts[word.text](self, me)
            elif word.text == "Rule:":
                tokens.place -= 1
                return
            else:
                raise tokens.error(f"{word.text} cannot stand in a frame of a {op.name}", word.at)

    def annotations(self, subject: str = "") -> None:
        """Annotations between commas; those of a subject whose words are kept are kept."""
        while True:
            if self.tokens.takes("Annotations:"):
                self.annotations()
            self.builder.ignored["annotations"] += 1
            name = self.said.iri()
            token = self.tokens.next
            if token.kind == "literal":
                self.tokens.take()
                language = ""
                if self.tokens.next.kind == "language":
                    language = self.tokens.take().text[1:]
                elif self.tokens.takes("^^"):
                    self.said.datatype()
                if subject and name in _TEXTS:
                    self.naming.add(name, subject, unquoted(token.text), language)
            elif token.kind == "iri" or not self._is_value(token.text):
                value = self.said.iri()
                if subject and name == REPLACED:
                    self.naming.add(name, subject, value)
            else:
                self.said.literal()
            if not self.tokens.takes(","):
                return

    @staticmethod
    def _is_value(text: str) -> bool:
        return text in ("true", "false") or text[:1].isdigit() or text[:1] in "+-."

    def items(self, read: Callable[[], None]) -> None:
        """What stands in a part of a frame, each with annotations of its own."""
        while True:
            if self.tokens.takes("Annotations:"):
                self.annotations()
            read()
            if not self.tokens.takes(","):
                return

    def _set(self, op: Op) -> None:
        if self.tokens.takes("Annotations:"):
            self.annotations()
        said = self.said
        if op in _OF_DATA:
            if said.is_data_property():
                members = said.listed(lambda: said.entity(Op.DataProperty))
                self.builder.axiom(_OF_DATA[op], *members)
                return
            self.builder.axiom(op, *said.listed(said.role))
        elif op in (Op.SameIndividual, Op.DifferentIndividuals):
            self.builder.axiom(op, *said.listed(said.individual))
        else:
            members = said.listed(said.description)
            if op == Op.EquivalentClasses and (parts := self._inclusion(members)):
                self.builder.axiom(Op.SubClassOf, *parts)
            else:
                self.builder.axiom(op, *members)

    def _inclusion(self, members: list[int]) -> tuple[int, int] | None:
        """X and Y of `X, X and Y` with a nameless X: the only words there are for X ⊑ Y."""
        if len(members) != 2 or members[0] in self.said.named:
            return None
        parts = self.said.parts.get(members[1], [])
        return (parts[0], parts[1]) if len(parts) == 2 and parts[0] == members[0] else None

    def _skip_rule(self) -> None:
        """Rules are beyond OWL 2: their text is kept as an axiom that nothing is made of."""
        parts = []
        while self.tokens.next.kind != "end" and not is_keyword(self.tokens.next.text):
            parts.append(self.tokens.take().text)
        self.builder.axiom(Op.DLSafeRule, self.builder.entity(Op.Literal, " ".join(parts)))


Part = Callable[[_Reader, int], None]


def _pairs(op: Op, read: Callable[[ExpressionReader], int], turned: bool = False) -> Part:
    """An axiom between the name of the frame and each item."""

    def part(reader: _Reader, me: int) -> None:
        def one() -> None:
            other = read(reader.said)
            reader.builder.axiom(op, *((other, me) if turned else (me, other)))

        reader.items(one)

    return part


def _whole(op: Op, read: Callable[[ExpressionReader], int]) -> Part:
    """One axiom of the name and all items."""

    def part(reader: _Reader, me: int) -> None:
        if reader.tokens.takes("Annotations:"):
            reader.annotations()
        reader.builder.axiom(op, me, *reader.said.listed(lambda: read(reader.said)))

    return part


def _characteristics(only: Op | None) -> Part:
    def part(reader: _Reader, me: int) -> None:
        def one() -> None:
            word = reader.tokens.take()
            if word.text not in _CHARACTERISTICS or (only is not None and word.text != "Functional"):
                raise reader.tokens.error(f"no characteristic is called {word.text[:40]!r}", word.at)
            reader.builder.axiom(only or _CHARACTERISTICS[word.text], me)

        reader.items(one)

    return part


def _chains(reader: _Reader, me: int) -> None:
    def one() -> None:
        roles = [reader.said.role()]
        while reader.tokens.takes("o"):
            roles.append(reader.said.role())
        reader.builder.axiom(Op.SubObjectPropertyOf, reader.builder.node(Op.ObjectPropertyChain, *roles), me)

    reader.items(one)


def _key(reader: _Reader, me: int) -> None:
    if reader.tokens.takes("Annotations:"):
        reader.annotations()
    roles, values = list[int](), list[int]()
    while reader.is_name() or reader.tokens.next.text == "inverse":
        if reader.said.is_data_property():
            values.append(reader.said.entity(Op.DataProperty))
        else:
            roles.append(reader.said.role())
        reader.tokens.takes(",")
    reader.builder.axiom(Op.HasKey, me, *roles, *values)


def _facts(reader: _Reader, me: int) -> None:
    def one() -> None:
        said, denied = reader.said, "Negative" * reader.tokens.takes("not")
        if said.is_data_property() or (reader.tokens.after(1).kind == "literal"):
            name = said.entity(Op.DataProperty)
            reader.builder.axiom(Op[f"{denied}DataPropertyAssertion"], name, me, said.literal())
        else:
            role = said.role()
            reader.builder.axiom(Op[f"{denied}ObjectPropertyAssertion"], role, me, said.individual())

    reader.items(one)


def _ignored(reader: _Reader, me: int) -> None:
    def one() -> None:
        reader.said.iri()
        reader.builder.ignored["annotations"] += 1

    reader.items(one)


def _role(said: ExpressionReader) -> int:
    return said.role()


def _data_property(said: ExpressionReader) -> int:
    return said.entity(Op.DataProperty)


_description, _data_range, _individual = (
    ExpressionReader.description,
    ExpressionReader.data_range,
    ExpressionReader.individual,
)
_PARTS: dict[Op, dict[str, Part]] = {
    Op.Class: {
        "SubClassOf:": _pairs(Op.SubClassOf, _description),
        "EquivalentTo:": _pairs(Op.EquivalentClasses, _description),
        "DisjointWith:": _pairs(Op.DisjointClasses, _description),
        "DisjointUnionOf:": _whole(Op.DisjointUnion, _description),
        "HasKey:": _key,
    },
    Op.ObjectProperty: {
        "Domain:": _pairs(Op.ObjectPropertyDomain, _description),
        "Range:": _pairs(Op.ObjectPropertyRange, _description),
        "Characteristics:": _characteristics(None),
        "SubPropertyOf:": _pairs(Op.SubObjectPropertyOf, _role),
        "EquivalentTo:": _pairs(Op.EquivalentObjectProperties, _role),
        "DisjointWith:": _pairs(Op.DisjointObjectProperties, _role),
        "InverseOf:": _pairs(Op.InverseObjectProperties, _role),
        "SubPropertyChain:": _chains,
    },
    Op.DataProperty: {
        "Domain:": _pairs(Op.DataPropertyDomain, _description),
        "Range:": _pairs(Op.DataPropertyRange, _data_range),
        "Characteristics:": _characteristics(Op.FunctionalDataProperty),
        "SubPropertyOf:": _pairs(Op.SubDataPropertyOf, _data_property),
        "EquivalentTo:": _pairs(Op.EquivalentDataProperties, _data_property),
        "DisjointWith:": _pairs(Op.DisjointDataProperties, _data_property),
    },
    Op.AnnotationProperty: {"Domain:": _ignored, "Range:": _ignored, "SubPropertyOf:": _ignored},
    Op.Datatype: {"EquivalentTo:": _pairs(Op.DatatypeDefinition, _data_range)},
    Op.NamedIndividual: {
        "Types:": _pairs(Op.ClassAssertion, _description, turned=True),
        "Facts:": _facts,
        "SameAs:": _pairs(Op.SameIndividual, _individual),
        "DifferentFrom:": _pairs(Op.DifferentIndividuals, _individual),
    },
}
