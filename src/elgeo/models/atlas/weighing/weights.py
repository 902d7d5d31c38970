"""`Weighing`: how much each piece of evidence counts, as it is and bent (so that a lot of it counts for less)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Ids
from elgeo.errors import SettingError
from elgeo.models.atlas.contexts.logic import BENT
from elgeo.models.atlas.evidence import Evidence
from elgeo.models.atlas.operators.adding import add_bent
from elgeo.models.atlas.operators.dense import Dense
from elgeo.models.contract import Arrays

BEND = 3.0
"""How strongly evidence is bent: asinh(3 x) of evidence x in units of its root mean square."""
FILES = ("evidence", "weights", "bends")


def bent(name: str) -> str:
    return name + BENT


@dataclass(frozen=True)
class Weighing:
    """score = Σ weight · evidence + Σ weight · asinh(bend · evidence)."""

    weights: Mapping[str, float]
    """By name of the evidence; under `bent(name)` for what is bent."""
    bends: Mapping[str, float]
    """By name of the evidence that is bent."""

    def without(self, name: str) -> Weighing:
        """The same without one piece of evidence."""
        weights = {each: weight for each, weight in self.weights.items() if each not in (name, bent(name))}
        return Weighing(weights, {each: bend for each, bend in self.bends.items() if each != name})

    def scores(self, evidence: Evidence, ids: Ids) -> Dense:
        """Of these heads and all tails."""
        # in the order of the weights, which is kept: in another, sums have other bits
        folded = [each.removesuffix(BENT) for each in self.weights if each.endswith(BENT) and self.weights[each]]
        speaking = evidence.speaking(ids, evidence.heads_of([*self.weights, *folded]))
        total = evidence.combined(ids, self.weights, speaking)
        for name in folded:
            add_bent(total, self.weights[bent(name)], self.bends[name], evidence.piece(ids, name, speaking))
        return total

    def at(self, evidence: Evidence, head: int, tail: int) -> dict[str, float]:
        """Weights without bends that give this pair the same score: each bent piece counts in proportion."""
        found = {name: weight for name, weight in self.weights.items() if not name.endswith(BENT)}
        place = evidence.target.tail_place[tail]
        for name, bend in self.bends.items():
            if weight := self.weights.get(bent(name)):
                value = float(evidence.combined(np.array([head], np.int32), {name: 1.0})[0, place])
                slope = np.arcsinh(bend * value) / value if value else bend
                found[name] = found.get(name, 0.0) + weight * float(slope)
        return found

    def arrays(self) -> Arrays:
        names = "\n".join(self.weights).encode()
        bends = [self.bends.get(name.removesuffix(BENT), 0.0) for name in self.weights]
        return {
            "evidence": np.frombuffer(names, np.uint8).copy(),
            "weights": np.array(list(self.weights.values()), np.float64),
            "bends": np.array(bends, np.float64),
        }

    @classmethod
    def restore(cls, arrays: Mapping[str, NDArray[Any]], known: set[str]) -> Self:
        """What `arrays` gave; `known` is the evidence there is."""
        if set(arrays) != set(FILES):
            raise SettingError(f"the weights are not those of atlas: they have {', '.join(sorted(arrays))}")
        names = arrays["evidence"].tobytes().decode(errors="replace").split("\n") if arrays["evidence"].size else []
        bare = [name.removesuffix(BENT) for name in names]
        if unknown := set(bare) - known:
            raise SettingError(f"the run weighs {sorted(unknown)[0]!r}, which the dataset has no evidence of")
        for file in ("weights", "bends"):
            if arrays[file].shape != (len(names),) or not np.isfinite(arrays[file]).all():
                raise SettingError(f"{file} of atlas has to be {len(names)} numbers: the file is damaged")
        weights = dict(zip(names, arrays["weights"].tolist(), strict=True))
        return cls(weights, {n: b for n, b in zip(bare, arrays["bends"].tolist(), strict=True) if bent(n) in weights})
