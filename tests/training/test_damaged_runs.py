"""Run folders damaged at random, through every command that reads them: one clear message, no traceback, no hang.

`ELGEO_FUZZ=2000 pytest tests/training/test_damaged_runs.py` tries as many as one likes.
"""

from __future__ import annotations

import os
import random
import signal
import traceback
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from elgeo.cli import main
from elgeo.datasets.folder import save
from tests.small_dataset import small_dataset
from tests.training.damage import commands, copied, damage

COUNT = int(os.environ.get("ELGEO_FUZZ", "8"))
FIRST = int(os.environ.get("ELGEO_FUZZ_FIRST", "0"))
LONGEST = 1500
"""Characters of a message, at most."""


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A dataset's folder, and a run on it with two checkpoints."""
    folder = tmp_path_factory.mktemp("damaged")
    save(small_dataset(0, 12, 10, 60), folder / "data")
    arguments = ["train", str(folder / "data"), "-o", str(folder / "run"), "--quiet", "--epochs", "4"]
    for setting in ("dimension=3", "negatives=random", "batch=20", "checkpoint_every=2", "show_rank=true"):
        arguments += ["--set", setting]
    assert main(arguments) == 0
    return folder / "data", folder / "run"


class Hung(BaseException):
    """Nothing that a command would catch."""


@pytest.fixture
def alarm() -> Iterator[None]:
    def ring(number: int, frame: object) -> None:
        raise Hung

    before = signal.signal(signal.SIGALRM, ring)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.usefixtures("alarm")
def test_a_damaged_run_is_one_message(
    places: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dataset, whole = places
    refused, wrong = 0, []
    for seed in range(FIRST, FIRST + COUNT):
        run = copied(whole, tmp_path / "run")
        told = damage(run, random.Random(seed))
        for command in commands(run, dataset, tmp_path):
            about = f"seed {seed} ({told}): {command[0]}"
            signal.alarm(120)
            try:
                with warnings.catch_warnings():  # here alone: what others left behind may be collected while it runs
                    warnings.simplefilter("error")
                    code = main(command)
            except BaseException as error:
                where = traceback.extract_tb(error.__traceback__)[-1]
                wrong.append(f"{about}: {error!r:.300} in {where.filename}:{where.lineno}")
                continue
            lines = capsys.readouterr().err.splitlines()
            refused += code
            if code not in (0, 2) or len(lines) > 10 or max(map(len, lines), default=0) > LONGEST:
                wrong.append(f"{about}: {code}, {len(lines)} lines, {str(lines)[:300]}")
            elif code == 2 and not lines[-1].startswith("elgeo: "):
                wrong.append(f"{about}: {lines[-1][:300]}")
    assert wrong == []
    assert refused > COUNT
