"""From a path to bytes: files and standard input, plain or compressed; bounded, so that a bomb ends early."""

from __future__ import annotations

import bz2
import io
import lzma
import os
import stat
import sys
import zipfile
import zlib
from pathlib import Path
from typing import Protocol

from elgeo.errors import ReadError
from elgeo.ontology.reading.web import fetched, is_address
from elgeo.places import mistaken, special

STANDARD_INPUT = "-"
MAX_BYTES = 8 << 30
"""The most bytes a file may have once decompressed."""
COMPRESSED = (".gz", ".bz2", ".xz", ".zip")
"""What is undone; the content decides, the ending is for names alone."""
MAX_PIPED = 2 << 30
"""The most bytes of standard input, and of what is fetched from the web."""
_FREE_BYTES, _MAX_RATIO = 256 << 20, 200
"""Compressed data may always grow to the first, and beyond it to this many times its own size; ontologies stay below
50."""
_MAX_MEMORY = 1 << 30
_GZIP, _BZIP2, _XZ, _ZIP = b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00", b"PK\x03\x04"


class _Decompressor(Protocol):
    """What bz2 and lzma have in common, and `_Gzip` imitates."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _Gzip:
    def __init__(self) -> None:
        self._stream = zlib.decompressobj(wbits=31)

    @property
    def eof(self) -> bool:
        return self._stream.eof

    @property
    def unused_data(self) -> bytes:
        # padding at the end is allowed
        return self._stream.unused_data.lstrip(b"\0")

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._stream.decompress(data, max_length)


def content(path: str | os.PathLike[str], max_bytes: int | None = None) -> bytes:
    """All of a file, or of standard input for `-`, decompressed."""
    name = os.fspath(path)
    return _decompressed(_read(name, max_bytes), name, max_bytes)


def beginning(path: Path, size: int) -> bytes:
    """The first bytes of a file, decompressed where that takes no more than these; empty if it cannot be read."""
    try:
        if not path.is_file():
            return b""
        with path.open("rb") as file:
            raw = file.read(size)
        stream = _stream(raw)
        return raw if stream is None else stream[1].decompress(raw, size)
    except (OSError, EOFError, zlib.error, lzma.LZMAError):
        return b""


def without_compression(name: str) -> str:
    """A file name without the ending that says how it is compressed."""
    return next((name.removesuffix(ending) for ending in COMPRESSED if name.endswith(ending)), name)


def _read(name: str, max_bytes: int | None) -> bytes:
    limit = max_bytes or (MAX_PIPED if name == STANDARD_INPUT or is_address(name) else MAX_BYTES)
    try:
        if is_address(name):
            return fetched(name, limit)
        if name == STANDARD_INPUT:
            data = sys.stdin.buffer.read(limit + 1)
        else:
            # before it is opened: that may wait for a writer that never comes
            _check_regular(os.stat(name).st_mode, name)
            with open(name, "rb") as file:
                data = file.read(limit + 1)
    except FileNotFoundError:
        raise ReadError("there is no such file", name) from None
    except PermissionError:
        raise ReadError("no permission to read this file", name) from None
    except (OSError, ValueError) as error:
        raise ReadError(f"cannot be read: {error}", name) from None
    if len(data) > limit:
        raise ReadError(f"larger than {limit:,} bytes: raise max_bytes if that is meant", name)
    return data


def _check_regular(mode: int, name: str) -> None:
    if stat.S_ISDIR(mode):
        raise ReadError(mistaken(name, "ontology"), name)
    if what := special(mode):
        raise ReadError(f"not a file but {what}: to read standard input, name it -", name)


def _stream(data: bytes) -> tuple[str, _Decompressor] | None:
    if data.startswith(_GZIP):
        return "gzip", _Gzip()
    if data.startswith(_BZIP2):
        return "bzip2", bz2.BZ2Decompressor()
    if data.startswith(_XZ):
        return "xz", lzma.LZMADecompressor(lzma.FORMAT_XZ, _MAX_MEMORY)
    return None


def _decompressed(data: bytes, name: str, max_bytes: int | None) -> bytes:
    limit = max_bytes or min(MAX_BYTES, max(_FREE_BYTES, _MAX_RATIO * len(data)))
    if data.startswith(_ZIP):
        return _unzipped(data, name, limit)
    parts: list[bytes] = []
    room = limit
    kind = ""
    while (found := _stream(data)) is not None:
        kind, stream = found
        try:
            parts.append(stream.decompress(data, room + 1))
        except (zlib.error, lzma.LZMAError, OSError, EOFError) as error:
            raise ReadError(f"the {kind} data is damaged ({error})", name) from None
        room -= len(parts[-1])
        if room < 0:
            raise _bomb(limit, kind, name)
        if not stream.eof:
            raise ReadError(f"the {kind} data is truncated: fetch the file again", name)
        data = stream.unused_data
    if not parts:
        return data
    if data:
        raise ReadError(f"something that is not {kind} follows the {kind} data", name)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _unzipped(data: bytes, name: str, limit: int) -> bytes:
    """The only file in an archive."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            files = [i for i in archive.infolist() if not i.is_dir() and not i.filename.startswith("__MACOSX/")]
            if len(files) != 1:
                raise ReadError(f"a zip archive of {len(files)} files: unpack it and name the ontology", name)
            with archive.open(files[0]) as file:
                found = file.read(limit + 1)
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, OSError, EOFError, ValueError) as error:
        raise ReadError(f"the zip archive is damaged ({error})", name) from None
    except (RuntimeError, NotImplementedError) as error:
        raise ReadError(f"the zip archive cannot be unpacked ({error}): unpack it first", name) from None
    if len(found) > limit:
        raise _bomb(limit, "zip", name)
    return found


def _bomb(limit: int, kind: str, name: str) -> ReadError:
    return ReadError(f"decompresses to more than {limit:,} bytes: a {kind} bomb? If not, raise max_bytes", name)
