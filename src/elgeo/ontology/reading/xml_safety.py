"""Keeps hostile XML away from parsers: entities are flat and few, elements do not nest without end."""

# mypy: disable-error-code=no-any-return

from __future__ import annotations

import re
from xml.parsers import expat
from xml.sax.saxutils import escape

import numpy as np

from elgeo.arrays import Bytes, Longs
from elgeo.compilation import kernel
from elgeo.errors import ReadError
from elgeo.ontology.grammar import MAX_DEPTH

_MAX_ENTITY, _MAX_EXPANSION = 4_096, 256 << 20
_MAX_ELEMENTS = 4 * MAX_DEPTH
_REFERENCE = re.compile(r"&([^#;\s][^;\s]*);")
_STANDARD = {"amp", "lt", "gt", "quot", "apos"}
_LESS, _GREATER, _SLASH, _BANG, _QUESTION, _DASH, _BRACKET, _QUOTE, _APOSTROPHE = (ord(c) for c in "<>/!?-[\"'")


def flat_entities(data: bytes, file: str) -> bytes:
    """The document with a DOCTYPE that has nothing but expanded internal entities; external ones are never fetched."""
    if b"<!DOCTYPE" not in data[: 1 << 16]:
        return data
    declared: dict[str, str] = {}
    span: list[int] = []
    root: list[str] = []
    parser = expat.ParserCreate("UTF-8")

    def entity(name: str, is_parameter: bool, value: str | None, *_: object) -> None:
        if value is not None and not is_parameter:
            declared.setdefault(name, value)

    def started(name: str, *_: object) -> None:
        root.append(name)
        span.append(parser.CurrentByteIndex)

    parser.EntityDeclHandler = entity
    parser.StartDoctypeDeclHandler = started
    parser.EndDoctypeDeclHandler = lambda: span.append(parser.CurrentByteIndex)
    try:
        for start in range(0, len(data), 1 << 16):
            parser.Parse(data[start : start + (1 << 16)])
            if len(span) == 2:
                break
    except expat.ExpatError as broken:
        # entity bombs in attributes end here too, and anything else gets its message from the real parser
        if len(span) < 2:
            raise ReadError(f"not well-formed XML: {expat.ErrorString(broken.code)}", file, broken.lineno) from None
    if len(span) < 2:
        return data
    begin = data.rfind(b"<!DOCTYPE", 0, span[0] + 9)
    end = data.index(b">", span[1]) + 1
    values = {name: _expanded(name, declared, (), file) for name in declared}
    longest = max(map(len, values.values()), default=0)
    if longest * data.count(b"&") > _MAX_EXPANSION + 10 * len(data):
        raise ReadError("its entities expand to far more than the file: refused", file)
    entities = "".join(f'<!ENTITY {n} "{escape(v, {chr(34): "&#34;"})}">' for n, v in values.items())
    # the lines stay where they were, for messages
    lines = b"\n" * data.count(b"\n", begin, end)
    return data[:begin] + f"<!DOCTYPE {root[0]} [{entities}".encode() + lines + b"]>" + data[end:]


def _expanded(name: str, declared: dict[str, str], inside: tuple[str, ...], file: str) -> str:
    if name in inside:
        raise ReadError(f"the entity &{name}; contains itself", file)
    if len(inside) > 50:
        raise ReadError("entities nest too deeply", file)
    parts, at, value = [], 0, declared[name]
    for found in _REFERENCE.finditer(value):
        parts.append(value[at : found.start()])
        known = found[1] in declared and found[1] not in _STANDARD
        parts.append(_expanded(found[1], declared, (*inside, name), file) if known else found[0])
        at = found.end()
        if sum(map(len, parts)) > _MAX_ENTITY:
            break
    text = "".join(parts) + value[at:]
    if len(text) > _MAX_ENTITY:
        raise ReadError(f"the entity &{name}; is longer than {_MAX_ENTITY:,} characters: refused", file)
    return text


def check_elements(data: bytes, file: str) -> None:
    """Refuse a document whose elements nest so deeply that parsers choke on it, or are not all closed."""
    place = np.zeros(1, np.int64)
    open_elements = _elements(np.frombuffer(data, np.uint8), _MAX_ELEMENTS, place)
    line = data.count(b"\n", 0, int(place[0])) + 1
    if open_elements > _MAX_ELEMENTS:
        raise ReadError(f"elements nest more than {_MAX_ELEMENTS:,} deep", file, line)
    if open_elements > 0 or place[0] == 0:
        raise ReadError("the file ends before its elements do: it is truncated", file, line)


@kernel(counted=False)
def _elements(source: Bytes, limit: int, place: Longs) -> int:
    """How many elements are open at the end, or where there are too many; `place[0]` is the end of the last tag."""
    at, size, depth = 0, len(source), 0
    while at + 1 < size:
        if source[at] != _LESS:
            at += 1
            continue
        following = source[at + 1]
        if following in (_BANG, _QUESTION):
            # a comment, CDATA section or instruction may have tags in it that are none
            closing = _GREATER
            double = 0
            if following == _BANG and at + 3 < size and source[at + 2] == _DASH:
                double = _DASH
            elif following == _BANG and at + 2 < size and source[at + 2] == _BRACKET:
                double = ord("]")
            at += 2
            while at < size and not (
                source[at] == closing and (double == 0 or (source[at - 1] == double and source[at - 2] == double))
            ):
                at += 1
            continue
        if following == _SLASH:
            depth -= 1
            at += 2
            place[0] = at
            continue
        quote = 0
        at += 1
        while at < size and (quote or source[at] != _GREATER):
            c = source[at]
            if quote:
                if c == quote:
                    quote = 0
            elif c in (_QUOTE, _APOSTROPHE):
                quote = c
            at += 1
        place[0] = at
        if at >= size or source[at - 1] != _SLASH:
            depth += 1
            if depth > limit:
                return depth
    return depth
