"""Pairs of names from tables as people have them: two columns, triples, KGX edges, SSSOM mappings, HPO annotations."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

from elgeo.datasets.drops import Drops
from elgeo.datasets.sources.lines import fields, lines
from elgeo.errors import ReadError

HEADS = (
    *("subject_id", "head", "subject", "source", "database_id", "databaseid", "ncbi_gene_id", "gene_id", "gene"),
    "disease_id",
)
TAILS = ("object_id", "tail", "object", "target", "hpo_id", "term", "go_id", "phenotype", "phenotype_id")
ROLES = ("predicate_id", "role", "predicate", "relation", "edge_label")
NAMES = ("subject_label", "disease_name", "diseasename", "gene_symbol", "subject_name", "head_name")
NOT = {"qualifier": {"not"}, "negated": {"true", "1"}, "predicate_modifier": {"not"}}
"""Columns that take a line back, and the values that do."""
NOTHING = "sssom:NoTermFound"
"""What mappings have where somebody looked and found nothing."""


class ReadPairs(NamedTuple):
    """The pairs of a table in its order, and what it calls their heads besides."""

    pairs: list[tuple[str, str]]
    labels: dict[str, str]


class _Columns(NamedTuple):
    """Where things stand in a line; -1 for what the table does not have."""

    head: int
    tail: int
    role: int = -1
    name: int = -1
    takes_back: tuple[tuple[int, frozenset[str]], ...] = ()


def read_pairs(path: str | os.PathLike[str], role: str, drops: Drops) -> ReadPairs:
    """The pairs of a table for one role; of a table of triples those lines that have it.

    Known by their head: KGX edges (`subject`, `predicate`, `object`), SSSOM mappings (`subject_id`, `predicate_id`,
    `object_id`), HPO annotations (`database_id`, `hpo_id`), other tables with a column of `HEADS` and one of `TAILS`.
    Without a head: two columns, or three as triples, unless the third is a number. Lines that say NOT are left out.
    """
    name = os.fspath(path)
    found = ReadPairs([], {})
    columns: _Columns | None = None
    width = 0
    for number, line in lines(path):
        if not line.strip() or line.startswith(("!", "%")):
            continue
        cells = _cells(line)
        if columns is None:
            header = [cell.strip("# ").lower() for cell in cells]
            columns = _by_header(header)
            if columns is not None:
                width = len(cells)
                continue
        if line.startswith("#"):
            continue
        if not width:
            width = len(cells)
            columns = _by_shape(cells, name, number)
        assert columns is not None
        if len(cells) != width or not cells[columns.head] or not cells[columns.tail]:
            raise ReadError(f"{width} columns were expected, here is {line[:60]!r}", name, number)
        if any(cells[place].lower() in values for place, values in columns.takes_back):
            drops.count("pairs with NOT")
        elif NOTHING in (cells[columns.head], cells[columns.tail]):
            drops.count("mappings to nothing")
        elif columns.role >= 0 and not same_role(cells[columns.role], role):
            drops.count("triples with another role")
        else:
            found.pairs.append((cells[columns.head], cells[columns.tail]))
            if columns.name >= 0 and cells[columns.name]:
                found.labels.setdefault(cells[columns.head], cells[columns.name])
    if not width:
        raise ReadError("the file has no lines", name)
    return found


def same_role(written: str, wanted: str) -> bool:
    """Whether two ways of writing a role mean the same: whole or after the last `#`, `/` or `:`, with blanks or `_`."""
    return bool({written, _last(written)} & {wanted, _last(wanted)})


def _last(role: str) -> str:
    return role[max(role.rfind(mark) for mark in "#/:") + 1 :].replace(" ", "_")


def _cells(line: str) -> list[str]:
    """The columns of a line; of N-Triples without the dot, and names without their brackets."""
    cells = fields(line)
    if cells[0].startswith("<") and cells[-1] == ".":
        cells = cells[:-1]
    return [cell[1:-1] if cell.startswith("<") and cell.endswith(">") else cell for cell in cells]


def _by_header(header: Sequence[str]) -> _Columns | None:
    """The columns by their names, if the line is a head."""

    def place(names: Sequence[str]) -> int:
        return next((header.index(name) for name in names if name in header), -1)

    head, tail = place(HEADS), place(TAILS)
    if head < 0 or tail < 0:
        return None
    takes_back = tuple((header.index(name), frozenset(values)) for name, values in NOT.items() if name in header)
    return _Columns(head, tail, place(ROLES), place(NAMES), takes_back)


def _by_shape(cells: Sequence[str], name: str, number: int) -> _Columns:
    if len(cells) < 2:
        raise ReadError(f"two columns or three (head, role, tail) are needed: {cells[0][:60]!r}", name, number)
    return _Columns(0, 2, 1) if len(cells) == 3 and not _is_number(cells[2]) else _Columns(0, 1)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
