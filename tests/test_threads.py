"""How many threads there are to be."""

from __future__ import annotations

import os

import pytest

from elgeo import threads as module
from elgeo.errors import SettingError
from elgeo.threads import in_parts, threads


def test_the_environment_says_how_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_NUM_THREADS", "5")
    for text, count in (("1", 1), ("7", 7), ("", 5)):
        monkeypatch.setenv("ELGEO_THREADS", text)
        assert threads() == count
    for text, count in (("0", 1), ("1", 1), ("2", 2)):
        monkeypatch.setenv("NUMBA_NUM_THREADS", text)
        assert threads() == count
    for text in ("0", "-2", "two", "1.5"):
        monkeypatch.setenv("ELGEO_THREADS", text)
        with pytest.raises(SettingError, match="give a number of threads"):
            threads()


def test_otherwise_there_is_one_for_each_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ELGEO_THREADS", raising=False)
    for text in ("", "many"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", text)
        assert threads() == len(os.sched_getaffinity(0))
    monkeypatch.setenv("NUMBA_NUM_THREADS", "")
    monkeypatch.setattr(os, "sched_getaffinity", {0: {1, 4, 5}}.__getitem__)  # of this process
    assert threads() == 3
    monkeypatch.delattr(os, "sched_getaffinity")
    for known, count in ((3, 3), (1, 1), (None, 1)):
        monkeypatch.setattr(os, "cpu_count", lambda known=known: known)
        assert threads() == count


def test_parts_cover_everything_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ELGEO_THREADS", "3")
    monkeypatch.setattr(module, "WORTH_THREADS", 10)
    for count, parts in ((9, 1), (10, 3), (11, 3), (100, 3)):
        found: list[tuple[int, int]] = []
        in_parts(count, lambda low, high: found.append((low, high)))  # noqa: B023
        assert len(found) == parts
        assert [i for low, high in sorted(found) for i in range(low, high)] == list(range(count))
    with pytest.raises(ZeroDivisionError):
        in_parts(100, lambda low, high: 1 // low)


def test_a_few_large_things_are_parts_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ELGEO_THREADS", "3")
    monkeypatch.setattr(module, "WORTH_THREADS", 10)
    for count, work, parts in ((2, 9, [(0, 2)]), (2, 10, [(0, 1), (1, 2)]), (50, 9, [(0, 50)]), (0, 99, [(0, 0)])):
        found: list[tuple[int, int]] = []
        in_parts(count, lambda low, high: found.append((low, high)), work=work)  # noqa: B023
        assert sorted(found) == parts
