"""The demo does the whole job and says where things are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from elgeo.cli import main


@pytest.mark.slow
def test_the_demo_does_the_whole_job(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "-o", str(tmp_path / "demo"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [step["command"][1] for step in told["commands"]] == [
        "info", "normalise", "closure", "entails", "train", "dataset", "train", "evaluate", "predict", "report",
    ]  # fmt: skip
    page = Path(told["page"]).read_text(encoding="utf-8")
    assert "<html" in page
    assert (tmp_path / "demo" / "runs" / "cell" / "evaluation.json").is_file()
    assert "entailed\tMother SubClassOf" in told["commands"][3]["output"]
    assert main(["demo", "-o", str(tmp_path / "demo")]) == 2
    assert "not empty" in capsys.readouterr().err
