"""Functions of proteins from GAF files or plain tables, with names mapped through STRING's aliases."""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, overload

import numpy as np

from elgeo.arrays import Table
from elgeo.datasets.drops import Drops
from elgeo.datasets.sources.lines import fields, lines
from elgeo.documents import shown
from elgeo.errors import ReadError, SettingError

EVIDENCE_GROUPS = {
    "experimental": frozenset(["EXP", "IDA", "IPI", "IMP", "IGI", "IEP", "HTP", "HDA", "HMP", "HGI", "HEP"]),
    "computational": frozenset(["ISS", "ISO", "ISA", "ISM", "IGC", "IBA", "IBD", "IKR", "IRD", "RCA"]),
    "automatic": frozenset({"IEA"}),
}
"""Names for groups of GO's evidence codes."""
HEADERS = {"protein", "protein_id", "gene", "db_object_id", "go", "go_id", "term", "evidence"}


class AnnotationLine(NamedTuple):
    """One line that counts: names the protein goes by (best first), and the term."""

    names: tuple[str, ...]
    term: str


class Annotations(Sequence[AnnotationLine]):
    """The lines that count, of one file or of several, as numbers of whom and of what they name."""

    def __init__(self, lines: Iterable[AnnotationLine] = ()) -> None:
        self._who: dict[tuple[str, ...], int] = {}
        self._terms: dict[str, int] = {}
        self._rows = array("i")
        for line in lines:
            self.append(*line)

    def append(self, names: tuple[str, ...], term: str) -> None:
        self._rows.append(self._who.setdefault(names, len(self._who)))
        self._rows.append(self._terms.setdefault(term, len(self._terms)))

    @property
    def who(self) -> list[tuple[str, ...]]:
        """The different names of proteins."""
        return list(self._who)

    @property
    def terms(self) -> list[str]:
        """The different terms."""
        return list(self._terms)

    @property
    def rows(self) -> Table:
        """The number of who and of the term of each line, (n, 2)."""
        return np.array(self._rows, np.int32).reshape(-1, 2)

    def __len__(self) -> int:
        return len(self._rows) // 2

    @overload
    def __getitem__(self, index: int) -> AnnotationLine: ...
    @overload
    def __getitem__(self, index: slice) -> list[AnnotationLine]: ...
    def __getitem__(self, index: int | slice) -> AnnotationLine | list[AnnotationLine]:
        who, terms, rows = self.who, self.terms, self.rows[index]
        found = [AnnotationLine(who[a], terms[b]) for a, b in np.atleast_2d(rows).tolist()]
        return found if isinstance(index, slice) else found[0]


def parse_evidence(text: str) -> frozenset[str]:
    """`IDA,IMP` or `experimental` as a set of codes."""
    codes: set[str] = set()
    for part in text.split(","):
        code = part.strip()
        if code.lower() in EVIDENCE_GROUPS:
            codes |= EVIDENCE_GROUPS[code.lower()]
        elif code.isalpha() and 2 <= len(code) <= 3:
            codes.add(code.upper())
        else:
            groups = ", ".join(EVIDENCE_GROUPS)
            raise SettingError(
                f"--evidence {shown(text)}: {shown(code)} is no evidence code (IDA, IEA, …) nor one of {groups}"
            )
    return frozenset(codes)


