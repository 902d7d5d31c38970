"""Reads OWL functional syntax: the header here, the axioms in a kernel, then the names people use."""

from __future__ import annotations

import re

import numpy as np

from elgeo.errors import ReadError
from elgeo.ontology.arena import ARGS, NODES, Arena, doubled, grown, new_arena
from elgeo.ontology.expressions import Op
from elgeo.ontology.grammar import MAX_DEPTH, PREFIXES, REPLACED, SIGNATURES, TEXTS
from elgeo.ontology.model import Ontology
from elgeo.ontology.reading.formats import check_utf8, line_of
from elgeo.ontology.reading.functional.codes import (
    ANNOTATIONS,
    AXIOM,
    DECLARED,
    DONE,
    ERROR_OP,
    ERROR_PLACE,
    EVENTS,
    GROW,
    GROW_BLOB,
    IMPORTED,
    KEYWORDS,
    MISPLACED,
    NOTE,
    POSITION,
    RULED,
    TOO_DEEP,
    TOO_FEW,
    TOO_MANY,
    TOP,
    UNKNOWN,
    grammar_table,
)
from elgeo.ontology.reading.functional.kernel import parse_axioms
from elgeo.ontology.reading.functional.parser_state import Parse, new_parse
from elgeo.ontology.reading.functional.tokens import BAD_IRI, BAD_STRING, NO_PREFIX, TRUNCATED, words
from elgeo.ontology.reading.labels import ENGLISH, Naming
from elgeo.ontology.reading.swrl import rule_text, with_rules

_BLANK = rb"(?:\s|#[^\n]*(?:\n|\Z))*+"
_PREFIX = re.compile(rb"%bPrefix%b\(%b([^\s()<>\"=]*):%b=%b<([^<>\"\s]*)>%b\)" % ((_BLANK,) * 6))
_ONTOLOGY = re.compile(rb"%bOntology%b\(%b" % ((_BLANK,) * 3))
_IRI = re.compile(rb"(?:<([^<>\"\s]+)>|([^\s()<>\"=:]*):([^\s()<>\"=]*))%b" % _BLANK)
_END = re.compile(rb"%b\Z" % _BLANK)
_LITERAL = re.compile(rb'"((?:[^"\\]|\\.)*+)"(?:@([\w-]+))?', re.DOTALL)


def read_functional(data: bytes, file: str, language: str = ENGLISH) -> Ontology:
    """The ontology in a document of OWL functional syntax."""
    check_utf8(data, file)
    prefixes, at = _prefixes(data, file)
    opening = _ONTOLOGY.match(data, at)
    if not opening:
        raise _error(f"expected Prefix(name:=<IRI>) or Ontology(, found {_excerpt(data, at)}", data, at, file)
    at = opening.end()
    iris: list[str] = []
    while len(iris) < 2 and (found := _IRI.match(data, at)):
        iris.append(_expanded(found, prefixes, data, file))
        at = found.end()
    arena, parse = _parsed(data, at, prefixes, file)
    end = int(parse.state[POSITION])
    if not _END.match(data, end):
        raise _error(f"something follows the end of the ontology: {_excerpt(data, end)}", data, end, file)
    return _ontology(arena, parse, data, prefixes, iris[0] if iris else None, Naming(language), file)


def _prefixes(data: bytes, file: str) -> tuple[dict[str, str], int]:
    declared: dict[str, str] = {}
    at = 0
    while found := _PREFIX.match(data, at):
        name, iri = found[1].decode(), found[2].decode()
        if declared.setdefault(name, iri) != iri:
            raise _error(f"the prefix {name}: is declared twice, differently", data, found.start(1), file)
        at = found.end()
    return PREFIXES | declared, at


def _expanded(found: re.Match[bytes], prefixes: dict[str, str], data: bytes, file: str) -> str:
    if found[1] is not None:
        return found[1].decode()
    prefix = found[2].decode()
    if prefix not in prefixes:
        raise _error(f"the prefix {prefix}: is not declared", data, found.start(), file)
    return prefixes[prefix] + found[3].decode()


