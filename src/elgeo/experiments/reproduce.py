"""The paper's tables and figures: which experiments each of them is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from elgeo.errors import SettingError
from elgeo.experiments.experiment import Experiment
from elgeo.experiments.space import Value

TABLES = ("results", "naive", "ablation", "biased-negatives", "entailed-novel", "statistics")
FRACTIONS = (0.0, 0.25, 0.5, 0.75, 1.0)
QUICK = {"stop_patience": 5, "plateau_patience": 3, "dimension": 50, "epochs": 60}
"""What `--quick` changes: smaller balls, fewer epochs, less patience."""


@dataclass(frozen=True)
class Column:
    """A column of a table: our name for it, the paper's (None where it has none), and how to train it."""

    name: str
    paper: str | None
    train: Mapping[str, Value]
    """Settings by name, with the `preset` or the `model` they change among them."""
    against: tuple[str, ...] = ()
    """The columns it is compared with; without any, the one before it."""

    @property
    def is_counted(self) -> bool:
        """Whether it is a baseline, which has no chance in it."""
        return "model" in self.train


def columns(table: str, dataset: str) -> list[Column]:
    """The columns of a table for a dataset, in the paper's order."""
    if table == "results":
        return [_preset(dataset, name, name) for name in ("relu", "leaky-reg", "losses", "filter")]
    if table == "naive":
        baselines = [Column("naive", "naive", {"model": "naive"})]
        baselines.append(Column("common-neighbours", None, {"model": "common-neighbours"}))
        return [*baselines, _preset(dataset, "filter", "elem", ("naive", "common-neighbours"))]
    if table == "ablation":
        names = ("leaky", "reg", "losses", "filter")
        changes = [_preset(dataset, f"ablation-{name}", name, ("relu",)) for name in names]
        return [_preset(dataset, "relu", "relu"), *changes]
    if table == "biased-negatives":
        return [
            Column(f"biased-{p:g}", None, {"preset": f"{dataset}/losses", "negatives": f"biased({p:g})"})
            for p in FRACTIONS
        ]
    if table == "entailed-novel":
        return [_preset(dataset, name, None) for name in ("relu", "leaky-reg", "filter")]
    raise SettingError(f"no table is called {table!r}; there are {', '.join(TABLES)}")


def experiments(table: str, datasets: Sequence[str], seeds: int, quick: bool) -> list[Experiment]:
    """Every experiment of a table; baselines have one seed, because they have no chance in them."""
    return [
        experiment
        for dataset in datasets
        for column in columns(table, dataset)
        for experiment in of_column(table, dataset, column, seeds, quick)
    ]


def of_column(table: str, dataset: str, column: Column, seeds: int, quick: bool) -> list[Experiment]:
    """The experiments behind one column, a seed each."""
    quick = quick and not column.is_counted
    evaluate: dict[str, Value] = {"positives": "both"} if table == "entailed-novel" else {}
    # a column trained for one table serves the others; the kind of evaluation tells them apart
    name = column.name + ("-both" if evaluate else "") + ("-quick" if quick else "")
    train = {**column.train, **(QUICK if quick else {})}
    return [Experiment(dataset, name, seed, train, evaluate) for seed in range(1 if column.is_counted else seeds)]


def _preset(dataset: str, name: str, paper: str | None, against: tuple[str, ...] = ()) -> Column:
    return Column(name, paper, {"preset": f"{dataset}/{name}"}, against)
