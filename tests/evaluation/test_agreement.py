"""Predictions and their marks agree with the evaluation and with the reasoner: three ways to the same things."""

from __future__ import annotations

import numpy as np
import pytest

import elgeo
from elgeo.datasets.model import Dataset
from elgeo.evaluation.predictions.predict import predict
from elgeo.training.run import Run
from tests.evaluation.small_places import TablePredictor, ids_of, places


def place_of(run: Run, head: str, tail: str, everything: int) -> float:
    """Where a tail stands in the list of what is predicted for a head; ties share the middle of their places."""
    listed = run.predict(head=head, top=everything, exclude=["train"])
    scores = dict(zip(listed["tail"], listed["score"], strict=True))
    values = np.array(list(scores.values()))
    return float(1 + (values > scores[tail]).sum() + ((values == scores[tail]).sum() - 1) / 2)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "model"), [("cell-tiny", "atlas"), ("cell-tiny-hf", "atlas"), ("family", "atlas"), ("family", "elem")]
)
def test_lists_of_predictions_have_the_ranks_of_the_evaluation(name: str, model: str) -> None:
    run = elgeo.train(name, model, seed=3, **({"epochs": 4, "dimension": 3} if model == "elem" else {}))
    dataset, names = run.dataset, run.dataset.vocabulary
    found = elgeo.evaluate(run, without_head=True, resamples=0, semantic=False, faithfulness=False).to_dict()
    everything = names.n_classes
    ends = dataset.test[:, [0, -1]].tolist()
    ranks = np.array([place_of(run, names.classes[h], names.classes[t], everything) for h, t in ends])
    expected = found["filtered"]["per_axiom"]
    assert found["axioms"] == len(ranks)
    assert expected["mean_rank"] == pytest.approx(ranks.mean())
    assert expected["mrr"] == pytest.approx((1 / ranks).mean())
    assert expected["hits@1"] == pytest.approx((ranks <= 1).mean())
    assert expected["hits@10"] == pytest.approx((ranks <= 10).mean())
    assert len(set(ranks.tolist())) > 1


def mark(dataset: Dataset, reasoner: elgeo.Reasoner, row: list[int]) -> str:
    """By the lists of the dataset, and what the reasoner says of the axiom as people write it."""
    names, pair = dataset.vocabulary, (row[0], row[-1])
    left, right = (f"<{names.classes[c]}>" for c in pair)
    text = f"{left} SubClassOf {f'<{names.roles[row[1]]}> some ' if len(row) == 3 else ''}{right}"
    verdict = reasoner.verdict(text)
    if verdict == "contradicts":
        return "contradicted"
    if pair in {(int(a[0]), int(a[-1])) for a in dataset.train}:
        return "asserted"
    if verdict == "entailed":
        return "entailed"
    held_out = {(int(a[0]), int(a[-1])) for part in (dataset.valid, dataset.test) for a in part}
    return "held out" if pair in held_out else "novel"


@pytest.mark.parametrize("which", ["places", pytest.param("family", marks=pytest.mark.slow), "cell-tiny-hf"])
def test_marks_are_what_the_reasoner_says(which: str) -> None:
    dataset = places() if which == "places" else elgeo.datasets.load(which)
    n = dataset.vocabulary.n_classes
    scores = np.random.default_rng(8).integers(0, 50, (n, n)).astype(np.float64)
    if which == "places":
        scores[ids_of(dataset)[4], ids_of(dataset)[5]] = 90  # which must not touch
    for part in (dataset.train[::9], dataset.test[:2]):
        scores[part[:, 0], part[:, -1]] = 60
    predictor, reasoner = TablePredictor(scores), elgeo.Reasoner(dataset.forms)
    found = predict(predictor, dataset, top=60, exclude=())
    assert list(found.status) == [mark(dataset, reasoner, row) for row in found.rows.tolist()]
    assert set(found.status) >= {"novel", "asserted", "held out"}
    assert which != "places" or set(found.status) >= {"entailed", "contradicted"}
    # what is left out is what bears these marks
    few = predict(predictor, dataset, top=20, exclude=("train", "entailed", "contradicted"))
    assert set(few.status) == {"novel", "held out"}
    assert {mark(dataset, reasoner, row) for row in few.rows.tolist()} == {"novel", "held out"}
