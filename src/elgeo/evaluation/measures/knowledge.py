"""How good ranks are by how much training knows of the classes: nothing, one axiom, a few, or many."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from elgeo.arrays import Flags, Longs, Table
from elgeo.datasets.model import Dataset
from elgeo.evaluation.measures.metrics import hits, mean_rank, mrr
from elgeo.evaluation.ranking.ranks import Ranks
from elgeo.ontology.normal_forms import FORMS

AMOUNTS = {"cold": 0, "1": 1, "2-9": 2, "10+": 10}
"""The amounts of training axioms that are told apart, and the least number of each."""


class Familiarity(NamedTuple):
    """How many training axioms know the head and the tail of each row."""

    head: Longs
    tail: Longs

    def by_end(self) -> dict[str, Longs]:
        """Of the head, of the tail, and of both: what is known of the one that is known less."""
        return {"head": self.head, "tail": self.tail, "both": np.minimum(self.head, self.tail)}


class KnowledgeShare(NamedTuple):
    """The axioms of which training knows so much: how many they are, how well they are ranked, and by others."""

    axioms: int
    figures: Mapping[str, float]
    beside: Mapping[str, float]
    """The MRR of each baseline or run on the same axioms."""


Breakdown = Mapping[str, Mapping[str, Mapping[str, KnowledgeShare]]]
"""What is counted (`target`, `overall`), of which end (`head`, `tail`, `both`), by amount."""


def of_target(dataset: Dataset, rows: Table) -> Familiarity:
    """Training axioms of the target with the head in the head's place, with the tail in the tail's."""
    n = dataset.vocabulary.n_classes
    heads, tails = (np.bincount(dataset.train[:, place], minlength=n) for place in (0, -1))
    return Familiarity(heads[rows[:, 0]], tails[rows[:, -1]])


def overall(dataset: Dataset, rows: Table) -> Familiarity:
    """Training axioms of any normal form in which the class stands anywhere."""
    counts = mentions(dataset)
    return Familiarity(counts[rows[:, 0]], counts[rows[:, -1]])


def mentions(dataset: Dataset) -> Longs:
    """For each class the number of training axioms, of any normal form, in which it stands."""
    counts = np.zeros(dataset.vocabulary.n_classes, np.int64)
    for name, form in FORMS.items():
        classes = dataset.forms.tables[name][:, list(form.class_columns)]
        for place in range(len(form.class_columns)):
            # a class that stands in a row twice is one axiom all the same
            first = (classes[:, :place] != classes[:, place : place + 1]).all(axis=1)
            counts += np.bincount(classes[first, place], minlength=len(counts))
    return counts


def by_knowledge(dataset: Dataset, rows: Table, ranks: Ranks, beside: Mapping[str, Ranks]) -> Breakdown:
    """The metrics of the axioms of each amount, for each way of counting and each end."""
    return {
        counted: {
            end: {amount: _share(amounts == i, ranks, beside) for i, amount in enumerate(AMOUNTS)}
            for end, counts in familiarity.by_end().items()
            for amounts in [np.searchsorted(list(AMOUNTS.values()), counts, side="right") - 1]
        }
        for counted, familiarity in (("target", of_target(dataset, rows)), ("overall", overall(dataset, rows)))
    }


def _share(which: Flags, ranks: Ranks, beside: Mapping[str, Ranks]) -> KnowledgeShare:
    chosen = np.flatnonzero(which)
    own = ranks.take(chosen)
    figures = {"mrr": mrr(own), "hits@10": hits(own, 10), "mean_rank": mean_rank(own)}
    return KnowledgeShare(len(chosen), figures, {name: mrr(other.take(chosen)) for name, other in beside.items()})
