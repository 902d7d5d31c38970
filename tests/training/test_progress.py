"""The line of progress on terminals of any width and in files; why a training ended; terminals without our symbols."""

from __future__ import annotations

import fcntl
import io
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path
from typing import Any

import pytest
from tqdm import tqdm

import elgeo
from elgeo.cli import main
from elgeo.training.folder.history import Epoch
from elgeo.training.progress import Progress
from tests.small_dataset import small_dataset

LOSS = {"total": 1.23456, "subclass": 0.5, "subclass-": 0.25, "existential": 2.0, "disjoint": 0.125}
SOURCE = str(Path(__file__).parents[2] / "src")
QUICK = ["--set", "dimension=3", "--set", "negatives=random"]


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


class Prompt(tqdm):  # type: ignore[misc]
    """A bar that is drawn at once, however soon after the last time."""

    def __init__(self, **options: Any) -> None:
        super().__init__(mininterval=0, **options)


def test_lines_have_all_figures_and_do_not_flood_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    file, now = io.StringIO(), 100.0
    monkeypatch.setattr("elgeo.training.progress.time.monotonic", lambda: now)
    progress = Progress(60, 500, file)
    for number in range(1, 61):
        now += 1
        progress.epoch(Epoch(number, 0.5, LOSS, 0.01, 0.75, 0.3125), number - 1)
    lines = file.getvalue().splitlines()
    assert [int(line.split("/")[0].removeprefix("epoch ")) for line in lines] == [1, 11, 21, 31, 41, 51, 60]
    assert lines[1] == (
        "epoch 11/60, at most 00:24 left, loss 1.2346, valid 0.7500, MRR 0.3125, best 10, lr 0.01, 1,000 axioms/s,"
        " ⊑ 0.500, ⊑⁻ 0.250, ∃ 2.000, ⊓⊥ 0.125"
    )


@pytest.mark.parametrize("width", [20, 40, 47, 48, 49, 50, 62, 63, 80, 300])
def test_a_terminal_is_written_to_its_width_and_no_farther(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr("tqdm.std._screen_shape_wrapper", lambda: lambda file: (width, 24))
    progress = Progress(3, 500, terminal)
    for number in (1, 2, 3):
        progress.epoch(Epoch(number, 0.5, LOSS, 0.01, 0.75), 1)
    progress.say("the end")
    *shown, last = re.split(r"[\r\n]+", terminal.getvalue().strip())
    assert last == "the end"
    assert max(map(len, shown)) <= width
    assert shown[-1].startswith("epoch 3/3 ")
    figures = "loss 1.2346, valid 0.7500, best 1, lr 0.01, 1,000 axioms/s, ⊑ 0.500, ⊑⁻ 0.250, ∃ 2.000, ⊓⊥ 0.125"
    if width >= 40:
        for line in shown:  # as many figures as there is room for, and none of them cut
            rest = line.rstrip().partition(" left")[2].removeprefix(", ")
            assert figures.startswith(rest)
            assert (figures + ", ")[len(rest) : len(rest) + 2] in (", ", "lo")
        assert ("best 1" in shown[-1]) == (width >= 80)
    if width == 300:
        assert shown[-1].rstrip().endswith("∃ 2.000, ⊓⊥ 0.125")
        assert "at most 00:00 left, loss 1.2346, valid 0.7500, best 1" in shown[-1]


@pytest.mark.parametrize("width", range(60, 96))
def test_as_many_figures_as_fit_are_shown_when_the_number_of_an_epoch_grows_longer(
    width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = Terminal()
    monkeypatch.setattr("tqdm.std._screen_shape_wrapper", lambda: lambda file: (width, 24))
    monkeypatch.setattr("elgeo.training.progress.tqdm", Prompt)
    progress = Progress(12, 500, terminal)
    figures = ["loss 1.2346", "valid 0.7500", "best 1", "lr 0.01", "1,000 axioms/s", "⊑ 0.500", "⊑⁻ 0.250"]
    for number in (8, 9, 10):
        progress.epoch(Epoch(number, 0.5, LOSS, 0.01, 0.75), 1)
        line = re.split(r"[\r\n]+", terminal.getvalue().strip())[-1].rstrip()
        assert line.startswith(f"epoch {number}/12 ")
        shown = line.partition(" left")[2].removeprefix(", ").split(", ")
        assert shown == figures[: len(shown)]
        # a column is left free: on some terminals one that is written to its end goes on to the next line
        assert len(line) < width <= len(line) + len(f", {figures[len(shown)]}")
    progress.close()


def test_the_end_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    quick = {"dimension": 3, "negatives": "random", "batch": 100}
    elgeo.train(small_dataset(), epochs=2, quiet=False, **quick)
    assert re.search(r"^all 2 epochs are done; the best was epoch \d$", capsys.readouterr().err, re.MULTILINE)
    run = elgeo.train(small_dataset(), epochs=90, stop_patience=2, learning_rate=1.0, quiet=False, **quick)
    best = run.result["best_epoch"]
    said = f"ended after epoch {best + 2}: no better one for 2 epochs; the best was epoch {best}\n"
    assert capsys.readouterr().err.endswith(said)
    elgeo.train(small_dataset(), epochs=2, **quick)
    assert capsys.readouterr().err == ""


@pytest.mark.slow
def test_a_real_terminal_sees_one_line_and_then_the_end(tmp_path: Path) -> None:
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 50, 0, 0))
    command = [sys.executable, "-m", "elgeo", "train", "family", "-o", str(tmp_path / "run"), "--epochs", "3", *QUICK]
    environment = {**os.environ, "PYTHONPATH": SOURCE}
    done = subprocess.run(command, stderr=follower, stdout=subprocess.PIPE, text=True, env=environment, check=True)
    os.close(follower)
    shown = os.read(leader, 100_000).decode()
    os.close(leader)
    assert done.stdout == f"{tmp_path / 'run'}\n"
    assert shown.count("\n") == 2
    assert "epoch 3/3" in shown
    assert max(map(len, re.split(r"[\r\n]", shown))) <= 50
    assert "all 3 epochs are done" in shown


@pytest.mark.slow
def test_a_terminal_without_our_symbols_gets_words(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": SOURCE, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    command = [sys.executable, "-m", "elgeo", "train", "family", "-o", str(tmp_path / "run"), "--epochs", "2", *QUICK]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert "SubClassOf 1." in done.stderr
    command = [sys.executable, "-m", "elgeo", "models", "elem"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert "C and D SubClassOf E" in done.stdout
    assert "gamma" in done.stdout


def test_what_has_no_word_is_spelled_out() -> None:
    from elgeo.messages import use_words

    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="latin-1")
    use_words(stream)
    stream.write("é ⊑ ∃r.⊤ ≡ 中 …")
    stream.flush()
    assert raw.getvalue().decode("latin-1") == "é SubClassOf some r.Thing EquivalentTo \\u4e2d ..."
    unicode = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    use_words(unicode)
    assert unicode.errors == "strict"


def test_a_disk_without_room_is_one_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (6000, before[1]))
        code = main(
            ["train", "family", "-o", str(tmp_path / "run"), "--quiet", "--epochs", "2", "--set", "dimension=50"]
        )
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert code == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert re.match(r"elgeo: cannot write .*\.safetensors: File too large; free some space or", error)
