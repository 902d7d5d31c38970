"""Triples as RDF/XML in the way OWL programs write it: what is said of a name in one element, expressions inside it.

Some readers of OWL go by the tree and not by the triples: they see a restriction only inside what it is said of.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import IO, Any, NamedTuple

from pyoxigraph import BlankNode, Literal, NamedNode

from elgeo.ontology.grammar import PREFIXES

Term = Any
"""A name, a blank node or a literal, each where RDF lets it stand."""


class Triple(NamedTuple):
    """One of RDF; pyoxigraph's own takes several times as long to look at."""

    subject: Term
    predicate: NamedNode
    object: Term


_RDF, _OWL = PREFIXES["rdf"], PREFIXES["owl"]
_TYPE, _FIRST, _REST, _NIL = (NamedNode(_RDF + name) for name in ("type", "first", "rest", "nil"))
_ANNOTATED = {NamedNode(_OWL + name) for name in ("annotatedSource", "annotatedTarget")}
_STRING = PREFIXES["xsd"] + "string"
_DEEPEST = 60
"""Expressions inside each other; what nests deeper stands apart, for readers bound how deep elements may nest."""
_NAME = re.compile(r"[^\W\d][\w.\-]*\Z")
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;", "\n": "&#10;", "\t": "&#9;"}
_SPECIAL, _SPECIAL_IN_ATTRIBUTES = re.compile("[&<>\r]"), re.compile('[&<>\r"\n\t]')


def write_rdfxml(parts: Iterable[Sequence[Triple]], file: IO[bytes], prefixes: Mapping[str, str], own: str) -> None:
    """Write triples. Blank nodes whose names begin with `own` occur in one part each, and never in a circle."""
    names = _Names({iri: name for name, iri in prefixes.items() if _NAME.match(name)})
    declared = "".join(f"\n    xmlns:{name}={_quoted(iri)}" for iri, name in names.prefixes.items())
    file.write(f'<?xml version="1.0" encoding="UTF-8"?>\n<rdf:RDF{declared}>\n'.encode())
    for part in parts:
        file.write("".join(_Part(part, names, own).written()).encode())
    file.write(b"</rdf:RDF>\n")


class _Names:
    """IRIs as names of elements."""

    def __init__(self, prefixes: Mapping[str, str]) -> None:
        self.prefixes, self._made = prefixes, dict[NamedNode, tuple[str, str]]()

    def of(self, iri: NamedNode) -> tuple[str, str]:
        """The name, and the declaration it needs beside it."""
        if iri not in self._made:
            found = _NAME.search(iri.value)
            start = iri.value[: found.start()] if found else iri.value
            prefix, local = self.prefixes.get(start), iri.value[len(start) :]
            made = (f"{prefix}:{local}", "") if prefix else (f"own:{local}", f" xmlns:own={_quoted(start)}")
            self._made[iri] = made
        return self._made[iri]


