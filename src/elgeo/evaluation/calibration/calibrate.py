"""`calibrate`: probabilities from what validation says of a predictor's suggestions, and how far they hold on test.

A suggestion is one of the first hundred answers of a class, after all that `predict` leaves out. It counts as true if
it is among the validation axioms; test axioms are taken out of the lists. For reliability it is the other way round.
What nobody has written down counts as untrue, so a probability is that of being among as many axioms as were held out.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from elgeo.arrays import Flags, Floats, Table
from elgeo.datasets.model import Dataset
from elgeo.evaluation.calibration.document import Bin, Calibration, Reliability
from elgeo.evaluation.calibration.isotonic import isotonic
from elgeo.evaluation.entailments import Entailments
from elgeo.evaluation.predictions.known_pairs import is_mirrored, known_pairs
from elgeo.evaluation.predictions.offer import Offer
from elgeo.evaluation.predictions.words import EXCLUDABLE, GENERAL
from elgeo.evaluation.ranking.best import best
from elgeo.evaluation.ranking.known import Known
from elgeo.evaluation.ranking.scoring import Contest
from elgeo.models.contract import Predictor

FIRST = 100
"""Answers of each class that are suggestions."""
HEADS = 2_000
"""Classes asked: all, or so many drawn by chance."""
FEW = 5
"""With fewer true suggestions there is nothing to be calibrated by."""
BINS = 10


class Suggestions(NamedTuple):
    """Scores and margins of suggestions, and whether each is true."""

    scores: Floats
    margins: Floats
    true: Flags
    heads: int


def calibrate(predictor: Predictor, dataset: Dataset, entailments: Entailments | None = None) -> Calibration | None:
    """Probabilities by score or by margin, whichever tells more on validation; nothing where too little was true."""
    entailments = entailments or Entailments(dataset)
    found = suggestions(predictor, dataset, entailments, dataset.valid, dataset.test)
    if found.true.sum() < FEW:
        return None
    made = [
        Calibration(by, isotonic(values, found.true), int(found.true.sum()), len(found.true), found.heads)
        for by, values in (("margin", found.margins), ("score", found.scores))
    ]
    return min(made, key=lambda each: log_loss(each.probabilities(found.scores, found.margins), found.true))


def reliability(
    calibration: Calibration, predictor: Predictor, dataset: Dataset, entailments: Entailments | None = None
) -> Reliability | None:
    """How many suggestions with which probability are test axioms; nothing where none is."""
    found = suggestions(predictor, dataset, entailments or Entailments(dataset), dataset.test, dataset.valid)
    if not found.true.any():
        return None
    return binned(calibration.probabilities(found.scores, found.margins), found.true)


def suggestions(
    predictor: Predictor, dataset: Dataset, entailments: Entailments, true: Table, hidden: Table
) -> Suggestions:
    """The first answers of classes by chance; `hidden` axioms are neither true nor untrue, and left out."""
    offer = Offer(dataset, entailments, EXCLUDABLE, GENERAL)
    answers, asked = offer.classes("tail"), offer.classes("head")
    if len(asked) > HEADS:
        asked = np.sort(np.random.default_rng(0).choice(asked, HEADS, replace=False))
    if not len(answers) or not len(asked) or not len(true):  # a back-test has no validation: nothing is ranked in vain
        return Suggestions(np.empty(0), np.empty(0), np.empty(0, np.bool_), 0)
    mirrored = is_mirrored(dataset)
    known = known_pairs(dataset, entailments, asked, answers, "tail", EXCLUDABLE, mirrored).known
    pairs, wanted = (_both_ways(rows[:, [0, -1]], mirrored) for rows in (hidden, true))
    contest = Contest(predictor.scorer(), dataset.target_role, answers, "tail", dataset.vocabulary.class_label)
    found = best(contest, asked, FIRST, known.extended(pairs[:, 0], pairs[:, 1]))
    margins = found.scores - found.scores[:, :1]
    if found.scores.shape[1] > 1:
        margins[:, 0] = np.nan_to_num(found.scores[:, 0] - found.scores[:, 1])
    row, column = np.nonzero(found.classes >= 0)
    held_out = Known.of_pairs(wanted[:, 0], wanted[:, 1], dataset.vocabulary.n_classes)
    is_true = held_out.contains(asked[row], found.classes[row, column])
    return Suggestions(found.scores[row, column], margins[row, column], is_true, len(asked))


def _both_ways(pairs: Table, mirrored: bool) -> Table:
    return np.concatenate([pairs, pairs[:, ::-1]]) if mirrored else pairs


def log_loss(probabilities: Floats, true: Flags) -> float:
    """The mean surprise; what is said to be impossible and happens is infinitely surprising."""
    with np.errstate(divide="ignore"):
        return float(-np.log(np.where(true, probabilities, 1 - probabilities)).mean())


def binned(probabilities: Floats, true: Flags, bins: int = BINS) -> Reliability:
    """Suggestions in bins of about equal numbers of true ones, equal probabilities together.

    Most suggestions are untrue; bins of equal numbers of suggestions would all but one lie at zero.
    """
    order = np.argsort(probabilities, kind="stable")
    probabilities, true = probabilities[order], true[order]
    level, start = np.unique(probabilities, return_index=True)
    so_far = np.concatenate([[0], np.cumsum(true)])[start]
    number = np.minimum(so_far * bins // max(int(true.sum()), 1), bins - 1)
    found = []
    for place in np.unique(number).tolist():
        mine = np.isin(probabilities, level[number == place])
        found.append(Bin(float(probabilities[mine].mean()), float(true[mine].mean()), int(mine.sum())))
    return Reliability(tuple(found), len(true), int(true.sum()))
