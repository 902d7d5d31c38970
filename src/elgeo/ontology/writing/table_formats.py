"""A table of named columns as a TSV or a Parquet file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from elgeo.arrays import Array, Longs
from elgeo.errors import ReadError

Columns = dict[str, Any]
"""Column name to an array of integers, a list of strings, or few words many times (`Coded`), all of one length."""


class Coded(NamedTuple):
    """A column of few different words, by their numbers: millions of rows without a Python object for each."""

    words: list[str]
    numbers: Array

    @staticmethod
    def of(texts: Iterable[str]) -> Coded:
        known: dict[str, int] = {}
        numbers = np.array([known.setdefault(text, len(known)) for text in texts], np.int64)
        return Coded(list(known), numbers)


_ESCAPES = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}
_ESCAPED = str.maketrans(_ESCAPES)


class TableFormat(NamedTuple):
    """How tables are written and read; reading takes the columns that are wanted and their types: int, str, `Coded`."""

    write: Callable[[Path, Mapping[str, Any]], None]
    read: Callable[[Path, Mapping[str, type]], Columns]


def _write_tsv(path: Path, columns: Mapping[str, Any]) -> None:
    cells = [_texts(column) for column in columns.values()]
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write("\t".join(columns) + "\n")
        file.writelines("\t".join(row) + "\n" for row in zip(*cells, strict=True))


def _texts(column: Any) -> list[str]:
    if isinstance(column, Coded):
        words = _texts(column.words)
        return [words[number] for number in column.numbers.tolist()]
    if isinstance(column, np.ndarray) and column.dtype != object:
        return list(map(str, column.tolist()))
    known: dict[str, str] = {}
    return [known[t] if t in known else known.setdefault(t, t.translate(_ESCAPED)) for t in column]


def _read_tsv(path: Path, types: Mapping[str, type]) -> Columns:
    try:
        # only "\n" ends a line: names may hold other separators
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise ReadError(f"cannot be read: {error}", str(path)) from None
    header = lines[0].split("\t")
    missing = [name for name in types if name not in header]
    if missing or lines[-1]:
        raise ReadError("ends in the middle" if not missing else f"has no column {missing[0]!r}", str(path))
    cells = [line.split("\t") for line in lines[1:-1]]
    for number, row in enumerate(cells, 2):
        if len(row) != len(header):
            raise ReadError(f"{len(row)} cells where {len(header)} are expected", str(path), number)
    found: Columns = {}
    for name, wanted in types.items():
        place = header.index(name)
        texts = [row[place] for row in cells]
        try:
            found[name] = np.array(texts, np.int64) if wanted is int else [_unescaped(t) for t in texts]
            found[name] = Coded.of(found[name]) if wanted is Coded else found[name]
        except (ValueError, OverflowError):
            raise ReadError(f"column {name!r} has something that is not a number", str(path)) from None
    return found


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    parts = text.split("\\\\")
    for escape in "tnr":
        parts = [part.replace("\\" + escape, {"t": "\t", "n": "\n", "r": "\r"}[escape]) for part in parts]
    return "\\".join(parts)


def _write_parquet(path: Path, columns: Mapping[str, Any]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    def array(column: Any) -> Any:
        if isinstance(column, Coded):
            return pa.array(column.words, pa.string()).take(pa.array(column.numbers))
        return pa.array(column) if isinstance(column, np.ndarray) else pa.array(column, pa.string())

    table = pa.table({name: array(column) for name, column in columns.items()})
    pq.write_table(table, path, compression="zstd")


def _read_parquet(path: Path, types: Mapping[str, type]) -> Columns:
    import pyarrow as pa
    import pyarrow.parquet as pq

    found: Columns = {}
    try:
        with pq.ParquetFile(path) as file:  # `read_table` imports pandas, which takes longer than reading
            table = file.read(columns=list(types))
        for name, wanted in types.items():
            column = table.column(name)
            fits = pa.types.is_integer if wanted is int else pa.types.is_string
            if not fits(column.type) or column.null_count:
                what = "whole numbers" if wanted is int else "texts"
                raise ReadError(f"column {name!r} has to be of {what}, with none missing", str(path))
            found[name] = (
                _numbers(column) if wanted is int else _coded(column) if wanted is Coded else column.to_pylist()
            )
    except (OSError, KeyError, ValueError, pa.ArrowException) as error:
        raise ReadError(f"cannot be read: {error}", str(path)) from None
    return found


def _numbers(column: Any) -> Longs:
    """A column without gaps; arrow's own `to_numpy` imports pandas."""
    return np.concatenate([np.empty(0, np.int64), *(np.from_dlpack(chunk).astype(np.int64) for chunk in column.chunks)])


def _coded(column: Any) -> Coded:
    parts = column.dictionary_encode().unify_dictionaries()
    words = parts.chunk(0).dictionary.to_pylist() if parts.num_chunks else []
    numbers = [np.from_dlpack(chunk.indices).astype(np.int64) for chunk in parts.chunks]
    return Coded(words, np.concatenate([np.empty(0, np.int64), *numbers]))


FORMATS = {"tsv": TableFormat(_write_tsv, _read_tsv), "parquet": TableFormat(_write_parquet, _read_parquet)}
"""By file ending."""