class _Part:
    """Triples that describe each other's expressions."""

    def __init__(self, triples: Sequence[Triple], names: _Names, own: str) -> None:
        self._names, self._own = names, own
        self._about: dict[Term, list[Triple]] = {}
        for triple in triples:
            self._about.setdefault(triple.subject, []).append(triple)
        ends = [triple for triple in triples if self._is_expression(triple.object)]
        self._told = Counter(triple.object for triple in ends)
        """How often something leads to an expression."""
        self._inside = {triple.object for triple in ends if triple.predicate not in _ANNOTATED}
        """What is described where it is first led to."""
        self._apart: list[BlankNode] = []
        """What would nest too deeply."""

    def _is_expression(self, term: Term) -> bool:
        return isinstance(term, BlankNode) and term.value.startswith(self._own)

    def written(self) -> list[str]:
        """All of it, with a stack of its own: expressions may nest deeper than Python calls."""
        made: list[str] = []
        for subject in [each for each in self._about if each not in self._inside]:
            self._write(subject, made)
        while self._apart:
            self._write(self._apart.pop(), made)
        return made

    def _write(self, root: Term, made: list[str]) -> None:
        waiting: list[str | tuple[Term, int]] = [(root, 1)]
        while waiting:
            item = waiting.pop()
            if isinstance(item, str):
                made.append(item)
                continue
            subject, depth = item
            triples, indent = self._about.pop(subject, []), "    " * depth
            kind = next((t for t in triples if t.predicate == _TYPE and _is_element(t.object)), None)
            tag: Term = NamedNode(_RDF + "Description") if kind is None else kind.object
            name, declared = self._names.of(tag)
            inner = [each for each in triples if each is not kind]
            made.append(f"{indent}<{name}{declared}{self._identity(subject)}{'>' if inner else '/>'}\n")
            if inner:
                waiting.append(f"{indent}</{name}>\n")
                for triple in reversed(inner):
                    waiting += reversed(self._property(triple, depth + 1))

    def _identity(self, subject: Term) -> str:
        if isinstance(subject, NamedNode):
            return f" rdf:about={_quoted(subject.value)}"
        # what only one place leads to needs no name
        alone = self._is_expression(subject) and self._told[subject] <= (subject in self._inside)
        return "" if alone else f" rdf:nodeID={_quoted(subject.value)}"

    def _property(self, triple: Triple, depth: int) -> list[str | tuple[Term, int]]:
        """An element for a triple; what is described inside it is given as it is."""
        value: Term = triple.object
        (name, declared), indent = self._names.of(triple.predicate), "    " * depth
        opening, closing = f"{indent}<{name}{declared}", f"{indent}</{name}>\n"
        if isinstance(value, Literal):
            return [f"{opening}{_qualities(value)}>{_SPECIAL.sub(_escape, value.value)}</{name}>\n"]
        if isinstance(value, NamedNode):
            return [f"{opening} rdf:resource={_quoted(value.value)}/>\n"]
        if not self._nests(triple):
            return [f"{opening} rdf:nodeID={_quoted(value.value)}/>\n"]
        if depth > 2 * _DEEPEST:
            self._apart.append(value)
            self._inside.discard(value)
            return [f"{opening} rdf:nodeID={_quoted(value.value)}/>\n"]
        if (members := self._members(value)) is None:
            return [f"{opening}>\n", (value, depth + 1), closing]
        listed: list[str | tuple[Term, int]] = [f'{opening} rdf:parseType="Collection">\n']
        for member in members:
            if self._is_expression(member):
                listed.append((member, depth + 1))
            else:
                listed.append(f"{indent}    <rdf:Description{self._identity(member)}/>\n")
        return [*listed, closing]

    def _nests(self, triple: Triple) -> bool:
        """Whether what a triple leads to is described there: the first place that does, and not that of a note."""
        return triple.predicate not in _ANNOTATED and triple.object in self._inside and triple.object in self._about

    def _members(self, cell: Term) -> list[Term] | None:
        """The members of a list that needs no names for its cells; their triples are taken."""
        cells, members = [], []
        while cell != _NIL:
            triples = self._about.get(cell, [])
            if [triple.predicate for triple in triples] != [_FIRST, _REST] or self._told[cell] != 1:
                return None
            member = triples[0].object
            if isinstance(member, Literal) or (self._is_expression(member) and self._told[member] != 1):
                return None
            cells.append(cell)
            members.append(member)
            cell = triples[1].object
        for each in cells:
            del self._about[each]
        return members


def _is_element(kind: Term) -> bool:
    """Whether a type becomes the name of an element: words of OWL do, classes of people do not."""
    return isinstance(kind, NamedNode) and kind.value.startswith((_OWL, PREFIXES["rdfs"]))


def _qualities(value: Literal) -> str:
    if value.language:
        return f" xml:lang={_quoted(value.language)}"
    return "" if value.datatype.value == _STRING else f" rdf:datatype={_quoted(value.datatype.value)}"


def _quoted(text: str) -> str:
    return f'"{_SPECIAL_IN_ATTRIBUTES.sub(_escape, text)}"'


def _escape(found: re.Match[str]) -> str:
    return _ESCAPES[found[0]]
