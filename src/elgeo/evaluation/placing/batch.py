"""A table of new terms, read."""

from __future__ import annotations

import csv
from pathlib import Path

from elgeo.documents import shown
from elgeo.errors import ReadError, SettingError
from elgeo.evaluation.placing.suggestions import Proposal

COLUMNS = ("id", "label", "definition", "synonyms", "axioms")
BETWEEN = "|"


def read_batch(path: Path) -> list[Proposal]:
    """The terms of a file with tabs (in .csv commas) between its columns; the first line names these."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            if path.suffix.lower() == ".csv":
                lines = list(csv.reader(file))
            else:
                lines = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    except UnicodeDecodeError:
        raise ReadError("not UTF-8 text", str(path)) from None
    except csv.Error as error:
        raise ReadError(f"not a table: {error}", str(path)) from None
    if not lines or "label" not in (heading := [name.strip().lower() for name in lines[0]]):
        raise ReadError("the first line has to name the columns, `label` among them", str(path), 1)
    found: list[Proposal] = []
    lines_of: dict[str, int] = {}
    for number, line in enumerate(lines[1:], 2):
        if not any(cell.strip() for cell in line):
            continue
        cells = {name: cell.strip() for name, cell in zip(heading, line, strict=False) if name in COLUMNS}
        synonyms, axioms = (
            tuple(part.strip() for part in cells.get(column, "").split(BETWEEN) if part.strip())
            for column in ("synonyms", "axioms")
        )
        try:
            texts = (cells.get("label", ""), cells.get("definition", ""))
            proposal = Proposal(*texts, synonyms, axioms, cells.get("id", ""))
        except SettingError as error:
            raise ReadError(str(error), str(path), number) from None
        if proposal.id and (before := lines_of.setdefault(proposal.id, number)) != number:
            raise ReadError(f"the id {shown(proposal.id)} is that of line {before}, too", str(path), number)
        found.append(proposal)
    if not found:
        raise ReadError("no term in it", str(path))
    return found
