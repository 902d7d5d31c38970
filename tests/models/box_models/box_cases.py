"""Box models of every setting, with numbers that are far from where training begins."""

from __future__ import annotations

from typing import Any

import numpy as np

from elgeo.models import Sizes, find
from elgeo.models.box_models.model import BoxModel
from tests.models.model_contract import SIZES

CASES: list[tuple[str, dict[str, Any]]] = [
    ("elbe", {"margin": 0.13, "margin_side": "loose", "left_existential": "overlap"}),
    ("elbe", {"margin": 0.05, "refutation": "overlap"}),
    ("elbe", {"margin": 0.0, "refutation": "dimension", "depth": 0.7}),
    ("box2el", {"margin": 0.1, "margin_side": "loose", "distance": 3.0, "bump_weight": 0.4}),
    ("box2el", {"margin": 0.2, "refutation": "overlap", "bump_weight": 0.0}),
    ("box2el", {"margin": 0.02, "refutation": "dimension", "depth": 2.0}),
    ("transbox", {"margin": 0.1, "margin_side": "loose", "existential": "enhanced", "on_sphere": True}),
    ("transbox", {"margin": 0.07, "refutation": "overlap", "role_weight": 0.3}),
    ("transbox", {"margin": 0.0, "refutation": "dimension", "depth": 1.5, "on_sphere": True, "role_weight": 0.2}),
]
IDS = [f"{name}-{number}" for number, (name, _) in enumerate(CASES)]


def irregular_model(name: str, settings: dict[str, Any], seed: int = 0, sizes: Sizes = SIZES) -> BoxModel:
    """In double precision, with boxes of very different size, some in others, and raw widths of both signs."""
    cls: Any = find(name)
    generator = np.random.default_rng(seed)
    model = cls(sizes, cls.Settings(**{"dimension": 3, **settings}), generator)
    assert isinstance(model, BoxModel)
    arrays = {key: array.astype(np.float64) for key, array in model.arrays().items()}
    for key in arrays:
        sizes_of_rows = generator.lognormal(0, 0.8, (len(arrays[key]), 1))
        arrays[key] *= sizes_of_rows if key in model.width_tables else 0.8
    model.load(arrays)
    return model
