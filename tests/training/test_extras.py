"""What a run writes on request: a TensorBoard log, a table of negatives."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from elgeo.cli import main
from elgeo.errors import SettingError
from elgeo.training.folder.history import Epoch
from elgeo.training.loop import train
from elgeo.training.settings import Settings
from elgeo.training.tensorboard import TensorBoard
from tests.small_dataset import small_dataset

QUICK = {"epochs": 2, "batch": 100, "dimension": 3, "negatives": "random", "tensorboard": True}


def test_a_tensorboard_log_has_every_epoch(tmp_path: Path) -> None:
    pytest.importorskip("tensorboard")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    run = train(small_dataset(), Settings.of("elem", **QUICK), tmp_path, quiet=True)
    log = EventAccumulator(str(tmp_path / "tensorboard"))
    log.Reload()
    found = [event.value for event in log.Scalars("loss/total")]
    assert found == pytest.approx([epoch.loss["total"] for epoch in run.history], rel=1e-6)
    assert len(log.Scalars("valid/loss")) == 2


def test_what_a_log_has_beyond_the_checkpoint_is_no_longer_shown(tmp_path: Path) -> None:
    """A run that was killed in its third epoch goes on from its first: what was written of the others is void."""
    pytest.importorskip("tensorboard")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    for begun, losses in ((0, (5.0, 4.0, 3.0)), (1, (2.0,))):
        board = TensorBoard(tmp_path, begun)
        for number, loss in enumerate(losses, begun + 1):
            board.write(Epoch(number, 1.0, {"subclass": loss}, 0.1))
        board._writer.close()
    log = EventAccumulator(str(tmp_path / "tensorboard"))
    log.Reload()
    assert [(each.step, each.value) for each in log.Scalars("loss/subclass")] == [(1, 5.0), (2, 2.0)]


def test_without_the_package_it_is_said_before_training(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    with pytest.raises(SettingError, match="needs the package `tensorboard`"):
        train(small_dataset(), Settings.of("elem", **QUICK), tmp_path, quiet=True)
    with pytest.raises(SettingError, match="give one"):
        train(small_dataset(), Settings.of("elem", **QUICK), quiet=True)


def test_negatives_can_be_looked_at(tmp_path: Path) -> None:
    for mode, entailed in (("filtered", {"no"}), ("biased(1)", {"yes"})):
        path = tmp_path / f"{mode}.tsv"
        arguments = ["train", "cell-tiny", "-o", str(tmp_path / "x"), "--set", f"negatives={mode}"]
        assert main([*arguments, "--export-negatives", str(path)]) == 0
        header, *lines = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
        assert header == ["form", "positive", "corrupted", "entailed"]
        assert {line[0] for line in lines} == {"subclass", "conjunction", "existential", "left_existential"}
        assert {line[3] for line in lines} == entailed
    assert not (tmp_path / "x").exists()
