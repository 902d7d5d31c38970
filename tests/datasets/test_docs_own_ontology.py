"""The page for people with an ontology of their own: its blocks run, one after the other, and do what it says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from elgeo.cli import main

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```(sh|python)\n(.*?)^```$", re.M | re.S)


@pytest.mark.slow
def test_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    printed: dict[str, str] = {}
    for language, text in BLOCK.findall((DOCS / "your-own-ontology.md").read_text(encoding="utf-8")):
        if language == "python":
            exec(compile(text, "your-own-ontology.md", "exec"), {"__name__": "__page__"})
            printed["python"] = capsys.readouterr().out
            continue
        for line in text.replace("\\\n", " ").splitlines():
            program, *arguments = shlex.split(line)
            assert program == "elgeo", line
            assert main(arguments) == 0, capsys.readouterr().err
            printed.setdefault(" ".join(arguments[:2]), capsys.readouterr().out)
    assert "unsupported: nothing" in printed["info kitchen.ofn"]
    assert printed["dataset split"] == printed["dataset info"]
    assert "60 candidates" in printed["dataset info"]
    assert "0 are entailed by train" in printed["dataset info"]
    for report in (printed["evaluate run"], printed["python"]):
        assert "elem beats naive on MRR and Hits@10 and mean rank" in report
    assert "ingredient_0_" in printed["predict run"]


def test_the_python_of_the_page_on_datasets_runs() -> None:
    names: dict[str, object] = {}
    for language, text in BLOCK.findall((DOCS / "datasets.md").read_text(encoding="utf-8")):
        assert language == "python"
        exec(compile(text, "datasets.md", "exec"), names)
    assert getattr(names["dataset"], "name", "") == "cell-small"
