"""Tables of a closure as files: all rows, or as many as were asked for, with a mark where there were more."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from elgeo.errors import SettingError
from elgeo.reasoning.closure import export
from elgeo.reasoning.closure.complete import CompleteClosure
from elgeo.reasoning.closure.export import _bounded, write_closure
from elgeo.reasoning.saturation.saturate import saturate
from tests.reasoning.brute import make_forms, vocabulary


def pieces(sizes: list[int], limit: int, at_once: int, monkeypatch: pytest.MonkeyPatch) -> tuple[list[int], bool]:
    """The rows that come through, numbered, and whether the last piece says that there were more."""
    monkeypatch.setattr(export, "_ROWS", at_once)
    ends = np.cumsum([0, *sizes])
    tables = (np.arange(low, high, dtype=np.int32)[:, None] for low, high in pairwise(ends))
    found = list(_bounded(tables, limit))
    assert all(len(table) <= at_once for table, _ in found)
    assert not any(more for _, more in found[:-1])
    return [int(i) for table, _ in found for i in table[:, 0]], bool(found) and found[-1][1]


@pytest.mark.parametrize("at_once", [1, 3, 4, 100])
def test_no_more_than_the_limit(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for sizes in ([7], [3, 4], [0, 3, 0, 4, 0], [7, 0, 0]):
        for limit in range(1, 10):
            rows, more = pieces(sizes, limit, at_once, monkeypatch)
            assert rows == list(range(min(limit, 7)))
            assert more == (limit < 7)
    assert pieces([0, 0], 5, at_once, monkeypatch) == ([], False)


FORMS = make_forms(
    vocabulary(3, 1, 1, 3),
    subclass=[(2, 3), (3, 4), (5, 2), (6, 2)],
    existential=[(2, 1, 4), (3, 2, 6)],
    subrole=[(1, 2)],
)


def read(folder: Path, form: str, format: str) -> tuple[list[str], list[tuple[str, ...]]]:
    path = folder / f"{form}.{format}"
    if format == "parquet":
        table = pq.read_table(path)
        return table.column_names, [tuple(row.values()) for row in table.to_pylist()]
    header, *lines = path.read_text(encoding="utf-8").splitlines()
    return header.split("\t"), [tuple(line.split("\t")) for line in lines]


@pytest.mark.parametrize("format", ["tsv", "parquet"])
def test_every_row_is_written_under_its_names(format: str, tmp_path: Path) -> None:
    closure = CompleteClosure(saturate(FORMS))
    base = "http://example.org/"
    names: dict[int, Any] = {i: f"<{base}C{i}>" for i in (2, 3, 4)} | {5: f"ObjectOneOf(<{base}a5>)", 6: f"{base}<6"}
    for fresh in (False, True):
        record = write_closure(closure, tmp_path / "out", format=format, fresh=fresh)
        assert record == json.loads((tmp_path / "out" / "closure.json").read_text())
        assert (record["mode"], record["fresh"], record["cut_off"]) == ("complete", fresh, [])
        columns, rows = read(tmp_path / "out", "subclass", format)
        assert columns == ["c", "d"]
        known = [2, 3, 4, 5, *([6] if fresh else [])]
        above = {2: [3, 4], 3: [4], 4: [], 5: [2, 3, 4], 6: [2, 3, 4]}
        assert sorted(rows) == sorted((names[c], names[d]) for c in known for d in above[c])
        assert record["axioms"]["GCI0"] == len(rows)
        columns, rows = read(tmp_path / "out", "existential", format)
        assert columns == ["c", "r", "d"]
        assert (names[2], f"<{base}r1>", names[4]) in rows
        assert ((names[3], f"<{base}r2>", names[6]) in rows) == fresh
        assert read(tmp_path / "out", "subrole", format)[1] == [(f"<{base}r1>", f"<{base}r2>")]
    record = write_closure(closure, tmp_path / "out", format=format, limit=2)
    assert record["axioms"]["GCI0"] == len(read(tmp_path / "out", "subclass", format)[1]) == 2
    assert "GCI0" in record["cut_off"]
    assert "RI0" not in record["cut_off"]


def test_other_folders_and_formats_are_refused(tmp_path: Path) -> None:
    closure = CompleteClosure(saturate(FORMS))
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "mine.txt").write_text("")
    with pytest.raises(SettingError, match="not a folder of a closure"):
        write_closure(closure, tmp_path / "notes")
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingError, match="not a folder of a closure"):
        write_closure(closure, tmp_path / "file")
    with pytest.raises(SettingError, match="no tables in 'csv'; there are tsv, parquet"):
        write_closure(closure, tmp_path / "new", format="csv")
    (tmp_path / "empty").mkdir()
    assert write_closure(closure, tmp_path / "empty")["axioms"]["RI0"] == 1
