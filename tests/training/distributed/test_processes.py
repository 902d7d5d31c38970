"""Who this process is, by its environment, and what one alone hears."""

from __future__ import annotations

import os
from datetime import timedelta
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from torch.distributed import HashStore  # type: ignore[attr-defined]

from elgeo.cli import main
from elgeo.errors import SettingError
from elgeo.training.distributed import processes
from elgeo.training.distributed.processes import ALONE, TIMEOUT, PeerError, Processes, _heard, count_up, join


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, ALONE),
        (
            {"RANK": "0", "WORLD_SIZE": "1", "LOCAL_WORLD_SIZE": "1", "TORCHELASTIC_RESTART_COUNT": "2"},
            Processes(0, 1, 2),
        ),
        # what some schedulers leave in the environment of a command that is alone
        ({"RANK": "3"}, ALONE),
    ],
)
def test_a_command_is_alone_unless_there_are_several(
    environment: dict[str, str],
    expected: Processes,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in ("RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE", "TORCHELASTIC_RESTART_COUNT"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert join() == expected
    assert main(["models", "--json"]) == 0
    assert capsys.readouterr().out.startswith(("[", "{"))


def test_numbers_that_do_not_fit_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANK", "2")
    monkeypatch.setenv("WORLD_SIZE", "2")
    with pytest.raises(SettingError, match="RANK 2 of the environment is not below WORLD_SIZE 2"):
        join()
    monkeypatch.setenv("WORLD_SIZE", "many")
    with pytest.raises(SettingError, match="WORLD_SIZE of the environment has to be a whole number, not 'many'"):
        join()


def test_commands_that_are_not_divided_are_done_by_the_first_process(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WORLD_SIZE", "2")
    for rank, printed in (("0", True), ("1", False)):
        monkeypatch.setenv("RANK", rank)
        assert main(["models"]) == 0
        assert bool(capsys.readouterr().out) == printed


def test_one_process_hears_itself() -> None:
    rows = np.arange(6).reshape(3, 2)
    np.testing.assert_array_equal(ALONE.joined(rows), rows)
    np.testing.assert_array_equal(ALONE.summed(rows), rows)
    np.testing.assert_array_equal(ALONE.reduced(rows), rows)
    assert (ALONE.any(True), ALONE.any(False), ALONE.told("word"), ALONE.told(None)) == (True, False, "word", "")
    assert ALONE.first(lambda: 3) == 3
    with pytest.raises(SettingError, match="mine"):
        ALONE.first(fails)
    assert (ALONE.threads, ALONE.device("cuda"), ALONE.device("cpu")) == (0, "cuda", "cpu")
    assert Processes(1, 4, 0, 2).device("cpu") == "cpu"
    assert Processes(1, 4, 0, 10_000).threads == 1


@pytest.mark.parametrize(
    ("processors", "beside", "threads"),
    [(12, 1, 0), (12, 2, 6), (12, 5, 2), (12, 7, 1), (12, 12, 1), (12, 13, 1), (None, 1, 0), (None, 2, 1)],
)
def test_processes_share_the_processors(
    processors: int | None, beside: int, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: processors)
    assert Processes(0, 4, 0, beside).threads == threads


@pytest.mark.parametrize(("given", "seconds"), [(None, 1800), ("0", 1800), ("7", 7)])
def test_peers_are_waited_for_as_long_as_is_said(
    given: str | None, seconds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []

    def rendezvous(url: str, rank: int, size: int, timeout: timedelta) -> Any:
        waited.append(timeout.total_seconds())
        assert (url, rank, size) == ("env://", 1, 3)
        raise RuntimeError("nobody there\nin any way")

    monkeypatch.setattr(import_module("torch.distributed.rendezvous"), "rendezvous", rendezvous)
    monkeypatch.delenv(TIMEOUT, raising=False)
    for name, value in (("RANK", "1"), ("WORLD_SIZE", "3"), (TIMEOUT, given), ("MASTER_ADDR", "far")):
        if value is not None:
            monkeypatch.setenv(name, value)
    monkeypatch.setenv("MASTER_PORT", "29500")
    with pytest.raises(PeerError, match=rf"process 1 of 3 .* far:29500 within {seconds} seconds \(nobody there\): "):
        join()
    assert waited == [seconds]


def test_each_process_that_counts_something_up_hears_how_many_have(monkeypatch: pytest.MonkeyPatch) -> None:
    stores = {("10.0.0.7", 29500): HashStore()}
    meeting = SimpleNamespace(TCPStore=lambda address, port, is_master, timeout: stores[address, port])
    monkeypatch.setattr(processes, "dist", meeting)
    monkeypatch.delenv("TORCHELASTIC_RESTART_COUNT", raising=False)
    monkeypatch.setenv("MASTER_ADDR", "10.0.0.7")
    monkeypatch.setenv("MASTER_PORT", "29500")
    assert [count_up("error"), count_up("error"), count_up("other"), count_up("error")] == [1, 2, 1, 3]
    monkeypatch.setenv("TORCHELASTIC_RESTART_COUNT", "1")
    assert [count_up("error"), count_up("error")] == [1, 2], "what was said before all began anew is said again"
    monkeypatch.delenv("MASTER_PORT")
    assert [count_up("error"), count_up("error")] == [1, 1], "nobody can be asked"


def test_of_what_torch_says_the_first_line_is_told() -> None:
    for said in ("gone", "\ngone\nstack of the peer\n"):
        with pytest.raises(PeerError, match=r"does not answer \(gone\): its own"), _heard():
            raise RuntimeError(said)


def fails() -> None:
    raise SettingError("mine")
