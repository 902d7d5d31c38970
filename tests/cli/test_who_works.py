"""Who does the work of a command about runs, where processes share it or some of it is done; without the work."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from elgeo import api
from elgeo.cli import main, torchrun
from elgeo.errors import ElgeoError
from elgeo.experiments import sweep
from elgeo.report import predictions_text
from elgeo.training.distributed import processes
from elgeo.training.distributed.processes import Processes
from elgeo.training.run import Run

SPACE = '[fixed]\nnegatives = "random"\n[space]\ndimension = [2, 3]\n'


class Asked(ElgeoError):
    """Raised in place of the work."""


@pytest.mark.parametrize(("size", "every"), [(1, {}), (2, {"checkpoint_every": 1}), (3, {"checkpoint_every": 1})])
def test_where_processes_may_die_each_epoch_is_kept(
    size: int, every: dict[str, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[dict[str, Any]] = []

    def train(*given: Any, **named: Any) -> None:
        asked.append(named)
        raise Asked("asked")

    monkeypatch.setattr(processes, "join", lambda: Processes(0, size))
    monkeypatch.setattr(api, "train", train)
    command = ["train", "cell-tiny", "-o", str(tmp_path / "run"), "--model", "elem", "--seed", "3"]
    for more, changed in ([], every), (["--set", "checkpoint_every=7"], {"checkpoint_every": "7"}):
        assert main([*command, *more]) == 2
        named = asked.pop()
        assert {name: value for name, value in named.items() if name in ("seed", "checkpoint_every")} == {
            "seed": 3, **changed
        }  # fmt: skip
        assert named["processes"].size == size


def test_of_several_processes_the_first_prints_predictions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "run.toml").touch()
    monkeypatch.setattr(Run, "load", lambda *given: None)
    monkeypatch.setattr(api, "predictions", lambda *given, **named: SimpleNamespace(notes=["a note"], rows=[1, 2]))
    monkeypatch.setattr(predictions_text, "as_tsv", lambda found: f"{len(found.rows)} rows\n")
    for rank, said in ((0, ("2 rows\n", "elgeo: a note\n")), (1, ("", ""))):
        monkeypatch.setattr(processes, "join", lambda rank=rank: Processes(rank, 2))
        assert main(["predict", str(tmp_path), "--all", "--format", "tsv"]) == 0
        assert capsys.readouterr() == said


@pytest.mark.parametrize("rank", [None, "0", "1"])
def test_a_run_that_another_process_has_begun_is_no_hindrance(
    rank: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def train(*given: Any, **named: Any) -> None:
        raise Asked("asked")

    monkeypatch.setattr(processes, "join", Processes)
    monkeypatch.setattr(api, "train", train)
    (tmp_path / "run.toml").write_text("begun")
    if rank is None:
        monkeypatch.delenv("RANK", raising=False)
    else:
        monkeypatch.setenv("RANK", rank)
    assert main(["train", "family", "-o", str(tmp_path)]) == 2
    assert ("already holds a run" in capsys.readouterr().err) == (rank is None)


@pytest.mark.parametrize(
    ("there", "options", "work"),
    [
        (None, [], "train"),
        (None, ["--resume"], "train"),
        ('model = "elem"', [], "train"),  # broken off before anything of it was kept
        ('model = "elem"', ["--resume"], "resume"),
        ('model = "elem"\nresult = 1', [], None),
        ('model = "elem"\nresult = 1', ["--resume"], "resume"),
    ],
)
def test_a_run_is_begun_or_gone_on_with(
    there: str | None, options: list[str], work: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    for name in ("train", "resume"):

        def instead(*given: Any, name: str = name, **named: Any) -> None:
            asked.append(name)
            raise Asked("asked")

        monkeypatch.setattr(api, name, instead)
    if there is not None:
        (tmp_path / "run.toml").write_text(there)
    assert main(["train", "family", "-o", str(tmp_path), *options]) == 2
    assert asked == [work] * (work is not None)


@pytest.mark.parametrize(
    ("option", "work"),
    [
        ([], "evaluate"),
        (["--suggestions", "5"], "suggestions"),
        (["--removed"], "removed"),
        (["--new-classes"], "evaluate_new_classes"),
    ],
)
def test_all_of_several_processes_rank_and_the_first_does_all_else(
    option: list[str], work: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    for name in ("evaluate", "suggestions", "removed", "evaluate_new_classes"):

        def instead(*given: Any, name: str = name, **named: Any) -> None:
            asked.append(name)
            raise Asked("asked")

        monkeypatch.setattr(api, name, instead)
    (tmp_path / "run.toml").touch()
    monkeypatch.setattr(Run, "load", lambda *given: None)
    for rank in (0, 1):
        monkeypatch.setattr(processes, "join", lambda rank=rank: Processes(rank, 2))
        mine = rank == 0 or work == "evaluate"
        assert main(["evaluate", str(tmp_path), *option]) == (2 if mine else 0)
        assert asked == [work] * mine
        asked.clear()


def test_one_of_several_processes_ends_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[int] = []
    monkeypatch.setattr(os, "_exit", ended.append)
    for rank, size, left in (("", "", []), ("0", "1", []), ("0", "2", [3]), ("1", "2", [3])):
        monkeypatch.setenv("RANK", rank)
        monkeypatch.setenv("WORLD_SIZE", size)
        ended.clear()
        assert torchrun.end(3) == 3
        assert ended == left


@pytest.mark.slow
def test_a_sweep_of_one_worker_starts_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[Any] = []

    def started(command: list[str], count: int, *_: object) -> None:
        begun.append((command, count))
        raise Asked("asked")

    def alone(*_: object) -> None:
        begun.append("alone")
        raise Asked("asked")

    monkeypatch.setattr(sweep, "run_workers", started)
    monkeypatch.setattr(sweep, "run_worker", alone)
    (tmp_path / "space.toml").write_text(SPACE)
    mine, out = ["sweep", "cell-tiny", "--space", str(tmp_path / "space.toml")], str(tmp_path / "out")
    for more in ([], ["--workers", "2"], ["--workers", "3", "--worker"]):
        assert main([*mine, "-o", out, *more]) == 2
    storage = ["--storage", f"sqlite:///{out}/study.db", "--name", "out"]
    assert begun == ["alone", ([*mine, "-o", out, "--worker", *storage], 2), "alone"]
