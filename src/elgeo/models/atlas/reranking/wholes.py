"""Evidence that is made for all heads at once: what regressions of tails make of each head's axioms."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from elgeo.models.atlas.contexts.logic import Matrix
from elgeo.models.atlas.evidence import Evidence, joined
from elgeo.models.atlas.operators.dense import Dense
from elgeo.models.atlas.operators.tails import Regression, TailOperator
from elgeo.models.atlas.operators.target import Target

FREE = ((0.5, 0.5), (0.0, 6.0))
"""Powers of the counts and ridges of further regressions of tails, without contexts."""
REGRESSED = "regressed"
BOTH = "both regressed"


def free(ridge: float) -> str:
    return f"regressed freely, ridge {ridge:g}"


def whole_names(evidence: Evidence) -> list[str]:
    """The evidence that `wholes` makes."""
    found = [joined(head, tail) for head, tail in evidence.pairs if tail == REGRESSED]
    both = [BOTH] if evidence.target.symmetric and REGRESSED in evidence.tails else []
    return [*found, *(free(ridge) for _, ridge in FREE), *both]


def wholes(evidence: Evidence) -> dict[str, Dense]:
    """By name of the evidence: a row for each head, a column for each tail."""
    target, found = evidence.target, {}
    for head, tail in evidence.pairs:
        if tail == REGRESSED:
            speaking = evidence.speaking(target.heads, [head])[head]
            found[joined(head, tail)] = _both_ways(target, evidence.tails[tail], speaking)
    for power, ridge in FREE:
        scaled = target.scaled(power, power)
        alone = Regression(target, scaled, sparse.csr_array((target.n_classes, 0), dtype=np.float32), ridge)
        found[free(ridge)] = _both_ways(target, alone, scaled)
    if BOTH in whole_names(evidence):
        regression = evidence.tails[REGRESSED]
        turned = regression.columns(np.arange(len(target.tails))) @ evidence.scaled
        found[BOTH] = regression.apply(np.asarray(turned, np.float32))
    return found


def _both_ways(target: Target, regression: TailOperator, speaking: Matrix) -> Dense:
    made = regression.apply(speaking.toarray())
    if target.symmetric:
        made += made.T.copy()
    return made
