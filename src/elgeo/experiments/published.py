"""Figures that other authors printed for their models, with what keeps them from being compared without a thought."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

METRICS = ("H@10", "H@100", "MRR", "MR", "AUC")
NONE = -1
"""Stands for a figure that is not printed."""


@cache
def _sources() -> dict[str, Any]:
    text = files("elgeo.experiments").joinpath("published.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def published(dataset: str) -> list[dict[str, Any]]:
    """The tables about a dataset, by how its name begins: `source`, `warning`, `task`, `figures` by model.

    `question` says which of our tables asks the same, where it is not the only one that there is.
    """
    found = []
    for source in _sources().values():
        for table in source["tables"]:
            if dataset.lower().startswith(tuple(table["datasets"])):
                figures = {name: row for name, row in table.items() if isinstance(row, list) and name != "datasets"}
                known = {"source": source["source"], "warning": source["warning"], "task": table["task"]}
                found.append({**known, "question": table.get("question", ""), "figures": figures})
    return found


def published_text(dataset: str) -> str:
    """The same as Markdown; nothing where nothing is known."""
    parts = []
    for table in published(dataset):
        question = f" Beside it belongs: {table['question']}." if table["question"] else ""
        told = f"Published: {table['source']}, {table['task']}.{question} Not the same protocol: {table['warning']}."
        lines = [told, ""]
        lines += [f"| | {' | '.join(METRICS)} |", f"|---|{'---|' * len(METRICS)}"]
        for name, row in table["figures"].items():
            lines.append(f"| {name} | {' | '.join('–' if value == NONE else f'{value:g}' for value in row)} |")
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)
