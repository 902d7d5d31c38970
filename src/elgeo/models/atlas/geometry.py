"""The scores of a trained run (boxes, balls, or any other model) as one more piece of evidence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from elgeo.arrays import Ids
from elgeo.datasets.model import Dataset
from elgeo.errors import SettingError
from elgeo.models.atlas.operators.dense import Dense
from elgeo.models.atlas.operators.target import Target
from elgeo.models.contract import Predictor
from elgeo.models.ensemble import Ensemble

Load = Callable[[Path, Dataset], Predictor]
LOADERS: list[Load] = []
"""How a run is found again: models know nothing of runs, so the room that does says it here."""
GEOMETRY = "geometry"


def geometry_of(folder: str, dataset: Dataset, target: Target) -> Callable[[Ids], Dense]:
    """Scores of some heads and all tails by the model of a run, which has to be one of this dataset."""
    if not LOADERS:
        raise SettingError("geometry needs runs to be known: import elgeo.training.run first")
    predictor = LOADERS[-1](Path(folder), dataset)
    if any(each.name == "atlas" for each in (predictor.members if isinstance(predictor, Ensemble) else (predictor,))):
        raise SettingError(f"geometry has to be a run of another model, and {folder} is one of atlas")
    scorer = predictor.scorer()

    def scores(ids: Ids) -> Dense:
        return np.asarray(scorer.tails(np.ascontiguousarray(ids), target.role, target.tails), np.float32)

    return scores
