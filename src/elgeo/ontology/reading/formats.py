"""From a path to UTF-8 bytes and the name of their syntax, by content; bounded, so that a gzip bomb ends early."""

from __future__ import annotations

import codecs
import contextlib
import os
import re
import stat
import zlib
from pathlib import Path
from xml.parsers import expat

from elgeo.errors import ReadError

FORMATS = ("functional", "rdfxml", "owlxml", "turtle", "obo")
MAX_BYTES = 8 << 30
"""The most bytes a file may have once decompressed."""
_FREE_BYTES, _MAX_RATIO = 256 << 20, 200
"""A gzip file may always grow to the first, and beyond it to this many times its own size; ontologies stay below 50."""

_ENDINGS = {
    ".ttl": "turtle",
    ".nt": "turtle",
    ".n3": "turtle",
    ".obo": "obo",
    ".ofn": "functional",
    ".fss": "functional",
}
_OTHERS = (
    (b"\x89PNG", "a PNG picture"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a zip archive"),
    (b"BZh", "a bzip2 file"),
    (b"\xfd7zXZ", "an xz file"),
    (b"\x28\xb5\x2f\xfd", "a zstandard file"),
    (b"\x7fELF", "a program"),
    (b"{", "JSON"),
)
_XML_ENCODING = re.compile(rb"<\?xml[^>]*?encoding\s*=\s*[\"']([\w.-]+)[\"']")
_BLANK = re.compile(rb"(?:\s+|#[^\n]*(?:\n|\Z))*")
_OBO_BLANK = re.compile(rb"(?:\s+|![^\n]*(?:\n|\Z))*")
_OBO = re.compile(rb"(?m)^(?:format-version:|\[(?:Term|Typedef|Instance)\])")
_TURTLE = re.compile(
    rb"@prefix\b|@base\b|(?i:prefix\s+[\w.-]*:\s*<|base\s*<)|<[^<>\"{}|^`\\\s]*>\s|_:\w|\[|[\w.-]*:[\w.-]+\s+(?:a\s|[\w.-]*:[\w.-]|<)"
)


def load(path: str | os.PathLike[str], max_bytes: int | None = None) -> tuple[bytes, str]:
    """The content of a file as UTF-8 without a byte order mark, decompressed, and the name of its syntax."""
    name = os.fspath(path)
    data = _unicode(_decompressed(_read(name, max_bytes), name, max_bytes), name)
    return data, detect(data, name)


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
    if re.match(rb"(?:Prefix|Ontology)\s*:", start):
        raise ReadError(
            "OWL Manchester syntax is not read: save it as functional syntax, RDF/XML, OWL/XML or Turtle", name
        )
    if _TURTLE.match(start):
        return "turtle"
    ending = Path(name.removesuffix(".gz")).suffix
    if ending in _ENDINGS and b"\0" not in head:
        return _ENDINGS[ending]
    seems = next((what for magic, what in _OTHERS if head.startswith(magic)), None)
    hint = f"it looks like {seems}" if seems else f"it starts with {head[:40].decode('utf-8', 'replace')!r}"
    raise ReadError(f"not an ontology in functional syntax, RDF/XML, OWL/XML, Turtle or OBO: {hint}", name)


def line_of(data: bytes, position: int) -> int:
    """The number of the line, from 1, a byte is in."""
    return data.count(b"\n", 0, position) + 1


def _xml_format(data: bytes) -> str | None:
    """The XML syntax, or else the name of a root element that is no ontology, or None if this is no XML."""
    roots: list[str] = []
    parser = expat.ParserCreate(namespace_separator=" ")
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


def _read(name: str, max_bytes: int | None) -> bytes:
    limit = max_bytes or MAX_BYTES
    try:
        with open(name, "rb") as file:
            if stat.S_ISCHR(os.fstat(file.fileno()).st_mode):
                raise ReadError("not a file but a device", name)
            data = file.read(limit + 1)
    except FileNotFoundError:
        raise ReadError("there is no such file", name) from None
    except IsADirectoryError:
        raise ReadError("this is a folder: name a file in it", name) from None
    except PermissionError:
        raise ReadError("no permission to read this file", name) from None
    except (OSError, ValueError) as error:
        raise ReadError(f"cannot be read: {error}", name) from None
    if len(data) > limit:
        raise ReadError(f"larger than {limit:,} bytes: raise max_bytes if that is meant", name)
    return data


def _decompressed(data: bytes, name: str, max_bytes: int | None) -> bytes:
    parts: list[bytes] = []
    limit = max_bytes or min(MAX_BYTES, max(_FREE_BYTES, _MAX_RATIO * len(data)))
    room = limit
    while data[:2] == b"\x1f\x8b":
        stream = zlib.decompressobj(wbits=31)
        try:
            parts.append(stream.decompress(data, room + 1))
        except zlib.error as error:
            raise ReadError(f"the gzip data is damaged ({error})", name) from None
        room -= len(parts[-1])
        if room < 0:
            raise ReadError(
                f"decompresses to more than {limit:,} bytes: a gzip bomb? If not, raise max_bytes",
                name,
            )
        if not stream.eof:
            raise ReadError("the gzip data is truncated: fetch the file again", name)
        data = stream.unused_data.lstrip(b"\0")
    if not parts:
        return data
    if data:
        raise ReadError("something that is not gzip follows the gzip data", name)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _unicode(data: bytes, name: str) -> bytes:
    declared = _XML_ENCODING.match(data.lstrip()[:200])
    if data.startswith(codecs.BOM_UTF8):
        return data[3:]
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    elif declared and declared[1].lower() not in (b"utf-8", b"utf8"):
        encoding = declared[1].decode()
    else:
        return data
    try:
        text = data.decode(encoding)
    except (LookupError, UnicodeError) as error:
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
