"""`Placement`: where a new term belongs, by its words; weights are learnt on old classes that are held out whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from elgeo.arrays import Floats, Ints, Places
from elgeo.datasets.model import Dataset
from elgeo.errors import SettingError
from elgeo.models.atlas.operators.dense import Dense, one_thread
from elgeo.models.contract import Arrays
from elgeo.models.placement.evidence import COUNT, KNOWN, NameEvidence, SeenTerms
from elgeo.models.placement.knowledge import Knowledge
from elgeo.models.placement.terms import Term
from elgeo.models.placement.weighing import Rivalry, learnt, rivalries, scores

HELD_OUT, SHARE = 600, 0.2
"""Old classes that are held out to learn the weights, at most, and at most this share of those that could be."""
AT_ONCE = 64
"""Terms that are compared with all classes at a time."""
PARENTS, RELATIONS = "parents", "relations"


class HeldOut(NamedTuple):
    """Whole classes that are treated as new, and what training says of them about others, by role."""

    classes: Ints
    """Numbers of `Knowledge`."""
    true: Mapping[int | None, Sequence[Places]]


class Placement:
    """Scores of classes as parents of new terms, and as ends of their relations."""

    def __init__(self, knowledge: Knowledge, weights: Mapping[str, Floats]) -> None:
        self.knowledge, self.weights = knowledge, weights

    @classmethod
    def fit(cls, dataset: Dataset, generator: np.random.Generator, say: Callable[[str], None] = lambda _: None) -> Self:
        """Learn from classes at the bottom of the hierarchy, which are hidden whole, how much each evidence counts."""
        with one_thread():
            say("reading names")
            knowledge = Knowledge.of(dataset)
            knowledge.check()
            out = held_out(knowledge, generator)
            say(f"learning from {len(out.classes):,} classes held out")
            evidence = NameEvidence(knowledge, hidden(knowledge, out.classes))
            return cls(knowledge, weigh(evidence, out))

    def arrays(self) -> Arrays:
        return {name: np.asarray(weights, np.float64) for name, weights in self.weights.items()}

    @classmethod
    def restore(cls, dataset: Dataset, arrays: Mapping[str, NDArray[Any]]) -> Self:
        found = cls(Knowledge.of(dataset), dict(arrays))
        size = 2 * len(found.evidence.names)
        for name in (PARENTS, RELATIONS):
            if name not in arrays or arrays[name].shape != (size,) or not np.isfinite(arrays[name]).all():
                raise SettingError(f"weights of {name} for new terms do not fit: {size} finite numbers are needed")
        return found

    @cached_property
    def evidence(self) -> NameEvidence:
        return NameEvidence(self.knowledge)

    def look(self, terms: Sequence[Term]) -> SeenTerms:
        with one_thread():
            return self.evidence.look(terms)

    def scores(self, seen: SeenTerms, role: int | None) -> Dense:
        """A score for each term and each class (a number of `Knowledge`) as the end of a role; None: as parent."""
        with one_thread():
            return scored(self.evidence, self.weights, seen, role)


def scored(evidence: NameEvidence, weights: Mapping[str, Floats], seen: SeenTerms, role: int | None) -> Dense:
    """Scores of all classes by some evidence and weights."""
    chosen = weights[PARENTS if role is None else RELATIONS]
    return scores(evidence.rows(seen, role), chosen, len(seen.terms), len(evidence.shown))


def hidden(knowledge: Knowledge, classes: Ints) -> NDArray[np.bool_]:
    found = np.zeros(len(knowledge.ids), np.bool_)
    found[classes] = True
    return found


def held_out(knowledge: Knowledge, generator: np.random.Generator, most: int = HELD_OUT) -> HeldOut:
    """Classes that nothing is told to be below, with what is told of them about classes that stay.

    Half of them are whole families, all such classes below a parent: curators add families, and the siblings of a new
    term are often as new as it is. The others are chosen by chance.
    """
    told = knowledge.told[None]
    labelled = np.array([bool(term.label) for term in knowledge.terms])
    bottom = (np.asarray(told.sum(axis=0)).ravel() == 0) & (np.diff(told.indptr) > 0) & labelled
    open_ones = np.flatnonzero(bottom)
    count = min(most, int(SHARE * len(open_ones)))
    below = sparse.csr_array(told.T)
    chosen = np.zeros(len(bottom), np.bool_)
    for parent in generator.permutation(np.flatnonzero(np.diff(below.indptr) > 1)).tolist():
        family = below.indices[below.indptr[parent] : below.indptr[parent + 1]]
        family = family[bottom[family]]
        if chosen.sum() + len(family) <= count / 2:
            chosen[family] = True
    rest = np.flatnonzero(bottom & ~chosen)
    chosen[generator.choice(rest, count - int(chosen.sum()), replace=False)] = True
    classes = np.flatnonzero(chosen).astype(np.int32)
    away = hidden(knowledge, classes)
    true = {}
    for role, matrix in knowledge.told.items():
        ends = (matrix.indices[matrix.indptr[c] : matrix.indptr[c + 1]] for c in classes.tolist())
        true[role] = [of_class[~away[of_class]].astype(np.int64) for of_class in ends]
    return HeldOut(classes, true)


def chunks(classes: Ints) -> Iterator[slice]:
    for first in range(0, len(classes), AT_ONCE):
        yield slice(first, first + AT_ONCE)


def weigh(evidence: NameEvidence, out: HeldOut) -> dict[str, Floats]:
    """Weights of parents, and of relations for all roles together."""
    names = evidence.names
    first = np.concatenate([np.ones(len(names)), np.zeros(len(names))])
    first[[names.index(COUNT), names.index(KNOWN)]] = 0.01, 0.3
    asked: dict[str, list[Rivalry]] = {PARENTS: [], RELATIONS: []}
    for part in chunks(out.classes):
        seen = evidence.look([evidence.knowledge.terms[c] for c in out.classes[part].tolist()])
        for role, true in out.true.items():
            if any(map(len, true[part])):
                found = rivalries(evidence.rows(seen, role), true[part], first, evidence.shown)
                asked[PARENTS if role is None else RELATIONS] += found
    return {name: learnt(found, len(names)) for name, found in asked.items()}
