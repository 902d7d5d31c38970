"""The blocks of new-terms.md and back-testing.md run, one after the other, and do what they say."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from elgeo.cli import main

DOCS = Path(__file__).parents[3] / "docs"
BLOCK = re.compile(r"^```(sh|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.slow
def test_the_pages_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    printed: dict[str, str] = {}
    for page in ("new-terms.md", "back-testing.md"):
        for language, text in BLOCK.findall((DOCS / page).read_text(encoding="utf-8")):
            if language == "python":
                exec(compile(text, page, "exec"), {"__name__": "__page__"})
                printed["python"] = capsys.readouterr().out
                continue
            for line in text.replace("\\\n", " ").splitlines():
                program, *arguments = shlex.split(line)
                assert program == "elgeo", line
                assert main(arguments) == 0, capsys.readouterr().err
                printed[" ".join(arguments)] = capsys.readouterr().out
    placed = printed["place run --label negative regulation of heart valve development --top 3"]
    page = (DOCS / "new-terms.md").read_text(encoding="utf-8")
    numbers = re.compile(r"\d\.\d+")
    assert numbers.sub("#", f"```text\n{placed}```") in numbers.sub("#", page), placed
    answer = next(out for command, out in printed.items() if "left lung lobe" in command)
    assert json.loads(answer)["terms"][0]["parents"][0]["label"] == "lung lobe"
    assert "regulation of lung lobe development" in printed["python"]
    assert "nearest-names" in printed["evaluate run --new-classes"]
    assert "1 terms that only the newer release has" in printed["evaluate back-test-run --new-classes"]
