"""`Decisions`: what curators said about axioms, in one SQLite file; nothing that was said is ever overwritten."""

from __future__ import annotations

import math
import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from elgeo.errors import ElgeoError, ReadError, SettingError

ACCEPT, REJECT, POSTPONE = "accept", "reject", "postpone"
VERDICTS = (ACCEPT, REJECT, POSTPONE)
LONGEST = 4_000
"""Characters of a note or a name that are taken; more is no note."""
_APPLICATION = 0x656C6765  # so that another program's database is not mistaken for one of ours
_VERSION = 1
_TABLE = """
CREATE TABLE said (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    head TEXT NOT NULL, role TEXT NOT NULL, tail TEXT NOT NULL,
    verdict TEXT NOT NULL CHECK (verdict IN ('accept', 'reject', 'postpone', 'undo')),
    who TEXT NOT NULL, note TEXT NOT NULL, at TEXT NOT NULL,
    run TEXT NOT NULL, model TEXT NOT NULL, version TEXT NOT NULL, score REAL
);
CREATE INDEX said_of ON said (head, role, tail, who);
"""
_EVERY = "SELECT max(number) FROM said"
_LAST = f"""
SELECT head, role, tail, verdict, who, note, at, run, model, version, score, number FROM said
WHERE number IN ({_EVERY} GROUP BY head, role, tail, who) AND verdict != 'undo'
ORDER BY number
"""
_TEXTS = ("head", "role", "tail", "verdict", "who", "note", "at", "run", "model", "version")
_AT_ONCE = 1_000
"""Axioms that are asked about in one question to the database."""
_PATIENCE = 30.0
"""Seconds to wait while another program writes to the file."""


@dataclass(frozen=True)
class Axiom:
    """Whole IRIs, of individuals in braces; without a role it is head ⊑ tail, else head ⊑ ∃role.tail."""

    head: str
    role: str
    tail: str

    def functional(self) -> str:
        """The axiom in functional syntax."""
        head, tail = (f"ObjectOneOf(<{bare(x)}>)" if is_individual(x) else f"<{x}>" for x in (self.head, self.tail))
        return f"SubClassOf({head} {f'ObjectSomeValuesFrom(<{self.role}> {tail})' if self.role else tail})"


def is_individual(name: str) -> bool:
    """Whether an end of an axiom is an individual."""
    return name.startswith("{") and name.endswith("}")


def bare(name: str) -> str:
    """The IRI of an end of an axiom."""
    return name[1:-1] if is_individual(name) else name


@dataclass(frozen=True)
class Decision:
    """What one curator last said about an axiom, and what it was based on."""

    axiom: Axiom
    verdict: str
    who: str
    note: str = ""
    at: str = ""
    run: str = ""
    model: str = ""
    version: str = ""
    score: float | None = None
    number: int = 0
    """Later ones have larger numbers."""


