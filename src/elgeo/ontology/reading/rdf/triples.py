"""RDF/XML and Turtle as triples of numbers: a parser written in Rust makes N-Triples, a kernel numbers their terms."""

# mypy: disable-error-code=no-any-return

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from itertools import islice
from pathlib import PurePath
from typing import NamedTuple
from urllib.parse import quote
from xml.parsers import expat

import numpy as np

from elgeo.arrays import Bytes, Ints, Longs
from elgeo.compilation import kernel
from elgeo.errors import ReadError
from elgeo.ontology.arena import (
    SEED,
    STRINGS,
    Arena,
    doubled,
    grown,
    hash_bytes,
    intern,
    new_arena,
)
from elgeo.ontology.reading.formats import check_utf8
from elgeo.ontology.reading.xml_safety import check_elements, flat_entities

_CHUNK = 200_000
_SPACE, _NEWLINE, _LESS, _GREATER, _QUOTE, _BACKSLASH, _DOT = (ord(c) for c in ' \n<>"\\.')
_BAD, _FULL = -1, -2
_IN_IRIS = "!$&'()*+,;=:@"
_PREFIX = re.compile(rb"(?im)^\s*@?prefix\s+([\w.-]*):\s*<([^<>\s]*)>")
_XMLNS = re.compile(rb"\bxmlns:([\w.-]+)\s*=\s*[\"']([^\"'<&]+)[\"']")


class Triples(NamedTuple):
    """Subjects, predicates and objects as numbers of `terms`: IRIs bare, blank nodes with `_:`, literals quoted."""

    terms: list[str]
    subjects: Ints
    predicates: Ints
    objects: Ints
    prefixes: dict[str, str]


def read_triples(data: bytes, format_name: str, file: str, first: Sequence[str]) -> Triples:
    """The triples of a document; `first` are the terms with the first numbers."""
    import pyoxigraph  # here, because functional syntax does without it

    check_utf8(data, file)
    if format_name == "rdfxml":
        data = flat_entities(data, file)
        check_elements(data, file)
    rdf_format = pyoxigraph.RdfFormat.RDF_XML if format_name == "rdfxml" else pyoxigraph.RdfFormat.TURTLE
    base = f"file:///{quote(os.fsencode(PurePath(file).name), _IN_IRIS)}"
    collected = _Collected(len(data), first)
    try:
        parsed = pyoxigraph.parse(data, rdf_format, base_iri=base, lenient=True)
        while chunk := pyoxigraph.serialize(islice(parsed, _CHUNK), format=pyoxigraph.RdfFormat.N_TRIPLES):
            collected.add(chunk, file)
    except (SyntaxError, ValueError, OSError) as error:
        raise _syntax_error(error, data, format_name, file) from None
    except BaseException as error:
        # a bug of the parser arrives as an exception that is not even an Exception
        if type(error).__name__ != "PanicException":
            raise
        raise ReadError(f"the RDF parser gave up on this file ({error})", file) from None
    names = _XMLNS if format_name == "rdfxml" else _PREFIX
    prefixes = {m[1].decode(): m[2].decode() for m in names.finditer(data[: 1 << 16])}
    return collected.triples(prefixes)


class _Collected:
    def __init__(self, size: int, first: Sequence[str]) -> None:
        self.arena = new_arena(size // 400, 16, first)
        self.rows = np.zeros((max(64, size // 80), 3), np.int32)
        self.state = np.zeros(2, np.int64)

    def add(self, chunk: bytes, file: str) -> None:
        source = np.frombuffer(chunk, np.uint8)
        self.state[0] = 0
        while (ended := _number_terms(self.arena, self.rows, self.state, source)) != 0:
            if ended == _BAD:
                at = int(self.state[0])
                raise ReadError(f"a triple that cannot be read: {chunk[at : at + 80].decode('utf-8', 'replace')}", file)
            self.arena = grown(self.arena, strings=4, blob=len(self.arena.blob) if ended == _FULL else 0)
            if self.state[1] + 1 > len(self.rows):
                self.rows = doubled(self.rows)

    def triples(self, prefixes: dict[str, str]) -> Triples:
        rows = _without_repeats(self.rows[: self.state[1]], int(self.arena.sizes[STRINGS]))
        s, p, o = (np.ascontiguousarray(rows[:, i]) for i in range(3))
        return Triples(self.arena.strings(), s, p, o, prefixes)


def _without_repeats(rows: Ints, n_terms: int) -> Ints:
    """A graph is a set of triples: of equal ones the first."""
    used = np.zeros(n_terms, np.bool_)
    used[rows[:, 1]] = True
    if n_terms**2 * (int(used.sum()) + 1) >= 1 << 63:
        return rows
    predicates = np.cumsum(used)[rows[:, 1]]
    keys = (predicates * np.int64(n_terms) + rows[:, 0]) * np.int64(n_terms) + rows[:, 2]
    ordered = np.sort(keys)
    if (ordered[1:] != ordered[:-1]).all():
        return rows
    return rows[np.sort(np.unique(keys, return_index=True)[1])]


def _syntax_error(error: Exception, data: bytes, format_name: str, file: str) -> ReadError:
    if format_name == "rdfxml":
        parser = expat.ParserCreate("UTF-8")
        try:
            parser.Parse(data, True)
        except expat.ExpatError as broken:
            return ReadError(f"not well-formed XML: {expat.ErrorString(broken.code)}", file, broken.lineno)
    line = getattr(error, "lineno", None)
    message = " ".join(str(getattr(error, "msg", None) or error).split())
    return ReadError(f"not {'RDF/XML' if format_name == 'rdfxml' else 'Turtle'}: {message[:300]}", file, line)


@kernel(counted=False)
def _number_terms(arena: Arena, rows: Ints, state: Longs, source: Bytes) -> int:
    """Number the terms of N-Triples, a triple a line, from `state[0]` on; `state[1]` counts the triples."""
    sizes, blob, starts, table = arena.sizes, arena.blob, arena.starts, arena.string_table
    size, seed = len(source), sizes[SEED]
    while state[0] < size:
        if state[1] + 1 > len(rows) or sizes[STRINGS] + 4 > len(starts) - 1:
            return 1
        at = state[0]
        for column in range(3):
            if at >= size:
                return _BAD
            begin = at
            c = source[at]
            if c == _LESS:
                # IRIs are not checked here and may have a > of their own
                begin += 1
                while at + 1 < size and not (source[at] == _GREATER and source[at + 1] == _SPACE):
                    at += 1
                end = at
                at += 1
            else:
                if c == _QUOTE:
                    at += 1
                    while at < size and source[at] != _QUOTE:
                        at += 2 if source[at] == _BACKSLASH else 1
                while at < size and source[at] != _SPACE:
                    at += 1
                end = at
            if at >= size or source[at] != _SPACE:
                return _BAD
            number = intern(sizes, blob, starts, table, source, begin, end, hash_bytes(source, begin, end, seed))
            if number < 0:
                return _FULL
            rows[state[1], column] = number
            at += 1
        if at >= size or source[at] != _DOT:
            return _BAD
        while at < size and source[at] != _NEWLINE:
            at += 1
        state[0] = at + 1
        state[1] += 1
    return 0
