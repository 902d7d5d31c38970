"""Decisions are kept whatever happens, and count as people would expect."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from elgeo.errors import ElgeoError, ReadError, SettingError
from elgeo.serve.decisions import _TEXTS, Axiom, Decision, Decisions, bare, is_individual

A, B = Axiom("http://x/A", "http://x/r", "http://x/B"), Axiom("http://x/A", "", "http://x/C")


def counted(decisions: Decisions) -> list[tuple[Axiom, str, str]]:
    return [(d.axiom, d.verdict, d.who) for d in decisions.all()]


def test_the_last_word_of_each_counts(tmp_path: Path) -> None:
    decisions = Decisions(tmp_path / "d.sqlite")
    decisions.say(Decision(A, "accept", "ann", note="clear", run="run", model="atlas", version="1", score=0.25))
    decisions.say(Decision(A, "postpone", "bob"))
    decisions.say(Decision(B, "reject", "bob"))
    decisions.say(Decision(A, "reject", "ann"))
    said = decisions.say(Decision(A, "accept", "ann", note="after all", model="atlas", score=-1.5))
    assert counted(decisions) == [(A, "postpone", "bob"), (B, "reject", "bob"), (A, "accept", "ann")]
    last = decisions.all()[-1]
    assert last == said
    assert (last.note, last.model, last.score, last.number) == ("after all", "atlas", -1.5, 5)
    assert last.at.endswith("+00:00")
    assert decisions.of([A]) == {A: [d for d in decisions.all() if d.axiom == A]}
    assert Decisions(tmp_path / "d.sqlite").all() == decisions.all()


@pytest.mark.parametrize(
    ("axiom", "text"),
    [
        (Axiom("x:a", "", "x:b"), "SubClassOf(<x:a> <x:b>)"),
        (Axiom("x:a", "x:r", "x:b"), "SubClassOf(<x:a> ObjectSomeValuesFrom(<x:r> <x:b>))"),
        (Axiom("{x:ann}", "", "x:b"), "SubClassOf(ObjectOneOf(<x:ann>) <x:b>)"),
        (
            Axiom("{x:ann}", "x:r", "{x:bob}"),
            "SubClassOf(ObjectOneOf(<x:ann>) ObjectSomeValuesFrom(<x:r> ObjectOneOf(<x:bob>)))",
        ),
    ],
)
def test_axioms_in_functional_syntax(axiom: Axiom, text: str) -> None:
    assert axiom.functional() == text
    for name in ("{x:ann}", "x:{a}", "{x:a"):
        assert bare(name) == ("x:ann" if is_individual(name) else name)


def test_what_one_rejects_is_not_accepted(tmp_path: Path) -> None:
    decisions = Decisions(tmp_path / "d.sqlite")
    for who in ("ann", "bob"):
        decisions.say(Decision(A, "accept", who))
    decisions.say(Decision(B, "accept", "ann"))
    assert [(d.axiom, d.who) for d in decisions.accepted()] == [(A, "ann"), (B, "ann")]
    decisions.say(Decision(A, "reject", "eve"))
    assert [d.axiom for d in decisions.accepted()] == [B]
    assert decisions.undo(A, "eve")
    assert [(d.axiom, d.who) for d in decisions.accepted()] == [(A, "ann"), (B, "ann")]
    assert not decisions.undo(A, "eve")
    assert not decisions.undo(Axiom("http://x/Z", "", "http://x/C"), "ann")
    with sqlite3.connect(tmp_path / "d.sqlite") as database:
        assert database.execute("SELECT count(*) FROM said").fetchone() == (5,), "nothing is overwritten"


@pytest.mark.parametrize(
    ("decision", "said"),
    [
        (Decision(A, "maybe", "ann"), "a verdict is one of accept, reject, postpone, not 'maybe'"),
        (Decision(A, "undo", "ann"), "a verdict is one of"),
        (Decision(A, "accept", "  "), "say who decides"),
        (Decision(A, "accept", "ann", note="x" * 4001), "note is too long"),
        (Decision(Axiom("", "", "http://x/C"), "accept", "ann"), "a head and a tail"),
        (Decision(Axiom("http://x/A> <http://y", "", "http://x/C"), "accept", "ann"), "no IRI"),
    ],
)
def test_what_is_no_decision_is_refused(decision: Decision, said: str, tmp_path: Path) -> None:
    decisions = Decisions(tmp_path / "d.sqlite")
    with pytest.raises((SettingError, ElgeoError), match=said):
        decisions.say(decision)
    assert decisions.all() == []
    decisions.say(Decision(A, "accept", "ann", note="x" * 4000))


def test_other_files_are_left_alone(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "other.sqlite") as database:
        database.execute("CREATE TABLE mine (x)")
    (tmp_path / "text").write_text("no database at all, but long enough to be looked at as one" * 20)
    for name, said in (("other.sqlite", "another program"), ("text", "not a database")):
        before = (tmp_path / name).read_bytes()
        with pytest.raises(ReadError, match=said):
            Decisions(tmp_path / name)
        assert (tmp_path / name).read_bytes() == before
    Decisions(tmp_path / "newer.sqlite")
    with sqlite3.connect(tmp_path / "newer.sqlite") as database:
        database.execute("PRAGMA user_version = 2")
    with pytest.raises(ReadError, match="a newer elgeo"):
        Decisions(tmp_path / "newer.sqlite")


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        *((column, b"\xff", f"has no proper {column}: the file was edited or damaged") for column in _TEXTS),
        ("verdict", "perhaps", "has no proper verdict: the file was edited or damaged"),
        ("score", "high", "has no proper score: the file was edited or damaged"),
        ("score", float("inf"), "has no proper score: the file was edited or damaged"),
        ("who", " ", ": say who decides"),
        ("head", "", ": a decision is about an axiom with a head and a tail"),
        ("tail", "x y", ": no IRI: 'x y'"),
        ("note", "\0", ": note is too long, or no text"),
    ],
)
def test_what_was_never_said_is_named(column: str, value: str | bytes | float, said: str, tmp_path: Path) -> None:
    decisions = Decisions(tmp_path / "d.sqlite")
    decisions.say(Decision(B, "accept", "ann", score=0.5))
    decisions.say(Decision(A, "reject", "bob", note="no", score=None))
    with closing(sqlite3.connect(tmp_path / "d.sqlite")) as database, database:
        database.execute("PRAGMA ignore_check_constraints = ON")
        database.execute(f"UPDATE said SET {column} = ? WHERE number = 2", (value,))
    with pytest.raises(ReadError, match=f"decision 2{'' if said.startswith(':') else ' '}{said}"):
        decisions.all()


def test_the_first_that_is_wrong_is_named(tmp_path: Path) -> None:
    decisions = Decisions(tmp_path / "d.sqlite")
    decisions.say(Decision(A, "accept", "ann", score=0.5))
    with closing(sqlite3.connect(tmp_path / "d.sqlite")) as database, database:
        database.execute("PRAGMA ignore_check_constraints = ON")
        database.execute("UPDATE said SET verdict = 'perhaps', score = 'high', tail = ''")
    with pytest.raises(ReadError, match="decision 1 has no proper verdict"):
        decisions.all()
    with closing(sqlite3.connect(tmp_path / "d.sqlite")) as database, database:
        database.execute("PRAGMA ignore_check_constraints = ON")
        database.execute("UPDATE said SET tail = x'ff'")
    with pytest.raises(ReadError, match="decision 1 has no proper tail"):
        decisions.all()


def test_threads_wait_their_turn_however_long_it_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is refused because another curator of the same page is slow."""
    monkeypatch.setattr("elgeo.serve.decisions._PATIENCE", 0.0)  # as if the machine had no time for us
    decisions = Decisions(tmp_path / "d.sqlite")

    def say(thread: int) -> None:
        for i in range(20):
            decisions.say(Decision(Axiom(f"http://x/{thread}-{i}", "", "http://x/C"), "accept", f"w{thread}"))

    with ThreadPoolExecutor(6) as threads:
        for made in [threads.submit(say, thread) for thread in range(6)]:
            made.result()
    assert len(decisions.all()) == 120


