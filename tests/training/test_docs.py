"""The Python of docs/training.md and docs/models.md runs as it stands."""

from __future__ import annotations

import re
import types
from pathlib import Path

import pytest

from elgeo.models.contract import REGISTRY

DOCS = Path(__file__).parents[2] / "docs"
BLOCKS = [
    (page, number, code)
    for page in ("training.md", "models.md")
    for number, code in enumerate(
        re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)
    )
]


@pytest.mark.parametrize(("page", "number", "code"), BLOCKS, ids=[f"{page}-{number}" for page, number, _ in BLOCKS])
def test_the_docs_run(page: str, number: int, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    before = dict(REGISTRY)
    try:
        module = types.ModuleType(f"elgeo_docs_{number}")
        exec(compile(code, f"docs/{page}", "exec", dont_inherit=True), module.__dict__)
    finally:
        REGISTRY.clear()
        REGISTRY.update(before)
