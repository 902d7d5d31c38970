"""What need not be predicted: known pairs, a class with itself, a class and one above or below it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Ids, Table
from elgeo.datasets.model import Dataset
from elgeo.evaluation.entailments import Entailments
from elgeo.evaluation.predictions.lineage import RARE, lineage
from elgeo.evaluation.ranking.known import Known
from elgeo.evaluation.ranking.scoring import Side
from elgeo.keys import contained

ENOUGH = 20
"""Training axioms that tell whether a role goes one way."""
NO_PAIRS = np.empty((0, 2), np.int32)


class KnownPairs(NamedTuple):
    """Pairs of a class asked and an answer; which of them are left out only because they are of one lineage, and which
    only because they are the mirror of what follows."""

    known: Known
    of_lineage: Table
    mirrors: Table
    one_way: bool
    """Whether of two pairs that mirror each other one is shown, for training goes one way."""


def known_pairs(
    dataset: Dataset,
    entailments: Entailments,
    asked: Ids,
    answers: Ids,
    side: Side,
    exclude: Sequence[str],
    mirrored: bool,
) -> KnownPairs:
    """The pairs that are left out, by the words of `exclude`; those that mirror others too where roles go both ways."""
    one_way = "mirrored" in exclude and not mirrored and entailments.once("one way", lambda: goes_one_way(dataset))
    columns = ends(side)
    heads, tails = (asked, answers) if side == "tail" else (answers, asked)
    told = [
        _with_itself(dataset, asked),
        dataset.train[:, columns] if "train" in exclude else NO_PAIRS,
        entailments.axioms(heads, tails)[:, columns] if "entailed" in exclude else NO_PAIRS,
    ]
    pairs = np.concatenate([*told, *(each[:, ::-1] for each in told)] if mirrored else told)
    pairs = pairs[np.isin(pairs[:, 0], asked)]
    found, added = Known.of_pairs(pairs[:, 0], pairs[:, 1], dataset.vocabulary.n_classes), list[Table]()
    for further in (
        lineage(dataset, entailments, heads, tails) if "lineage" in exclude else NO_PAIRS,
        entailments.axioms(tails, heads)[:, [-1, 0]] if one_way else NO_PAIRS,
    ):
        of_side = np.unique(further[:, columns], axis=0)
        added.append(of_side[~found.contains(of_side[:, 0], of_side[:, 1])])
        found = found.extended(added[-1][:, 0], added[-1][:, 1])
    of_lineage, mirrors = added
    return KnownPairs(found, of_lineage, mirrors, one_way)


def is_mirrored(dataset: Dataset) -> bool:
    """Whether the target role goes both ways: the dataset says so, or each training axiom has its mirror."""
    if dataset.symmetric:
        return True
    pairs = {(int(row[0]), int(row[-1])) for row in dataset.train}
    return dataset.target_role is not None and len(pairs) > 0 and pairs == {(b, a) for a, b in pairs}


def goes_one_way(dataset: Dataset) -> bool:
    """Whether training axioms hardly ever join two classes both ways: then a pair and its mirror are not both meant.

    So it is for `part_of` and other roles that order things, and for C ⊑ D; symmetric roles are said once anyway.
    """
    pairs = dataset.train[:, [0, -1]]
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    return len(pairs) >= ENOUGH and bool(contained(pairs[:, ::-1], pairs).mean() < RARE)


def _with_itself(dataset: Dataset, asked: Ids) -> NDArray[np.int32]:
    """Each class asked with itself: C ⊑ C is never predicted, nor is C ⊑ ∃R.C unless training has such an axiom."""
    if dataset.target_role is None or not (dataset.train[:, 0] == dataset.train[:, -1]).any():
        return np.stack([asked, asked], axis=1)
    return NO_PAIRS


def ends(side: Side) -> list[int]:
    """The columns of the class asked and of its answers."""
    return [0, -1] if side == "tail" else [-1, 0]
