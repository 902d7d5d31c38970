"""Pairs of interacting proteins from STRING's link files or a plain table."""

from __future__ import annotations

import os

from elgeo.datasets.drops import Drops
from elgeo.datasets.sources.lines import fields, lines
from elgeo.errors import ReadError, SettingError

HEADS = {"protein1", "protein_1", "protein_a", "head", "source", "item_id_a"}
TAILS = {"protein2", "protein_2", "protein_b", "tail", "target", "item_id_b"}
SCORES = {"combined_score", "score"}
STRING_THRESHOLD = 700
"""What is taken of a STRING file unless another `--min-score` is asked for: its "high confidence"."""


def read_links(
    path: str | os.PathLike[str], min_score: float | None = None, drops: Drops | None = None
) -> list[tuple[str, str]]:
    """The pairs of a file, in its order; a line of at least two columns each, with or without a header.

    `min_score` keeps lines whose `combined_score` (or `score`, or third column) is at least that; without it all lines
    of a plain table are kept, and of a STRING file (it has a column `combined_score`) those of at least 700.
    """
    name, drops = os.fspath(path), Drops() if drops is None else drops
    head, tail, score, width = 0, 1, None, 0
    threshold = min_score
    pairs: list[tuple[str, str]] = []
    weak = 0
    for number, line in lines(path):
        columns = fields(line)
        if not line.strip() or line[0] in "!%" or (line[0] == "#" and not _is_header(columns)):
            continue
        if not width:
            width = len(columns)
            if width < 2:
                raise ReadError(f"two columns (protein, protein) are needed, here is {line[:60]!r}", name, number)
            named = [column.lstrip("#").lower() for column in columns]
            if _is_header(named):
                head, tail = _place(named, HEADS, 0), _place(named, TAILS, 1)
                score = next((i for i, column in enumerate(named) if column in SCORES), None)
                if threshold is None and score is not None and named[score] == "combined_score":
                    threshold = STRING_THRESHOLD
            elif width >= 3 and threshold is not None:
                score = 2
            if threshold is not None and score is None:
                raise SettingError(f"{name}: --min-score asks for a score, but the file has no column of that name")
            if _is_header(named):
                continue
        if len(columns) != width or not columns[head] or not columns[tail]:
            raise ReadError(f"{width} columns were expected, here is {line[:60]!r}", name, number)
        if threshold is not None and score is not None:
            try:
                weight = float(columns[score])
            except ValueError:
                raise ReadError(f"the score {columns[score][:40]!r} is not a number", name, number) from None
            if not weight >= threshold:
                weak += 1
                continue
        pairs.append((columns[head], columns[tail]))
    drops.count(f"links with a score below {threshold:g}" if threshold is not None else "", weak)
    if not width:
        raise ReadError("the file has no lines", name)
    return pairs


def _is_header(columns: list[str]) -> bool:
    known = {column.strip("# ").lower() for column in columns}
    return bool(known & (HEADS | TAILS)) or "combined_score" in known


def _place(named: list[str], names: set[str], otherwise: int) -> int:
    return next((i for i, column in enumerate(named) if column in names), otherwise)