def read_annotations(
    path: str | os.PathLike[str],
    evidence: frozenset[str] | None = None,
    drops: Drops | None = None,
    others: Annotations | None = None,
) -> Annotations:
    """The annotations of a GAF 2.x file, or of a table protein, term[, evidence[, aspect]] with or without a header.

    Left out: what is said NOT to be so, what has no data behind it (ND), and evidence that is not asked for. With
    `others` they are added to these.
    """
    drops = Drops() if drops is None else drops
    name = os.fspath(path)
    found = Annotations() if others is None else others
    before = len(found)
    is_gaf: bool | None = None
    width = 0
    for number, line in lines(path):
        if line.startswith("!"):
            is_gaf = True if line.lower().startswith("!gaf-version") else is_gaf
            continue
        if not line.strip():
            continue
        columns = [part.strip() for part in line.split("\t")] if is_gaf else fields(line)
        if is_gaf is None:
            is_gaf = len(columns) >= 15
        if not is_gaf and not width:
            width = len(columns)
            if {column.strip("# ").lower() for column in columns} & HEADERS:
                continue
        if not is_gaf and line.startswith("#"):
            continue
        entry = _gaf(columns, name, number) if is_gaf else _plain(columns, width, name, number)
        if entry is None:
            drops.count("annotations with NOT")
        elif entry[1] == "ND":
            drops.count("annotations without data (ND)")
        elif evidence is not None and entry[1] not in evidence:
            drops.count("annotations with other evidence")
        else:
            found.append(*entry[0])
    if len(found) == before and not drops.counts:
        raise ReadError("the file has no annotations", name)
    return found


def read_aliases(path: str | os.PathLike[str], wanted: Iterable[str]) -> dict[str, set[str]]:
    """For each wanted name the STRING proteins that go by it; STRING's alias files: protein, alias, source."""
    needed = set(wanted)
    found: dict[str, set[str]] = {}
    for number, line in lines(path):
        if not line or line[0] == "#":
            continue
        columns = line.split("\t")
        if len(columns) < 2 or not columns[0] or not columns[1]:
            raise ReadError(f"protein<TAB>alias<TAB>source is expected, here is {line[:60]!r}", os.fspath(path), number)
        if columns[1] in needed:
            found.setdefault(columns[1], set()).add(columns[0])
    return found


def resolve(annotations: Annotations, protein_of: Callable[[str], set[str]], drops: Drops) -> list[str | None]:
    """The protein of each of `annotations.who`, whose first name with an owner has one only; the others are dropped."""
    times = np.bincount(annotations.rows[:, 0], minlength=len(annotations.who)).tolist()
    found: list[str | None] = []
    for names, count in zip(annotations.who, times, strict=True):
        owners = next((owners for name in names if (owners := protein_of(name))), set())
        found.append(next(iter(owners)) if len(owners) == 1 else None)
        if len(owners) != 1:
            few = "annotated ids that map to several proteins" if owners else "annotated ids without a protein"
            drops.add(few, names[0], count)
    return found


def _gaf(columns: list[str], name: str, number: int) -> tuple[AnnotationLine, str] | None:
    if not 15 <= len(columns) <= 17:
        raise ReadError(f"a GAF line has 15 to 17 columns, this one {len(columns)}", name, number)
    database, identifier, symbol, qualifier, term, _, evidence = columns[:7]
    if not identifier or not evidence or not _is_term(term):
        raise ReadError(
            f"columns 2 (id), 5 (term) and 7 (evidence) are {shown(identifier)}, {shown(term)}, {shown(evidence)}: "
            "an id, a term like GO:0005739 and a code are needed",
            name,
            number,
        )
    if "NOT" in qualifier.upper().split("|"):
        return None
    synonyms = [synonym for synonym in columns[10].split("|") if synonym]
    names = dict.fromkeys([identifier, f"{database}:{identifier}", symbol, *synonyms])
    return AnnotationLine(tuple(n for n in names if n), term), evidence


def _plain(columns: list[str], width: int, name: str, number: int) -> tuple[AnnotationLine, str]:
    if len(columns) < 2 or len(columns) != width:
        raise ReadError(
            f"protein, term and at most evidence and aspect are expected, {max(width, 2)} columns; here are "
            f"{len(columns)}",
            name,
            number,
        )
    if not columns[0] or not columns[1]:
        raise ReadError("the protein or the term is missing", name, number)
    return AnnotationLine((columns[0],), columns[1]), columns[2] if width > 2 else ""


def _is_term(text: str) -> bool:
    prefix, colon, number = text.partition(":")
    return bool(colon) and prefix.isalpha() and number.isalnum()
