"""What a paired comparison comes to, in words: does the model beat what stands beside it, and on what?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from elgeo.evaluation.measures.intervals import Comparison
from elgeo.evaluation.measures.metrics import LOWER_IS_BETTER

NAMES = {"mrr": "MRR", "hits@10": "Hits@10", "mean_rank": "mean rank"}
CLEAR = 0.05
"""A difference that chance gives less often than this is clear."""


class Verdict(NamedTuple):
    """One sentence, and whether it is good news."""

    outcome: Literal["wins", "mixed", "loses"]
    words: str


def verdict(model: str, other: str, found: Sequence[Comparison]) -> Verdict:
    """`wins`: clearly better on every metric; `mixed`: on some; `loses`: on none."""
    sure = [c for c in found if is_better(c) and c.p_value < CLEAR]
    names = " and ".join(NAMES[c.metric] for c in sure)
    if len(sure) == len(found):
        return Verdict("wins", f"{model} beats {other} on {names} (filtered)")
    if sure:
        rest = " and ".join(NAMES[c.metric] for c in found if c not in sure)
        return Verdict("mixed", f"{model} beats {other} on {names} but not on {rest} (filtered)")
    every = ", ".join(NAMES[c.metric] for c in found)
    return Verdict("loses", f"{model} does not beat {other}: it is not clearly better on any of {every}")


def is_better(comparison: Comparison) -> bool:
    """Whether the difference is to the good of the first."""
    return comparison.difference != 0 and (comparison.difference < 0) == (comparison.metric in LOWER_IS_BETTER)
