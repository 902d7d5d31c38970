"""From a path to UTF-8 bytes and the name of their syntax, by content."""

from __future__ import annotations

import codecs
import contextlib
import os
import re
from pathlib import Path
from xml.parsers import expat

from elgeo.errors import ReadError
from elgeo.ontology.reading.sources import content, without_compression

FORMATS = ("functional", "rdfxml", "owlxml", "turtle", "obo", "manchester", "obograph")

_ENDINGS = {
    ".ttl": "turtle",
    ".nt": "turtle",
    ".n3": "turtle",
    ".obo": "obo",
    ".ofn": "functional",
    ".fss": "functional",
    ".omn": "manchester",
}
_OTHERS = (
    (b"\x89PNG", "a PNG picture"),
    (b"%PDF", "a PDF document"),
    (b"\x28\xb5\x2f\xfd", "a zstandard file"),
    (b"\x7fELF", "a program"),
    (b"{", "JSON"),
)
_XML_ENCODING = re.compile(rb"<\?xml[^>]*?encoding\s*=\s*[\"']([\w.-]+)[\"']")
_BLANK = re.compile(rb"(?:\s+|#[^\n]*(?:\n|\Z))*")
_OBO_BLANK = re.compile(rb"(?:\s+|![^\n]*(?:\n|\Z))*")
_OBO = re.compile(rb"(?m)^(?:format-version:|\[(?:Term|Typedef|Instance)\])")
_OBO_LINE = re.compile(
    rb"(?m)^(?:\[(?:Term|Typedef|Instance)\]|(?:format-version|data-version|ontology|date|saved-by|auto-generated-by|import"
    rb"|subsetdef|synonymtypedef|default-namespace|default-relationship-id-prefix|namespace-id-rule|id-mapping|idspace"
    rb"|treat-xrefs-as-[\w-]+|relax-unique-[\w-]+-for-namespace|logical-definition-view-relation|remark|property_value"
    rb"|owl-axioms|id)[ \t]*:)"
)
"""A line that a document named .obo has somewhere: a stanza, a tag of the header, or an id whose stanza is broken."""
_TURTLE = re.compile(
    rb"@prefix\b|@base\b|(?i:prefix\s+[\w.-]*:\s*<|base\s*<)|<[^<>\"{}|^`\\\s]*>\s|_:\w|\[|[\w.-]*:[\w.-]+\s+(?:a\s|[\w.-]*:[\w.-]|<)"
)

_TURTLE_MARK = re.compile(rb"(?m)[.;,][ \t\r]*(?:#.*)?$")
_NO_TEXT = {"idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape", "utf-7", "mbcs", "oem"}
"""Codecs of Python that no file is written in, and that fail in ways of their own."""


def load(path: str | os.PathLike[str], max_bytes: int | None = None) -> tuple[bytes, str]:
    """The content of a file as UTF-8 without a byte order mark, decompressed, and the name of its syntax."""
    name = os.fspath(path)
    data = as_utf8(content(name, max_bytes), name)
    return data, detect(data, name)


def is_ontology(path: str | os.PathLike[str]) -> bool:
    """Whether a file is an ontology, rather than lines of axioms; an error where it is no text at all."""
    name = os.fspath(path)
    data = as_utf8(content(name), name)
    try:
        found = detect(data, name)
    except ReadError:
        return False
    # a line that begins with an IRI may be an axiom; statements of Turtle end in a mark
    return found != "turtle" or bool(_TURTLE_MARK.search(data))


