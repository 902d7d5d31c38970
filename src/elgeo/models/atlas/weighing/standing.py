"""Training axioms to hold out so that their heads keep as many as heads have: as a new axiom would find them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Longs, Table
from elgeo.datasets.model import Dataset

PARTS = 5
"""So many parts of training at most are held out one after the other; none is a larger share of it."""


def is_asked_as_it_stands(dataset: Dataset) -> bool:
    """Whether nothing was taken away from the heads that will be asked: no axiom was, or those are of a newer release.

    Elsewhere test axioms are a part of what was told, and parts of training are most like them.
    """
    if dataset.symmetric or len(dataset.valid):
        return False
    return not len(dataset.test) or dataset.record.get("made_by") == "releases"


def standing_parts(
    dataset: Dataset, heads: NDArray[np.integer], wanted: int, generator: np.random.Generator
) -> list[Table]:
    """Parts of training, `wanted` axioms together or as many as there are, at most one of each head in a part.

    The share of them that leaves its head without any axiom is that of the `heads` without any: classes hardly ever
    want their only superclass, while most classes are part of nothing yet.
    """
    train = dataset.train
    count = np.bincount(train[:, 0], minlength=dataset.vocabulary.n_classes)
    bare = float(np.mean(count[heads] == 0))
    order = generator.permutation(len(train))
    only = count[train[order, 0]] == 1
    sorts = [(order[only], bare), (order[~only], 1 - bare)]
    total = int(min([wanted, *(len(which) / share for which, share in sorts if share > 0)]))
    chosen = np.concatenate([which[: round(share * total)] for which, share in sorts])
    turn = turns(train[chosen, 0])
    most = max(1, len(train) // PARTS)
    parts = [
        each[i : i + most] for each in (chosen[turn == t] for t in range(PARTS)) for i in range(0, len(each), most)
    ]
    return [train[np.sort(each)] for each in parts[:PARTS]]


def turns(heads: NDArray[np.integer]) -> Longs:
    """For each place how often its head stood before it."""
    order = np.argsort(heads, kind="stable")
    begins = np.append(True, heads[order][1:] != heads[order][:-1])
    first = np.maximum.accumulate(np.where(begins, np.arange(len(heads)), 0))  # of no heads none
    found = np.empty(len(heads), np.int64)
    found[order] = np.arange(len(heads)) - first
    return found
