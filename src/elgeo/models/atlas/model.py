"""`Atlas`: closed-form evidence for missing axioms, weighed on held-out ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from elgeo.datasets.model import Dataset
from elgeo.errors import SettingError
from elgeo.models.atlas.build import VECTORS, Parts, build
from elgeo.models.atlas.evidence import COUNT, ENTAILED, ITSELF
from elgeo.models.atlas.explain import Explainer
from elgeo.models.atlas.given_files import GIVEN, check_unchanged, checksums
from elgeo.models.atlas.operators.dense import one_thread
from elgeo.models.atlas.reranking.reranker import Reranker, learn
from elgeo.models.atlas.scorer import AtlasScorer
from elgeo.models.atlas.settings import AtlasSettings
from elgeo.models.atlas.weighing.heldout import held_out_sample, leaves_heads_out
from elgeo.models.atlas.weighing.search import Weighed, weigh
from elgeo.models.atlas.weighing.weights import FILES, Weighing
from elgeo.models.contract import Arrays, Fitted, Predictor, Reason, Scorer

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

    def __init__(
        self,
        dataset: Dataset,
        parts: Parts,
        weighing: Weighing,
        reranker: Reranker | None = None,
        findings: Mapping[str, Any] | None = None,
        given: Mapping[str, NDArray[Any]] | None = None,
    ) -> None:
        """`given` are the checksums of files of the user's own."""
        self._dataset, self.parts, self.weighing, self.reranker = dataset, parts, weighing, reranker
        self._findings, self._given = findings or {}, given or {}

    @classmethod
    def fit(
        cls, dataset: Dataset, settings: AtlasSettings, generator: np.random.Generator, say: Callable[[str], None]
    ) -> Self:
        if not len(dataset.train):
            raise SettingError(f"{dataset.name} has no training axioms of the target: there is nothing to predict from")
        as_it_was, given = deepcopy(generator), checksums(settings)
        with one_thread():
            parts = build(dataset, settings, say)
            found = _weighed(dataset, parts, settings, generator, say)
        never = {ITSELF: NEVER} if leaves_heads_out(dataset) else {}
        weights = {COUNT: found.tie, **found.weighing.weights, **never}
        weighing = replace(found.weighing, weights=weights)
        findings: dict[str, Any] = {"gain": found.gain, "worth": found.worth, "entailed_last": found.last}
        if settings.worth:
            findings["blocks"] = _worth_of_blocks(dataset, parts, settings, as_it_was, found.gain, say)
        reranker = None
        if settings.rerank:
            with one_thread():
                reranker, before, after = learn(dataset, parts, weighing, settings, generator, say)
            findings["rerank"] = {"used": reranker is not None, "without": round(before, 4), "with": round(after, 4)}
        return cls(dataset, parts, weighing, reranker, findings, given)

    def arrays(self) -> Arrays:
        return {**self.weighing.arrays(), **(self.reranker.arrays() if self.reranker else {}), **self._given}

    @classmethod
    def restore(cls, dataset: Dataset, settings: AtlasSettings, arrays: Mapping[str, NDArray[Any]]) -> Self:
        given = {name: array for name, array in arrays.items() if name in GIVEN}
        check_unchanged(settings, given)
        with one_thread():
            parts = build(dataset, settings, lambda message: None)
        more = {name: array for name, array in arrays.items() if name not in (*FILES, *GIVEN)}
        weighing = Weighing.restore(
            {name: array for name, array in arrays.items() if name in FILES}, {*parts.evidence.names, ITSELF}
        )
        return cls(dataset, parts, weighing, Reranker.restore(parts, weighing, more) if more else None, None, given)

    def findings(self) -> dict[str, Any]:
        """How well held-out axioms rank (soft hits at 1, 10, …, 10000), and what they lose without each evidence."""
        worth = self._findings.get("worth", {})
        return {
            "gain": round(self._findings.get("gain", 0.0), 4),
            "evidence": {
                name: {"weight": float(f"{weight:.4g}"), "worth": round(worth.get(name, 0.0), 4)}
                for name, weight in self.weighing.weights.items()
            },
            **{
                name: self._findings[name] for name in ("entailed_last", "blocks", "rerank") if self._findings.get(name)
            },
        }

    def explain(self, head: int, tail: int) -> Sequence[Reason]:
        return self.explain_with((), head, tail)

    def explain_with(self, others: Sequence[Predictor], head: int, tail: int) -> Sequence[Reason]:
        members = [self, *(each for each in others if isinstance(each, Atlas))]
        rerankers, weighings = [each.reranker for each in members if each.reranker], [m.weighing for m in members[1:]]
        if len(members) <= len(others) or 0 < len(rerankers) < len(members):
            return super().explain_with(others, head, tail)  # sums of different things
        if rerankers:
            return self._explainer.kinds(rerankers, head, tail, weighings)
        return self._explainer.explain(head, tail, weighings)

    @cached_property
    def _explainer(self) -> Explainer:
        return Explainer(self._dataset, self.parts, self.weighing)

    def scorer(self) -> Scorer:
        return self._scorer

    @cached_property
    def _scorer(self) -> AtlasScorer:
        return self._scorer_by(self.weighing, self.reranker)

    def told_scorer(self) -> Scorer:
        """Without the penalty for what follows: a told axiom always does."""
        if not self.weighing.weights.get(ENTAILED):
            return self._scorer
        return self._scorer_by(self.weighing.without(ENTAILED), self.reranker and self.reranker.without(ENTAILED))

    def _scorer_by(self, weighing: Weighing, reranker: Reranker | None) -> AtlasScorer:
        scores = reranker.scores if reranker else partial(weighing.scores, self.parts.evidence)
        return AtlasScorer(self._dataset, self.parts.evidence.target, scores)


def _weighed(
    dataset: Dataset,
    parts: Parts,
    settings: AtlasSettings,
    generator: np.random.Generator,
    say: Callable[[str], None],
) -> Weighed:
    sample = held_out_sample(dataset, parts, settings, generator, say)
    say("weighing")
    return weigh(sample, parts.evidence)


def _worth_of_blocks(
    dataset: Dataset,
    parts: Parts,
    settings: AtlasSettings,
    generator: np.random.Generator,
    gain: float,
    say: Callable[[str], None],
) -> dict[str, float]:
    """What the same held-out axioms lose if everything is made and weighed again without a block."""
    fewer = {
        left_out: replace(settings, contexts=",".join(name for name in parts.blocks if name != left_out) or "none")
        for left_out in parts.blocks
    }
    if settings.vectors != "none":
        fewer[VECTORS] = replace(settings, vectors="none")
    found = {}
    for left_out, less in fewer.items():
        say(f"without {left_out}")
        with one_thread():
            made = build(dataset, less, lambda message: None)
            again = _weighed(dataset, made, less, deepcopy(generator), lambda message: None)
        found[left_out] = round(gain - again.gain, 4)
    return found
