"""What became of told axioms that a newer release took back: does the model rank them lower than those that stayed?"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from elgeo.arrays import Table
from elgeo.datasets.model import Dataset
from elgeo.errors import SettingError
from elgeo.evaluation.entailments import Entailments
from elgeo.evaluation.evaluate import candidates_of
from elgeo.evaluation.measures.metrics import per_axiom
from elgeo.evaluation.ranking.known import Known
from elgeo.evaluation.ranking.rank_axioms import rank
from elgeo.evaluation.ranking.ranks import Ranks
from elgeo.evaluation.ranking.scoring import Contest
from elgeo.keys import contained
from elgeo.models.contract import Predictor

RESULT = "removed.json"
MOST = 1000
"""Axioms of each sort that are ranked, by chance."""
SHOWN = ("hits@1", "hits@10", "mrr", "mean_rank")


@dataclass(frozen=True)
class TakenBack:
    """Metrics of axioms that went and of others that stayed, and how often one that went has the lower rank."""

    dataset: str
    removed: int
    stayed: int
    metrics: Mapping[str, Mapping[str, float]]
    ranked_lower: float
    """Of all pairs of one that went and one that stayed; ties half."""

    def to_dict(self) -> dict[str, Any]:
        return {
            "dataset": self.dataset,
            "removed": self.removed,
            "stayed": self.stayed,
            "metrics": {name: dict(found) for name, found in self.metrics.items()},
            "ranked_lower": self.ranked_lower,
        }

    def table(self) -> str:
        """For people."""
        lines = [f"{self.dataset}: {self.removed:,} axioms of training were taken back, {self.stayed:,} stayed"]
        lines.append(f"  {'':10}" + "".join(f"{metric:>11}" for metric in SHOWN))
        for name, found in self.metrics.items():
            lines.append(f"  {name:10}" + "".join(f"{found[metric]:>11.3f}" for metric in SHOWN))
        lines.append(f"  one that was taken back ranks below one that stayed in {self.ranked_lower:.1%} of pairs")
        return "\n".join(lines)


def taken_back(
    predictor: Predictor,
    dataset: Dataset,
    removed: Sequence[tuple[str, str]],
    generator: np.random.Generator,
    gone: Collection[str] = (),
) -> TakenBack:
    """`removed` are pairs of IRIs; what is not in training is left out, and what is about classes that are `gone`.

    Ranks are among all classes but those that training says or entails too: each axiom is one of them, so that nothing
    may be held against it for that.
    """
    went, stayed = divided(dataset, removed, gone)
    if not len(went) or not len(stayed):
        raise SettingError(f"{dataset.name}: none of its training axioms, or all, were taken back")
    contest = Contest(
        predictor.told_scorer(),
        dataset.target_role,
        candidates_of(dataset, "kind"),
        "tail",
        dataset.vocabulary.class_label,
    )
    entailments = Entailments(dataset)
    ranks: dict[str, Ranks] = {}
    for name, rows in (("removed", went), ("stayed", stayed)):
        some = rows[np.sort(generator.permutation(len(rows))[:MOST])]
        heads, tails = np.ascontiguousarray(some[:, 0]), np.ascontiguousarray(some[:, -1])
        true = np.concatenate([dataset.train, entailments.axioms(heads, contest.candidates)])
        known = Known.of_pairs(true[:, 0], true[:, -1], dataset.vocabulary.n_classes)
        ranks[name] = rank(contest, heads, tails, known, without_head=dataset.target_role is None).filtered
    low, high = (found.average for found in ranks.values())
    lower = float(((low[:, None] > high) + (low[:, None] == high) / 2).mean())
    metrics = {name: per_axiom(found) for name, found in ranks.items()}
    return TakenBack(dataset.name, len(went), len(stayed), metrics, lower)


def divided(dataset: Dataset, removed: Sequence[tuple[str, str]], gone: Collection[str] = ()) -> tuple[Table, Table]:
    """The training axioms that were taken back, and those that were not; of classes that are gone neither."""
    number = {name: i for i, name in reversed(list(enumerate(dataset.vocabulary.classes)))}
    pairs = [(number[head], number[tail]) for head, tail in removed if head in number and tail in number]
    went = contained(dataset.train[:, [0, -1]], np.array(pairs, np.int32).reshape(-1, 2))
    left = np.zeros(dataset.vocabulary.n_classes, np.bool_)
    left[[number[name] for name in gone if name in number]] = True
    stayed = ~went & ~left[dataset.train[:, 0]] & ~left[dataset.train[:, -1]]
    return dataset.train[went], dataset.train[stayed]
