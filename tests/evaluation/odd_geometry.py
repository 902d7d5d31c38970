"""A geometry whose truth is easily counted by hand."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Table
from elgeo.models.contract import Arrays, Geometry, Scorer
from elgeo.ontology.normal_forms import FORMS
from tests.evaluation.matrix_scorer import MatrixScorer

JUDGED = ("subclass", "conjunction", "existential", "left_existential", "disjoint", "empty_existential")


class Odd(Geometry):
    """An axiom is true where the sum of its ids is odd; remembers what it was asked."""

    paper = "none"
    judged_forms = JUDGED

    def __init__(self, radii: list[float] | None = None) -> None:
        self.asked: dict[str, list[list[int]]] = defaultdict(list)
        self.radii = radii

    def scorer(self) -> Scorer:
        return MatrixScorer(np.zeros((3, 3)))

    def holds(self, form: str, rows: Table, tolerance: float = 1e-4) -> NDArray[np.bool_]:
        self.asked[form] += rows.tolist()
        return rows.sum(axis=1) % 2 == 1

    def embeddings(self) -> Arrays:
        return {} if self.radii is None else {"class_radii": np.array(self.radii)}

    def shares(self) -> dict[str, float]:
        """By hand, from what it was asked."""
        return {FORMS[f].code: sum(sum(r) % 2 for r in rows) / len(rows) for f, rows in self.asked.items() if rows}
