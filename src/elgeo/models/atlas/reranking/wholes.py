"""Evidence that is made for all heads at once: what regressions of tails make of each head's axioms."""

from __future__ import annotations

import numpy as np

from elgeo.models.atlas.evidence import REGRESSED, Evidence, joined
from elgeo.models.atlas.operators.dense import Dense, fixed_product
from elgeo.models.atlas.operators.neighbours import NeighbourRegression
from elgeo.models.atlas.operators.target import Places, Target

FREE = ((0.5, 0.5), (0.0, 6.0))
"""Powers of the counts and ridges of further regressions, of each tail on its nearest ones, without contexts."""
BOTH = "both regressed"


def free(ridge: float) -> str:
    return f"regressed on the nearest, ridge {ridge:g}"


def whole_names(evidence: Evidence) -> list[str]:
    """The evidence that `wholes` and `both` make."""
    found = [joined(head, tail) for head, tail in evidence.pairs if tail == REGRESSED]
    return [*found, *(free(ridge) for _, ridge in FREE), *([BOTH] if has_both(evidence) else [])]


def has_both(evidence: Evidence) -> bool:
    return evidence.target.symmetric and REGRESSED in evidence.tails


def wholes(evidence: Evidence, every: bool = True) -> dict[str, Dense]:
    """By name of the evidence: a row for each head, a column for each tail; or only what is not made row by row."""
    target, found = evidence.target, {}
    for head, tail in evidence.pairs if every else ():
        if tail == REGRESSED:
            found[joined(head, tail)] = _both_ways(target, np.asarray(evidence.of_all[head] @ evidence.regressed))
    for power, ridge in FREE:
        scaled = target.scaled(power, power)
        found[free(ridge)] = _both_ways(target, NeighbourRegression(target, scaled, ridge).apply(scaled).toarray())
    return found


def both(evidence: Evidence, at: Places) -> Dense:
    """Rᵀ X̂ R for some heads of a symmetric role."""
    assert evidence.regressed is not None
    return fixed_product(evidence.tails[REGRESSED].columns(at), evidence.regressed)


def _both_ways(target: Target, made: Dense) -> Dense:
    return made + made.T if target.symmetric else made
