"""Every negative a training run has seen, checked against the slow reasoner and against the fast one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from elgeo.reasoning import Reasoner
from elgeo.training.loop import train
from elgeo.training.settings import Settings
from elgeo.training.trainer import Trainer
from tests.negatives.slow_truth import Truth
from tests.small_dataset import small_dataset


@pytest.mark.slow
@pytest.mark.parametrize(
    ("settings", "fraction"),
    [
        ({"negatives": "filtered"}, 0.0),
        ({"negatives": "hard", "negatives_per_positive": 2}, 0.0),
        ({"negatives": "biased(0.4)", "negative_forms": "subclass,existential"}, 0.4),
    ],
)
def test_the_negatives_of_a_whole_run(settings: dict[str, Any], fraction: float, monkeypatch: Any) -> None:
    dataset = small_dataset(3)
    seen: dict[str, list[np.ndarray]] = {}
    take = Trainer._take

    def watched(self: Trainer, batch: Any) -> None:
        for form, rows in batch.items():
            if rows.negatives is not None:
                seen.setdefault(form, []).append(rows.negatives)
        take(self, batch)

    monkeypatch.setattr(Trainer, "_take", watched)
    values = {"epochs": 8, "batch": 50, "dimension": 3, "stop_patience": 0, **settings}
    train(dataset, Settings.of("elem", **values), quiet=True)
    truth, closure = Truth(dataset), Reasoner(dataset.forms).closure("complete")
    for form, tables in seen.items():
        rows = np.concatenate(tables)
        entailed = np.array([truth.entailed(form, tuple(row)) for row in rows.tolist()])
        assert np.array_equal(closure.contains(form, rows), entailed)
        if fraction == 0:
            assert not entailed.any()
        else:
            assert entailed.mean() == pytest.approx(fraction, abs=0.02)
    assert len(seen) == (2 if fraction else 4)
