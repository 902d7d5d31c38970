"""The search for weights: one piece of evidence at a time, as long as held-out axioms rank higher by it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from elgeo.models.atlas.evidence import COUNT, ENTAILED, Evidence
from elgeo.models.atlas.weighing.sample import Sample
from elgeo.models.atlas.weighing.weights import BEND, Weighing, bent

Real = NDArray[np.float64]
GRID = (0.0, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""Weights that are tried, in units of how much a piece of evidence varies."""
LAST = (0.0, -1000.0)
"""What follows already is left where it is, or goes last."""
LEVELS = (1.0, 10.0, 100.0, 1000.0, 10000.0)
SWEEPS = 4
TIE = 1e-4
"""How much of the largest score the counts may add where they have no weight of their own."""
NOISE = 1e-6
"""Evidence that is smaller everywhere is left over by rounding: measured by itself it would count for millions."""
CAUTION = 1.0
"""A change has to help by so many of its standard errors."""


class Found(NamedTuple):
    """Weights by the order of the evidence, and what the held-out axioms gain by them."""

    weights: Real
    gain: float


class Weighed(NamedTuple):
    """Weights, what the held-out axioms gain by them all, and by each."""

    weighing: Weighing
    gain: float
    worth: dict[str, float]
    tie: float
    """A weight of the counts that orders little but what is equal otherwise: no tail is left at 0 with many others."""
    last: dict[str, float]
    """Hits@10 of the held-out axioms with what follows already put last, and without; nothing where it is not."""


def weigh(sample: Sample, evidence: Evidence) -> Weighed:
    """Weights for all evidence of a sample, as it is and bent, and what the held-out axioms gain by them."""
    as_is = {*evidence.counts, *evidence.links, ENTAILED}
    folded = [k for k, name in enumerate(evidence.names) if name not in as_is]
    bends = {evidence.names[k]: BEND / _scale(sample.values[k], sample.weight) for k in folded}
    factors = np.array([bends[evidence.names[k]] for k in folded], np.float32)[:, None, None]
    values = np.concatenate([sample.values, np.arcsinh(factors * sample.values[folded])])
    names = [*evidence.names, *map(bent, bends)]
    found = search(replace(sample, values=values), names)
    weights = {name: weight for name, weight in zip(names, found.weights.tolist(), strict=True) if weight}
    kept = {name: bend for name, bend in bends.items() if bent(name) in weights}
    spread = float(np.abs(_without_last(found, values, names)).max(initial=0))
    most = float(np.abs(sample.values[evidence.names.index(COUNT)]).max(initial=0))
    # where nothing found tells two tails apart the counts do
    tie = TIE * (spread if spread > NOISE else 1.0) / max(most, 1.0)
    last = entailed_last(values, found, sample, names)
    return Weighed(Weighing(weights, kept), found.gain, worth(values, found, sample, names), tie, last)


def entailed_last(values: NDArray[np.float32], found: Found, sample: Sample, names: Sequence[str]) -> dict[str, float]:
    """What the penalty for entailed tails contributes, apart from everything else."""
    k = names.index(ENTAILED) if ENTAILED in names else -1
    if k < 0 or not found.weights[k]:
        return {}
    scores = np.tensordot(found.weights.astype(np.float32), values, axes=1)
    hits = {
        word: float(np.mean(sample.ranks(scores, values[k], factor) <= 10))
        for word, factor in (("hits@10", 0.0), ("hits@10 without", -found.weights[k]))
    }
    return {word: round(value, 4) for word, value in hits.items()}


def worth(values: NDArray[np.float32], found: Found, sample: Sample, names: Sequence[str]) -> dict[str, float]:
    """What the held-out axioms lose without each piece of evidence that has a weight, the other weights unchanged."""
    scores = np.tensordot(found.weights.astype(np.float32), values, axes=1)
    whole = gains(sample.ranks(scores, values[0], 0.0)).mean()
    used = np.flatnonzero(found.weights).tolist()
    less = {k: gains(sample.ranks(scores, values[k], -found.weights[k])).mean() for k in used}
    return {names[k]: float(whole - less[k]) for k in used}


def gains(ranks: Real) -> Real:
    """How good each rank is, from 0 to 1: soft hits at 1, 10, …, 10000, averaged."""
    return np.asarray(sum(level / (level + ranks - 1) for level in LEVELS) / len(LEVELS))


def search(sample: Sample, names: Sequence[str]) -> Found:
    """Start with the best single piece of evidence, then change one weight after another.

    What follows already is no evidence that something is missing: it can only go last.

    Weights are for evidence as it is: what was tried was divided by its scale first.
    """
    scale = np.array([_scale(values, sample.weight) for values in sample.values])
    nothing = np.zeros_like(sample.weight)
    alone = [gains(sample.ranks(values, nothing, 0.0)) for values in sample.values]
    means = [-1.0 if name == ENTAILED else each.mean() for name, each in zip(names, alone, strict=True)]
    first = int(np.argmax(means))
    weights, current = np.zeros(len(names)), alone[first]
    weights[first] = 1.0
    scores = sample.values[first] / np.float32(scale[first])
    for _ in range(SWEEPS):
        before = current.mean()
        for k, name in enumerate(names):
            tried = [weight for weight in (LAST if name == ENTAILED else GRID) if weight != weights[k]]
            found = [
                gains(sample.ranks(scores, sample.values[k], (weight - weights[k]) / scale[k])) for weight in tried
            ]
            best = int(np.argmax([each.mean() for each in found]))
            if better(found[best], current):
                scores = scores + np.float32((tried[best] - weights[k]) / scale[k]) * sample.values[k]
                weights[k], current = tried[best], found[best]
        if current.mean() - before < 1e-4:
            break
    return Found(weights / scale, float(current.mean()))


def _without_last(found: Found, values: NDArray[np.float32], names: Sequence[str]) -> NDArray[np.float32]:
    """Scores without the penalty for what follows already, which is larger than all else."""
    kept = np.array([weight * (name != ENTAILED) for name, weight in zip(names, found.weights, strict=True)])
    return np.asarray(np.tensordot(kept.astype(np.float32), values, axes=1))


def better(new: Real, old: Real) -> bool:
    """Whether the gain is more than chance would give."""
    difference = new - old
    error = difference.std() / np.sqrt(len(difference))
    return bool(difference.mean() > max(CAUTION * error, 1e-6))


def _scale(values: NDArray[np.float32], weight: NDArray[np.float32]) -> float:
    """The root mean square over what the candidates stand for; 1 for evidence that is 0 everywhere, or rounding."""
    if not len(values) or max(float(values.max()), -float(values.min())) < NOISE:
        return 1.0
    total = float(weight.sum(dtype=np.float64))
    size = float(np.sqrt((values.astype(np.float64) ** 2 * weight).sum() / max(total, 1.0)))
    return size if size > 0 else 1.0
