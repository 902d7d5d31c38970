"""Another model's run as evidence of atlas: its scores and nothing else, never where it has seen what is held out."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

import elgeo
from elgeo import datasets
from elgeo.errors import ElgeoError, SettingError
from elgeo.models.atlas import Atlas, AtlasSettings
from elgeo.models.atlas.build import build
from elgeo.models.atlas.geometry import GEOMETRY
from elgeo.models.atlas.given_files import check_unchanged, checksums
from elgeo.models.atlas.weighing import heldout
from elgeo.models.atlas.weighing.weights import Weighing, bent
from elgeo.training.run import Run


def quiet(message: str) -> None:
    """No progress."""


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return elgeo.train("cell-tiny-hf", "elem", folder=tmp_path_factory.mktemp("runs") / "balls", epochs=3)


def test_its_scores_are_evidence(trained: Run) -> None:
    dataset = trained.dataset
    parts = build(dataset, AtlasSettings(geometry=str(trained.folder)), quiet)
    target, bare = parts.evidence.target, build(dataset, AtlasSettings(), quiet)
    assert set(parts.evidence.names) - set(bare.evidence.names) == {GEOMETRY}
    ids = target.heads[[4, 1, 9]]
    expected = trained.predictor().scorer().tails(ids, target.role, target.tails)
    np.testing.assert_allclose(parts.evidence.combined(ids, {GEOMETRY: 2.0}), 2 * expected, rtol=1e-5)
    atlas = Atlas(dataset, parts, Weighing({GEOMETRY: 0.5, bent(GEOMETRY): 2.0}, {GEOMETRY: 3.0}))
    head, tail = dataset.valid[0, [0, -1]].tolist()
    (reason,) = atlas.explain(head, tail)
    score = atlas.scorer().pairs(np.array([head], np.int32), target.role, np.array([tail], np.int32))[0]
    assert reason.share == pytest.approx(score, rel=1e-4)
    assert reason.words == "score of another model (geometry)"


@pytest.mark.slow
def test_parts_of_training_that_it_has_seen_are_weighed_without_it(
    trained: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def noted(dataset: datasets.Dataset, settings: AtlasSettings, say: object) -> object:
        asked.append(settings.geometry)
        return build(dataset, settings, quiet)

    monkeypatch.setattr(heldout, "build", noted)
    settings = AtlasSettings(geometry=str(trained.folder))
    atlas = Atlas.fit(trained.dataset, settings, np.random.default_rng(0), quiet)
    assert asked == ["none"] * heldout.FOLDS
    again = Atlas.restore(trained.dataset, settings, atlas.arrays())
    assert again.weighing == atlas.weighing


def test_a_run_that_was_trained_again_is_another_one(trained: Run, tmp_path: Path) -> None:
    folder = tmp_path / "balls"
    shutil.copytree(str(trained.folder), folder)
    settings = AtlasSettings(geometry=str(folder))
    known = checksums(settings)
    (folder / "notes.txt").write_text("evaluated")
    check_unchanged(settings, known)
    check_unchanged(settings, {})
    weights = folder / "weights.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + b"?")
    with pytest.raises(SettingError, match="balls is not what it was when the run was trained"):
        check_unchanged(settings, known)


@pytest.mark.slow
def test_what_is_no_run_of_another_model_is_refused(trained: Run, tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="has to be the folder of a run"):
        AtlasSettings(geometry=str(tmp_path / "nowhere"))
    with pytest.raises(ElgeoError):
        build(trained.dataset, AtlasSettings(geometry=str(tmp_path)), quiet)
    with pytest.raises(ElgeoError, match="another dataset"):
        build(datasets.load("cell-tiny"), AtlasSettings(geometry=str(trained.folder)), quiet)
    own = elgeo.train("cell-tiny-hf", folder=tmp_path / "own")
    with pytest.raises(SettingError, match="a run of another model"):
        build(trained.dataset, AtlasSettings(geometry=str(own.folder)), quiet)
    both = elgeo.train("cell-tiny-hf", folder=tmp_path / "both", seeds=2)
    with pytest.raises(SettingError, match="a run of another model"):
        build(trained.dataset, AtlasSettings(geometry=str(both.folder)), quiet)