def _parsed(data: bytes, at: int, prefixes: dict[str, str], file: str) -> tuple[Arena, Parse]:
    source, grammar = np.frombuffer(data, np.uint8), grammar_table()
    known = words(KEYWORDS | {f"{prefix}:": iri for prefix, iri in prefixes.items()})
    arena = new_arena(len(data) // 300, len(data) // 100, TEXTS)
    parse = new_parse(at, len(data))
    while (ended := parse_axioms(arena, parse, grammar, known, source)) != DONE:
        if ended == GROW:
            arena = grown(arena, args=int(parse.state[TOP]) + 2)
            if parse.state[TOP] + 3 > len(parse.stack):
                parse = parse._replace(stack=doubled(parse.stack))
            if parse.state[EVENTS] + 1 > len(parse.events):
                parse = parse._replace(events=doubled(parse.events))
        elif ended == GROW_BLOB:
            arena = arena._replace(blob=doubled(arena.blob))
        else:
            raise _failed(ended, parse, data, file)
    return arena, parse


def _ontology(
    arena: Arena, parse: Parse, data: bytes, prefixes: dict[str, str], iri: str | None, naming: Naming, file: str
) -> Ontology:
    events = parse.events[: parse.state[EVENTS]]
    of_kind = {kind: events[events[:, 0] == kind, 1:] for kind in (AXIOM, DECLARED, IMPORTED, NOTE, RULED)}
    strings = arena.strings()
    for name, subject, begin in of_kind[NOTE].tolist():
        if found := _LITERAL.match(data, begin):
            text = found[1].decode()
            if "\\" in text:
                text = re.sub(r'\\(["\\])', r"\1", text)
            naming.add(TEXTS[name], strings[subject], text, (found[2] or b"").decode())
        elif TEXTS[name] == REPLACED and (named := _IRI.match(data, begin)):
            naming.add(REPLACED, strings[subject], _expanded(named, prefixes, data, file))
    declared = of_kind[DECLARED][:, 0]
    nodes = int(arena.sizes[NODES])
    made = Ontology(
        strings=strings,
        op=arena.ops[:nodes].copy(),
        start=arena.node_starts[: nodes + 1].copy(),
        args=arena.args[: int(arena.sizes[ARGS])].copy(),
        axiom_nodes=of_kind[AXIOM][:, 0].astype(np.int32),
        declared=np.array(list(dict.fromkeys(declared.tolist())), np.int32),
        iri=iri,
        format="functional",
        labels=naming.labels,
        other_labels=naming.other_labels,
        synonyms=naming.synonyms,
        scopes=naming.scopes,
        definitions=naming.definitions,
        prefixes=prefixes,
        deprecated=tuple(naming.deprecated),
        replaced=naming.replaced,
        ignored={"annotations": int(parse.state[ANNOTATIONS]), "declarations": len(declared)},
        imports=tuple(strings[s] for s in of_kind[IMPORTED][:, 0]),
    )
    if not len(of_kind[RULED]):
        return made
    before = np.searchsorted(np.flatnonzero(events[:, 0] == AXIOM), np.flatnonzero(events[:, 0] == RULED))
    texts = [rule_text(data[begin:end].decode(), prefixes) for begin, end, _ in of_kind[RULED].tolist()]
    return with_rules(made, list(zip(before.tolist(), texts, strict=True)))


def _failed(ended: int, parse: Parse, data: bytes, file: str) -> ReadError:
    """The error for people, from the code of the kernel."""
    at, state = int(parse.state[POSITION]), parse.state
    found = _excerpt(data, at)
    op = Op(int(state[ERROR_OP])) if int(state[ERROR_OP]) in Op.__members__.values() else None
    name = op.name if op else "this list"
    if ended == TRUNCATED:
        problem = "the file ends before the ontology does: it is truncated, or a parenthesis, quote or > is missing"
    elif ended == TOO_DEEP:
        problem = f"expressions nest more than {MAX_DEPTH:,} deep"
    elif ended == TOO_MANY:
        problem = f"{name} takes no more arguments: {found}"
    elif ended == TOO_FEW:
        fewest = f": it takes {SIGNATURES[op].fewest} or more" if op in SIGNATURES else ""
        problem = f"{name} has too few arguments{fewest}"
    elif ended == MISPLACED:
        problem = f"{found} cannot be argument {int(state[ERROR_PLACE]) + 1} of {name}"
    elif ended == NO_PREFIX:
        problem = f"a prefix that is not declared in {found}"
    elif ended == BAD_IRI:
        problem = f"{found} is no IRI"
    elif ended == BAD_STRING:
        problem = f"{found} is no literal"
    elif ended == UNKNOWN:
        problem = f"unknown here: {found}"
    else:
        problem = f"not functional syntax: {found}"
    return _error(problem, data, at, file)


def _excerpt(data: bytes, at: int) -> str:
    text = data[at : at + 200].lstrip()[:60].decode("utf-8", "replace").partition("\n")[0].strip()
    return f"{text[:40]} …" if len(text) > 40 else text or "the end of the file"


def _error(problem: str, data: bytes, at: int, file: str) -> ReadError:
    return ReadError(problem, file, line_of(data, min(at, len(data))))
