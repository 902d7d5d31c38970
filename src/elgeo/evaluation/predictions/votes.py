"""`Votes`: how far the members of an ensemble agree on what it predicts."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from elgeo.arrays import Floats, Ids, Longs, Table
from elgeo.datasets.model import Dataset
from elgeo.evaluation.predictions.all_pairs import Pairs
from elgeo.evaluation.predictions.choosing import Refused, choose
from elgeo.evaluation.ranking.known import Known
from elgeo.evaluation.ranking.scoring import Contest
from elgeo.keys import contained
from elgeo.models.contract import Predictor
from elgeo.models.ensemble import Ensemble, MeanScorer


class Votes(NamedTuple):
    """For each prediction: how far scores are apart, how many members predict it too, in how many it is true."""

    models: int
    spread: Floats
    """The standard deviation of the members' scores."""
    agree: Longs
    """In how many members it is among as many of the best as are shown."""
    true: Longs | None
    """In how many geometries the axiom is true; None where members are no geometries."""

    def words(self, place: int) -> str:
        """For people: `4 of 5, true in 3`."""
        true = "" if self.true is None else f", true in {self.true[place]}"
        return f"{self.agree[place]} of {self.models}{true}"


def votes(
    predictor: Predictor, dataset: Dataset, contest: Contest, asked: Ids, pairs: Pairs, rows: Table, top: int,
    known: Known, refused: Refused, mirrored: bool,
) -> Votes | None:  # fmt: skip
    """Ask every member of an ensemble what it would predict in the same place; no other predictor votes."""
    if not isinstance(predictor, Ensemble):
        return None
    shown = _keys(pairs, mirrored)
    agree = np.zeros(len(shown), np.int64)
    for member in predictor.members:
        own = choose(replace(contest, scorer=member.scorer()), asked, top, known, refused, mirrored)
        agree += contained(shown, _keys(own, mirrored))
    scorer = contest.scorer
    assert isinstance(scorer, MeanScorer)
    heads, tails = (np.ascontiguousarray(rows[:, column]) for column in (0, -1))
    spread = scorer.spread(heads, dataset.target_role, tails)
    return Votes(len(predictor.members), spread, agree, predictor.true_in(dataset.target_form, rows))


def _keys(pairs: Pairs, mirrored: bool) -> Table:
    both = np.stack([pairs.asked, pairs.answers], axis=1)
    return np.sort(both, axis=1) if mirrored else both