def detect(data: bytes, name: str) -> str:
    """Which of `FORMATS` the content is in; a `ReadError` says what it seems to be instead."""
    head = data[: 1 << 16]
    if not head.strip():
        raise ReadError("the file is empty", name)
    start = data[_BLANK.match(data).end() :][: 1 << 12]  # type: ignore[union-attr]
    if re.match(rb"(?:Prefix|Ontology)\s*\(", start):
        return "functional"
    if start.startswith(b"<") and (format_name := _xml_format(data)):
        if format_name in FORMATS:
            return format_name
        raise ReadError(f"not an ontology: an XML document with the root element <{format_name}>", name)
    obo = head[_OBO_BLANK.match(head).end() :]  # type: ignore[union-attr]
    if re.match(rb"(?:[\w-]+:\s|\[)", obo) and _OBO.search(obo):
        return "obo"
    if re.match(rb"(?:Prefix|Ontology):", start):
        return "manchester"
    if start.startswith(b"{") and b'"graphs"' in data:
        return "obograph"
    if _TURTLE.match(start):
        return "turtle"
    ending = Path(without_compression(name)).suffix
    if ending in _ENDINGS and b"\0" not in head and (ending != ".obo" or not obo or _OBO_LINE.search(data)):
        return _ENDINGS[ending]
    seems = next((what for magic, what in _OTHERS if head.startswith(magic)), None)
    hint = f"it looks like {seems}" if seems else f"it starts with {head[:40].decode('utf-8', 'replace')!r}"
    known = "functional syntax, RDF/XML, OWL/XML, Turtle, OBO, Manchester syntax or OBO Graphs"
    raise ReadError(f"not an ontology in {known}: {hint}", name)


def line_of(data: bytes, position: int) -> int:
    """The number of the line, from 1, a byte is in."""
    return data.count(b"\n", 0, position) + 1


def _xml_format(data: bytes) -> str | None:
    """The XML syntax, or else the name of a root element that is no ontology, or None if this is no XML."""
    roots: list[str] = []
    parser = expat.ParserCreate("UTF-8", namespace_separator=" ")
    parser.StartElementHandler = lambda name, _: roots.append(name)
    with contextlib.suppress(expat.ExpatError):
        for start in range(0, len(data), 1 << 14):
            parser.Parse(data[start : start + (1 << 14)])
            if roots:
                break
    if roots:
        local = roots[0].rpartition(" ")[2]
        return {"RDF": "rdfxml", "Ontology": "owlxml"}.get(local, local)
    return "rdfxml" if re.match(rb"\s*<(?:\?xml|!DOCTYPE|!--)", data) else None


def as_utf8(data: bytes, name: str) -> bytes:
    """The text of a document in UTF-8, by its byte order mark or what its XML declaration says.

    From here on it is UTF-8 whatever it says: XML parsers are told so, since some codecs fail in ways of their own.
    """
    declared = _XML_ENCODING.match(data[:1024].lstrip())
    if data.startswith(codecs.BOM_UTF8):
        return data[3:]
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    elif declared and declared[1].lower() not in (b"utf-8", b"utf8"):
        encoding = declared[1].decode()
    else:
        return data
    try:
        if codecs.lookup(encoding).name.replace("_", "-") in _NO_TEXT:
            raise LookupError("no encoding of texts")
        text = data.decode(encoding)
    except (LookupError, ValueError) as error:
        raise ReadError(f"cannot be read as {encoding} ({error}): save the file as UTF-8", name) from None
    # the document is UTF-8 from here on, whatever its XML declaration says
    return re.sub(r"(<\?xml[^>]*?encoding\s*=\s*[\"'])[\w.-]+", r"\1UTF-8", text, count=1).encode("utf-8", "replace")


def check_utf8(data: bytes, name: str) -> None:
    """Refuse what is not UTF-8, with the line; in steps, so that no second copy of a large file is made."""
    if data.isascii():
        return
    decoder = codecs.getincrementaldecoder("utf-8")()
    step = 1 << 20
    try:
        for start in range(0, len(data), step):
            decoder.decode(data[start : start + step], final=start + step >= len(data))
    except UnicodeDecodeError as error:
        at = start + error.start if error.start < step else start
        raise ReadError("not UTF-8 text: save the file as UTF-8", name, line_of(data, at)) from None
