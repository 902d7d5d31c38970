"""Tables of targets: numbers stand right, under each other, and words left."""

from __future__ import annotations

import re

from elgeo.report.targets_text import METRICS, as_table


def test_numbers_end_under_each_other() -> None:
    small = dict.fromkeys(METRICS, 0.25)
    large = {name: 12345.0 if name == "mean_rank" else 10.0 for name in METRICS}
    figures = {
        "C ⊑ D": {"axioms": 7, "methods": {"m": small, "longer-name": large}},
        "C ⊑ ∃R.D": {"axioms": 12345, "methods": {"m": large}},
    }
    lines = as_table(figures).splitlines()
    cells = [list(re.finditer(r"\S+", line)) for line in lines]
    assert len({tuple(cell.end() for cell in row[-len(METRICS) :]) for row in cells}) == 1
    counts = [line.index(count) + len(count) for line, count in zip(lines, ["axioms", "7", "7", "12,345"], strict=True)]
    assert len(set(counts)) == 1
    assert len({row[-len(METRICS) - 1].start() for row in cells}) == 1
    assert len(cells) == 4
