"""Disjointness of many classes: pairwise as far as that stays small, beyond that by halves."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from elgeo.arrays import Ints, Places
from elgeo.ontology.normalisation.fresh_names import ClassNames
from elgeo.ontology.normalisation.rows import BY_DEFINITION
from elgeo.ontology.normalisation.shapes import ATOM

PAIRWISE_UP_TO = 1000
"""Members of one axiom whose n(n-1)/2 pairs are written out; half a million rows are enough."""

Triples = tuple[Ints, Ints, Ints]


def by_halves(members: Ints, axiom: int, names: ClassNames, text: Callable[[int], str]) -> tuple[Triples, Triples]:
    """Inclusions and disjoint pairs, 3n in all, that say the members (sides) are pairwise disjoint.

    Members are joined two by two under fresh unions, and those again; whatever is joined is disjoint. Two members meet
    at exactly one union, so no pair is forgotten, and a member that is named twice is disjoint from itself.
    """
    level = members.astype(np.int32)
    first: Places = np.arange(len(members))
    width: Places = np.ones(len(members), np.int64)
    below: list[Ints] = []
    above: list[Ints] = []
    left: list[Ints] = []
    right: list[Ints] = []
    while len(level) > 1:
        even = len(level) // 2 * 2
        one, two = level[:even:2], level[1:even:2]
        start, size = first[:even:2], width[:even:2] + width[1:even:2]
        left.append(one)
        right.append(two)
        joined = names.add(len(one), _writer(members, start, size, text)) + ATOM
        below += [one, two]
        above += [joined, joined]
        level = np.concatenate([joined, level[even:]]).astype(np.int32)
        first, width = np.concatenate([start, first[even:]]), np.concatenate([size, width[even:]])
    inclusions = np.concatenate(below), np.concatenate(above)
    pairs = np.concatenate(left), np.concatenate(right)
    return (
        (*inclusions, np.full(len(inclusions[0]), BY_DEFINITION, np.int32)),
        (*pairs, np.full(len(pairs[0]), axiom, np.int32)),
    )


def _writer(members: Ints, start: Places, size: Places, text: Callable[[int], str]) -> Callable[[int], str]:
    def write(i: int) -> str:
        return f"ObjectUnionOf({' '.join(text(int(m)) for m in members[start[i] : start[i] + size[i]])})"

    return write
