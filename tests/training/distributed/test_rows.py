"""OwnRows in parts: which are whose, distinct classes without sorting, checkpoints put together again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from elgeo.training.distributed.rows import Finder
from elgeo.training.folder.parts import OwnRows, WantedRows, read_parts, save_part
from elgeo.training.folder.tensors import DamagedError


@pytest.mark.slow
@given(st.lists(st.lists(st.integers(0, 19), max_size=30), min_size=1, max_size=3), st.integers(1, 5))
def test_distinct_classes_are_found_by_owner(several: list[list[int]], owners: int) -> None:
    finder = Finder(20, owners)
    for ids in several:  # what is remembered of one call is nothing to the next
        found = finder.distinct(np.array(ids, np.int32))
        assert sorted(found.classes.tolist()) == sorted(set(ids))
        assert [c % owners for c in found.classes.tolist()] == sorted(c % owners for c in set(ids))
        assert found.counts.tolist() == [sum(c % owners == owner for c in set(ids)) for owner in range(owners)]
        assert found.classes[found.places].tolist() == ids


@given(st.integers(0, 30), st.integers(1, 6))
def test_each_row_is_somewhere_once(total: int, size: int) -> None:
    whole = np.arange(total)
    parts = [OwnRows(total, rank, size) for rank in range(size)]
    assert sorted(row for part in parts for row in part.numbers) == list(range(total))
    for part in parts:
        assert whole[part.cut].tolist() == list(part.numbers)
        assert part.count == len(part.numbers)
    assert max(part.count for part in parts) - min(part.count for part in parts) <= 1


TABLES = frozenset({"centres", "radii"})
TOTAL = 11
RANDOM = np.random.default_rng(0)
WHOLE: dict[str, NDArray[Any]] = {
    "model/centres": RANDOM.normal(size=(TOTAL, 3)).astype(np.float32),
    "engine/mean.radii": RANDOM.normal(size=TOTAL).astype(np.float32),
    "engine/square.roles": RANDOM.normal(size=(TOTAL, 2)).astype(np.float32),
    "engine/step": np.array(5, np.int64),
}


def in_parts(folder: Path, size: int) -> Path:
    for rank in range(size):
        chosen = WantedRows(rank, size, TABLES)
        arrays = {name: chosen.of_whole(name, array) for name, array in WHOLE.items()}
        save_part(folder, OwnRows(TOTAL, rank, size), chosen, arrays, {"epoch": 2})
    return folder


@pytest.mark.parametrize("size", [1, 2, 3, 4])
@pytest.mark.parametrize("readers", [1, 2, 3, 4, 6])
def test_parts_are_read_by_any_number_of_processes(size: int, readers: int, tmp_path: Path) -> None:
    in_parts(tmp_path, size)
    for rank in range(readers):
        found, state = read_parts(tmp_path, WantedRows(rank, readers, TABLES))
        assert state.whole("epoch") == 2
        assert set(found) == set(WHOLE)
        for name, array in WHOLE.items():
            cut = name in ("model/centres", "engine/mean.radii")
            np.testing.assert_array_equal(found[name], array[rank::readers] if cut else array)
            assert found[name].dtype == array.dtype
    everything, _ = read_parts(tmp_path, WantedRows())
    for name, array in WHOLE.items():
        np.testing.assert_array_equal(everything[name], array)


def test_parts_that_are_missing_or_not_their_own_are_noticed(tmp_path: Path) -> None:
    folder = in_parts(tmp_path / "a", 3)
    (folder / "part-1-of-3.safetensors").rename(folder / "kept")
    with pytest.raises(DamagedError, match="parts of it are missing"):
        read_parts(folder, WantedRows())
    (folder / "part-1-of-3.safetensors").write_bytes((folder / "part-0-of-3.safetensors").read_bytes())
    with pytest.raises(DamagedError, match="it is another part"):
        read_parts(folder, WantedRows())
    (folder / "part-1-of-3.safetensors").write_bytes((folder / "kept").read_bytes())
    assert set(read_parts(folder, WantedRows())[0]) == set(WHOLE)
    (folder / "part-0-of-2.safetensors").write_bytes(b"")
    with pytest.raises(DamagedError, match="parts of it are missing"):
        read_parts(folder, WantedRows())
    rank = OwnRows(TOTAL, 0, 1)
    save_part(tmp_path / "b", rank, WantedRows(0, 1, TABLES), {"model/centres": WHOLE["model/centres"][1:]}, {})
    with pytest.raises(DamagedError, match="model/centres has not the rows of its part"):
        read_parts(tmp_path / "b", WantedRows())


@pytest.mark.parametrize("change", [lambda a: a.astype(np.float64), lambda a: a[:, :2].copy()], ids=["type", "width"])
def test_parts_that_do_not_fit_each_other_are_noticed(change: Any, tmp_path: Path) -> None:
    in_parts(tmp_path, 2)
    chosen = WantedRows(1, 2, TABLES)
    own = {"model/centres": change(chosen.of_whole("model/centres", WHOLE["model/centres"]))}
    save_part(tmp_path, OwnRows(TOTAL, 1, 2), chosen, own, {"epoch": 2})
    with pytest.raises(DamagedError, match="model/centres does not fit the other parts"):
        read_parts(tmp_path, WantedRows())
