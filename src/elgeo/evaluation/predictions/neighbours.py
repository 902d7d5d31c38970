"""Why a prediction: the classes most like the one asked about that are known to have the predicted answer."""

from __future__ import annotations

import numpy as np

from elgeo.arrays import Floats, Ids
from elgeo.datasets.model import Dataset
from elgeo.evaluation.ranking.known import Known
from elgeo.evaluation.ranking.scoring import Side
from elgeo.models.contract import Geometry, Predictor


def nearest_known(
    predictor: Predictor, dataset: Dataset, asked: Ids, answers: Ids, side: Side, count: int
) -> list[list[int]]:
    """For each predicted pair the classes that have the answer in training, nearest to the class asked first.

    Near is the distance of centres where the model has them; else how many known answers two classes share.
    """
    columns = (0, -1) if side == "tail" else (-1, 0)
    heads, tails = (dataset.train[:, column] for column in columns)
    n = dataset.vocabulary.n_classes
    with_answer, answers_of = Known.of_pairs(tails, heads, n), Known.of_pairs(heads, tails, n)
    centres = _centres(predictor)
    found = []
    for one, answer in zip(asked.tolist(), answers.tolist(), strict=True):
        others = with_answer.of(answer)
        others = others[others != one]
        if centres is not None:
            distances = np.linalg.norm(centres[others] - centres[one], axis=1)
        else:
            own = answers_of.of(one)
            distances = -np.array([len(np.intersect1d(answers_of.of(other), own)) for other in others.tolist()])
        found.append(others[np.argsort(distances, kind="stable")[:count]].tolist())
    return found


def _centres(predictor: Predictor) -> Floats | None:
    if not isinstance(predictor, Geometry):
        return None
    embeddings = predictor.embeddings()
    for name in ("class_centres", *embeddings):
        if name in embeddings and name.startswith("class_") and embeddings[name].ndim == 2:
            return embeddings[name].astype(np.float64)
    return None
