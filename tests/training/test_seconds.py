"""How long things took: of an epoch, of a training, of a fit; in digits that mean something."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import pytest

import elgeo
from elgeo.training.folder.history import Epoch
from tests.small_dataset import small_dataset


def test_an_epoch_keeps_six_digits_of_its_seconds() -> None:
    assert Epoch(1, 0.123456789, {"total": 1.0}, 0.1).to_dict()["seconds"] == 0.123457


def test_a_training_took_what_its_epochs_took() -> None:
    run = elgeo.train(small_dataset(0, 12, 10, 60), "elem", epochs=2, dimension=2, negatives="random")
    assert len(run.history) == 2
    assert run.result["seconds"] == round(sum(epoch.seconds for epoch in run.history), 3)
    assert all(0 < epoch.seconds < 600 for epoch in run.history)


def test_a_fit_took_from_its_beginning_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a clock that begins at 1000 and goes on by 0.12345 seconds at each look."""
    ticks = itertools.count(1000.0, 0.12345)
    monkeypatch.setattr("elgeo.training.fitting.time", SimpleNamespace(perf_counter=lambda: next(ticks)))
    assert elgeo.train(small_dataset(0, 12, 10, 60), "atlas").result["seconds"] == 0.123
