"""Ball models of every setting, with numbers that are far from where training begins."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np

from elgeo.models import ElEmbeddings, ElSettings, Sizes
from tests.models.model_contract import SIZES

_WAYS: list[Any] = [("relu", "leaky"), ("strict", "relaxed"), ("overlap", "inclusion")]
SETTINGS = [
    ElSettings(
        dimension=3,
        margin=margin,
        activation=activation,
        slope=0.07,
        regularisation=regularisation,
        radius=radius,
        left_existential=left,
    )
    for (activation, regularisation, left), (margin, radius) in zip(
        itertools.product(*_WAYS),
        itertools.cycle([(0.0, 1.0), (0.13, 0.8), (-0.21, 1.3)]),
        strict=False,
    )
]
WITH_INCLUSION = [replace(settings, conjunction="inclusion") for settings in SETTINGS[::3]]


def irregular_model(settings: ElSettings, seed: int = 0, sizes: Sizes = SIZES) -> ElEmbeddings:
    """In double precision, off the unit sphere, with radii of both signs and of very different size."""
    generator = np.random.default_rng(seed)
    model = ElEmbeddings(sizes, settings, generator)
    arrays = {name: array.astype(np.float64) for name, array in model.arrays().items()}
    arrays["centres"] *= generator.lognormal(0, 0.5, (sizes.classes, 1))
    arrays["radii"] *= generator.lognormal(-1, 1, sizes.classes)
    model.load(arrays)
    return model
