"""Settings by name: every column of the paper's results and ablation tables, and what we recommend."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elgeo.errors import ReadError, SettingError
from elgeo.experiments.others import OTHERS, TO_THE_END
from elgeo.ontology.normal_forms import TAILED
from elgeo.settings import unknown

if TYPE_CHECKING:
    from elgeo.training.settings import Settings

_ORIGINAL: dict[str, Any] = {
    "activation": "relu",
    "regularisation": "strict",
    "radius": 1.0,
    "left_existential": "overlap",
    "negatives": "random",
    "negative_forms": ("existential",),
    "batch": 32_768,
}
"""The original model, as the paper trains it; each variation changes some of it."""
_LEAKY = {"activation": "leaky"}
_RELAXED = {"regularisation": "relaxed"}
_LOSSES = {"negative_forms": TAILED}
_FILTER = {"negatives": "filtered", "closure": "paper"}

COLUMNS: dict[str, dict[str, Any]] = {
    "relu": _ORIGINAL,
    "leaky-reg": {**_ORIGINAL, **_LEAKY, **_RELAXED},
    "losses": {**_ORIGINAL, **_LEAKY, **_RELAXED, **_LOSSES},
    "filter": {**_ORIGINAL, **_LEAKY, **_RELAXED, **_LOSSES, **_FILTER},
    "ablation-leaky": {**_ORIGINAL, **_LEAKY},
    "ablation-reg": {**_ORIGINAL, **_RELAXED},
    "ablation-losses": {**_ORIGINAL, **_LOSSES},
    "ablation-filter": {**_ORIGINAL, **_FILTER},
}
"""What the columns of the results table (each adds to the one before) and of the ablation (one change each) are."""

_BEST: dict[str, dict[str, tuple[int, float, float, float]]] = {
    "yeast-iw": {
        "relu": (200, 0.1, 1, 0.01),
        "leaky-reg": (50, 0.1, 1, 0.01),
        "losses": (50, 0.1, 2, 0.01),
        "filter": (100, 0.1, 1, 0.01),
        "ablation-leaky": (200, 0.1, 1, 0.01),
        "ablation-losses": (100, 0.1, 1, 0.01),
        "ablation-reg": (100, 0.01, 1, 0.01),
        "ablation-filter": (400, 0.01, 1, 0.01),
    },
    "yeast-hf": {
        "relu": (400, 0.1, 1, 0.001),
        "leaky-reg": (100, 0.1, 2, 0.0001),
        "losses": (200, 0.1, 1, 0.0001),
        "filter": (200, 0.1, 1, 0.0001),
        "ablation-leaky": (400, -0.1, 1, 0.0001),
        "ablation-losses": (200, 0.1, 1, 0.01),
        "ablation-reg": (200, 0.1, 1, 0.01),
        "ablation-filter": (400, 0.1, 1, 0.001),
    },
    "human-iw": {
        "relu": (400, 0.1, 1, 0.001),
        "leaky-reg": (100, 0.01, 1, 0.0001),
        "losses": (200, 0.1, 2, 0.001),
        "filter": (200, 0.1, 2, 0.001),
        "ablation-leaky": (50, -0.1, 1, 0.0001),
        "ablation-losses": (200, 0.1, 1, 0.001),
        "ablation-reg": (400, 0.1, 1, 0.001),
        "ablation-filter": (400, 0.1, 1, 0.001),
    },
    "human-hf": {
        "relu": (50, 0.1, 1, 0.001),
        "leaky-reg": (50, 0.1, 2, 0.0001),
        "losses": (400, 0.1, 2, 0.0001),
        "filter": (400, 0.1, 2, 0.0001),
        "ablation-leaky": (50, 0.01, 1, 0.01),
        "ablation-losses": (400, 0.1, 1, 0.001),
        "ablation-reg": (400, 0.01, 2, 0.01),
        "ablation-filter": (50, 0.1, 1, 0.001),
    },
}
"""The best hyperparameters printed in the paper's appendix: dimension, margin γ, radius R, learning rate."""

GEOMETRY: dict[str, Any] = {
    "dimension": 100,
    "margin": 0.1,
    "activation": "leaky",
    "regularisation": "relaxed",
    "radius": 1.0,
    "left_existential": "inclusion",
    "negatives": "filtered",
    "negative_forms": TAILED,
    "learning_rate": 0.01,
}
"""By validation MRR on `cell`: the margin and negatives of all forms decide; dimension, radius and the corrupted side
make no difference beyond that of seeds; hard negatives rank worse than filtered ones there."""

FAMILY: dict[str, Any] = {
    **TO_THE_END,
    "margin": 0.0,
    "activation": "relu",
    "regularisation": "relaxed",
    "radius": 3.0,
    "conjunction": "inclusion",
    "left_existential": "inclusion",
    "epochs": 700,
}
"""Every axiom of `family` true in the plane: losses that are zero only where the axiom holds, trained to the end."""

PRESETS: dict[str, dict[str, Any]] = {
    "recommended": {"model": "atlas"},
    "geometry": GEOMETRY,
    "family": FAMILY,
    "faithful": {"model": "faithful", "dimension": 200},
    **OTHERS,
    **{
        f"{dataset}/{column}": {
            **COLUMNS[column],
            **dict(zip(("dimension", "margin", "radius", "learning_rate"), best, strict=True)),
        }
        for dataset, columns in _BEST.items()
        for column, best in columns.items()
    },
}
"""Presets by name: changes to the defaults of `elem`, or of the `model` among them."""


def preset(name: str) -> Settings:
    """The settings of a preset, or of a TOML file of settings such as a sweep writes (`best.toml`).

    >>> preset("yeast-iw/filter").own.dimension
    100
    """
    if name.endswith(".toml"):
        return _from_file(Path(name))
    check_preset(name)
    from elgeo.training.settings import Settings

    changes = dict(PRESETS[name])
    return Settings.default(changes.pop("model", "elem")).changed(changes)


def check_preset(name: str | None) -> None:
    """Refuse a name that no preset has and that is no file of settings, before anything that trains is loaded."""
    if name is not None and name not in PRESETS and not name.endswith(".toml"):
        raise unknown(name, PRESETS, "preset", listed_by="elgeo models --presets")


def settings_from(values: Mapping[str, Any]) -> Settings:
    """Settings by name on top of the `preset` or the `model` that may be among them."""
    from elgeo.training.settings import Settings

    rest = dict(values)
    name, model = rest.pop("preset", None), rest.pop("model", "elem")
    base = Settings.default(str(model)) if name is None else preset(str(name))
    return base.changed(rest)


def _from_file(path: Path) -> Settings:
    try:
        return settings_from(tomllib.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise ReadError(error.strerror or str(error), str(path)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ReadError(f"not TOML: {error}", str(path)) from None
    except SettingError as error:
        raise ReadError(str(error), str(path)) from None
