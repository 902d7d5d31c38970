"""What need not be predicted: known pairs, a class with itself, a class and one above or below it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from elgeo.arrays import Ids
from elgeo.datasets.model import Dataset
from elgeo.evaluation.entailments import Entailments
from elgeo.evaluation.predictions.lineage import lineage
from elgeo.evaluation.ranking.known import Known
from elgeo.evaluation.ranking.scoring import Side


class KnownPairs(NamedTuple):
    """Pairs of a class asked and an answer, and how many of them are left out only because they are of one lineage."""

    known: Known
    of_lineage: int


def known_pairs(
    dataset: Dataset,
    entailments: Entailments,
    asked: Ids,
    answers: Ids,
    side: Side,
    exclude: Sequence[str],
    mirrored: bool,
) -> KnownPairs:
    """The pairs that are left out, by the words of `exclude`."""
    known = _asserted_or_entailed(dataset, entailments, asked, answers, side, exclude, mirrored)
    if "lineage" not in exclude:
        return KnownPairs(known, 0)
    heads, tails = (asked, answers) if side == "tail" else (answers, asked)
    related = lineage(dataset, entailments.hierarchy, heads, tails)[:, ends(side)]
    new = ~known.contains(related[:, 0], related[:, 1])
    return KnownPairs(known.extended(related[:, 0], related[:, 1]), int(new.sum()))


def is_mirrored(dataset: Dataset) -> bool:
    """Whether the target role goes both ways: the dataset says so, or each training axiom has its mirror."""
    if dataset.symmetric:
        return True
    pairs = {(int(row[0]), int(row[-1])) for row in dataset.train}
    return dataset.target_role is not None and len(pairs) > 0 and pairs == {(b, a) for a, b in pairs}


def _asserted_or_entailed(
    dataset: Dataset,
    entailments: Entailments,
    asked: Ids,
    answers: Ids,
    side: Side,
    exclude: Sequence[str],
    mirrored: bool,
) -> Known:
    """The pairs that need not be predicted, for each class asked; C ⊑ C never is.

    Nor is a class joined with itself, unless some training axiom does that.
    """
    columns = ends(side)
    found = [np.empty((0, 2), np.int32)]
    if dataset.target_role is None or not (dataset.train[:, 0] == dataset.train[:, -1]).any():
        found.append(np.stack([asked, asked], axis=1))
    if "train" in exclude:
        found.append(dataset.train[:, columns])
    if "entailed" in exclude:
        found.append(entailments.axioms(*((asked, answers) if side == "tail" else (answers, asked)))[:, columns])
    pairs = np.concatenate(found)
    if mirrored:
        pairs = np.concatenate([pairs, pairs[:, ::-1]])
    return Known.of_pairs(pairs[:, 0], pairs[:, 1], dataset.vocabulary.n_classes)


def ends(side: Side) -> list[int]:
    """The columns of the class asked and of its answers."""
    return [0, -1] if side == "tail" else [-1, 0]
