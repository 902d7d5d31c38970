"""Training in two processes against training in one: every model, killed processes, other numbers of processes."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from elgeo.cli import main
from elgeo.models.contract import REGISTRY, Model
from elgeo.training.run import Run
from tests.forked import start
from tests.training.distributed.compare_models import VARIANTS
from tests.training.distributed.launching import beside, torchrun

TRAIN = ("train", "cell-tiny", "--model", "elem", "--quiet", "--set", "batch=64", "--set", "dimension=8", "--seed", "3")


def epochs(folder: Path) -> list[dict[str, Any]]:
    """What `metrics.jsonl` says, without the times."""
    lines = (folder / "metrics.jsonl").read_text().splitlines() if (folder / "metrics.jsonl").exists() else []
    return [{key: value for key, value in json.loads(line).items() if key != "seconds"} for line in lines]


@pytest.mark.slow
def test_every_model_learns_the_same_in_two_processes(tmp_path: Path) -> None:
    beside(tmp_path / "said", 2, "tests.training.distributed.compare_models", str(tmp_path))
    found = json.loads((tmp_path / "found.json").read_text())
    trained = {name for name, cls in REGISTRY.items() if issubclass(cls, Model) and cls.__module__.startswith("elgeo.")}
    assert set(found) == trained | set(VARIANTS)
    for name, differences in found.items():
        assert differences["loss"] < 1e-5, name
        assert differences["rank"] < 1e-6, name
        assert differences["weights"] < 1e-4 * differences["largest"], name


@pytest.mark.slow
def test_a_killed_process_costs_nothing_and_the_number_of_processes_may_change(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    beside(tmp_path / "said", 2, "elgeo", *TRAIN, "--epochs", "8", "-o", str(whole))
    killed = kill_one(broken, "--epochs", "8")
    assert killed < 8
    assert epochs(broken) == epochs(whole)
    assert (broken / "weights.safetensors").read_bytes() == (whole / "weights.safetensors").read_bytes()
    assert sorted(path.name for path in (broken / "checkpoints").iterdir()) == [
        "epoch-000007-step-000000",
        "epoch-000008-step-000000",
    ]
    # 2 → 3 → 1
    beside(tmp_path / "said", 3, "elgeo", "train", "-o", str(broken), "--resume", "--quiet", "--epochs", "10")
    assert len(list((broken / "checkpoints" / "epoch-000010-step-000000").iterdir())) == 3
    assert main(["train", "-o", str(broken), "--resume", "--quiet", "--epochs", "12"]) == 0
    alone = tmp_path / "alone"
    assert main([*TRAIN, "--epochs", "12", "-o", str(alone)]) == 0
    losses, expected = ([epoch["loss"]["total"] for epoch in epochs(folder)] for folder in (broken, alone))
    np.testing.assert_allclose(losses, expected, rtol=1e-5)
    assert set(Run.load(broken).weights) == {"centres", "radii", "roles"}


@pytest.mark.slow
def test_two_processes_go_on_with_a_run_of_one(tmp_path: Path) -> None:
    alone = tmp_path / "alone"
    assert main([*TRAIN, "--epochs", "3", "--set", "checkpoint_every=3", "-o", str(alone)]) == 0
    (path,) = (alone / "checkpoints").iterdir()
    assert path.suffix == ".safetensors"
    beside(tmp_path / "said", 2, "elgeo", "train", "-o", str(alone), "--resume", "--quiet", "--epochs", "4")
    twin = tmp_path / "twin"
    assert main([*TRAIN, "--epochs", "4", "-o", str(twin)]) == 0
    losses, expected = ([epoch["loss"]["total"] for epoch in epochs(folder)] for folder in (alone, twin))
    assert losses[:3] == expected[:3]
    np.testing.assert_allclose(losses, expected, rtol=1e-5)


def kill_one(folder: Path, *more: str) -> int:
    """Train with one process killed on the way; gives the epochs that were done then."""
    said = folder.parent / "torchrun"
    started = torchrun(said, 2, "-m", "elgeo", *TRAIN, *more, "-o", str(folder), restarts=1)
    deadline = time.monotonic() + 300
    while len(epochs(folder)) < 3:
        assert started.poll() is None, started.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.002)
    done = len(epochs(folder))
    os.kill(worker(started.pid), signal.SIGKILL)
    errors = started.communicate(timeout=300)[1]
    assert started.returncode == 0, errors
    assert "another process of this command has ended" in errors
    return done


def worker(parent: int) -> int:
    """The last of the processes that a process has started."""
    found = []
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = place.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent:
            found.append(int(place.parent.name))
    return max(found)


@pytest.mark.slow
def test_mistakes_are_said_once(tmp_path: Path) -> None:
    wrong = ["train", "family", "-o", str(tmp_path / "a"), "--model", "naive"]
    done = torchrun(tmp_path / "said", 2, "-m", "elgeo", *wrong)
    out, errors = done.communicate(timeout=600)
    said = [line for line in errors.splitlines() if line.startswith("elgeo: ")]
    assert len(said) == 1, errors
    assert "naive is not trained in steps, so processes cannot share it" in said[0]
    assert out == ""
    assert done.returncode


@pytest.mark.slow
def test_peers_that_never_come_are_missed(tmp_path: Path) -> None:
    alone = {"RANK": "0", "WORLD_SIZE": "2", "LOCAL_WORLD_SIZE": "1", "ELGEO_PEER_TIMEOUT": "1"}
    alone |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "0"}
    done = start(tmp_path / "said", "elgeo", *TRAIN, "-o", str(tmp_path / "run"), environment=alone)
    errors = done.communicate(timeout=300)[1]
    assert done.returncode == 2
    assert "process 0 of 2 does not find the others at 127.0.0.1:0 within 1 seconds" in errors
    assert "Traceback" not in errors
