"""The baselines on real interactions, where independent programs have measured them: a check of the whole chain."""

from __future__ import annotations

import pytest

from elgeo.datasets.model import Dataset
from elgeo.evaluation.evaluate import evaluate
from elgeo.evaluation.settings import EvaluationSettings
from elgeo.models.baselines import CommonNeighbours


@pytest.mark.slow
def test_degree_and_adamic_adar(yeast: Dataset) -> None:
    assert len(yeast.candidates) == 5508
    report = evaluate(CommonNeighbours.fit(yeast), yeast, EvaluationSettings(semantic=False, resamples=20))
    document = report.to_dict()
    assert document["axioms"] == 10224
    adamic_adar = document["filtered"]["per_axiom"]
    assert adamic_adar["hits@1"] == pytest.approx(0.092, abs=5e-4)
    assert adamic_adar["hits@10"] == pytest.approx(0.412, abs=5e-4)
    assert adamic_adar["hits@100"] == pytest.approx(0.782, abs=5e-4)
    assert adamic_adar["mean_rank"] == pytest.approx(260, abs=1)
    assert adamic_adar["auc"] == pytest.approx(0.953, abs=5e-4)
    degree = document["beside"]["naive"]["filtered"]["per_axiom"]
    assert degree["auc"] == pytest.approx(0.821, abs=5e-4)
    assert "common-neighbours beats naive" in document["verdicts"][0]
