"""`Atlas`: closed-form evidence for missing axioms, weighed on held-out ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from elgeo.datasets.model import Dataset
from elgeo.errors import SettingError
from elgeo.models.atlas.build import Parts, build
from elgeo.models.atlas.dense import one_thread
from elgeo.models.atlas.evidence import ITSELF
from elgeo.models.atlas.explain import Explainer
from elgeo.models.atlas.heldout import held_out_sample, leaves_heads_out
from elgeo.models.atlas.scorer import AtlasScorer
from elgeo.models.atlas.search import search
from elgeo.models.atlas.settings import AtlasSettings
from elgeo.models.contract import Arrays, Fitted, Reason, Scorer

NEVER = -1e6
"""The weight of joining a class with itself where no training axiom does that."""


class Atlas(Fitted):
    """Score of a missing axiom: Σ weight · L X̂ R over operators on heads and tails, and likeness, and counts.

    X̂ are the training axioms of the target, L says whose axioms speak for a head (its own, those of heads it is linked
    to or like), R what a tail says about others. Weights are searched on validation axioms, or on folds of training.
    """

    name = "atlas"
    paper = "elgeo's own: closed-form evidence, weighed on validation axioms"
    Settings = AtlasSettings

    def __init__(self, dataset: Dataset, parts: Parts, weights: Mapping[str, float], gain: float = 0.0) -> None:
        self._dataset, self.parts, self.weights, self._gain = dataset, parts, weights, gain

    @classmethod
    def fit(
        cls, dataset: Dataset, settings: AtlasSettings, generator: np.random.Generator, say: Callable[[str], None]
    ) -> Self:
        if not len(dataset.train):
            raise SettingError(f"{dataset.name} has no training axioms of the target: there is nothing to predict from")
        with one_thread():
            parts = build(dataset, settings, say)
            sample = held_out_sample(dataset, parts, settings, generator, say)
            say("weighing")
            found = search(sample, parts.evidence.names)
        weights = dict(zip(parts.evidence.names, found.weights.tolist(), strict=True))
        weights[ITSELF] = NEVER if leaves_heads_out(dataset) else 0.0
        return cls(dataset, parts, {name: weight for name, weight in weights.items() if weight}, found.gain)

    def arrays(self) -> Arrays:
        names = "\n".join(self.weights).encode()
        return {
            "evidence": np.frombuffer(names, np.uint8).copy(),
            "weights": np.array(list(self.weights.values()), np.float64),
        }

    @classmethod
    def restore(cls, dataset: Dataset, settings: AtlasSettings, arrays: Mapping[str, NDArray[Any]]) -> Self:
        if set(arrays) != {"evidence", "weights"}:
            raise SettingError(f"the weights are not those of atlas: they have {', '.join(sorted(arrays))}")
        with one_thread():
            parts = build(dataset, settings, lambda message: None)
        names = arrays["evidence"].tobytes().decode().split("\n") if len(arrays["evidence"]) else []
        if unknown := set(names) - {*parts.evidence.names, ITSELF}:
            raise SettingError(f"the run weighs {sorted(unknown)[0]!r}, which the dataset has no evidence of")
        return cls(dataset, parts, dict(zip(names, arrays["weights"].tolist(), strict=True)))

    def findings(self) -> dict[str, Any]:
        """What was weighed, and how well held-out axioms rank by it (soft hits at 1, 10, 100, 1000)."""
        return {"gain": round(self._gain, 4), "weights": {name: float(f"{w:.4g}") for name, w in self.weights.items()}}

    def explain(self, head: int, tail: int) -> Sequence[Reason]:
        return Explainer(self._dataset, self.parts, self.weights).explain(head, tail)

    def scorer(self) -> Scorer:
        return AtlasScorer(self._dataset, self.parts.evidence, self.weights)
