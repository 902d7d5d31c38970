"""The closure as files: a table for each normal form, with the names behind the ids."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from elgeo.arrays import Table
from elgeo.errors import SettingError
from elgeo.files import folder_written_atomically, settled, write_json
from elgeo.ontology.normal_forms import FORMS, PUBLISHED
from elgeo.reasoning.closure.base import Closure
from elgeo.reasoning.questions.row_text import class_text, role_text

"""The nine forms of the literature."""
MARK = "closure.json"
LIMIT = 50_000_000
_ROWS = 1 << 17


def write_closure(
    closure: Closure, folder: str | os.PathLike[str], format: str = "tsv", limit: int = LIMIT, fresh: bool = False
) -> dict[str, Any]:
    """Write what `closure.tables` lists, at most `limit` rows of each form; returns the record kept beside the tables.

    Names are written as functional syntax writes them: an IRI in angle brackets, a fresh class as its expression.
    """
    target = settled(folder)
    if target.exists() and not (target / MARK).is_file() and (not target.is_dir() or any(target.iterdir())):
        raise SettingError(f"{target} is there already and is not a folder of a closure: choose another")
    vocabulary = closure.forms.vocabulary
    classes = np.array([class_text(vocabulary, c) for c in range(closure.n_classes)], dtype=object)
    roles = np.array([role_text(vocabulary, r) for r in range(closure.n_roles)], dtype=object)
    record: dict[str, Any] = {"mode": closure.mode, "format": format, "fresh": fresh, "axioms": {}, "cut_off": []}
    with folder_written_atomically(target) as temporary:
        for name in PUBLISHED:
            form = FORMS[name]
            names = [roles if i in form.role_columns else classes for i in range(form.width)]
            path = temporary / f"{name}.{format}"
            count, cut = _write(path, format, form.columns, names, _bounded(closure.tables(name, fresh), limit))
            record["axioms"][form.code] = count
            if cut:
                record["cut_off"].append(form.code)
        write_json(temporary / MARK, record)
    return record


def _bounded(tables: Iterable[Table], limit: int) -> Iterator[tuple[Table, bool]]:
    """Pieces of tables up to a number of rows, and whether there were more."""
    for table in tables:
        for first in range(0, len(table), _ROWS):
            piece = table[first : first + min(_ROWS, limit)]
            limit -= len(piece)
            more = limit <= 0 and first + len(piece) < len(table)
            yield piece, more
            if limit <= 0:
                if not more and any(len(rest) for rest in tables):
                    yield table[:0], True
                return


def _write(path: Path, format: str, columns: tuple[str, ...], names: list[Any], pieces: Any) -> tuple[int, bool]:
    if format == "tsv":
        return _write_tsv(path, columns, names, pieces)
    if format == "parquet":
        return _write_parquet(path, columns, names, pieces)
    raise SettingError(f"no tables in {format!r}; there are tsv, parquet")


def _write_tsv(path: Path, columns: tuple[str, ...], names: list[Any], pieces: Any) -> tuple[int, bool]:
    count, cut = 0, False
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write("\t".join(columns) + "\n")
        for table, more in pieces:
            cells = [words[ids].tolist() for words, ids in zip(names, table.T, strict=True)]
            file.writelines("\t".join(row) + "\n" for row in zip(*cells, strict=True))
            count, cut = count + len(table), more
    return count, cut


def _write_parquet(path: Path, columns: tuple[str, ...], names: list[Any], pieces: Any) -> tuple[int, bool]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    words = [pa.array(list(each), pa.string()) for each in names]
    schema = pa.schema([(column, pa.dictionary(pa.int32(), pa.string())) for column in columns])
    count, cut = 0, False
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for table, more in pieces:
            arrays = [
                pa.DictionaryArray.from_arrays(pa.array(np.ascontiguousarray(ids)), dictionary)
                for ids, dictionary in zip(table.T, words, strict=True)
            ]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))
            count, cut = count + len(table), more
    return count, cut
