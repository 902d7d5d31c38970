"""Lines of text files, plain or gzip, with errors that name the file and the line."""

from __future__ import annotations

import gzip
import hashlib
import os
import zlib
from collections.abc import Iterator
from io import BufferedIOBase
from pathlib import Path

from elgeo.errors import ReadError
from elgeo.places import mistaken, special

MAX_LINE = 1_000_000


def lines(path: str | os.PathLike[str]) -> Iterator[tuple[int, str]]:
    """(number from 1, line without its end) of a UTF-8 text file; gzip is seen by its first bytes."""
    number = 0
    try:
        with opened(path) as file:
            while raw := file.readline(MAX_LINE):
                number += 1
                if len(raw) == MAX_LINE:
                    raise ReadError(
                        f"a line of more than {MAX_LINE:,} bytes: not a text table", os.fspath(path), number
                    )
                yield number, raw.rstrip(b"\r\n").decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError:
        raise ReadError("not UTF-8 text", os.fspath(path), number) from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ReadError(f"the gzip stream is damaged or cut off ({error})", os.fspath(path), number or 1) from None
    except OSError as error:
        raise ReadError(f"cannot be read: {error.strerror or error}", os.fspath(path)) from None


def opened(path: str | os.PathLike[str]) -> BufferedIOBase:
    """The file's bytes, unpacked if it is gzip."""
    _check_ends(path)
    with Path(path).open("rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    return gzip.open(path, "rb") if packed else Path(path).open("rb")


def _check_ends(path: str | os.PathLike[str]) -> None:
    """Refuse a pipe or a device: reading it might never end."""
    if what := special(Path(path).stat().st_mode):
        raise ReadError(f"not a file but {what}: write what it gives into a file first", os.fspath(path))


def fields(line: str) -> list[str]:
    """The columns of a line: split at tabs where there are any, else at blanks."""
    return [part.strip() for part in line.split("\t")] if "\t" in line else line.split()


def sha256(path: str | os.PathLike[str]) -> str:
    """The checksum of a file as it lies on disk."""
    try:
        _check_ends(path)
        with Path(path).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except IsADirectoryError:
        raise ReadError(mistaken(path, "ontology"), os.fspath(path)) from None
    except OSError as error:
        raise ReadError(f"cannot be read: {error.strerror or error}", os.fspath(path)) from None