class Decisions:
    """A file of decisions that several curators and programs may use at once.

    A decision is on the disk when `say` returns. Every thread and process opens the file for itself, and keeps it open.
    Threads write one after the other: each waits its turn, however long that takes on a machine with much else to do.
    """

    def __init__(self, path: str | os.PathLike[str], to_read: bool = False) -> None:
        """With `to_read` a file will do that one may not write to."""
        self.path, self._to_read = Path(path), to_read
        self._mine = threading.local()
        self._writing = threading.Lock()
        with self._open() as database:
            if database.execute("PRAGMA application_id").fetchone()[0] == _APPLICATION:
                found = database.execute("PRAGMA user_version").fetchone()[0]
                if found > _VERSION:
                    raise ReadError(f"a newer elgeo wrote these decisions (version {found})", str(self.path))
                return
            if database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                raise ReadError("a database of another program, not decisions of elgeo", str(self.path))
            database.execute("PRAGMA journal_mode = WAL")
            with _transaction(database):
                if not database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                    for statement in filter(str.strip, _TABLE.split(";\n")):
                        database.execute(statement)
                    database.execute(f"PRAGMA application_id = {_APPLICATION}")
                    database.execute(f"PRAGMA user_version = {_VERSION}")

    def say(self, decision: Decision) -> Decision:
        """Keep a decision; an earlier one of the same curator about the same axiom no longer counts."""
        if decision.verdict not in VERDICTS:
            raise SettingError(f"a verdict is one of {', '.join(VERDICTS)}, not {decision.verdict[:40]!r}")
        return self._keep(decision)

    def undo(self, axiom: Axiom, who: str) -> bool:
        """Take back what a curator last said about an axiom; whether there was anything."""
        if not any(decision.who == who for decision in self.of([axiom]).get(axiom, ())):
            return False
        self._keep(Decision(axiom, "undo", who))
        return True

    def all(self) -> list[Decision]:
        """What counts now, in the order in which it was said."""
        with self._open() as database:
            return [self._decision(row) for row in database.execute(_LAST)]

    def of(self, axioms: Iterable[Axiom]) -> dict[Axiom, list[Decision]]:
        """What counts now about some axioms; those nobody spoke of are left out."""
        wanted, found = list(dict.fromkeys(axioms)), dict[Axiom, list[Decision]]()
        with self._open() as database:
            for first in range(0, len(wanted), _AT_ONCE):
                part = wanted[first : first + _AT_ONCE]
                values = ", ".join(["(?, ?, ?)"] * len(part))
                some = _LAST.replace(_EVERY, f"{_EVERY} WHERE (head, role, tail) IN (VALUES {values})")
                for row in database.execute(some, [text for a in part for text in (a.head, a.role, a.tail)]):
                    decision = self._decision(row)
                    found.setdefault(decision.axiom, []).append(decision)
        return found

    def accepted(self) -> list[Decision]:
        """The axioms that someone accepts and nobody rejects: the first who accepted speaks for each."""
        return accepted(self.all())

    def _keep(self, decision: Decision) -> Decision:
        _check(decision)
        _check_new(decision)
        at = datetime.now(UTC).isoformat(timespec="seconds")
        a = decision.axiom
        values = (a.head, a.role, a.tail, decision.verdict, decision.who, decision.note, at)
        based_on = (decision.run, decision.model, decision.version, decision.score)
        with self._writing, self._open() as database, _transaction(database):
            places = ", ".join("?" * 11)
            number = database.execute(
                f"INSERT INTO said (head, role, tail, verdict, who, note, at, run, model, version, score)"
                f" VALUES ({places})",
                (*values, *based_on),
            ).lastrowid
        return Decision(a, decision.verdict, decision.who, decision.note, at, *based_on, number or 0)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            if getattr(self._mine, "database", None) is None:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._mine.database = sqlite3.connect(self._address(), _PATIENCE, isolation_level=None, uri=True)
                self._mine.database.execute(
                    "PRAGMA synchronous = FULL"
                )  # what was acknowledged outlives a loss of power
            yield self._mine.database
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            self._close()
            said = error if isinstance(error, sqlite3.DatabaseError) else "the file is damaged"
            raise ReadError(f"the decisions cannot be used: {said}", str(self.path)) from error

    def _address(self) -> str:
        """Where SQLite finds the file; one that cannot change is read without the files that stand beside it."""
        address, beside = self.path.absolute().as_uri(), Path(f"{self.path}-wal")
        if not self._to_read or (os.access(self.path, os.W_OK) and os.access(self.path.parent, os.W_OK)):
            return address
        if beside.exists() and beside.stat().st_size:
            raise ReadError(
                f"what was decided last is in {beside.name}: copy both to where you may write", str(self.path)
            )
        return f"{address}?immutable=1"

    def _close(self) -> None:
        if (database := getattr(self._mine, "database", None)) is not None:
            self._mine.database = None
            database.close()

    def _decision(self, row: tuple[Any, ...]) -> Decision:
        """A row as it was written, or a `ReadError` that names what is not."""
        *texts, score, number = row
        wrong = next((name for name, text in zip(_TEXTS, texts, strict=True) if not isinstance(text, str)), None)
        decision = Decision(Axiom(*row[:3]), *row[3:])
        if wrong is None and decision.verdict not in VERDICTS:
            wrong = "verdict"
        if wrong is None and not (score is None or (isinstance(score, float) and math.isfinite(score))):
            wrong = "score"
        try:
            if wrong is None:
                _check(decision)
        except ElgeoError as error:
            raise ReadError(f"decision {number}: {error}", str(self.path)) from None
        if wrong is not None:
            raise ReadError(f"decision {number} has no proper {wrong}: the file was edited or damaged", str(self.path))
        return decision


def accepted(decisions: Sequence[Decision]) -> list[Decision]:
    """The axioms that someone accepts and nobody rejects."""
    rejected = {d.axiom for d in decisions if d.verdict == REJECT}
    found: dict[Axiom, Decision] = {}
    for decision in decisions:
        if decision.verdict == ACCEPT and decision.axiom not in rejected:
            found.setdefault(decision.axiom, decision)
    return list(found.values())


def _check(decision: Decision) -> None:
    texts = {"who": decision.who, "note": decision.note, **vars(decision.axiom)}
    for name, text in texts.items():
        if len(text) > LONGEST or "\0" in text:
            raise SettingError(f"{name} is too long, or no text")
    if not decision.who.strip():
        raise SettingError("say who decides")
    if not (decision.axiom.head and decision.axiom.tail):
        raise ElgeoError("a decision is about an axiom with a head and a tail")
    for iri in map(bare, vars(decision.axiom).values()):
        if any(c in iri for c in '<>"{}|\\^` \n\t'):
            raise ElgeoError(f"no IRI: {iri[:80]!r}")


def _check_new(decision: Decision) -> None:
    """What nobody can write any more; it may stand in files of before."""
    if not decision.who.isprintable():
        raise SettingError("a name of a person is one line of letters")
    if not _is_text(decision.note):
        raise SettingError("note is no text: it has halves of characters")
    if decision.score is not None and not math.isfinite(decision.score):
        raise SettingError("score has to be a finite number")
    for iri in filter(None, vars(decision.axiom).values()):
        if not bare(iri).isprintable() or not bare(iri):
            raise ElgeoError(f"no IRI: {iri[:80]!r}")


def _is_text(text: str) -> bool:
    """Whether it can be written down: half a surrogate pair cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


@contextmanager
def _transaction(database: sqlite3.Connection) -> Iterator[None]:
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")
