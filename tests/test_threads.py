"""How many threads there are to be."""

from __future__ import annotations

import os

import pytest

from elgeo.errors import SettingError
from elgeo.threads import threads


def test_the_environment_says_how_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_NUM_THREADS", "5")
    for text, count in (("1", 1), ("7", 7), ("", 5)):
        monkeypatch.setenv("ELGEO_THREADS", text)
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
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    assert threads() == 3
