"""`Subject`: what a page shows of one run, read from the run's folder."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from elgeo.errors import ReadError
from elgeo.report.figures import Ball
from elgeo.training.history import read_history
from elgeo.training.record import read_record


@dataclass(frozen=True, eq=False)
class Subject:
    """One run as a page shows it."""

    name: str
    settings: Mapping[str, Any]
    """What run.toml says."""
    history: Sequence[Mapping[str, Any]] = ()
    """The lines of metrics.jsonl."""
    evaluation: Mapping[str, Any] = field(default_factory=dict)
    """What evaluation.json says; empty if the run was not evaluated."""
    balls: Sequence[Ball] = ()
    predictions: Sequence[Mapping[str, Any]] = ()


def read_subject(
    folder: str | Path, balls: Sequence[Ball] = (), predictions: Sequence[Mapping[str, Any]] = ()
) -> Subject:
    """Read a run's folder; a baseline has no history, and a run need not be evaluated."""
    folder = Path(folder)
    settings = read_record(folder).to_dict()
    history = [epoch.to_dict() for epoch in read_history(folder)]
    evaluation = _json(folder / "evaluation.json") if (folder / "evaluation.json").exists() else {}
    return Subject(folder.resolve().name, settings, history, evaluation, balls, predictions)


def told_apart(folders: Sequence[Path]) -> list[str]:
    """A name for each folder: as much of the end of its path as no other has; a folder given twice gets a number.

    >>> told_apart([Path("/runs/relu/seed-0"), Path("/runs/filter/seed-0")])
    ['relu/seed-0', 'filter/seed-0']
    """
    paths = [folder.resolve() for folder in folders]
    names = {path: path.name for path in paths}
    for length in range(2, max((len(path.parts) for path in paths), default=0) + 1):
        alike = [path for path in names if list(names.values()).count(names[path]) > 1]
        names |= {path: str(Path(*path.parts[-length:])) for path in alike}
    return [
        names[path] + (f" ({paths[: i + 1].count(path)})" if paths.count(path) > 1 else "")
        for i, path in enumerate(paths)
    ]


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise ReadError(f"{error.strerror}: is {path.parent} the folder of a run?", str(path)) from None
    except UnicodeDecodeError:
        raise ReadError("not UTF-8 text", str(path)) from None


def _json(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(_text(path))
    except json.JSONDecodeError as error:
        raise ReadError(f"not JSON: {error.msg}", str(path), error.lineno) from None
    if not isinstance(content, dict):
        raise ReadError("not a JSON object", str(path))
    return content
