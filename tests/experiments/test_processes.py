"""Processes that experiments and sweeps start: how their end is told, how often they are replaced."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

import pytest

from elgeo.errors import ElgeoError
from elgeo.experiments.experiment import _process
from elgeo.experiments.space import Choice, Space
from elgeo.experiments.study import finished, open_study, work
from elgeo.experiments.sweep import run_workers

SPACE = Space({"margin": Choice((0.1, 0.2, 0.3))})


def plugin(folder: Path, lines: str) -> str:
    """A module that does something and ends its process before there is a command."""
    path = folder / "spy.py"
    path.write_text(f"import json, os, sys\n{lines}\n")
    return str(path)


def test_a_process_gets_its_share_of_threads_and_the_folders_handle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = tmp_path / "seen.json"
    spy = plugin(
        tmp_path,
        "with open(sys.argv[-1], 'w') as file:\n"
        "    json.dump([os.environ['NUMBA_NUM_THREADS'], os.environ['OMP_NUM_THREADS'], sys.argv[1:],"
        " os.path.exists(f'/proc/self/fd/{sys.argv[-2]}')], file)\n"
        "os._exit(0)",
    )
    with tempfile.TemporaryFile() as file:
        for workers, handle, threads in ((1, file.fileno(), os.cpu_count()), (10_000, None, 1)):
            command = ["--plugin", spy, "info", str(file.fileno()), str(seen)]
            assert _process(command, workers, handle) is None
            assert json.loads(seen.read_text()) == [str(threads), str(threads), command, handle is not None]
    monkeypatch.setattr(os, "cpu_count", lambda: None)  # a machine that does not tell has one
    assert _process(["--plugin", spy, "info", "0", str(seen)], 1, None) is None
    assert json.loads(seen.read_text())[:2] == ["1", "1"]


def test_what_went_wrong_in_a_process_is_its_last_line(tmp_path: Path) -> None:
    spy = plugin(
        tmp_path, "print('a warning', 'elgeo: what went wrong', ' ', sep=chr(10), file=sys.stderr)\nsys.exit(1)"
    )
    assert _process(["--plugin", spy], 1, None) == "what went wrong"
    spy = plugin(tmp_path, "os._exit(7)")
    assert _process(["--plugin", spy], 1, None) == "the process ended with code 7"


@pytest.mark.slow
def test_workers_that_die_are_replaced_three_times_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = open_study(f"sqlite:///{tmp_path}/s.db", "dying", SPACE)
    born = tmp_path / "born"
    line = "open(sys.argv[-1], 'a').write(os.environ['NUMBA_NUM_THREADS'] + chr(10))"
    run_workers(["--plugin", plugin(tmp_path, f"{line}\nos._exit(3)"), "sweep", str(born)], 1, study, SPACE)
    assert born.read_text().split() == [str(os.cpu_count())] * 4
    said = capsys.readouterr().err.splitlines()
    assert said.count("elgeo: a worker ended with code 3; its trial is taken up again") == 4
    assert said.count("elgeo: 0 of 3 trials done") == 1


@pytest.mark.slow
def test_a_worker_that_was_refused_ends_them_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = open_study(f"sqlite:///{tmp_path}/s.db", "refused", SPACE)
    spy = plugin(tmp_path, "os._exit(2)")
    with pytest.raises(ElgeoError, match="a worker could not go on"):
        run_workers(["--plugin", spy, "sweep"], 1, study, SPACE)
    assert "code" not in capsys.readouterr().err


@pytest.mark.slow
def test_workers_that_are_done_are_not_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = open_study(f"sqlite:///{tmp_path}/s.db", "done", SPACE)
    work(study, SPACE, lambda settings, folder, report: 0.5)
    born = tmp_path / "born"
    line = "open(sys.argv[-1], 'a').write(os.environ['NUMBA_NUM_THREADS'] + chr(10))"
    run_workers(["--plugin", plugin(tmp_path, f"{line}\nos._exit(0)"), "sweep", str(born)], 2, study, SPACE)
    assert born.read_text().split() == [str(max(1, (os.cpu_count() or 1) // 2))] * 2
    assert capsys.readouterr().err.splitlines() == ["elgeo: 3 of 3 trials done"]


@pytest.mark.slow
def test_after_five_good_trials_a_bad_one_is_stopped_at_the_sixth_epoch(tmp_path: Path) -> None:
    for prune in (False, True):
        space = Space({"margin": Choice((0.9, 0.8, 0.7, 0.6, 0.5, 0.1))}, prune=prune)
        study = open_study(f"sqlite:///{tmp_path}/s.db", f"pruned {prune}", space)
        epochs: dict[float, int] = {}

        def objective(settings: object, folder: str, report: object, epochs: dict[float, int] = epochs) -> float:
            assert isinstance(settings, dict)
            assert callable(report)
            for epoch in (4, 5, 6):
                epochs[settings["margin"]] = epoch
                report(epoch, settings["margin"])
            return float(settings["margin"])

        work(study, space, objective)
        states = {t.params["margin"]: t.state.name for t in finished(study)}
        assert states == {
            **dict.fromkeys((0.9, 0.8, 0.7, 0.6, 0.5), "COMPLETE"),
            0.1: "PRUNED" if prune else "COMPLETE",
        }
        assert epochs[0.1] == (5 if prune else 6)
