"""The shares that a run says are true without following, beside a count of every axiom that could be drawn."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from elgeo.datasets.model import Dataset
from elgeo.models.boxes.faithful import Faithful, FaithfulSettings
from elgeo.models.boxes.pool import AxiomPool, parts_of
from elgeo.models.boxes.report import _title, shares_by_part, summary
from elgeo.reasoning.closure.modes import closure_of
from elgeo.reasoning.saturation.saturate import saturate
from tests.models.boxes.small_forms import dataset_of, random_axioms


def counted(model: Faithful, dataset: Dataset) -> Iterator[tuple[str, float]]:
    """For each part the share of all its axioms, the last class exchanged, that are true and do not follow."""
    closure = closure_of(saturate(dataset.forms), "complete")
    for part in parts_of(dataset):
        weight = true = 0.0
        for row in part.asserted:
            others = dataset.kinds.members(int(dataset.kinds.of_class[row[-1]]))
            rows = np.repeat(row[None], len(others), axis=0)
            rows[:, -1] = others
            rows = rows[~closure.contains(part.form, rows)]
            weight += len(rows) / len(others)
            true += model.holds(part.form, rows).sum() / len(others)
        yield _title(part.form, part.role, dataset.vocabulary), true / weight if weight else 0.0


@pytest.mark.slow
def test_shares_are_those_of_a_count() -> None:
    generator, vacuous, models = np.random.default_rng(11), 0, 0
    settings = FaithfulSettings(dimension=6, proposals=6, rounds=2, pool=600)
    while models < 8:
        dataset = dataset_of(individuals="a b c d", **random_axioms(generator))
        if not saturate(dataset.forms).consistent:
            continue
        models += 1
        model = Faithful.fit(dataset, settings, np.random.default_rng(models), lambda message: None)
        vacuous += model.findings()["dimensions_of_disjointness"]
        expected = dict(counted(model, dataset))
        assert model.findings()["true_without_following"] == pytest.approx(expected, abs=0.06)
    assert vacuous > 2, "what has nothing on its left is true as well"


def test_shares_are_said_to_six_places_by_form_and_role() -> None:
    dataset = dataset_of(subclass="A B", existential="A r B, B s A", left_existential="s A B")
    pool = AxiomPool(dataset, closure_of(saturate(dataset.forms), "complete"), 5, np.random.default_rng(0))
    pool.shares[:] = [2 / 3, 1e-7, 0.5, 0.0000026]
    said = {"GCI0": 0.666667, "GCI2 r": 0.0, "GCI2 s": 0.5, "GCI3 s": 0.000003}
    assert shares_by_part(pool, dataset.vocabulary) == said
    assert summary(pool).startswith("true without following at most C ⊑ D")
