"""What every command does: its exit code, and one line for whatever goes wrong."""

from __future__ import annotations

import atexit
import gc
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import elgeo
from elgeo import cli
from elgeo.cli import main
from elgeo.cli.in_turn import in_turn
from elgeo.errors import ElgeoError


def ending(monkeypatch: pytest.MonkeyPatch, what: BaseException | int | None) -> int:
    """The exit code of a command that ends so."""

    def run(options: Any) -> int | None:
        if isinstance(what, BaseException):
            raise what
        return what

    monkeypatch.setattr(
        cli, "_parser", lambda arguments: SimpleNamespace(parse_args=lambda _: SimpleNamespace(run=run))
    )
    return main(["info"])


@pytest.mark.parametrize(
    ("what", "code", "said"),
    [
        (None, 0, ""),
        (0, 0, ""),
        (3, 3, ""),
        (ElgeoError("the file is broken"), 2, "elgeo: the file is broken\n"),
        (OSError("odd"), 2, "elgeo: odd\n"),
        (PermissionError(13, "Permission denied"), 2, "elgeo: Permission denied\n"),
        (PermissionError(13, "Permission denied", "go.obo"), 2, "elgeo: go.obo: Permission denied\n"),
        (MemoryError(), 2, "elgeo: not enough memory\n"),
        (MemoryError("for 5 GB"), 2, "elgeo: not enough memory: for 5 GB\n"),
        (KeyboardInterrupt(), 130, "elgeo: interrupted\n"),
        (KeyboardInterrupt("stopped after epoch 5"), 130, "elgeo: stopped after epoch 5\n"),
    ],
)
def test_how_a_command_ends(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], what: Any, code: int, said: str
) -> None:
    assert ending(monkeypatch, what) == code
    assert capsys.readouterr() == ("", said)


def test_other_errors_are_ours_and_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ZeroDivisionError):
        ending(monkeypatch, ZeroDivisionError())


def test_without_a_command_the_commands_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    listed = capsys.readouterr().out
    for command, line in cli.COMMANDS.items():
        assert command in listed
        assert " ".join(line.split()) in " ".join(listed.split())


def test_the_version_is_the_packages(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"elgeo {elgeo.__version__}\n"
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = elgeo.nothing


def test_a_folder_that_is_made_on_the_way_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ontology = tmp_path / "o.ofn"
    ontology.write_text("Ontology(SubClassOf(<http://x/A> <http://x/B>))")
    for _ in range(2):
        assert main(["classify", str(ontology), "-o", str(tmp_path / "new" / "one" / "out.tsv")]) == 0
    assert capsys.readouterr().err == f"elgeo: made the folder {tmp_path / 'new' / 'one'}\n"
    assert main(["classify", str(tmp_path / "none.ofn"), "-o", str(tmp_path / "other" / "out.tsv")]) == 2
    assert "made the folder" not in capsys.readouterr().err


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: elgeo {command} [-h]")


@pytest.mark.slow
def test_a_reader_that_has_gone_is_no_error() -> None:
    command = [sys.executable, "-m", "elgeo", "models", "--markdown"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_a_process_of_its_own_looks_for_garbage_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    before, at_the_end = gc.get_threshold(), list[object]()
    monkeypatch.setattr(atexit, "register", at_the_end.append)
    monkeypatch.setattr(sys, "argv", ["elgeo", "models", "naive"])
    try:
        assert main(sys.argv[1:]) == 0
        assert (gc.get_threshold(), at_the_end) == (before, []), "the process of others is theirs"
        assert main() == 0
        assert gc.get_threshold()[0] == 50_000
        assert at_the_end == [gc.freeze]
    finally:
        gc.set_threshold(*before)


def test_commands_in_turn_end_at_the_first_that_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert in_turn(["models", "naive", "--json", "&&", "models", "nothing", "&&", "models", "elem"]) == 2
    said = capsys.readouterr()
    assert "naive" in said.out
    assert "elem" not in said.out
    assert said.err.count("\n") == 1
    assert in_turn(["models", "naive", "&&", "models", "elem"]) == 0
    assert "elem" in capsys.readouterr().out
    assert in_turn([]) == 0
