"""The figure that training watches: the filtered MRR of the validation axioms, or of a sample of them."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from elgeo.datasets.model import Dataset
from elgeo.evaluation.validation import validation_rank
from tests.evaluation.small_functions import functions
from tests.evaluation.small_places import TablePredictor


def slow_reciprocals(dataset: Dataset, matrix: np.ndarray) -> list[float]:
    """1 / rank of each validation axiom: candidates that training knows as answers are left out."""
    train = {(int(h), int(t)) for h, _, t in dataset.train}
    found = []
    for head, _, tail in dataset.valid.tolist():
        others = [c for c in dataset.candidates.tolist() if c != tail and (head, c) not in train]
        found.append(1 / (1 + sum(matrix[head, c] > matrix[head, tail] for c in others)))
    return found


def test_all_axioms_or_a_sample_of_the_size_that_was_asked_for() -> None:
    dataset = functions(2)
    matrix = np.random.default_rng(0).normal(size=(dataset.vocabulary.n_classes,) * 2)
    model, each = TablePredictor(matrix), slow_reciprocals(dataset, matrix)
    n = len(each)
    assert n > 5
    for everything in (validation_rank(dataset), validation_rank(dataset, n), validation_rank(dataset, n + 1)):
        assert everything(model) == pytest.approx(np.mean(each))
    for size in (1, 3, n - 1):
        means = {round(float(np.mean(some)), 9) for some in combinations(each, size)}
        found = [validation_rank(dataset, size, seed)(model) for seed in range(6)]
        assert {round(figure, 9) for figure in found} <= means
        assert found[0] == validation_rank(dataset, size)(model)
        assert len(set(found)) > 1
