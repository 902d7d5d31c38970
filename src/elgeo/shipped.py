"""The names of the models that come with elgeo: a misspelt one is refused before anything that trains is loaded."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from elgeo.errors import SettingError
from elgeo.settings import unknown

MODELS = (
    "atlas",
    "box2el",
    "boxel",
    "complex",
    "distmult",
    "dl2vec",
    "elbe",
    "elem",
    "emelpp",
    "faithful",
    "owl2vec",
    "transbox",
    "transe",
    "common-neighbours",
    "naive",
    "naive-symmetric",
    "nearest-names",
)


def check_model(name: str | None) -> None:
    """Refuse a name that no model has, unless models are loaded already: a plugin's has to be looked up among them."""
    if name is not None and name not in MODELS and "elgeo.models" not in sys.modules:
        raise unknown_model(name, MODELS)


def unknown_model(name: str, known: Iterable[str]) -> SettingError:
    """What is said of a model that there is not."""
    error = unknown(name, known, "model")
    return SettingError(f"{error} (a model of your own has to be imported first: elgeo --plugin MODULE …)")
