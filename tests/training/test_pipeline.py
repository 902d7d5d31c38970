"""Train, evaluate and report in one, from Python and from the command line; those who listen to every epoch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import elgeo
from elgeo.api import Outcome
from elgeo.cli import main
from elgeo.errors import SettingError
from elgeo.training import loop
from elgeo.training.folder.history import Epoch
from elgeo.training.run import Run
from tests.small_dataset import small_dataset

QUICK = {"dimension": 3, "negatives": "random", "batch": 100}


@pytest.mark.slow
def test_one_call_does_what_three_do(tmp_path: Path) -> None:
    dataset = small_dataset()
    stages: list[Any] = []
    epochs: list[Any] = []
    outcome = elgeo.pipeline(
        dataset, tmp_path / "one", epochs=3, seed=2, say=stages.append, on_epoch=epochs.append, **QUICK
    )
    assert isinstance(outcome, Outcome)
    assert [epoch.epoch for epoch in epochs] == [1, 2, 3]
    assert "ranking" in stages
    run = elgeo.train(dataset, epochs=3, seed=2, **QUICK)
    assert elgeo.evaluate(run).to_dict() == outcome.report.to_dict()
    loaded = Run.load(tmp_path / "one", dataset)
    assert loaded.result["epochs"] == 3
    assert json.loads((tmp_path / "one" / "evaluation.json").read_text()) == json.loads(
        json.dumps(outcome.report.to_dict())
    )
    assert outcome.page == tmp_path / "one" / "report.html"
    assert "<html" in outcome.page.read_text(encoding="utf-8")
    longer = elgeo.pipeline(dataset, tmp_path / "one", resume=True, epochs=4)
    assert longer.run.result["epochs"] == 4
    with pytest.raises(SettingError, match="has its model"):
        elgeo.pipeline(dataset, tmp_path / "one", "naive", resume=True)


@pytest.mark.slow
def test_the_command_prints_the_table_and_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["run", "family", "-o", str(tmp_path / "run"), "--epochs", "2", "--set", "dimension=3", "--seed", "3"]
    assert main([*arguments, "--model", "elem"]) == 0
    shown = capsys.readouterr()
    assert shown.out.endswith(f"\n{tmp_path / 'run' / 'report.html'}\n")
    assert "MRR" in shown.out
    assert "all 2 epochs are done" in shown.err
    assert Run.load(tmp_path / "run").settings.training.seed == 3
    assert main(["report", str(tmp_path / "run"), "-o", str(tmp_path / "again.html")]) == 0
    assert (tmp_path / "again.html").read_text() == (tmp_path / "run" / "report.html").read_text(), "as asked for later"
    shown_again = (tmp_path / "again.html").read_text()
    assert "What was learned from" in shown_again
    assert "the best axioms that are missing" in shown_again
    capsys.readouterr()
    assert main(arguments) == 2
    assert "already holds a run" in capsys.readouterr().err
    assert main(["run", "family", "-o", str(tmp_path / "run"), "--resume", "--quiet", "--json"]) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out)["split"] == "test"
    assert shown.err == ""


def test_listeners_hear_every_epoch_of_every_training() -> None:
    heard: list[Epoch] = []
    try:
        assert elgeo.on_epoch(heard.append) == heard.append
        run = elgeo.train(small_dataset(), epochs=2, **QUICK)
        elgeo.train(small_dataset(), epochs=1, **QUICK)
    finally:
        loop._LISTENERS.clear()
    assert heard[:2] == list(run.history)
    assert [epoch.epoch for epoch in heard] == [1, 2, 1]
