"""What tests of kernels share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from elgeo.compilation import cache


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An own folder for builds."""
    monkeypatch.setenv("ELGEO_KERNELS", str(tmp_path / "kernels"))
    cache._folder.cache_clear()
    yield tmp_path / "kernels"
    cache._folder.cache_clear()
