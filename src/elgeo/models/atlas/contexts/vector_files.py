"""Names and their vectors from a file: lines of text, the arrays of an npz, the columns of a Parquet table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from elgeo.arrays import Floats
from elgeo.documents import shown
from elgeo.errors import ReadError

NAMES, VECTORS = "names", "vectors"


class Named(NamedTuple):
    """A vector, what it is of, and its line where it has one."""

    line: int | None
    name: str
    vector: Floats


def named_vectors(path: Path) -> Iterator[Named]:
    """All vectors of a file, by its ending.

    `.npz` has arrays `names` and `vectors`, `.parquet` a column `name` and either a column of lists or one column for
    each number; else it is lines: a name, a tab, and numbers separated by spaces, commas or tabs.
    """
    read = {".npz": _npz, ".parquet": _parquet}.get(path.suffix.lower(), _lines)
    width = None
    for found in read(path):
        if not len(found.vector) or not np.isfinite(found.vector).all():
            problem = f"the vector of {found.name} has no numbers, or some that are not finite"
            raise ReadError(problem, str(path), found.line)
        width = len(found.vector) if width is None else width
        if len(found.vector) != width:
            raise ReadError(
                f"{found.name} has {len(found.vector)} numbers, others have more or fewer", str(path), found.line
            )
        yield found


def _lines(path: Path) -> Iterator[Named]:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ReadError(f"vectors cannot be read: {error}", str(path)) from None
    for number, line in enumerate(lines, 1):
        name, tab, rest = line.partition("\t")
        if line.strip():
            if not tab:
                raise ReadError(f"no tab after the name, before the numbers: {shown(line)}", str(path), number)
            try:
                vector = np.array([float(cell) for cell in rest.replace(",", " ").split()], np.float64)
            except ValueError as error:
                raise ReadError(f"not a vector: {error}", str(path), number) from None
            yield Named(number, name, vector)


def _npz(path: Path) -> Iterator[Named]:
    try:
        with path.open("rb") as file, np.lib.npyio.NpzFile(file, allow_pickle=False) as arrays:
            found = {name: arrays[name] for name in (NAMES, VECTORS) if name in arrays}
    except Exception as error:  # zip, zlib and the header of an array each have their own for damaged bytes
        raise ReadError(f"vectors cannot be read: {error}", str(path)) from None
    missing = [name for name in (NAMES, VECTORS) if name not in found]
    if missing:
        raise ReadError(f"has no array `{missing[0]}`; it needs `{NAMES}` and `{VECTORS}`", str(path))
    names, vectors = found[NAMES], found[VECTORS]
    if (
        names.dtype.kind != "U"
        or names.ndim != 1
        or vectors.dtype.kind not in "fiu"
        or vectors.shape[:1] != names.shape
    ):
        raise ReadError(f"`{NAMES}` has to be a list of texts, `{VECTORS}` a row of numbers for each", str(path))
    for name, vector in zip(names.tolist(), np.asarray(vectors, np.float64), strict=True):
        yield Named(None, name, vector.ravel())


def _parquet(path: Path) -> Iterator[Named]:
    import pyarrow
    from pyarrow import parquet

    try:
        table = parquet.read_table(path)
    except (OSError, pyarrow.ArrowException) as error:
        raise ReadError(f"vectors cannot be read: {error}", str(path)) from None
    if "name" not in table.column_names or len(table.column_names) < 2:
        raise ReadError("has to have a column `name`, and a column of lists or a column for each number", str(path))
    rest = table.drop_columns(["name"])
    listed = rest.num_columns == 1 and pyarrow.types.is_nested(rest.schema.types[0])
    columns = [column.to_pylist() for column in rest.columns]
    rows = columns[0] if listed else list(zip(*columns, strict=True))
    for name, cells in zip(table.column("name").to_pylist(), rows, strict=True):
        try:
            yield Named(None, str(name), np.array([float(cell) for cell in cells], np.float64))
        except (TypeError, ValueError):
            raise ReadError(f"the vector of {name} has something that is no number", str(path)) from None
