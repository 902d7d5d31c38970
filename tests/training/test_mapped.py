"""Weights that stay in their file: the same arrays, scores and documents, and nothing is written through."""

from __future__ import annotations

import json
import mmap
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import elgeo
from elgeo.errors import SettingError
from elgeo.models.contract import REGISTRY, Model, Sizes
from elgeo.training import run as runs
from elgeo.training.folder import tensors
from elgeo.training.folder.tensors import DamagedError, load_arrays, save_arrays
from elgeo.training.run import Run
from tests.small_dataset import small_dataset

ARRAYS = {
    "reals": np.linspace(-3, 4, 35, dtype=np.float32).reshape(5, 7),
    "double": np.array([0.1, np.inf]),
    "half": np.arange(3, dtype=np.float16),
    "whole": np.arange(4, dtype=np.int64),
    "short": np.array([[7, -1]], np.int32),
    "nothing": np.empty((0, 3), np.float32),
    "one": np.array(2.5),
}
MODELS = sorted(
    name for name, cls in REGISTRY.items() if issubclass(cls, Model) and cls.__module__.startswith("elgeo.")
)


def is_mapped(array: NDArray[Any]) -> bool:
    base: Any = array
    while isinstance(base, np.ndarray):
        base = base.base
    return isinstance(getattr(base, "obj", base), mmap.mmap)


def test_a_file_may_be_larger_than_memory(tmp_path: Path) -> None:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    swap = [int(line.split()[1]) for line in Path("/proc/meminfo").read_text().splitlines() if "SwapTotal" in line]
    count = (2 * memory + 1024 * sum(swap)) // 4
    header = json.dumps({"table": {"dtype": "F32", "shape": [count // 8, 8], "data_offsets": [0, count // 8 * 32]}})
    path = tmp_path / "large.safetensors"
    with path.open("wb") as file:  # a file of holes: it takes no room
        file.write(len(header).to_bytes(8, "little") + header.encode())
        file.truncate(8 + len(header) + count // 8 * 32)
        file.seek(-32, os.SEEK_END)
        file.write(np.arange(8, dtype="<f4").tobytes())
    table = tensors._mapped(path)("table")
    assert table.shape == (count // 8, 8)
    assert table[[0, -1]].tolist() == [[0.0] * 8, list(range(8))]


@pytest.mark.parametrize("platform", [sys.platform, "win32"])
def test_mapped_arrays_are_those_of_the_file(platform: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tensors, "sys", SimpleNamespace(platform=platform))
    path = tmp_path / "x.safetensors"
    save_arrays(path, ARRAYS, {"epoch": 3})
    content = path.read_bytes()
    found, fields = load_arrays(path, mapped=True)
    assert fields.whole("epoch") == 3
    assert set(found) == set(ARRAYS)
    for name, array in ARRAYS.items():
        np.testing.assert_array_equal(found[name], array)
        assert found[name].dtype == array.dtype
        assert found[name].shape == array.shape
    assert is_mapped(found["reals"])
    found["reals"][:] = 0
    assert path.read_bytes() == content
    path.write_bytes(content[:-1] + b"\x01")
    with pytest.raises(DamagedError, match="checksum"):
        load_arrays(path, mapped=True)
    path.write_bytes(content[:-9])
    with pytest.raises(DamagedError):
        load_arrays(path, mapped=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_a_run_is_asked_in_its_file(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = small_dataset(1)
    elgeo.train(dataset, name, folder=tmp_path / "run", epochs=2, dimension=3)
    in_memory = Run.load(tmp_path / "run", dataset)
    assert not any(is_mapped(array) for array in in_memory.weights.values())
    monkeypatch.setattr(runs, "MAPPED_FROM", 0)
    monkeypatch.setattr(runs, "BLOCK", 4)
    mapped = Run.load(tmp_path / "run", dataset)
    assert any(is_mapped(array) for array in mapped.weights.values())
    assert mapped.predict(head="person3", top=9).equals(in_memory.predict(head="person3", top=9))
    predictor = mapped.predictor()
    assert isinstance(predictor, Model)
    assert predictor.sizes == Sizes.of(dataset)
    with pytest.raises(SettingError, match="were the weights trained on another dataset"):
        type(predictor).restored(Sizes(50, 4), predictor.settings, mapped.weights)


def test_what_is_no_number_is_noticed_wherever_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "BLOCK", 4)
    dataset = small_dataset(1)
    run = elgeo.train(dataset, "elem", epochs=1, dimension=3)
    for row in (0, 41, len(run.weights["radii"]) - 1):
        weights = {name: array.copy() for name, array in run.weights.items()}
        weights["radii"][row] = np.nan
        with pytest.raises(DamagedError, match="radii has values that are no numbers"):
            Run(run.record, run.history, None, weights, dataset).predictor()
