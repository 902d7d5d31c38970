"""`elgeo sweep` as a user runs it: processes, a killed worker, and a preset that `train` takes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import optuna
import pytest

from elgeo.cli import main
from elgeo.errors import ElgeoError
from elgeo.experiments.presets import preset
from elgeo.experiments.space import Choice, Space
from elgeo.experiments.sweep import WAIT, objective, run_workers
from elgeo.files import held
from elgeo.report.pages.sweep_page import sweep_page
from tests.forked import start
from tests.small_dataset import small_dataset

SPACE = """
[fixed]
negatives = "random"
epochs = 6
batch = 256
[space]
dimension = [3, 8]
learning_rate = [0.003, 0.03]
"""


def children(pid: int) -> list[int]:
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return [int(each) for each in found.stdout.split()]


@pytest.mark.slow
def test_one_worker_is_this_process(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Best first in the page, names and places of their own where they are given, nothing done again."""
    (tmp_path / "space.toml").write_text(
        '[fixed]\nnegatives = "random"\nepochs = 1\nbatch = 4096\n[space]\ndimension = [2, 3]\n'
    )
    folder = tmp_path / "sweep"
    command = ["sweep", "cell-tiny", "--space", str(tmp_path / "space.toml"), "-o", str(folder)]
    assert main([*command, "--worker"]) == 0
    assert capsys.readouterr().out == "", "whoever started it tells"
    assert (folder / "study.db").is_file()
    trained = {file: file.stat().st_mtime_ns for file in folder.glob("trials/*/weights.safetensors")}
    assert len(trained) == 2
    assert main([*command, "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert (summary["trials"], summary["of"]) == (2, 2)
    assert {file: file.stat().st_mtime_ns for file in trained} == trained
    assert main(command) == 0
    best = summary["best"]
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"2 of 2 trials done; table, page and best settings in {folder}"
    assert lines[1].startswith(f"best validation MRR {best['valid_mrr']:.4f}: ")
    assert f"dimension={best['settings']['dimension']}" in lines[1]
    page = (folder / "sweep.html").read_text()
    assert "sweep" in page[page.index("<title>") : page.index("</title>")]
    assert f"2 of 2 trials have a result. The best reached a validation MRR of {best['valid_mrr']:.4f} with" in page
    assert summary["study"] == "sweep"
    elsewhere = f"sqlite:///{tmp_path / 'elsewhere.db'}"
    assert main([*command[:-1], str(tmp_path / "other"), "--storage", elsewhere, "--name", "mine", "--json"]) == 0
    mine = json.loads(capsys.readouterr().out)
    assert (mine["study"], mine["best"]["valid_mrr"]) == ("mine", best["valid_mrr"])
    assert (tmp_path / "elsewhere.db").is_file()
    assert not (tmp_path / "other" / "study.db").exists()
    assert main([*command, "--workers", "0"]) == 2
    assert "--workers must be at least 1" in capsys.readouterr().err


@pytest.mark.slow
def test_a_sweep_survives_a_killed_worker_and_ends_in_a_preset(tmp_path: Path) -> None:
    space = tmp_path / "space.toml"
    space.write_text(SPACE.replace("epochs = 6", "epochs = 30"), encoding="utf-8")
    folder = tmp_path / "sweep"
    options = ["--space", str(space), "-o", str(folder), "--workers", "2", "--json"]
    process = start(tmp_path / "said", "elgeo", "sweep", "cell-tiny", *options)
    try:
        while not list(folder.glob("trials/*/metrics.jsonl")):
            time.sleep(0.1)
            assert process.poll() is None
        os.kill(children(process.pid)[0], signal.SIGKILL)
        output = process.communicate(timeout=240)[0]
    finally:
        process.kill()
    assert process.returncode == 0
    summary = json.loads(output)
    assert (summary["trials"], summary["of"]) == (4, 4)
    lines = [line.split("\t") for line in (folder / "trials.tsv").read_text().splitlines()]
    values = [float(line[lines[0].index("valid_mrr")]) for line in lines[1:]]
    assert values == sorted(values, reverse=True)
    assert summary["best"]["valid_mrr"] == values[0]
    best = preset(str(folder / "best.toml"))
    assert best.own.dimension == summary["best"]["settings"]["dimension"]
    page = (folder / "sweep.html").read_text()
    assert f"{values[0]:.4f}" in page
    assert (
        main(["train", "cell-tiny", "-o", str(tmp_path / "run"), "--preset", str(folder / "best.toml"), "--quiet"]) == 0
    )


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[space]\ndimensions = [3, 8]", "dimension"),
        ("[space]\ndimension = [3, -8]", "dimension"),
        (
            "[search]\nmethod = 'random'\ntrials = 1\n[space]\n\"elem.dimension\" = { low = 3.0, high = 7.0 }",
            "whole number",
        ),
        ("[fixed]\nnegatives = 'rnadom'\n[space]\ndimension = [3]", "random"),
    ],
)
def test_wrong_settings_are_refused_before_anything_is_trained(
    tmp_path: Path, text: str, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    space = tmp_path / "space.toml"
    space.write_text(text, encoding="utf-8")
    assert main(["sweep", "cell-tiny", "--space", str(space), "-o", str(tmp_path / "sweep")]) == 2
    assert complaint in capsys.readouterr().err
    assert not (tmp_path / "sweep" / "trials").exists()


@pytest.mark.parametrize(
    ("processors", "count", "codes", "started", "threads"),
    [
        (8, 3, [0, 0, 0], 3, "2"),
        (8, 20, [0] * 20, 20, "1"),
        (None, 1, [0], 1, "1"),
        (2, 2, [-9, 0, 0], 3, "1"),  # another takes its place
        (4, 1, [1] * 9, 4, "4"),  # thrice
        (4, 2, [1] * 20, 8, "2"),
        (4, 2, [3, 2], 3, "2"),  # one that says what is wrong ends all
        (4, 2, [2, 0], 2, "2"),
    ],
)
def test_workers_that_die_are_replaced_but_not_for_ever(
    processors: int | None,
    count: int,
    codes: list[int],
    started: int,
    threads: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    left, begun, ended = [*codes], list[tuple[list[str], str]](), list[object]()

    class Worker:
        def __init__(self, command: list[str], env: dict[str, str]) -> None:
            begun.append((command[1:], env["NUMBA_NUM_THREADS"]))

        def wait(self, timeout: float | None = None) -> int:
            return 0 if timeout is None else left.pop(0)

        def terminate(self) -> None:
            ended.append(self)

    monkeypatch.setattr("elgeo.experiments.sweep.subprocess.Popen", Worker)
    monkeypatch.setattr(os, "cpu_count", lambda: processors)
    space = Space({"margin": Choice((0.1, 0.2, 0.5))})
    if 2 in codes:
        with pytest.raises(ElgeoError, match="a worker could not go on; its message stands above"):
            run_workers(["sweep", "x"], count, optuna.create_study(), space)
    else:
        run_workers(["sweep", "x"], count, optuna.create_study(), space)
    assert begun == [(["-m", "elgeo", "sweep", "x"], threads)] * started
    heard = [code for code in codes[: len(codes) - len(left)] if code not in (0, 2)]
    said = [line for line in capsys.readouterr().err.splitlines() if line.startswith("elgeo: ")]
    deaths = [f"elgeo: a worker ended with code {code}; its trial is taken up again" for code in heard]
    assert [line for line in said if "ended" in line] == deaths
    assert [line for line in said if "ended" not in line] == ["elgeo: 0 of 3 trials done"] * (2 not in codes)
    assert len(ended) == started - (len(codes) - len(left))


def test_the_page_shows_small_settings_as_they_are() -> None:
    row = {"trial": 0, "state": "complete", "valid_mrr": 0.25, "learning_rate": 0.00002, "seconds": 1.5}
    assert '<td class="number">2e-05</td>' in sweep_page("s", ["learning_rate"], [row], 1)


def test_a_trial_that_another_worker_is_still_at_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    space = Space({"margin": Choice((0.1, 0.2))}, {"epochs": 2, "negatives": "random", "dimension": 3})
    trial = objective(small_dataset(), None, space, tmp_path)
    with held(tmp_path / "trials" / "one", "another training"):
        waits: list[float] = []

        class Waited(Exception):
            pass

        def sleep(seconds: float) -> None:
            waits.append(seconds)
            if len(waits) == 3:
                raise Waited

        monkeypatch.setattr("elgeo.experiments.sweep.time.sleep", sleep)
        with pytest.raises(Waited):
            trial({"margin": 0.1}, "one", lambda epoch, value: None)
    assert waits == [WAIT] * 3
    assert 0 < trial({"margin": 0.1}, "one", lambda epoch, value: None) <= 1


def test_a_trial_taken_from_a_slow_worker_is_written_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the slow one trains, whoever was given its trial waits; after that it finds the result there."""
    space = Space({"margin": Choice((0.1,))}, {"epochs": 3, "negatives": "random", "dimension": 3}, prune=True)
    trial = objective(small_dataset(), None, space, tmp_path)
    folder, waits = tmp_path / "trials" / "one", []

    class Waited(Exception):
        pass

    def sleep(seconds: float) -> None:
        waits.append(seconds)
        raise Waited

    def written() -> dict[str, bytes]:
        return {str(file): file.read_bytes() for file in folder.rglob("*") if file.is_file()}

    def given_away(epoch: int, value: float) -> None:
        before = written()
        with pytest.raises(Waited):
            trial({"margin": 0.1}, "one", lambda epoch, value: pytest.fail("it trains too"))
        assert before
        assert written() == before

    monkeypatch.setattr("elgeo.experiments.sweep.time.sleep", sleep)
    worth = trial({"margin": 0.1}, "one", given_away)
    assert waits == [WAIT] * 3
    lines = (folder / "metrics.jsonl").read_text().splitlines()
    assert [json.loads(line)["epoch"] for line in lines] == [1, 2, 3]
    done = written()
    assert trial({"margin": 0.1}, "one", lambda epoch, value: pytest.fail("it is done")) == worth
    assert written() == done
