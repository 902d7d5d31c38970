"""Evidence that is made for all heads at once: what regressions of tails make of each head's axioms."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from elgeo.models.atlas.evidence import REGRESSED, Evidence, joined
from elgeo.models.atlas.operators.dense import Dense
from elgeo.models.atlas.operators.tails import Regression
from elgeo.models.atlas.operators.target import Target

FREE = ((0.5, 0.5), (0.0, 6.0))
"""Powers of the counts and ridges of further regressions of tails, without contexts."""
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
            found[joined(head, tail)] = _both_ways(target, np.asarray(evidence.of_all[head] @ evidence.regressed))
    for power, ridge in FREE:
        scaled = target.scaled(power, power)
        alone = Regression(target, scaled, sparse.csr_array((target.n_classes, 0), dtype=np.float32), ridge)
        found[free(ridge)] = _both_ways(target, alone.apply_sparse(scaled))
    if BOTH in whole_names(evidence):
        assert evidence.regressed is not None
        columns = evidence.tails[REGRESSED].columns(np.arange(len(target.tails)))
        found[BOTH] = columns @ evidence.regressed
    return found


def _both_ways(target: Target, made: Dense) -> Dense:
    return made + made.T if target.symmetric else made
