"""docs/curation.md, block by block as a reader would: commands, the page while it is served, Python, the picture."""

from __future__ import annotations

import io
import re
import shlex
import shutil
import signal
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from elgeo.cli import main
from elgeo.ontology import read
from tests.files_of_examples import ROOT, prepare

PAGE = ROOT / "docs" / "curation.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.slow
def test_the_tutorial_works_as_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    prepare()
    server: subprocess.Popen[str] | None = None
    said: dict[str, object] = {}
    printed = ""
    try:
        for language, block in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
            if language == "python":
                with redirect_stdout(io.StringIO()) as output:
                    exec(block, said)
                printed += output.getvalue()
            elif language == "sh":
                for line in block.strip().splitlines():
                    words = shlex.split(line)
                    assert words[0] == "elgeo"
                    if words[1] != "serve":
                        assert main(words[1:]) == 0, (line, capsys.readouterr().err)
                        continue
                    command = [sys.executable, "-m", "elgeo", *words[1:], "--port", "0"]
                    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
                    assert server.stdout is not None
                    said["address"] = server.stdout.readline().strip()
    finally:
        if server is not None:
            server.send_signal(signal.SIGINT)
            assert server.wait(20) in (0, 130)
    shown = capsys.readouterr()
    assert printed.splitlines()[0] == "accept"
    assert "'added': 1" in printed
    assert printed.splitlines()[-1] in shown.err, "what `elgeo apply` says too"
    assert printed.splitlines()[-1].startswith("1 axiom added: ")
    assert "`consequences: 0 came, 0 went`" in PAGE.read_text(encoding="utf-8")
    assert "consequences: 0 came, 0 went" in shown.err
    assert "seen in the register" in Path("curated.owl").read_text()
    before = {str(axiom) for axiom in read("demo-output/family.ofn").axioms}
    assert len({str(axiom) for axiom in read("curated.owl").axioms} - before) == 1
    assert len(read("lean.omn").axioms) == len(read("lean.owl").axioms) > 0
    assert len(Path("mine.tsv").read_text().splitlines()) == 21
    assert "of 3, true in" in shown.out


@pytest.mark.slow
def test_the_picture_is_made_by_the_command_that_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("chromium is not installed")
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text(encoding="utf-8").replace("\\\n", " ")
    command = shlex.split(re.findall(r"^\$ (chromium .*)$", text, re.MULTILINE)[0])
    train = re.findall(r"^(elgeo train family -o balls .*)$", text, re.MULTILINE)[0]
    assert main(shlex.split(train)[1:]) == 0
    serve = [sys.executable, "-m", "elgeo", "serve", "balls", "--port", "0"]
    with subprocess.Popen(serve, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        Path("docs/assets").mkdir(parents=True)
        call = [chromium, *(word.replace("http://127.0.0.1:8017/", address) for word in command[1:])]
        subprocess.run(
            [*call, "--no-sandbox", f"--user-data-dir={tmp_path}/profile"], check=True, timeout=120, capture_output=True
        )
        server.send_signal(signal.SIGINT)
        server.wait(20)
    made = Path("docs/assets/curation.png").read_bytes()
    assert made.startswith(b"\x89PNG")
    assert len(made) > 20_000
    assert (ROOT / "docs" / "assets" / "curation.png").read_bytes().startswith(b"\x89PNG")
