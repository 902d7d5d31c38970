"""The paper's tables and figures: which experiments each of them is made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from elgeo.documents import shown
from elgeo.errors import SettingError
from elgeo.experiments.experiment import Experiment
from elgeo.experiments.presets import settings_from
from elgeo.experiments.space import Value
from elgeo.models import find, names
from elgeo.models.contract import Baseline, Model, Predictor
from elgeo.settings import describe, unknown
from elgeo.training.settings import Settings, training_settings

TABLES = ("results", "naive", "ablation", "biased-negatives", "entailed-novel", "statistics", "models")
FRACTIONS = (0.0, 0.25, 0.5, 0.75, 1.0)
BUDGET: dict[str, Value] = {"dimension": 100, "epochs": 100, "stop_by": "rank"}
"""What every trained model gets in the table `models`, beside its own defaults."""
FIRST = ("naive", "common-neighbours", "elem")
"""The columns of that table that come before the others."""
RELATIONS = {"elbe": ("elem",), "box2el": ("elbe",)}
"""What was published of one model beside another; all others are compared with the first that is counted."""
QUICK = {"stop_patience": 5, "plateau_patience": 3, "dimension": 50, "epochs": 60}
"""What `--quick` changes: smaller balls, fewer epochs, less patience."""


@dataclass(frozen=True)
class Column:
    """A column of a table: our name for it, the paper's (None where it has none), and how to train it."""

    name: str
    paper: str | None
    train: Mapping[str, Value]
    """Settings by name, with the `preset` or the `model` they change among them."""
    against: tuple[str, ...] | None = None
    """The columns it is compared with; None for the one before it."""

    @property
    def is_counted(self) -> bool:
        """Whether it is a baseline, which has no chance in it."""
        return issubclass(self._predictor, Baseline)

    @property
    def is_trained(self) -> bool:
        """Whether it is trained in epochs, which a budget can limit."""
        return issubclass(self._predictor, Model)

    @property
    def _predictor(self) -> type[Predictor]:
        return find(settings_from({name: self.train[name] for name in ("preset", "model") if name in self.train}).model)


@dataclass(frozen=True)
class Budget:
    """Which models the table `models` has, and what each is trained with that has such a setting."""

    models: tuple[str, ...] = ()
    """All of them where none is named."""
    settings: Mapping[str, Value] = field(default_factory=lambda: BUDGET)

    def __post_init__(self) -> None:
        for name in self.models:
            find(name)
        if "seed" in self.settings:
            raise SettingError("seed is not part of the budget: --seeds says how many there are, from 0 on")
        known = {name for model in self.models or names() for name in _settings_of(model)}
        for name in self.settings:
            if name not in known and name not in BUDGET:
                raise unknown(name, sorted(known))
        for column in self.columns():
            if not column.is_counted:
                settings_from(column.train)  # refuses what a model cannot be set to, before anything is trained

    def columns(self) -> Iterator[Column]:
        """A column for each model, and for those that are trained one without the closure filter too."""
        wanted = self.models or (*FIRST, *(name for name in names() if name not in FIRST))
        counted = [name for name in (*FIRST, *wanted) if name in wanted and issubclass(find(name), Baseline)][:1]
        for name in wanted:
            mine = {key: value for key, value in self.settings.items() if key in _settings_of(name)}
            published = [other for other in RELATIONS.get(name, ()) if other in wanted]
            against = tuple(other for other in published or counted if other != name)
            column = Column(name, None, {"model": name, **mine}, against)
            yield column
            if column.is_trained:
                yield Column(f"{name}-random", None, {**column.train, "negatives": "random"}, (name,))


def _settings_of(model: str) -> list[str]:
    """The names of what can be set of a model; nothing of one that is counted."""
    if issubclass(find(model), Baseline):
        return []
    settings = Settings.default(model)
    return [each.name for each in (*training_settings(model), *describe(type(settings.own)))]


def columns(table: str, dataset: str, budget: Budget | None = None) -> list[Column]:
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
    if table == "models":
        return list((budget or Budget()).columns())
    raise SettingError(f"no table is called {shown(table)}; there are {', '.join(TABLES)}")


def experiments(
    table: str, datasets: Sequence[str], seeds: int, quick: bool, budget: Budget | None = None
) -> list[Experiment]:
    """Every experiment of a table; baselines have one seed, because they have no chance in them."""
    return [
        experiment
        for dataset in datasets
        for column in columns(table, dataset, budget)
        for experiment in of_column(table, dataset, column, seeds, quick)
    ]


def of_column(table: str, dataset: str, column: Column, seeds: int, quick: bool) -> list[Experiment]:
    """The experiments behind one column, a seed each."""
    quick = quick and column.is_trained
    evaluate: dict[str, Value] = {"positives": "both"} if table in ("entailed-novel", "models") else {}
    # a column trained for one table serves the others; the kind of evaluation tells them apart
    name = column.name + ("-both" if evaluate else "") + ("-quick" if quick else "")
    train = {**column.train, **(QUICK if quick else {})}
    return [Experiment(dataset, name, seed, train, evaluate) for seed in range(1 if column.is_counted else seeds)]


def _preset(dataset: str, name: str, paper: str | None, against: tuple[str, ...] | None = None) -> Column:
    return Column(name, paper, {"preset": f"{dataset}/{name}"}, against)
