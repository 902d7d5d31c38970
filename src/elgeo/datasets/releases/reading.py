"""The new terms of a back-test, read back from its folder."""

from __future__ import annotations

from pathlib import Path

from elgeo.datasets.releases.backtest import NewTerm
from elgeo.datasets.releases.writing import BETWEEN, CHANGES, GONE, TERM_AXIOMS, TERMS
from elgeo.errors import ReadError

Axiom = tuple[str, str, str]


def has_new_terms(folder: Path) -> bool:
    """Whether a folder is that of a back-test."""
    return (folder / TERMS).is_file() and (folder / TERM_AXIOMS).is_file()


def read_new_terms(folder: Path) -> tuple[list[NewTerm], list[Axiom]]:
    """The terms with their words, and what the new release says of them: head, role (empty: is a), tail."""
    terms = [
        NewTerm(iri, label, tuple(filter(None, synonyms.split(BETWEEN))), definition)
        for iri, label, synonyms, definition in _rows(folder / TERMS, 4)
    ]
    return terms, [(head, role, tail) for head, role, tail in _rows(folder / TERM_AXIOMS, 3)]


def read_removed(folder: Path, role: str) -> list[tuple[str, str]]:
    """What the old release says and the new one does not entail, of one role (empty: is a): head and tail."""
    rows = _rows(folder / CHANGES, 4)
    return [(head, tail) for what, head, of_role, tail in rows if what == "removed" and of_role == role]


def read_gone(folder: Path) -> set[str]:
    """The classes that only the old release uses."""
    return {name for name, _ in _rows(folder / GONE, 2)}


def _rows(path: Path, width: int) -> list[list[str]]:
    lines = path.read_text(encoding="utf-8").split("\n")[1:-1]
    found = [line.split("\t") for line in lines]
    for number, row in enumerate(found, 2):
        if len(row) != width:
            raise ReadError(f"{len(row)} columns where there should be {width}", str(path), number)
    return found
