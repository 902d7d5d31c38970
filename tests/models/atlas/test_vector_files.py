"""Vectors from npz and Parquet are those of the lines; what is wrong with a file is said in one message."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow
import pytest
from pyarrow import parquet

from elgeo.errors import ReadError
from elgeo.models.atlas.contexts.vector_files import named_vectors

GIVEN = {"C003": [1.0, 2.5, 3.0], "C005": [3.0, 0.0, -1.0]}


def test_all_formats_say_the_same(tmp_path: Path) -> None:
    (tmp_path / "v.tsv").write_text("".join(f"{name}\t{' '.join(map(str, row))}\n" for name, row in GIVEN.items()))
    np.savez(tmp_path / "v.npz", names=np.array(list(GIVEN)), vectors=np.array(list(GIVEN.values()), np.float32))
    names = pyarrow.array(list(GIVEN))
    parquet.write_table(pyarrow.table({"name": names, "v": list(GIVEN.values())}), tmp_path / "lists.parquet")
    numbers = {f"n{i}": [row[i] for row in GIVEN.values()] for i in range(3)}
    parquet.write_table(pyarrow.table({"name": names, **numbers}), tmp_path / "numbers.parquet")
    for file in ("v.tsv", "v.npz", "lists.parquet", "numbers.parquet"):
        assert {each.name: each.vector.tolist() for each in named_vectors(tmp_path / file)} == GIVEN, file


def test_a_single_number_is_a_vector_too(tmp_path: Path) -> None:
    parquet.write_table(pyarrow.table({"name": ["a", "b"], "n": [1.5, -2.0]}), tmp_path / "one.parquet")
    assert {each.name: each.vector.tolist() for each in named_vectors(tmp_path / "one.parquet")} == {
        "a": [1.5],
        "b": [-2.0],
    }


def test_a_mark_of_the_byte_order_is_no_part_of_the_first_name(tmp_path: Path) -> None:
    (tmp_path / "v.tsv").write_text("C003\t1 2\nC005\t3 0\n", encoding="utf-8-sig")
    assert [each.name for each in named_vectors(tmp_path / "v.tsv")] == ["C003", "C005"]


def test_a_file_may_be_without_vectors(tmp_path: Path) -> None:
    np.savez(tmp_path / "v.npz", names=np.array([], "U1"), vectors=np.zeros((0, 4)))
    assert not list(named_vectors(tmp_path / "v.npz"))


def test_bad_files_are_refused(tmp_path: Path) -> None:
    def refused(file: str, problem: str) -> None:
        with pytest.raises(ReadError, match=problem):
            list(named_vectors(tmp_path / file))

    np.savez(tmp_path / "a.npz", names=np.array(["x"]))
    refused("a.npz", "no array `vectors`")
    np.savez(tmp_path / "b.npz", names=np.array(["x", "y"]), vectors=np.ones((3, 2)))
    refused("b.npz", "a row of numbers for each")
    np.savez(tmp_path / "c.npz", names=np.array(["x"], dtype=object), vectors=np.ones((1, 2)))
    refused("c.npz", "cannot be read")  # nothing is unpickled
    np.savez(tmp_path / "d.npz", names=np.array(["x"]), vectors=np.array([[1, np.nan]]))
    refused("d.npz", "not finite")
    (tmp_path / "e.npz").write_bytes(b"nothing of the sort")
    refused("e.npz", "cannot be read")
    with (tmp_path / "array.npz").open("wb") as file:
        np.save(file, np.ones((2, 3)))
    refused("array.npz", "cannot be read")
    (tmp_path / "f.parquet").write_bytes(b"nothing of the sort")
    refused("f.parquet", "cannot be read")
    parquet.write_table(pyarrow.table({"who": ["x"], "v": [[1.0]]}), tmp_path / "g.parquet")
    refused("g.parquet", "a column `name`")
    parquet.write_table(pyarrow.table({"name": ["x", "y"], "v": [[1.0], [1.0, 2.0]]}), tmp_path / "h.parquet")
    refused("h.parquet", "y has 2 numbers")
    parquet.write_table(pyarrow.table({"name": ["x"], "v": ["text"]}), tmp_path / "i.parquet")
    refused("i.parquet", "no number")
    refused("nowhere.npz", "cannot be read")
    refused("nowhere.parquet", "cannot be read")


@pytest.mark.slow
def test_a_damaged_archive_is_refused(tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "whole.npz", names=np.array(["x", "y"]), vectors=np.arange(600.0).reshape(2, 300))
    whole, path, generator = (tmp_path / "whole.npz").read_bytes(), tmp_path / "v.npz", np.random.default_rng(0)
    problems = set()
    for _ in range(300):
        bytes_ = bytearray(whole)
        bytes_[int(generator.integers(len(whole)))] = int(generator.integers(256))
        path.write_bytes(bytes_)
        try:
            list(named_vectors(path))
        except ReadError as error:
            problems.add(str(error))
    assert len(problems) > 3
