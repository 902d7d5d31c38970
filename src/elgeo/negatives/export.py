"""Corrupted axioms as a table, to look at."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from elgeo.datasets.model import Dataset
from elgeo.files import written_atomically
from elgeo.negatives.sampler import Corrupter
from elgeo.ontology.sentences import written
from elgeo.reasoning.closure.base import Closure


def export(path: Path, dataset: Dataset, corrupters: Mapping[str, Corrupter], closure: Closure, seed: int) -> int:
    """Write the corrupted axioms of all positives: `form, positive, corrupted, entailed`; gives their number."""
    generator = np.random.default_rng(seed)
    vocabulary, count = dataset.vocabulary, 0
    with written_atomically(path) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as file:
        file.write("form\tpositive\tcorrupted\tentailed\n")
        for form, corrupter in corrupters.items():
            corrupted = corrupter.draw(np.arange(len(corrupter.table)), int(generator.integers(2**63)))
            entailed = closure.contains(form, corrupted.rows)
            for row, number, known in zip(corrupted.rows.tolist(), corrupted.positives, entailed, strict=True):
                positive = written(form, corrupter.table[number].tolist(), vocabulary)
                file.write(f"{form}\t{positive}\t{written(form, row, vocabulary)}\t{'yes' if known else 'no'}\n")
            count += len(corrupted.rows)
    return count
