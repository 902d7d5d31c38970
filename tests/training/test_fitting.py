"""Runs of predictors that are made at once: fitted, written, read back, evaluated; and what can be set for them."""

from __future__ import annotations

import time
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
import pytest
from numpy.typing import NDArray

import elgeo
from elgeo.cli import main
from elgeo.datasets.model import Dataset
from elgeo.errors import ElgeoError, SettingError
from elgeo.models import Fitted
from elgeo.models.baselines import TableScorer
from elgeo.settings import check, setting
from elgeo.training.run import Run
from elgeo.training.settings import Settings, settings_of
from tests.small_dataset import small_dataset


@dataclass(frozen=True)
class LoudSettings:
    loudness: float = setting(2.0, "what the counts are multiplied by", above=0)

    def __post_init__(self) -> None:
        check(self)


class Loud(Fitted):
    """Tails by how often they occur, made louder, with a little noise that the seed decides."""

    name = "loud"
    paper = "for these tests"
    Settings = LoudSettings

    def __init__(self, counts: NDArray[np.float64]) -> None:
        self.counts = counts

    @classmethod
    def fit(cls, dataset: Dataset, settings: Any, generator: np.random.Generator, say: Callable[[str], None]) -> Self:
        n = dataset.vocabulary.n_classes
        say("counting")
        counts = np.bincount(dataset.train[:, -1], minlength=n) * settings.loudness
        return cls(counts + generator.uniform(0, 0.1, n))

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {"counts": self.counts}

    @classmethod
    def restore(cls, dataset: Dataset, settings: Any, arrays: Mapping[str, NDArray[Any]]) -> Self:
        if set(arrays) != {"counts"}:
            raise SettingError("loud has counts and nothing else")
        return cls(np.asarray(arrays["counts"]))

    def findings(self) -> dict[str, Any]:
        return {"loudest": int(self.counts.argmax())}

    def scorer(self) -> TableScorer:
        return TableScorer(dict.fromkeys((None, *range(9)), self.counts), len(self.counts))


@pytest.mark.slow
def test_a_fitted_run_is_written_and_read_back_to_the_same_bits(tmp_path: Path) -> None:
    dataset = small_dataset(4)
    started = time.perf_counter()
    run = elgeo.train(dataset, "loud", seed=3, loudness=5, folder=tmp_path / "run")
    elapsed = time.perf_counter() - started
    counts = np.bincount(dataset.train[:, -1], minlength=dataset.vocabulary.n_classes) * 5.0
    noise = np.random.default_rng(3).uniform(0, 0.1, len(counts))
    np.testing.assert_array_equal(run.weights["counts"], counts + noise)
    found = Run.load(tmp_path / "run", dataset)
    np.testing.assert_array_equal(found.weights["counts"], run.weights["counts"])
    assert found.settings == run.settings
    record = tomllib.loads((tmp_path / "run" / "run.toml").read_text())
    assert record["result"]["loudest"] == int((counts + noise).argmax())
    assert 0 <= record["result"]["seconds"] <= elapsed + 0.001
    assert record["settings"]["loud"] == {"loudness": 5.0}
    assert found.history == []
    for each in (run, found, elgeo.train(dataset, "loud", seed=3, loudness=5)):
        report = elgeo.evaluate(each, faithfulness=True).to_dict()
        assert report["filtered"] == elgeo.evaluate(run).to_dict()["filtered"]
        assert not report["faithfulness"]
    with pytest.raises(ElgeoError, match="already holds a run"):
        elgeo.train(dataset, "loud", folder=tmp_path / "run")


def test_an_unfinished_fit_leaves_a_folder_in_which_it_can_begin_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = small_dataset(4)
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "evaluation.json").write_text("of another run")

    def fails(*arguments: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("elgeo.training.fitting.save_arrays", fails)
        with pytest.raises(ElgeoError, match="No space left on device"):
            elgeo.train(dataset, "loud", folder=tmp_path / "run")
    assert list((tmp_path / "run").glob("run.toml")) == []
    assert elgeo.train(dataset, "loud", folder=tmp_path / "run").folder == tmp_path / "run"
    assert not (tmp_path / "run" / "evaluation.json").exists()


def test_only_what_means_something_to_it_can_be_set(capsys: pytest.CaptureFixture[str]) -> None:
    groups = settings_of("loud")
    assert [each.name for each in groups["training"]] == ["seed", "threads"]
    assert [each.name for each in groups["loud"]] == ["loudness"]
    assert Settings.of("loud", seed=7, loudness=3).training.seed == 7
    with pytest.raises(SettingError, match="epochs"):
        Settings.of("loud", epochs=7)
    with pytest.raises(SettingError, match="loudness"):
        Settings.of("loud", loudness=0)
    elgeo.train(small_dataset(4), "loud", quiet=False)
    assert "counting" in capsys.readouterr().err


def test_an_interrupted_fit_says_that_nothing_was_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*given: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Loud, "fit", interrupted)
    assert main(["train", "family", "-o", str(tmp_path / "run"), "--model", "loud"]) == 130
    assert capsys.readouterr().err == "elgeo: interrupted: loud is fitted at once, so nothing was kept\n"
    assert not (tmp_path / "run" / "run.toml").exists()
