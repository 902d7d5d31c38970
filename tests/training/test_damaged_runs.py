"""Run folders damaged at random, through every command that reads them: one clear message, no traceback, no hang.

`ELGEO_FUZZ=2000 pytest tests/training/test_damaged_runs.py` tries as many as one likes.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from elgeo.cli import main
from elgeo.datasets.folder import save
from tests.damaging import draw_once, outcomes
from tests.small_dataset import small_dataset
from tests.training.damage import commands, copied, damage

COUNT = int(os.environ.get("ELGEO_FUZZ", "8"))
FIRST = int(os.environ.get("ELGEO_FUZZ_FIRST", "0"))


RUNS = {
    "elem": ["epochs=4", "dimension=3", "negatives=random", "batch=20", "checkpoint_every=2", "show_rank=true"],
    "atlas": [],
    "faithful": ["dimension=6"],
}
"""A model that is trained, one that is fitted and one with a geometry of its own, each as small as can be."""


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Path]]:
    """A dataset's folder, and runs on it; one has two checkpoints."""
    folder = tmp_path_factory.mktemp("damaged")
    save(small_dataset(0, 12, 10, 60), folder / "data")
    for model, settings in RUNS.items():
        arguments = ["train", str(folder / "data"), "-o", str(folder / model), "--quiet", "--model", model]
        assert main([*arguments, *(word for setting in settings for word in ("--set", setting))]) == 0
    return folder / "data", [folder / model for model in RUNS]


@pytest.mark.slow
def test_a_damaged_run_is_one_message(
    places: tuple[Path, list[Path]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    draw_once(monkeypatch)
    dataset, runs = places
    refused, wrong = 0, list[str]()
    for seed in range(FIRST, FIRST + COUNT):
        whole = runs[seed % len(runs)]
        run = copied(whole, tmp_path / "run")
        told = damage(run, random.Random(seed))
        found = outcomes(commands(run, dataset, tmp_path), f"seed {seed} ({whole.name}, {told})", capsys)
        refused, wrong = refused + found[0], wrong + found[1]
    assert wrong == []
    assert refused > COUNT
