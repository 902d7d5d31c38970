"""Decisions damaged or edited at random, through what reads them: one clear message, no traceback, no hang.

`ELGEO_FUZZ=2000 pytest tests/serve/test_damaged_decisions.py` tries as many as one likes.
"""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from elgeo.cli import main
from elgeo.datasets.folder import save
from elgeo.serve.decisions import Axiom, Decision, Decisions
from tests.damaging import ODD, bytes_of, outcomes, replaced
from tests.small_dataset import small_dataset
from tests.training.damage import opened

COUNT = int(os.environ.get("ELGEO_FUZZ", "12"))
FIRST = int(os.environ.get("ELGEO_FUZZ_FIRST", "0"))
COLUMNS = ("number", "head", "role", "tail", "verdict", "who", "note", "at", "run", "model", "version", "score")
ONTOLOGY = """Prefix(:=<http://x/>)
Ontology(<http://x/>
SubClassOf(:person1 :T_001)
SubClassOf(:person2 ObjectSomeValuesFrom(:knows :person3))
SubClassOf(:person4 :T_002)
)
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of decisions, an ontology, and a run."""
    folder = tmp_path_factory.mktemp("decisions")
    (folder / "o.ofn").write_text(ONTOLOGY)
    save(small_dataset(0, 12, 10, 60), folder / "data")
    assert main(["train", str(folder / "data"), "-o", str(folder / "run"), "--model", "naive", "--quiet"]) == 0
    decisions = Decisions(folder / "d.sqlite")
    for number in range(40):
        head, tail = (f"http://x/person{1 + number * step % 4}" for step in (1, 3))
        verdict = ("accept", "accept", "reject", "postpone")[number % 4]
        role = "" if number % 5 == 0 else "http://x/knows"
        decisions.say(Decision(Axiom(head, role, tail), verdict, f"curator {number % 3}", note="as it is", score=0.5))
    return folder


def edited(path: Path, chance: random.Random) -> None:
    """A value that was never said, a column or a row less, another version: whatever an editor of databases can do."""
    odd: Any = chance.choice([b"\xff", *(each for each in ODD if isinstance(each, (str, float, int, type(None))))])
    odd = odd.replace("\ud800", "?") if isinstance(odd, str) else odd
    odd = 2**62 if isinstance(odd, int) and abs(odd) >= 2**63 else odd
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("PRAGMA ignore_check_constraints = ON")
        column, number = chance.choice(COLUMNS), chance.randrange(1, 41)
        match chance.randrange(7):
            case 0:
                database.execute("DROP TABLE said")
            case 1:
                database.execute(f"ALTER TABLE said RENAME COLUMN {column} TO other")
            case 2:
                database.execute(f"PRAGMA user_version = {chance.choice([0, 2, -1])}")
            case 3:
                database.execute("PRAGMA application_id = 7")
            case 4:
                database.execute("UPDATE said SET head = ?", (odd,))
            case _:
                database.execute(f"UPDATE said SET {column} = ? WHERE number = ?", (odd, number))


def damage(path: Path, chance: random.Random) -> str:
    """Damage a file of decisions; says how."""
    way = chance.choice([edited, edited, edited, bytes_of, bytes_of, replaced])
    try:
        way(path, chance)
    except sqlite3.Error:
        bytes_of(path, chance)
    return way.__name__


@pytest.mark.slow
def test_damaged_decisions_are_one_message(whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    refused, wrong = 0, list[str]()
    for seed in range(FIRST, FIRST + COUNT):
        shutil.rmtree(tmp_path / "d", ignore_errors=True)
        (tmp_path / "d").mkdir()
        path = tmp_path / "d" / "d.sqlite"
        shutil.copy(whole / "d.sqlite", path)
        told = damage(path, random.Random(seed))
        commands = [
            ["apply", str(path), str(whole / "o.ofn"), "-o", str(tmp_path / "new.ofn")],
            opened(whole / "run", path),
        ]
        found = outcomes(commands, f"seed {seed} ({told})", capsys)
        refused, wrong = refused + found[0], wrong + found[1]
    assert wrong == []
    assert refused > COUNT
