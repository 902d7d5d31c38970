"""Every setting of a run: how to train, and the model's own; defaults, meaning and limits in one place."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from elgeo.documents import shown
from elgeo.errors import SettingError
from elgeo.messages import nearest
from elgeo.models import find
from elgeo.models.contract import Fitted, Model
from elgeo.ontology.normal_forms import TAILED, TailedForm
from elgeo.settings import Setting, check, describe, make, setting, unknown

FITTED = ("seed", "threads")
"""What of `Training` means something to a model that is fitted at once."""


STEPS, LARGEST_BATCH = 16, 32_768
"""Steps that an epoch of small data has, and the largest batch, unless one is set: with one step an epoch the learning
rate would fall before anything is learnt."""
BATCH_DOC = f"a sixteenth of the longest table, at most {LARGEST_BATCH}"


@dataclass(frozen=True)
class Training:
    """How a run is trained."""

    epochs: int = setting(400, "at most so many epochs", least=1, most=10**9)
    batch: int | None = setting(None, f"axioms of each normal form in a step (none: {BATCH_DOC})", least=1, most=2**31)
    steps: int | None = setting(
        None, "steps of an epoch (none: as many as the longest table has batches)", least=1, most=10**9
    )
    learning_rate: float = setting(0.01, "Adam's learning rate", above=0)
    plateau_patience: int = setting(10, "epochs without improvement after which the learning rate falls", least=0)
    plateau_factor: float = setting(0.1, "what the learning rate is multiplied by then", above=0, most=1)
    stop_by: Literal["loss", "rank", "training_loss"] = setting(
        "loss", "what is to improve: the mean loss of the validation axioms, their filtered MRR, or the training loss"
    )
    stop_patience: int = setting(20, "epochs without improvement after which training ends (0: never)", least=0)
    rank_sample: int = setting(1000, "validation axioms that are ranked, where ranks are asked for (0: all)", least=0)
    show_rank: bool = setting(False, "rank the validation sample after every epoch even if it decides nothing")
    negatives: Literal["random", "filtered", "biased", "refuted", "hard"] = setting(
        "filtered",
        "corrupted axioms: as drawn; never entailed; a fraction entailed on purpose; refuted by disjointness; near the"
        " truth in the hierarchy but never entailed",
    )
    closure: Literal["complete", "paper"] = setting(
        "complete", "what counts as entailed: everything that follows, or the paper's approximation"
    )
    entailed_fraction: float = setting(0.0, "the fraction p of entailed negatives under `biased`", least=0, most=1)
    negative_forms: tuple[TailedForm, ...] = setting(TAILED, "normal forms that get negatives")
    negatives_per_positive: int = setting(1, "negatives for each positive", least=1, most=10_000)
    corrupt: Literal["tail", "head", "both"] = setting(
        "tail", "which class of an axiom is replaced: the last, the first, or either by a coin"
    )
    weighting: Literal["frequency", "none"] = setting(
        "frequency", "weight of a normal form's loss: its share of the batches of an epoch, or 1"
    )
    seed: int = setting(0, "everything random in the run comes from it", least=0)
    device: str = setting("cpu", "where to train: cpu, or cuda where torch has it")
    threads: int = setting(0, "threads to use (0: all)", least=0)
    checkpoint_every: int = setting(20, "epochs between checkpoints", least=1)
    tensorboard: bool = setting(False, "also write a TensorBoard log into the run's folder")

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True)
class Settings:
    """All settings of a run: the model's name, how to train it, and its own settings."""

    model: str
    training: Training
    own: Any
    """An instance of the model's `Settings`."""

    @classmethod
    def of(cls, model: str = "elem", **values: Any) -> Settings:
        """Settings by their flat names; values may be text.

        >>> Settings.of("elem", dimension=50, negatives="biased(0.2)").training.entailed_fraction
        0.2
        """
        return cls.default(model).changed(values)

    @classmethod
    def default(cls, model: str = "elem") -> Settings:
        """The defaults of a model."""
        predictor = find(model)
        advised = predictor.advised if issubclass(predictor, Model) else {}
        return cls(model, Training(**advised), predictor.Settings())

    def changed(self, values: Mapping[str, Any]) -> Settings:
        """These settings with others by name; a model's own may be written `elem.margin` too."""
        for_training, own = {}, {}
        mine = [each.name for each in training_settings(self.model)]
        theirs = [each.name for each in describe(type(self.own))]
        for name, value in _expanded(values).items():
            bare = name.removeprefix(f"{self.model}.")
            if bare in mine and bare == name:
                for_training[bare] = value
            elif bare in theirs:
                own[bare] = value
            elif bare == name and name in [each.name for each in describe(Training)]:
                raise SettingError(
                    f"{self.model} is fitted at once, not trained in epochs, and has no {name}: leave it out, or name a"
                    " model that is trained (elem, elbe, box2el, …: `elgeo models`)"
                )
            else:
                raise unknown(name, [*mine, *theirs])
        return Settings(self.model, _remade(self.training, for_training), _remade(self.own, own))

    def sized(self, longest: int) -> Settings:
        """The same with a batch that suits data whose longest table has so many rows, if none is set."""
        if self.training.batch is not None:
            return self
        return self.changed({"batch": min(max(-(-longest // STEPS), 1), LARGEST_BATCH)})

    def get(self, name: str) -> Any:
        """The value of a setting by its flat name."""
        home = self.training if hasattr(self.training, name) else self.own
        return getattr(home, name)

    def to_record(self) -> dict[str, Any]:
        """Plain values for `run.toml`: training settings, and the model's own under its name."""
        own = {name: _plain(value) for name, value in dataclasses.asdict(self.own).items()}
        return {**{name: _plain(v) for name, v in dataclasses.asdict(self.training).items()}, self.model: own}

    @classmethod
    def from_record(cls, model: str, record: Mapping[str, Any]) -> Settings:
        """The settings `to_record` wrote."""
        predictor = find(model)
        flat, own = {name: value for name, value in record.items() if name != model}, record.get(model, {})
        if not isinstance(own, Mapping):
            raise SettingError(f"the settings of {model} have to be a table, not {shown(own)}")
        return cls(model, make(Training, flat), make(predictor.Settings, own))


def parse_assignments(assignments: list[str]) -> dict[str, str]:
    """`["margin=0.1", …]` of a command line as names and values."""
    values = {}
    for assignment in assignments:
        name, equals, value = assignment.partition("=")
        if not equals or not name.strip():
            raise SettingError(f"--set takes NAME=VALUE, not {shown(assignment)}")
        values[name.strip()] = value.strip()
    return values


def settings_of(model: str) -> dict[str, list[Setting]]:
    """All settings a run of a model has, by whose they are: `training` (unless it is counted), and its own."""
    cls = find(model)
    own = describe(cls.Settings)
    return {"training": training_settings(model), model: own} if issubclass(cls, Model | Fitted) else {model: own}


def usual_model(wanted: Iterable[str]) -> str:
    """The model that is trained unless one is named: `atlas`, or `elem` where settings are wanted that atlas lacks."""
    atlas, elem = (
        {each.name for group in settings_of(model).values() for each in group} for model in ("atlas", "elem")
    )
    bare = [name.removeprefix("elem.").removeprefix("atlas.") for name in wanted]
    # of a name that neither has, the nearest that one of them has may be meant
    meant = [name if name in elem | atlas else nearest(name, sorted(elem | atlas)) for name in bare]
    return "elem" if any(name in elem - atlas for name in meant) else "atlas"


def training_settings(model: str) -> list[Setting]:
    """What of `Training` a model can be given."""
    every = describe(Training)
    return [each for each in every if each.name in FITTED] if issubclass(find(model), Fitted) else every


def _remade(settings: Any, values: Mapping[str, Any]) -> Any:
    return make(type(settings), {**dataclasses.asdict(settings), **values}) if values else settings


def _expanded(values: Mapping[str, Any]) -> dict[str, Any]:
    """`negatives="biased(0.3)"` says two settings at once."""
    expanded = dict(values)
    match = re.fullmatch(r"biased\(([^)]*)\)", str(values.get("negatives", "")))
    if match:
        expanded |= {"negatives": "biased", "entailed_fraction": match[1]}
    return expanded


def _plain(value: Any) -> Any:
    # TOML has no null; `make` reads the word back
    return "none" if value is None else list(value) if isinstance(value, tuple) else value
