"""Checkpoints are whole or noticed."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from elgeo.arrays import Array
from elgeo.errors import ElgeoError
from elgeo.training.folder.checkpoint import Checkpoint, latest, save, tidy
from elgeo.training.folder.state import State
from elgeo.training.folder.tensors import DamagedError, _digest, load_arrays, save_arrays

ARRAYS: dict[str, Array] = {
    "model/a": np.arange(12, dtype=np.float32).reshape(3, 4),
    "engine/step": np.array(7, np.int64),
}


def checkpoint(epoch: int, step: int = 0) -> Checkpoint:
    generator = np.random.default_rng(epoch).bit_generator.state
    state = State(epoch, step, generator, 0.1 * epoch, None, 2, epoch, 0.5, {"subclass": 1.5}, 0.25, {"subclass": 3})
    return Checkpoint({**ARRAYS, "best/a": np.full(3, epoch, np.float32)}, state)


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    save(tmp_path, checkpoint(3, 5))
    found = latest(tmp_path)
    assert found is not None
    assert found.state == checkpoint(3, 5).state
    assert found.place == (3, 5)
    assert {name: array.tolist() for name, array in found.arrays.items()} == {
        **{name: array.tolist() for name, array in ARRAYS.items()},
        "best/a": [3, 3, 3],
    }
    assert found.arrays["engine/step"].dtype == np.int64


def test_the_same_gives_the_same_bytes(tmp_path: Path) -> None:
    arrays = {"b": np.arange(3, dtype=np.float32), "a": np.ones((2, 2), np.float32)}
    for number in range(10):
        save_arrays(tmp_path / f"{number}.safetensors", arrays, {"epoch": 1})
    assert len({path.read_bytes() for path in tmp_path.iterdir()}) == 1


@pytest.mark.parametrize("kind", [">i4", "c8", "U3", "O"])
def test_what_the_format_has_no_type_for_is_refused(tmp_path: Path, kind: str) -> None:
    with pytest.raises(ElgeoError, match=r"cannot write .*'turns' is of type .*, which safetensors has not"):
        save_arrays(tmp_path / "x.safetensors", {"centres": np.ones(2), "turns": np.zeros(2, kind)}, {})
    assert not list(tmp_path.iterdir())


def test_the_bytes_are_those_of_the_library(tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    rng = np.random.default_rng(4)
    kinds = ("u8", "i8", "f8", "f4", "u4", "i4", "f2", "u2", "i2", "i1", "u1", "?")
    arrays = {
        f"{name}/{kind}": (rng.random(shape) * 90).astype(kind)
        for kind in rng.permutation(kinds)
        for name, shape in (("β", (3, 5)), ("b", (2, 1, 7)), ("a ü", ()), ("none", (0, 4)))
    }
    arrays["turned"] = np.arange(12, dtype=np.float32).reshape(3, 4).T
    state = {"quoted": 'a "name" \n\t\\ €', "epoch": 3}
    text = json.dumps(state)
    save_arrays(tmp_path / "ours.safetensors", arrays, state)
    whole = {name: np.ascontiguousarray(array).reshape(array.shape) for name, array in arrays.items()}
    metadata = {"elgeo": json.dumps({"state": text, "sha256": _digest(whole, text)})}
    save_file(whole, tmp_path / "theirs.safetensors", metadata=metadata)
    assert (tmp_path / "ours.safetensors").read_bytes() == (tmp_path / "theirs.safetensors").read_bytes()
    found, _ = load_arrays(tmp_path / "ours.safetensors")
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype
        assert np.array_equal(found[name], array)


def test_headers_of_every_length_end_where_those_of_the_library_do(tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    lengths = set()
    for longer in range(8):
        arrays, text = {"a" * (1 + longer): np.arange(3, dtype=np.float32)}, "{}"
        save_arrays(tmp_path / "ours.safetensors", arrays, {})
        metadata = {"elgeo": json.dumps({"state": text, "sha256": _digest(arrays, text)})}
        save_file(arrays, tmp_path / "theirs.safetensors", metadata=metadata)
        ours = (tmp_path / "ours.safetensors").read_bytes()
        assert ours == (tmp_path / "theirs.safetensors").read_bytes()
        lengths.add(len(ours[8:-12].rstrip()) % 8)
    assert lengths == set(range(8))


@pytest.mark.parametrize(
    "metadata",
    [
        None,
        {"format": "np"},
        {"elgeo": "{}"},
        {"elgeo": "[]"},
        {"elgeo": '"state"'},
        {"elgeo": '{"state": {"epoch": 1}}'},
    ],
)
def test_files_of_other_programs_have_no_values(tmp_path: Path, metadata: dict[str, str] | None) -> None:
    from safetensors.numpy import save_file

    path = tmp_path / "x.safetensors"
    save_file({"a": np.arange(3, dtype=np.float32)}, path, metadata=metadata)
    with pytest.raises(DamagedError, match=r"x\.safetensors is damaged: its values are missing"):
        load_arrays(path)


def test_files_of_the_first_layout_are_read(tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    arrays, text = {"a": np.arange(3, dtype=np.float32)}, '{"epoch": 1}'
    old = {"state": text, "sha256": _digest(arrays, text)}
    save_file(arrays, tmp_path / "old.safetensors", metadata=old)
    found, state = load_arrays(tmp_path / "old.safetensors")
    assert found["a"].tolist() == [0, 1, 2]
    assert state.values == {"epoch": 1}


def test_the_last_two_are_kept(tmp_path: Path) -> None:
    for epoch in (1, 2, 10, 11):
        save(tmp_path, checkpoint(epoch))
    names = sorted(path.name for path in (tmp_path / "checkpoints").iterdir())
    assert names == ["epoch-000010-step-000000.safetensors", "epoch-000011-step-000000.safetensors"]


def test_a_damaged_checkpoint_is_noticed_and_the_one_before_it_used(tmp_path: Path) -> None:
    save(tmp_path, checkpoint(1))
    path = save(tmp_path, checkpoint(2))
    whole = path.read_bytes()
    random = np.random.default_rng(0)
    damages = [whole[:0], whole[: len(whole) // 2], whole[:-1], b"x" * len(whole)]
    for place in random.integers(0, len(whole), 60).tolist():
        changed = bytearray(whole)
        changed[place] ^= 1 << int(random.integers(8))
        damages.append(bytes(changed))
    for damage in damages:
        path.write_bytes(damage)
        try:
            arrays, state = load_arrays(path)
        except DamagedError:
            continue
        # a changed blank in the padding of the header changes nothing that is read
        assert State.from_fields(state) == checkpoint(2).state
        assert np.array_equal(arrays["model/a"], ARRAYS["model/a"])
        assert np.array_equal(arrays["best/a"], np.full(3, 2))
    path.write_bytes(whole[:-7])
    complaints: list[str] = []
    found = latest(tmp_path, complaints.append)
    assert found is not None
    assert found.place == (1, 0)
    assert "damaged" in complaints[0]
    assert path.name in complaints[0]


def test_without_a_whole_one_there_is_none(tmp_path: Path) -> None:
    assert latest(tmp_path) is None
    save(tmp_path, checkpoint(1)).write_bytes(b"")
    assert latest(tmp_path) is None


def test_what_is_no_checkpoint_is_left_alone(tmp_path: Path) -> None:
    save(tmp_path, checkpoint(1))
    (tmp_path / "checkpoints" / "epoch-000002-step-000000.safetensors").mkdir()
    (tmp_path / "checkpoints" / "notes.txt").write_text("mine")
    found = latest(tmp_path)
    assert found is not None
    assert found.place == (1, 0)
    save(tmp_path, checkpoint(3))
    save(tmp_path, checkpoint(4))
    tidy(tmp_path, None)
    assert sorted(path.name for path in (tmp_path / "checkpoints").iterdir()) == [
        "epoch-000002-step-000000.safetensors",
        "notes.txt",
    ]


def test_a_checkpoint_under_another_name_is_damaged(tmp_path: Path) -> None:
    path = save(tmp_path, checkpoint(1))
    path.rename(path.with_name("epoch-000009-step-000000.safetensors"))
    complaints: list[str] = []
    assert latest(tmp_path, complaints.append) is None
    assert "it is of epoch 1, step 0" in complaints[0]


def test_half_written_files_and_a_future_are_removed(tmp_path: Path) -> None:
    for epoch in (1, 2):
        save(tmp_path, checkpoint(epoch))
    (tmp_path / "checkpoints" / ".epoch-000003.xyz.part").write_bytes(b"half")
    (tmp_path / ".run.toml.abc.part").write_bytes(b"half")
    tidy(tmp_path, checkpoint(1))
    assert [path.name for path in (tmp_path / "checkpoints").iterdir()] == ["epoch-000001-step-000000.safetensors"]
    assert not list(tmp_path.glob(".*"))


def test_a_folder_that_cannot_be_written_is_an_error_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "checkpoints").write_text("a file where the folder should be")
    with pytest.raises(ElgeoError, match=r"cannot write .*checkpoints"):
        save_arrays(tmp_path / "checkpoints" / "x.safetensors", ARRAYS, {})


def test_a_pipe_in_the_place_of_a_checkpoint_is_not_waited_for(tmp_path: Path) -> None:
    save(tmp_path, checkpoint(1))
    os.mkfifo(tmp_path / "checkpoints" / "epoch-000002-step-000000.safetensors")
    complaints: list[str] = []
    found = latest(tmp_path, complaints.append)
    assert found is not None
    assert found.place == (1, 0)
    assert "step-000000.safetensors is damaged: it is not a file; using the one before it" in complaints[0]
