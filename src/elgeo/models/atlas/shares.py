"""What a score of `atlas` is a sum of: the share of each training axiom by each pair of operators, and what is left."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from elgeo.arrays import Floats, Longs
from elgeo.models.atlas.evidence import ITSELF, Evidence, joined
from elgeo.models.atlas.operators.target import Ids


class Manner(NamedTuple):
    """How a training axiom comes to speak for a pair."""

    head_operator: str
    tail_operator: str
    turned: bool
    """Whether it speaks for the pair the other way round, as a symmetric role allows."""


class Share(NamedTuple):
    """How much one training axiom adds in one way."""

    head: int
    tail: int
    way: Manner
    value: float


class Shares(NamedTuple):
    """Many shares, as arrays: a score may have one of every training axiom."""

    heads: Ids
    tails: Ids
    way: Longs
    values: Floats
    ways: Sequence[Manner]

    @property
    def each(self) -> Iterator[Share]:
        return (self.one(i) for i in range(len(self.values)))

    def one(self, i: int) -> Share:
        return Share(int(self.heads[i]), int(self.tails[i]), self.ways[self.way[i]], float(self.values[i]))


def shares(evidence: Evidence, weights: Mapping[str, float], head: int, tail: int) -> Shares:
    """All parts of a score that come from training axioms."""
    found = [*_by_operators(evidence, weights, head, tail), *_by_groups(evidence, weights, head, tail)]
    sizes = [len(values) for _, _, _, values in found]
    nothing = np.empty(0, np.int32)
    heads, tails = (np.concatenate([nothing, *(part[column] for part in found)]) for column in (1, 2))
    values = np.concatenate([np.empty(0), *(values for _, _, _, values in found)])
    way = np.repeat(np.arange(len(found)), sizes)
    some = values != 0
    return Shares(heads[some], tails[some], way[some], values[some], [way for way, _, _, _ in found])


def _by_operators(
    evidence: Evidence, weights: Mapping[str, float], head: int, tail: int
) -> Iterator[tuple[Manner, Ids, Ids, Floats]]:
    """With L and R of each pair of operators fixed: weight · L X̂ R of each axiom of the heads that speak."""
    target = evidence.target
    asked = [(head, tail, False)] + ([(tail, head, True)] if target.symmetric else [])
    for left, right in evidence.pairs:
        if weight := weights.get(joined(left, right)):
            for speaker, about, turned in asked:
                row = evidence.rows_of([left], one(speaker))[left]
                column = evidence.tails[right].columns(target.tail_place[one(about)])[0]
                axioms = evidence.scaled[row.indices]
                many = np.diff(axioms.indptr)
                loud = np.repeat(row.data.astype(np.float64), many)
                values = weight * loud * axioms.data * column[axioms.indices]
                heads, tails = np.repeat(target.heads[row.indices], many), target.tails[axioms.indices]
                yield Manner(left, right, turned), heads, tails, values


def _by_groups(
    evidence: Evidence, weights: Mapping[str, float], head: int, tail: int
) -> Iterator[tuple[Manner, Ids, Ids, Floats]]:
    target = evidence.target
    for name, groups in evidence.groups.items():
        if (weight := weights.get(name)) and target.head_place[head] >= 0:
            added, _ = groups.shares(int(target.head_place[head]), int(target.tail_place[tail]))
            heads = np.repeat(target.heads, np.diff(target.axioms.indptr))
            yield Manner(name, name, False), heads, target.tails[target.axioms.indices], weight * added


def remainders(evidence: Evidence, weights: Mapping[str, float], head: int, tail: int) -> dict[str, float]:
    """The parts of a score that no single training axiom brings."""
    target = evidence.target
    place, found = target.tail_place[tail], dict[str, float]()
    for name in (*evidence.names, ITSELF):
        if not (weight := weights.get(name)) or name in evidence.joined_names:
            continue
        if name not in evidence.groups:
            found[name] = float(evidence.combined(one(head), {name: weight})[0, place])
        elif target.head_place[head] >= 0:
            found[name] = weight * evidence.groups[name].shares(int(target.head_place[head]), int(place))[1]
    return {name: value for name, value in found.items() if value}


def one(class_id: int) -> Ids:
    return np.array([class_id], np.int32)
