"""A model in a module of the user's own: trained, evaluated, predicted with, exported and reported by its name."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from elgeo.cli import main
from elgeo.models.contract import REGISTRY
from tests.forked import executable

PAGE = Path(__file__).parents[2] / "docs" / "models.md"


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The example of docs/models.md, saved as a module of its own in the current folder."""
    code = next(block for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL) if "Points" in block)
    (tmp_path / "my_points.py").write_text(code)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [each for each in sys.path if each not in ("", str(tmp_path))])
    yield "my_points"
    sys.modules.pop("my_points", None)
    REGISTRY.pop("points", None)


@pytest.mark.slow
@pytest.mark.parametrize("dataset", ["family"])
def test_the_example_of_the_docs_goes_all_the_way(
    dataset: str, module: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    quick = ["--quiet", "--epochs", "3", "--set", "negatives=random", "--set", "dimension=4"]
    for command in (
        ["train", dataset, "-o", "run", "--model", "points", *quick],
        ["train", "-o", "run", "--resume", "--quiet", "--epochs", "4"],
        ["evaluate", "run", "--resamples", "0", "--json"],
        ["predict", "run", "--all", "--top", "2", "--json"],
        ["export", "run", "-o", "points.npz"],
        ["report", "run", "-o", "page.html"],
        ["models", "points"],
    ):
        assert main(["--plugin", module, *command]) == 0, capsys.readouterr().err
        out = capsys.readouterr().out
        if command[0] == "evaluate":
            assert set(json.loads(out)["faithfulness"]) == {"GCI2", "entailed", "random"}
    assert (tmp_path / "page.html").is_file()


def test_without_the_module_its_model_has_no_name(module: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "family", "-o", "run", "--model", "points"]) == 2
    assert "elgeo --plugin MODULE" in capsys.readouterr().err


@pytest.mark.slow
def test_a_file_is_a_module_too_and_children_have_it(
    module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "space.toml").write_text(
        '[fixed]\nmodel = "points"\nnegatives = "random"\nepochs = 2\n[space]\ndimension = [2, 3]\n'
    )
    arguments = ["--plugin=my_points.py", "sweep", "cell-tiny", "--space", "space.toml", "-o", "s", "--workers", "2"]
    monkeypatch.setattr(sys, "executable", executable())
    assert main(arguments) == 0
    assert "2 of 2 trials done" in capsys.readouterr().out
    assert "ELGEO_PLUGINS" not in os.environ


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--plugin"], "--plugin needs the name of a module"),
        (["--plugin", "no.such.module", "models"], "the plugin no.such.module cannot be imported: ModuleNotFoundError"),
        (["--plugin=broken", "models"], "the plugin broken cannot be imported: ZeroDivisionError: division by zero"),
        (["--plugin=nowhere.py", "models"], "the plugin nowhere.py cannot be imported: FileNotFoundError"),
        (["--plugin=taken", "models"], "Mine cannot be called 'elem': ElEmbeddings already is"),
    ],
)
def test_a_module_that_is_none_is_one_line(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.py").write_text("1 / 0\n")
    (tmp_path / "taken.py").write_text('from elgeo.models import Naive\nclass Mine(Naive):\n    name = "elem"\n')
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_shells_can_complete(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--print-completion", "bash"])
    assert ended.value.code == 0
    script = capsys.readouterr().out
    for word in ("--export-negatives", "--storage", "dataset", "--positives"):
        assert word in script
    done = subprocess.run(["bash", "-n"], input=script, text=True, check=False)
    assert done.returncode == 0
