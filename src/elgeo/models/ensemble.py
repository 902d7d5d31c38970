"""`Ensemble`: several predictors as one: the mean of their scores, how far they are apart, what is true in how many."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Floats, Ids, Longs, Table
from elgeo.errors import SettingError
from elgeo.models.contract import Geometry, Predictor, Reason, Scorer


class Ensemble(Predictor):
    """Scores are means over the members, and so are reasons."""

    paper = "Lakshminarayanan et al. 2017, Simple and Scalable Predictive Uncertainty Estimation using Deep Ensembles"

    def __init__(self, members: Sequence[Predictor]) -> None:
        if not members:
            raise SettingError("an ensemble has one member or more")
        self.members = tuple(members)
        # of the instance: nobody trains a model of this name
        self.name = f"{members[0].name} × {len(members)}"  # type: ignore[misc]

    def scorer(self) -> Scorer:
        return MeanScorer([member.scorer() for member in self.members])

    def told_scorer(self) -> Scorer:
        return MeanScorer([member.told_scorer() for member in self.members])

    def explain(self, head: int, tail: int) -> Sequence[Reason]:
        """What the mean of the members' scores is a sum of."""
        first, *others = self.members
        return first.explain_with(others, head, tail)

    def true_in(self, form: str, rows: Table) -> Longs | None:
        """In how many members each axiom is true; nothing where they are no geometries, or cannot judge the form."""
        judges = [each for each in self.members if isinstance(each, Geometry) and form in each.judged_forms]
        if len(judges) < len(self.members):
            return None
        return np.asarray(np.sum([judge.holds(form, rows) for judge in judges], axis=0), np.int64)


def members_of(predictor: Predictor) -> tuple[Predictor, ...]:
    """The members of an ensemble; of any other predictor itself."""
    return predictor.members if isinstance(predictor, Ensemble) else (predictor,)


def together(scorers: Sequence[Scorer]) -> Scorer:
    """One scorer as it is, several by their mean."""
    return scorers[0] if len(scorers) == 1 else MeanScorer(scorers)


class MeanScorer:
    """The mean of several scorers."""

    def __init__(self, scorers: Sequence[Scorer]) -> None:
        self.scorers = scorers
        self.tolerance = float(np.mean([each.tolerance for each in scorers]))

    def pairs(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        return self._mean(lambda each: each.pairs(heads, role, tails))

    def tails(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        return self._mean(lambda each: each.tails(heads, role, tails))

    def heads(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        return self._mean(lambda each: each.heads(heads, role, tails))

    def spread(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        """The standard deviation of each pair's scores."""
        return np.asarray(np.std([each.pairs(heads, role, tails) for each in self.scorers], axis=0))

    def _mean(self, scores: Callable[[Scorer], NDArray[np.floating]]) -> Floats:
        """One member at a time, so that there are never more than two tables of scores."""
        total = np.array(scores(self.scorers[0]), np.float64)
        for each in self.scorers[1:]:
            total += scores(each)
        total /= len(self.scorers)
        return total
