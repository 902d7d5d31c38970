"""Evaluation and predictions in two processes: the same documents as in one, byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from elgeo.cli import main
from tests.training.distributed.launching import beside


@pytest.mark.slow
def test_documents_are_the_same_byte_for_byte(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    assert main(["train", "cell-tiny", "--model", "elbe", "--quiet", "--epochs", "3", "-o", str(folder)]) == 0
    capsys.readouterr()
    evaluate = ["evaluate", str(folder), "--positives", "both", "--json"]
    predict = ["predict", str(folder), "--all", "--top", "70", "--format", "json"]
    assert main(evaluate) == 0
    document, said = (folder / "evaluation.json").read_bytes(), capsys.readouterr().out
    assert main(predict) == 0
    table = capsys.readouterr().out
    assert len(table) > 5_000
    (folder / "evaluation.json").unlink()

    shared = beside(tmp_path / "said", 3, "elgeo", *evaluate)
    assert shared.stdout == said
    assert (folder / "evaluation.json").read_bytes() == document
    assert shared.stderr.count("elgeo: ranking\n") == 1, "one process speaks"
    assert beside(tmp_path / "said", 2, "elgeo", *predict).stdout == table
