"""An axiom, or an expression, written in functional syntax; read by the grammar that files are read by."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from elgeo.ontology.expressions import Op
from elgeo.ontology.grammar import SIGNATURES, Sort, literal
from elgeo.reasoning.questions.axiom_words import AxiomWords


def read_constructor(words: AxiomWords, *makes: Sort) -> int:
    """One constructor with its arguments, of a sort that fits its place."""
    op = Op[words.next()]
    shape = SIGNATURES.get(op)
    if shape is None or shape.makes not in makes:
        what = "an axiom" if Sort.AXIOM in makes else "an expression"
        raise words.error(f"{op.name} is not {what} that can be asked for here")
    words.expect("(")
    arguments = list[int]()
    while words.peek() != ")":
        if op == Op.HasKey and arguments:
            arguments += [*_key_part(words, _role), *_key_part(words, _data_property)]
            break
        sort = shape.place(len(arguments))
        if not words.peek():
            raise words.error("it ends too early: a bracket is open")
        if sort is None:
            raise words.error(f"{op.name} has too many arguments")
        if sort == Sort.DATA_RANGE_LAST:
            last = words.peek(1) == ")" or words.peek() in Op.__members__
            sort = Sort.DATA_RANGE if last else Sort.DATA_PROPERTY
        arguments.append(_ARGUMENTS[sort](words))
    if len(arguments) < shape.fewest:
        raise words.error(f"{op.name} has too few arguments")
    words.expect(")")
    return (words.builder.axiom if shape.makes == Sort.AXIOM else words.builder.node)(op, *arguments)


def _key_part(words: AxiomWords, read: Callable[[AxiomWords], int]) -> Iterator[int]:
    """The properties of a key between brackets of their own."""
    words.expect("(")
    while words.peek() != ")":
        yield read(words)
    words.expect(")")


def _class(words: AxiomWords) -> int:
    return read_constructor(words, Sort.CLASS) if words.at_constructor() else words.class_name()


def _role(words: AxiomWords) -> int:
    return read_constructor(words, Sort.ROLE) if words.at_constructor() else words.role_name()


def _chain(words: AxiomWords) -> int:
    return read_constructor(words, Sort.ROLE, Sort.CHAIN) if words.at_constructor() else words.role_name()


def _data_property(words: AxiomWords) -> int:
    return words.builder.entity(Op.DataProperty, words.whole(words.next()))


def _data_range(words: AxiomWords) -> int:
    if words.at_constructor():
        return read_constructor(words, Sort.DATA_RANGE)
    return words.builder.entity(Op.Datatype, words.whole(words.next()))


def _literal(words: AxiomWords) -> int:
    token = words.next()
    end = token.rfind('"')
    text, rest = token[1:end].replace('\\"', '"').replace("\\\\", "\\"), token[end + 1 :]
    kind = words.whole(rest[2:]) if rest.startswith("^^") else ""
    return words.builder.entity(Op.Literal, literal(text, kind, rest[1:] if rest.startswith("@") else ""))


_ARGUMENTS: dict[Sort, Callable[[AxiomWords], int]] = {
    Sort.CLASS: _class,
    Sort.ROLE: _role,
    Sort.CHAIN: _chain,
    Sort.INDIVIDUAL: AxiomWords.individual_name,
    Sort.NUMBER: AxiomWords.number,
    Sort.DATA_PROPERTY: _data_property,
    Sort.DATA_RANGE: _data_range,
    Sort.LITERAL: _literal,
    Sort.FACET: lambda words: words.builder.entity(Op.AnnotationProperty, words.whole(words.next())),
}
