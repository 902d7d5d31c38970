"""Vectors of the user's own are one more block; what is wrong with a file is said with its line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from elgeo.errors import ReadError, SettingError
from elgeo.models.atlas import Atlas, AtlasSettings
from elgeo.models.atlas.build import build, check_memory
from elgeo.models.atlas.contexts.vectors import read_vectors
from tests.models.atlas.plain_atlas import small_dataset


def test_vectors_are_centred_unit_rows(tmp_path: Path) -> None:
    vocabulary = small_dataset(np.random.default_rng(0), "same").vocabulary
    path = tmp_path / "vectors.tsv"
    path.write_text("C003\t1 2 3\n\nC005\t3,0,1\nunknown\t1 1 1\nhttp://example.org/C010\t0\t0\t-1\n")
    rows = read_vectors(path, vocabulary).toarray()
    given = {3: [1, 2, 3], 5: [3, 0, 1], 10: [0, 0, -1]}
    mean = np.mean(list(given.values()), axis=0)
    for c in range(vocabulary.n_classes):
        expected = np.zeros(3)
        if c in given:
            expected = (given[c] - mean) / np.linalg.norm(given[c] - mean)
        np.testing.assert_allclose(rows[c], expected, atol=1e-6)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("C003\t1 2\nC004\t1 nan\n", ":2: the vector of C004 has no numbers"),
        ("C003\t1 2\nC004\t1 inf\n", "not finite"),
        ("C003\t\n", ":1: the vector of C003"),
        ("C003\t1 2\nC004\t1 2 3\n", ":2: C004 has 3 numbers"),
        ("C003\t1 x\n", ":1: not a vector"),
        (
            f"C003\t1 2\nC004 {'0.25 ' * 700}\n",
            ":2: no tab after the name, before the numbers: 'C004 .{1,60}$",
        ),
        ("nobody\t1 2\n", "no line names a class"),
        ("", "no line names a class"),
    ],
)
def test_bad_vectors_are_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "vectors.tsv"
    path.write_text(text)
    with pytest.raises(ReadError, match=message):
        read_vectors(path, small_dataset(np.random.default_rng(0), "same").vocabulary)


@pytest.mark.parametrize("size", [1e308, 1e30, 1e-30, 1e-300])
def test_vectors_may_be_of_any_size(size: float, tmp_path: Path) -> None:
    vocabulary = small_dataset(np.random.default_rng(0), "same").vocabulary
    given = np.random.default_rng(2).uniform(-1, 1, size=(4, 3))
    made = []
    for factor in (1.0, size):
        path = tmp_path / "vectors.tsv"
        path.write_text("".join(f"C00{k + 3}\t{' '.join(map(str, row))}\n" for k, row in enumerate(given * factor)))
        made.append(read_vectors(path, vocabulary).toarray())
    assert (np.linalg.norm(made[0][3:7], axis=1) > 0.99).all()
    np.testing.assert_allclose(made[1], made[0], atol=1e-6)


def test_equal_vectors_say_nothing(tmp_path: Path) -> None:
    path = tmp_path / "vectors.tsv"
    path.write_text("".join(f"C{c:03}\t0.1 -0.7 1234.1\n" for c in range(3, 17)))
    assert not read_vectors(path, small_dataset(np.random.default_rng(0), "same").vocabulary).nnz


def test_vectors_become_evidence(tmp_path: Path) -> None:
    dataset = small_dataset(np.random.default_rng(0), "same")
    path = tmp_path / "vectors.tsv"
    generator = np.random.default_rng(1)
    lines = [f"C{c:03}\t{' '.join(map(str, generator.normal(size=4)))}" for c in range(2, 20)]
    path.write_text("\n".join(lines))
    evidence = build(dataset, AtlasSettings(contexts="none", vectors=str(path)), print).evidence
    ids = np.arange(2, 26, dtype=np.int32)
    rows = read_vectors(path, dataset.vocabulary).toarray()
    found = dict(zip(evidence.names, evidence.rows(ids), strict=True))
    expected = rows[ids] @ rows[evidence.target.tails].T
    np.testing.assert_allclose(found["alike by vectors"], expected, atol=1e-5)
    assert "alike · same" in found
    with pytest.raises(SettingError, match="vectors has to be a file"):
        AtlasSettings(vectors=str(tmp_path / "nowhere"))


def test_a_run_is_asked_from_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "vectors.tsv"
    path.write_text("C003\t1 2 3\n")
    monkeypatch.chdir(tmp_path)
    settings = AtlasSettings(vectors="vectors.tsv", geometry=".")
    assert settings == AtlasSettings(vectors=str(path), geometry=str(tmp_path))
    monkeypatch.chdir("/")
    assert replace(settings, dense=7).vectors == settings.vectors
    assert AtlasSettings() == AtlasSettings(vectors="none", geometry="none")


def test_a_run_is_not_asked_with_other_vectors_than_it_was_fitted_with(tmp_path: Path) -> None:
    dataset, path = small_dataset(np.random.default_rng(0), "roles"), tmp_path / "vectors.tsv"
    generator = np.random.default_rng(1)
    lines = [f"C{c:03}\t{' '.join(map(str, generator.normal(size=4)))}\n" for c in range(2, 20)]
    path.write_text("".join(lines))
    settings = AtlasSettings(contexts="none", vectors=str(path))
    atlas = Atlas.fit(dataset, settings, np.random.default_rng(0), lambda message: None)
    again = Atlas.restore(dataset, settings, atlas.arrays())
    assert again.arrays().keys() == atlas.arrays().keys()
    for name, array in again.arrays().items():
        np.testing.assert_array_equal(array, atlas.arrays()[name])
    path.write_text("".join(lines[:-1]))
    with pytest.raises(SettingError, match="is not what it was when the run was trained"):
        Atlas.restore(dataset, settings, again.arrays())
    older = {name: array for name, array in atlas.arrays().items() if name != "vectors"}
    assert Atlas.restore(dataset, settings, older).weighing == atlas.weighing
    path.write_text("".join(lines))
    assert Atlas.restore(dataset, settings, atlas.arrays()).weighing == atlas.weighing


def test_too_little_memory_is_said_before_it_is_asked_for() -> None:
    check_memory(1000)
    with pytest.raises(SettingError, match="dense"):
        check_memory(3_000_000)
