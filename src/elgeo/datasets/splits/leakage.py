"""How much of what is held out can be seen in training all the same."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Table
from elgeo.datasets.model import Dataset
from elgeo.keys import contained
from elgeo.reasoning.closure.complete import CompleteClosure
from elgeo.reasoning.saturation.saturate import saturate


class Leakage(NamedTuple):
    """For each held-out axiom, whether its inverse is trained on, and whether the training axioms entail it."""

    inverse: NDArray[np.bool_]
    entailed: NDArray[np.bool_]


def leakage(dataset: Dataset, rows: Table) -> Leakage:
    """What of the rows can be seen in training: the axiom with its ends exchanged, or by entailment."""
    closure = CompleteClosure(saturate(dataset.forms))
    return Leakage(contained(rows[:, ::-1], dataset.train), closure.contains(dataset.target_form, rows))


def measured(dataset: Dataset) -> dict[str, dict[str, int]]:
    """Counts for the record: of valid and test, how many axioms leak in which way."""
    found = leakage(dataset, np.concatenate([dataset.valid, dataset.test]))
    parts = {"valid": slice(None, len(dataset.valid)), "test": slice(len(dataset.valid), None)}
    return {
        part: {
            "axioms": len(getattr(dataset, part)),
            "inverse_in_train": int(found.inverse[rows].sum()),
            "entailed_by_train": int(found.entailed[rows].sum()),
        }
        for part, rows in parts.items()
    }
