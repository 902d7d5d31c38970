"""Runs that were altered by hand, resumed with something else, or have nothing to validate on."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import elgeo
from elgeo.api import export_negatives, resume
from elgeo.cli import main
from elgeo.datasets.folder import save
from elgeo.errors import ElgeoError, SettingError
from elgeo.files import InUseError
from elgeo.negatives import Corrupter
from elgeo.training.folder.history import Epoch
from elgeo.training.loop import train
from elgeo.training.run import Run
from elgeo.training.settings import Settings
from elgeo.training.trainer import DivergedError
from tests.small_dataset import small_dataset

QUICK: dict[str, Any] = {"epochs": 3, "dimension": 3, "negatives": "random", "batch": 100}
COMMAND = ["--quiet", "--epochs", "2", "--set", "dimension=3", "--set", "negatives=random"]


@pytest.mark.parametrize("watched", ["rank", "loss"])
def test_without_validation_axioms_the_least_training_loss_is_best_whatever_should_be_watched(watched: str) -> None:
    dataset = small_dataset()
    dataset = replace(dataset, valid=dataset.valid[:0])
    run = elgeo.train(dataset, stop_by=watched, **QUICK)
    assert [epoch.valid_loss for epoch in run.history] == [None] * 3
    losses = [epoch.loss["total"] for epoch in run.history]
    assert run.result["best_epoch"] == 1 + losses.index(min(losses)) > 1


def test_one_validation_axiom_is_enough_for_a_loss() -> None:
    dataset = small_dataset()
    run = elgeo.train(replace(dataset, valid=dataset.valid[:1]), **QUICK)
    assert None not in [epoch.valid_loss for epoch in run.history]


def test_weights_that_the_last_step_made_no_numbers_are_no_result() -> None:
    dataset = small_dataset()
    with pytest.raises(DivergedError, match="centres are no longer numbers after epoch 1"):
        elgeo.train(
            replace(dataset, valid=dataset.valid[:0]), **{**QUICK, "epochs": 1, "batch": 10**6, "learning_rate": 1e300}
        )


@pytest.mark.slow
def test_the_time_of_an_epoch_has_the_drawing_of_negatives_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = Corrupter.draw

    def slow(self: Corrupter, *arguments: Any) -> Any:
        time.sleep(0.05)
        return draw(self, *arguments)

    monkeypatch.setattr(Corrupter, "draw", slow)
    run = elgeo.train(small_dataset(), **QUICK)
    assert all(epoch.seconds > 0.05 for epoch in run.history)


def _replace(name: str, old: str, new: str) -> Callable[[Path], object]:
    def alter(run: Path) -> None:
        text = (run / name).read_text(encoding="utf-8")
        assert old in text
        (run / name).write_text(text.replace(old, new), encoding="utf-8")

    return alter


@pytest.mark.parametrize(
    "alter",
    [
        _replace("run.toml", "sha256", "sha"),
        _replace("run.toml", "dimension = 3", "dimension = 4"),
        lambda run: (run / "run.toml").write_text('format = 1\nmodel = "elem"\ndataset = 1\nsettings = 2\n'),
        lambda run: (run / "metrics.jsonl").write_bytes(b"\xff\n{}\n"),
        lambda run: (run / "metrics.jsonl").write_text("1\n2\n"),
    ],
)
def test_an_altered_run_is_refused_in_one_line_and_loses_nothing(
    alter: Callable[[Path], object], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    assert main(["train", "family", "-o", str(run), *COMMAND]) == 0
    alter(run)
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    capsys.readouterr()
    assert main(["train", "-o", str(run), "--resume", "--epochs", "4", "--quiet"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert before == {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}


def test_what_is_trained_further_is_not_shown_with_its_old_evaluation(tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert main(["train", "family", "-o", str(run), *COMMAND]) == 0
    (run / "evaluation.json").write_text("{}")
    assert main(["train", "-o", str(run), "--resume", "--quiet"]) == 0
    assert (run / "evaluation.json").exists()  # it was finished: nothing has changed
    assert main(["train", "-o", str(run), "--resume", "--quiet", "--epochs", "3"]) == 0
    assert not (run / "evaluation.json").exists()


def test_a_resumed_run_takes_no_other_model_or_preset(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = tmp_path / "run"
    assert main(["train", "family", "-o", str(run), *COMMAND]) == 0
    for option in (["--model", "naive"], ["--preset", "family"]):
        assert main(["train", "-o", str(run), "--resume", *option]) == 2
    assert "has its model and settings" in capsys.readouterr().err


def test_a_run_may_be_called_as_an_embedded_dataset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["train", "family", "-o", "family", *COMMAND]) == 0
    assert main(["evaluate", "family", "--resamples", "0"]) == 0
    assert main(["train", "-o", "family", "--resume", "--quiet", "--epochs", "3"]) == 0
    assert main(["evaluate", "family", "--resamples", "0"]) == 0
    assert main(["train", "family", "-o", "another", *COMMAND]) == 0


def test_two_trainings_do_not_share_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = tmp_path / "run"
    seen = []

    def on_epoch(epoch: object) -> None:
        seen.append(main(["train", "-o", str(run), "--resume", "--quiet"]))

    elgeo.train("family", folder=run, on_epoch=on_epoch, **{**QUICK, "epochs": 2})
    assert seen == [2, 2]
    assert "another training is at work" in capsys.readouterr().err
    assert main(["train", "-o", str(run), "--resume", "--quiet"]) == 0


def test_a_training_of_any_room_has_its_folder_to_itself(tmp_path: Path) -> None:
    dataset, settings = small_dataset(), Settings.of("elem", **QUICK)
    refused = []

    def on_epoch(epoch: Epoch) -> None:
        with pytest.raises(InUseError, match="another training is at work"):
            train(dataset, settings, tmp_path, resume=True, quiet=True)
        refused.append(epoch.epoch)

    train(dataset, settings, tmp_path, on_epoch=on_epoch, quiet=True)
    assert refused == [1, 2, 3]
    with pytest.raises(ElgeoError, match="already holds a run"):
        train(dataset, settings, tmp_path, quiet=True)


def test_a_preset_and_a_model_are_not_given_together(tmp_path: Path) -> None:
    for call in (elgeo.train, partial(export_negatives, tmp_path / "x.tsv")):
        with pytest.raises(SettingError, match="not both"):
            call("family", model="naive", preset="recommended")
    assert not (tmp_path / "x.tsv").exists()


def test_a_run_that_is_not_finished_has_no_result(tmp_path: Path) -> None:
    class Enough(Exception):
        pass

    def on_epoch(epoch: Epoch) -> None:
        raise Enough

    with pytest.raises(Enough):
        elgeo.train("family", folder=tmp_path, on_epoch=on_epoch, **QUICK)
    with pytest.raises(ElgeoError, match="is not finished: go on with"):
        _ = Run.load(tmp_path).result


def test_a_run_is_not_resumed_to_less_than_it_has_nor_with_another_dataset(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "family", "-o", str(tmp_path), *COMMAND]) == 0
    before = (tmp_path / "run.toml").read_bytes()
    assert main(["train", "-o", str(tmp_path), "--resume", "--epochs", "1"]) == 2
    assert "2 epochs of the run" in capsys.readouterr().err
    assert main(["train", "cell-tiny", "-o", str(tmp_path), "--resume"]) == 2
    assert "another dataset than 'cell-tiny'" in capsys.readouterr().err
    assert (tmp_path / "run.toml").read_bytes() == before
    assert main(["train", "family", "-o", str(tmp_path), "--resume"]) == 0


def test_a_pipeline_that_goes_on_takes_no_other_model_or_preset(tmp_path: Path) -> None:
    elgeo.train("family", "elem", folder=tmp_path, epochs=1, dimension=2)
    for other in ({"model": "elem"}, {"preset": "recommended"}):
        with pytest.raises(SettingError, match="a resumed run has its model and settings"):
            elgeo.pipeline("family", tmp_path, resume=True, **other)
    with pytest.raises(ElgeoError, match="already holds a run"):
        elgeo.pipeline("family", tmp_path, "elem", epochs=1, dimension=2)


def test_a_run_remembers_its_dataset_when_it_is_gone_on_with(tmp_path: Path) -> None:
    save(elgeo.datasets.load("family"), tmp_path / "data")
    elgeo.train(tmp_path / "data", "elem", folder=tmp_path / "own", epochs=1, dimension=2)
    elgeo.train("family", "elem", folder=tmp_path / "embedded", epochs=1, dimension=2)
    for folder in (tmp_path / "own", tmp_path / "embedded"):
        before = Run.load(folder).record.dataset
        resume(folder, epochs=2)
        assert Run.load(folder).record.dataset == before
    assert Run.load(tmp_path / "own").record.dataset.path == str(tmp_path / "data")
    assert Run.load(tmp_path / "embedded").record.dataset.path is None


def test_negatives_are_those_of_the_model_that_is_named(tmp_path: Path) -> None:
    named = {model: export_negatives(tmp_path / model, "family", model) for model in ("elem", "transe")}
    assert export_negatives(tmp_path / "usual", "family") == named["elem"] != named["transe"]
    assert (tmp_path / "usual").read_bytes() == (tmp_path / "elem").read_bytes()
