"""Evaluations brought together: means over seeds beside the paper's figures, as data and as text."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from elgeo.evaluation.document import Evaluation
from elgeo.experiments.paper import paper_figures
from elgeo.experiments.reproduce import Column

ROWS = (
    ("raw", "per_axiom", "hits@10"),
    ("filtered", "per_axiom", "hits@10"),
    ("raw", "per_axiom", "hits@100"),
    ("filtered", "per_axiom", "hits@100"),
    ("raw", "per_axiom", "mean_rank"),
    ("raw", "per_class", "mean_rank"),
    ("filtered", "per_axiom", "mean_rank"),
    ("filtered", "per_class", "mean_rank"),
    ("raw", "per_axiom", "auc"),
    ("raw", "per_class", "auc"),
    ("filtered", "per_axiom", "auc"),
    ("filtered", "per_class", "auc"),
    ("filtered", "per_axiom", "mrr"),
    ("filtered", "per_axiom", "tie_width"),
)
"""The rows of the paper's appendix tables, and below them two it does not have."""


@dataclass(frozen=True)
class Figure:
    """One entry of a table: our mean over seeds, its standard deviation, the paper's value where it has one."""

    mean: float | None
    deviation: float | None
    seeds: int
    paper: float | None

    @property
    def difference(self) -> float | None:
        return None if self.mean is None or self.paper is None else self.mean - self.paper

    def text(self) -> str:
        """For example `0.287 ± 0.004 (paper 0.290, -0.003)`."""
        if self.mean is None:
            return "–"
        digits = 1 if abs(self.mean) >= 10 else 3
        words = f"{self.mean:.{digits}f}"
        if self.deviation is not None:
            words += f" ± {self.deviation:.{digits}f}"
        if self.paper is not None:
            words += f" (paper {self.paper:.{digits}f}, {self.difference:+.{digits}f})"
        return words


Results = Mapping[str, Sequence[Evaluation]]
"""Evaluations by column name, one for each seed."""


def table_of(table: str, dataset: str, columns: Sequence[Column], results: Results) -> dict[str, dict[str, Figure]]:
    """Row name to column name to figure."""
    printed = paper_figures().get(table, {}).get(dataset, {})
    rows: dict[str, dict[str, Figure]] = {}
    for setting, average, metric in ROWS:
        row = {}
        for column in columns:
            values = [
                value
                for found in results.get(column.name, [])
                if not math.isnan(value := found.test.figures(setting, average).get(metric, math.nan))
            ]
            paper = printed.get(column.paper, {}).get(setting, {}).get(average, {}).get(metric)
            row[column.name] = figure_of(values, paper)
        rows[f"{setting} {metric} {average.replace('_', ' ')}"] = row
    return rows


def figure_of(values: Sequence[float], paper: float | None) -> Figure:
    """The mean of the values, and their standard deviation where there are several."""
    if not values:
        return Figure(None, None, 0, paper)
    deviation = statistics.stdev(values) if len(values) > 1 else None
    return Figure(statistics.fmean(values), deviation, len(values), paper)


def markdown(title: str, rows: Mapping[str, Mapping[str, Figure]], columns: Sequence[Column]) -> str:
    """A table of figures as Markdown."""
    names = [column.name for column in columns]
    lines = [f"## {title}", "", f"| | {' | '.join(names)} |", f"|---|{'---|' * len(names)}"]
    lines += [f"| {name} | {' | '.join(row[column].text() for column in names)} |" for name, row in rows.items()]
    return "\n".join(lines) + "\n"


def claims(rows: Mapping[str, Mapping[str, Figure]], columns: Sequence[Column]) -> list[str]:
    """What each column changes against those it is compared with on this data, beside what the paper reports."""
    words = []
    for before, after in _pairs(columns):
        for metric, sign in (("hits@10", 1), ("hits@100", 1), ("mean_rank", -1)):
            row = rows[f"filtered {metric} per axiom"]
            old, new = row[before.name], row[after.name]
            if old.mean is None or new.mean is None:
                continue
            change = new.mean - old.mean
            noise = _noise(_spread(old, before), _spread(new, after))
            sentence = f"{before.name} → {after.name}, filtered {metric}: {change:+.3f}"
            if noise is None:
                sentence += f" ({_word(change * sign)}; one seed, so nothing is known of the noise)"
            else:
                is_clear = noise == 0 or abs(change) > noise
                sentence += f" ± {noise:.3f} ({_word(change * sign) if is_clear else 'no clear change'})"
            if old.paper is not None and new.paper is not None:
                theirs = new.paper - old.paper
                sentence += f"; in the paper {theirs:+.2f} ({_word(theirs * sign)})"
            words.append(sentence)
    return words


def _word(gain: float) -> str:
    return "better" if gain > 0 else "worse" if gain < 0 else "the same"


def _pairs(columns: Sequence[Column]) -> Iterator[tuple[Column, Column]]:
    named = {column.name: column for column in columns}
    for place, after in enumerate(columns):
        before = tuple(column.name for column in columns[max(place - 1, 0) : place])
        yield from ((named[name], after) for name in (before if after.against is None else after.against))


def _spread(figure: Figure, column: Column) -> float | None:
    """The squared standard error of a mean over seeds; counting has none."""
    if column.is_counted:
        return 0.0
    return None if figure.deviation is None else figure.deviation**2 / figure.seeds


def _noise(a: float | None, b: float | None) -> float | None:
    """Twice the standard error of the difference of two means over seeds."""
    return None if a is None or b is None else 2 * math.sqrt(a + b)
