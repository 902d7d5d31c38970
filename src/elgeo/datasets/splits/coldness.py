"""How much training knows of the classes of held-out axioms: anything at all, anything of the target."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from elgeo.arrays import Flags, Table
from elgeo.datasets.model import Dataset
from elgeo.ontology.normal_forms import FORMS


class Coldness(NamedTuple):
    """For each row whether its head and its tail are in no training axiom, or in none of the target in that place."""

    head: Flags
    tail: Flags
    head_of_target: Flags
    tail_of_target: Flags


def coldness(dataset: Dataset, rows: Table) -> Coldness:
    """What training does not know of the rows' classes."""
    known = np.zeros(dataset.vocabulary.n_classes, np.bool_)
    for name, form in FORMS.items():
        known[dataset.forms.tables[name][:, list(form.class_columns)]] = True
    ends = [rows[:, 0], rows[:, -1]]
    of_target = [~np.isin(end, dataset.train[:, place]) for end, place in zip(ends, (0, -1), strict=True)]
    return Coldness(~known[ends[0]], ~known[ends[1]], *of_target)


def unseen(dataset: Dataset) -> Flags:
    """Of the rows of valid, then of test: whether a class of it is in no training axiom."""
    cold = coldness(dataset, np.concatenate([dataset.valid, dataset.test]))
    return cold.head | cold.tail


def counted(dataset: Dataset) -> dict[str, dict[str, int]]:
    """Of valid and test, how many axioms have ends that training does not know, or not in the target."""
    found = {}
    for part in ("valid", "test"):
        rows: Table = getattr(dataset, part)
        cold = coldness(dataset, rows)
        found[part] = {
            "axioms": len(rows),
            "heads_in_no_training_axiom": int(cold.head.sum()),
            "tails_in_no_training_axiom": int(cold.tail.sum()),
            "heads_new_to_the_target": int(cold.head_of_target.sum()),
            "tails_new_to_the_target": int(cold.tail_of_target.sum()),
        }
    return found
