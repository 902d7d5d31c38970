"""Why a prediction: the classes most like the one asked about that are known to have the predicted answer."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np

from elgeo.arrays import Array, Floats, Ids
from elgeo.compilation import kernel
from elgeo.datasets.model import Dataset
from elgeo.evaluation.ranking.known import Known
from elgeo.evaluation.ranking.scoring import Side
from elgeo.models.contract import Geometry, Predictor


class Joined(NamedTuple):
    """What training joins, as it is asked about from one side."""

    with_answer: Known
    answers_of: Known

    @classmethod
    def of(cls, dataset: Dataset, side: Side) -> Self:
        columns = (0, -1) if side == "tail" else (-1, 0)
        heads, tails = (dataset.train[:, column] for column in columns)
        n = dataset.vocabulary.n_classes
        return cls(Known.of_pairs(tails, heads, n), Known.of_pairs(heads, tails, n))


def nearest_known(predictor: Predictor, joined: Joined, asked: Ids, answers: Ids, count: int) -> list[list[int]]:
    """For each predicted pair the classes that have the answer in training, nearest to the class asked first.

    Near is the distance of centres where the model has them; else how many known answers two classes share.
    """
    centres = _centres(predictor)
    if centres is None:
        nearest = np.full((len(asked), count), -1, np.int32)
        _most_in_common(asked, answers, *_arrays(joined.with_answer), *_arrays(joined.answers_of), nearest)
        return [[c for c in row if c >= 0] for row in nearest.tolist()]
    found = []
    for one, answer in zip(asked.tolist(), answers.tolist(), strict=True):
        others = joined.with_answer.of(answer)
        others = others[others != one]
        distances = np.linalg.norm(centres[others].astype(np.float64) - centres[one].astype(np.float64), axis=1)
        found.append(others[np.argsort(distances, kind="stable")[:count]].tolist())
    return found


def _arrays(known: Known) -> tuple[Array, Ids]:
    return known.start, known.others


@kernel
def _most_in_common(
    asked: Ids, answers: Ids, owner_start: Array, owners: Ids, known_start: Array, known: Ids, nearest: Ids
) -> None:
    """Fill each row of `nearest` with the owners of an answer that share most known answers with the class asked.

    Equal ones in the order of their ids; places that are left stay as they are.
    """
    room = nearest.shape[1]
    last_asked = np.full(len(known_start) - 1, -1, np.int64)  # for which class asked an answer was last marked
    shared = np.empty(room, np.int64)
    for i in range(len(asked)):
        one, row, filled = asked[i], nearest[i], 0
        for answer in known[known_start[one] : known_start[one + 1]]:
            last_asked[answer] = one
        for other in owners[owner_start[answers[i]] : owner_start[answers[i] + 1]]:
            if other == one:
                continue
            common = 0
            for answer in known[known_start[other] : known_start[other + 1]]:
                common += last_asked[answer] == one
            place = filled
            while place > 0 and common > shared[place - 1]:
                place -= 1
            if place == room:
                continue
            filled = min(filled + 1, room)
            for later in range(filled - 1, place, -1):
                shared[later], row[later] = shared[later - 1], row[later - 1]
            shared[place], row[place] = common, other


def _centres(predictor: Predictor) -> Floats | None:
    if not isinstance(predictor, Geometry):
        return None
    embeddings = predictor.embeddings()
    for name in ("class_centres", *embeddings):
        if name in embeddings and name.startswith("class_") and embeddings[name].ndim == 2:
            return embeddings[name]
    return None
