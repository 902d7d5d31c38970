"""How many axioms have which rank, in steps of 1, 2, 5, 10, 20, 50 … as on a logarithmic axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from elgeo.evaluation.ranking.ranks import Ranks


class Histogram(NamedTuple):
    """Counts of ranks from each edge up to the next; one list of counts for each name."""

    edges: Sequence[int] = ()
    counts: Mapping[str, Sequence[int]] = {}


def histogram(ranks: Mapping[str, Ranks]) -> Histogram:
    """The (average) ranks of several predictors in the same steps, up to the number of candidates."""
    edges, most = [1], max((each.total for each in ranks.values()), default=0)
    while edges[-1] <= most:
        first = str(edges[-1])[0]
        edges.append(edges[-1] * 5 // 2 if first == "2" else edges[-1] * 2)
    return Histogram(edges, {name: np.histogram(each.average, edges)[0].tolist() for name, each in ranks.items()})