def _decide(path: Path, log: Path, who: str) -> None:
    decisions = Decisions(path)
    with log.open("a") as file:
        for i in range(100_000):
            decisions.say(Decision(Axiom(f"http://x/{who}{i}", "", "http://x/C"), "accept", who))
            file.write(f"{who}{i}\n")  # acknowledged
            file.flush()


@pytest.mark.slow
def test_no_acknowledged_decision_is_lost_when_writers_are_killed(tmp_path: Path) -> None:
    path, chance = tmp_path / "d.sqlite", random.Random(4)
    Decisions(path)
    context = multiprocessing.get_context("fork")
    for turn in range(4):
        writers = [
            context.Process(target=_decide, args=(path, tmp_path / f"log{turn}{w}", f"{turn}-{w}-")) for w in range(2)
        ]
        for writer in writers:
            writer.start()
        time.sleep(chance.uniform(0.05, 0.3))
        for writer in writers:
            assert writer.pid is not None
            os.kill(writer.pid, signal.SIGKILL)
            writer.join()
    kept = {d.axiom.head for d in Decisions(path).all()}
    acknowledged = {f"http://x/{line}" for log in tmp_path.glob("log*") for line in log.read_text().split("\n")[:-1]}
    assert acknowledged <= kept
    assert len(kept - acknowledged) <= 8, "at most the one that each was writing"
    assert acknowledged


def test_a_file_that_may_not_be_written_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "what? 100% #1.sqlite"
    kept = Decisions(path)
    kept.say(Decision(Axiom("http://x/a", "", "http://x/b"), "accept", "ann"))
    expected = kept.all()
    monkeypatch.setattr(os, "access", lambda place, mode: False)
    with pytest.raises(ReadError, match=r"what was decided last is in .*-wal: copy both"):
        Decisions(path, to_read=True)
    kept._close()  # who closes last leaves one file
    reader = Decisions(path, to_read=True)
    assert reader.all() == expected
    assert reader._address().endswith("immutable=1")
    with pytest.raises(ReadError, match="readonly"):
        reader.say(Decision(Axiom("http://x/a", "", "http://x/b"), "reject", "ann"))
    assert sorted(each.name for each in tmp_path.iterdir()) == [path.name]


@pytest.mark.parametrize(("file", "folder"), [(True, True), (True, False), (False, True), (False, False)])
def test_a_file_can_change_where_it_and_its_folder_may_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: bool, folder: bool
) -> None:
    path = tmp_path / "d.sqlite"
    Decisions(path)._close()
    may = {path: file, tmp_path: folder}
    reader, writer = Decisions(path, to_read=True), Decisions(path)
    monkeypatch.setattr(os, "access", lambda place, mode: may[place])
    assert reader._address().endswith("?immutable=1") == (not (file and folder))
    assert writer._address() == path.as_uri()
