"""What a sweep searches: settings that are fixed, settings that vary, and how to choose among them."""

from __future__ import annotations

import itertools
import math
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from elgeo.documents import shown
from elgeo.errors import ReadError, SettingError

METHODS = ("grid", "tpe", "random")
Value = str | int | float | bool


@dataclass(frozen=True)
class Choice:
    """One of several values."""

    values: tuple[Value, ...]


@dataclass(frozen=True)
class Range:
    """Any number from `low` to `high`, evenly or on a logarithmic scale."""

    low: float
    high: float
    log: bool = False
    whole: bool = False


@dataclass(frozen=True)
class Space:
    """A search space.

    >>> space = Space({"dimension": Choice((50, 100)), "margin": Choice((0.0, 0.1))})
    >>> list(space.grid())[1]
    {'dimension': 50, 'margin': 0.1}
    """

    vary: Mapping[str, Choice | Range]
    fixed: Mapping[str, Value] = field(default_factory=dict)
    method: str = "grid"
    trials: int | None = None
    """How many trials `tpe` and `random` make; a grid has as many as it has points."""
    prune: bool = False
    """Whether a trial whose validation rank falls behind the others' is stopped."""

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise SettingError(f"search method {shown(self.method)}: choose one of {', '.join(METHODS)}")
        if not isinstance(self.prune, bool):
            raise SettingError(f"prune is true or false, not {self.prune!r}")
        if not self.vary:
            raise SettingError("the search space varies nothing: name a setting and its values under [space]")
        if twice := sorted(set(self.vary) & set(self.fixed)):
            raise SettingError(f"{', '.join(twice)} is both fixed and varied")
        if self.method == "grid":
            if loose := [name for name, domain in self.vary.items() if isinstance(domain, Range)]:
                raise SettingError(f"a grid needs a list of values for {', '.join(loose)}, not an interval")
        elif type(self.trials) is not int or self.trials < 1:
            raise SettingError(f"search method {shown(self.method)} needs `trials`, a whole number above 0")

    def grid(self) -> Iterator[dict[str, Value]]:
        """Every combination, the last setting varying quickest."""
        domains = [d.values for d in self.vary.values() if isinstance(d, Choice)]
        for values in itertools.product(*domains):
            yield dict(zip(self.vary, values, strict=True))

    @property
    def size(self) -> int:
        """How many trials the search has."""
        if self.method == "grid":
            return math.prod(len(d.values) for d in self.vary.values() if isinstance(d, Choice))
        return self.trials or 0

    def suggest(self, trial: Any) -> dict[str, Value]:
        """The varied settings of an Optuna trial."""
        found: dict[str, Value] = {}
        for name, domain in self.vary.items():
            if isinstance(domain, Choice):
                found[name] = trial.suggest_categorical(name, domain.values)
            elif domain.whole:
                found[name] = trial.suggest_int(name, int(domain.low), int(domain.high), log=domain.log)
            else:
                found[name] = trial.suggest_float(name, domain.low, domain.high, log=domain.log)
        return found


PAPER_GRID = Space(
    {
        "margin": Choice((-0.1, -0.01, 0.0, 0.01, 0.1)),
        "dimension": Choice((50, 100, 200, 400)),
        "radius": Choice((1.0, 2.0)),
        "learning_rate": Choice((0.01, 0.001, 0.0001)),
    },
    {"model": "elem", "batch": 32_768},
)
"""The grid the paper searched."""


def read_space(path: str | Path) -> Space:
    """Read a search space from a TOML file; the name `paper` is the paper's grid."""
    if str(path) == "paper":
        return PAPER_GRID
    try:
        content = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise ReadError(error.strerror or str(error), str(path)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ReadError(f"not TOML: {error}", str(path)) from None
    if unknown := sorted(set(content) - {"search", "fixed", "space"}):
        raise ReadError(f"unknown table [{unknown[0]}]; a space has [search], [fixed] and [space]", str(path))
    search, fixed, varied = (content.get(name, {}) for name in ("search", "fixed", "space"))
    if not all(isinstance(each, dict) for each in (search, fixed, varied)):
        raise ReadError("[search], [fixed] and [space] are tables", str(path))
    if unknown := sorted(set(search) - {"method", "trials", "prune"}):
        raise ReadError(f"unknown key {shown(unknown[0])} in [search]; it has method, trials, prune", str(path))
    try:
        return Space({name: _domain(name, value) for name, value in varied.items()}, fixed, **search)
    except SettingError as error:
        raise ReadError(str(error), str(path)) from None


def _domain(name: str, value: Any) -> Choice | Range:
    if isinstance(value, list) and value and all(isinstance(v, Value) for v in value):
        if len(set(value)) < len(value):
            raise SettingError(f"{name} lists a value twice")
        return Choice(tuple(value))
    if isinstance(value, dict) and {"low", "high"} <= set(value) <= {"low", "high", "log"}:
        low, high, log = value["low"], value["high"], value.get("log", False)
        numbers = all(isinstance(v, int | float) and not isinstance(v, bool) and math.isfinite(v) for v in (low, high))
        if numbers and low < high and isinstance(log, bool) and (low > 0 or not log):
            return Range(low, high, log, whole=isinstance(low, int) and isinstance(high, int))
    raise SettingError(f"{name} must be a list of values or {{ low = …, high = …, log = true|false }} with low < high")
