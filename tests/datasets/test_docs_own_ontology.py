"""The page for people with an ontology of their own: its blocks run, one after the other, and do what it says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "your-own-ontology.md"
BLOCK = re.compile(r"^```(sh|python)\n(.*?)^```$", re.M | re.S)


def run_block(language: str, text: str, folder: Path) -> str:
    """Run a block in a folder, with `elgeo` standing for the package under test; what it printed."""
    if language == "sh":
        command = ["bash", "-euc", f'elgeo() {{ "{sys.executable}" -m elgeo "$@"; }}\n{text}']
    else:
        command = [sys.executable, "-c", text]
    path = os.pathsep.join([str(PAGE.parents[1] / "src"), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, f"{text}\n{done.stderr}"
    return done.stdout


def test_the_page_runs(tmp_path: Path) -> None:
    blocks = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    printed = [run_block(language, text, tmp_path) for language, text in blocks]
    said = dict(zip((text.split("\n")[0] for _, text in blocks), printed, strict=True))
    split = next(out for text, out in said.items() if text.startswith("elgeo dataset split"))
    assert "60 candidates" in split
    evaluated = next(out for text, out in said.items() if text.startswith("elgeo evaluate"))
    assert "hits@10" in evaluated.lower()
    predicted = next(out for text, out in said.items() if text.startswith("elgeo predict"))
    assert "ingredient_" in predicted


@pytest.mark.parametrize("page", ["datasets.md", "your-own-ontology.md"])
def test_links_lead_somewhere(page: str) -> None:
    for target in re.findall(r"\]\(([^)#]+)", (PAGE.parent / page).read_text(encoding="utf-8")):
        assert (PAGE.parent / target).exists(), target
