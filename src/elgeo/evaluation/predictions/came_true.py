"""What the best suggestions would have been worth: how many of the first so many a newer release has added."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from elgeo.datasets.model import Dataset
from elgeo.errors import SettingError
from elgeo.evaluation.predictions.predict import predict
from elgeo.models.contract import Predictor

RESULT = "suggestions.json"


@dataclass(frozen=True)
class CameTrue:
    """By method, how many of its first suggestions were added; `held_out` could have been."""

    dataset: str
    held_out: int
    first: Sequence[int]
    by_method: Mapping[str, Sequence[int]]

    def to_dict(self) -> dict[str, Any]:
        return {
            "dataset": self.dataset,
            "held_out": self.held_out,
            "first": list(self.first),
            "came_true": {name: list(counts) for name, counts in self.by_method.items()},
        }

    def sentences(self) -> list[str]:
        """For people."""
        return [
            f"{self.dataset}: of the first {first:,} suggestions of {name} {counts[place]:,} were added by the newer "
            f"release, of {self.held_out:,} that were"
            for place, first in enumerate(self.first)
            for name, counts in self.by_method.items()
        ]


def came_true(predictors: Mapping[str, Predictor], dataset: Dataset, first: Sequence[int]) -> CameTrue:
    """Count how many of the first suggestions of each predictor are among the held-out axioms."""
    if not len(dataset.test):
        raise SettingError(f"{dataset.name} has no test axioms: nothing can have come true")
    test = {tuple(row) for row in dataset.test.tolist()}
    found = {}
    for name, predictor in predictors.items():
        rows = predict(predictor, dataset, top=max(first)).rows.tolist()
        hits = [tuple(row) in test for row in rows]
        found[name] = [sum(hits[:number]) for number in first]
    return CameTrue(dataset.name, len(test), tuple(first), found)
