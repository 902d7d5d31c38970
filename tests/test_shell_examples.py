"""Every shell example of the README and the docs runs, page by page, on small stand-ins of the files it names."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest

from elgeo.cli import main
from elgeo.datasets.folder import save
from tests.files_of_examples import ROOT, prepare
from tests.forked import executable
from tests.small_dataset import small_dataset

PAGES = ["README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(sh|bash|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ELSEWHERE = {
    "docs/your-own-ontology.md": "datasets/test_docs_own_ontology.py",
    "docs/new-terms.md": "evaluation/placing/test_docs.py",
    "docs/curation.md": "serve/test_docs.py",
    "docs/back-testing.md": "evaluation/placing/test_docs.py",
}
"""Pages whose examples have tests of their own that ask for more."""
NOT_RUN = {
    "make ": "sets the house up and runs these tests",
    "elgeo evaluate demo-output": "what `elgeo demo` leaves behind: training/test_demo.py",
    "elgeo reproduce": "needs the paper's datasets, and hours: experiments/test_reproduce.py has small ones",
    "elgeo sweep data/yeast-iw --space paper": "needs a database and a cluster: experiments/test_sweep.py",
}
"""How commands begin that are not run here, and why."""
SLOW = {
    "README.md",
    "docs/atlas.md",
    "docs/experiments.md",
    "docs/training.md",
}
"""Pages whose examples train."""


def commands(page: str) -> list[str]:
    """The commands of a page, one after the other; what they print is left out."""
    found = []
    for language, block in BLOCK.findall((ROOT / page).read_text(encoding="utf-8")):
        lines = block.replace("\\\n", " ").splitlines()
        if language == "console":
            lines = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
        for line in lines:
            found += [part.strip() for part in re.sub(r"\s+# .*$", "", line).split(" && ")]
    return [each for each in found if each.startswith(("elgeo ", "make "))]


def reason_not_to_run(command: str) -> str | None:
    return next((why for start, why in NOT_RUN.items() if command.startswith(start)), None)


def _marked(page: str) -> object:
    return pytest.param(page, marks=pytest.mark.slow if page in SLOW else ())


@pytest.mark.parametrize("page", [_marked(page) for page in PAGES if commands(page) and page not in ELSEWHERE])
def test_the_commands_of_a_page_run(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(tmp_path)
    prepare()
    monkeypatch.setattr(sys, "executable", executable())
    if page in ("docs/training.md", "docs/experiments.md"):
        save(small_dataset(0, 12, 10, 60), Path("data/yeast-iw"))
    for command in commands(page):
        if reason_not_to_run(command) is None:
            for run in ("runs/filter", "runs/relu"):
                if command.startswith("elgeo report") and run in command:
                    assert main(["train", "data/yeast-iw", "-o", run, "--model", "naive", "--quiet"]) == 0
            assert main(shlex.split(command)[1:]) == 0, (command, capsysbinary.readouterr().err)


def test_every_reason_not_to_run_is_needed() -> None:
    every = [command for page in PAGES for command in commands(page)]
    for start in NOT_RUN:
        assert any(command.startswith(start) for command in every), start


@pytest.mark.parametrize("page", ELSEWHERE)
def test_pages_with_tests_of_their_own_have_them(page: str) -> None:
    assert commands(page)
    assert Path(page).name in (ROOT / "tests" / ELSEWHERE[page]).read_text()


def test_what_the_readme_says_is_printed_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    prepare()
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    command, printed = re.findall(r"^\$ (elgeo entails demo-output.*)\n((?:.*\n)*?)…$", text, re.MULTILINE)[0]
    assert main(shlex.split(command)[1:]) == 0
    assert printed in capsys.readouterr().out
