"""`Placement`: where a new term belongs, by its words; weights are learnt on old classes that are held out whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Floats
from elgeo.datasets.model import Dataset
from elgeo.errors import SettingError
from elgeo.models.atlas.operators.dense import Dense, one_thread
from elgeo.models.contract import Arrays
from elgeo.models.placement.evidence import COUNT, KNOWN, NameEvidence, SeenTerms
from elgeo.models.placement.knowledge import Knowledge
from elgeo.models.placement.reranking.columns import PairColumns
from elgeo.models.placement.reranking.newness import HeldOut, choose, hold_out
from elgeo.models.placement.reranking.reranker import Lesson, ParentNet, learn, lessons
from elgeo.models.placement.terms import Term
from elgeo.models.placement.weighing import Rivalry, learnt, rivalries, scores

HELD_OUT = 600
"""Old classes that are held out at a time, at most."""
ENOUGH, MOST_FOLDS = 500, 8
"""Of so many the closed form is learnt; in a small ontology they are held out in turns, at most so many."""
FOLDS = 2
"""Times that classes are held out, to teach the nets."""
AT_ONCE = 64
"""Terms that are compared with all classes at a time."""
PARENTS, RELATIONS = "parents", "relations"
Fold = tuple[NameEvidence, HeldOut]


class Placement:
    """Scores of classes as parents of new terms, and as ends of their relations."""

    def __init__(self, knowledge: Knowledge, weights: Mapping[str, Floats], net: ParentNet | None = None) -> None:
        self.knowledge, self.weights, self.net = knowledge, weights, net

    @classmethod
    def fit(
        cls,
        dataset: Dataset,
        generator: np.random.Generator,
        say: Callable[[str], None] = lambda _: None,
        vectors: Path | None = None,
    ) -> Self:
        """Learn from old classes, which are held out whole, how much each evidence counts."""
        knowledge = Knowledge.of(dataset, vectors)
        knowledge.check()
        return cls.learn(knowledge, generator, say)

    @classmethod
    def learn(
        cls, knowledge: Knowledge, generator: np.random.Generator, say: Callable[[str], None] = lambda _: None
    ) -> Self:
        """The closed form by classes held out once, then nets by these and others."""
        with one_thread():
            say("reading names")
            first = _held_out(knowledge, generator, ENOUGH)
            say(f"learning from {sum(len(out.terms) for _, out in first):,} classes held out")
            weights = weigh(first)

            def folds() -> Iterator[Iterator[Lesson]]:
                for evidence, out in first:
                    yield lessons(evidence, weights[PARENTS], out)
                for number in range(len(first), FOLDS):
                    say(f"holding out others, {number + 1} of {FOLDS}")
                    for evidence, out in _held_out(knowledge, generator, 1):
                        yield lessons(evidence, weights[PARENTS], out)

            return cls(knowledge, weights, learn(folds(), generator, say))

    def arrays(self) -> Arrays:
        found = {name: np.asarray(weights, np.float64) for name, weights in self.weights.items()}
        return {**found, **(self.net.arrays() if self.net else {})}

    @classmethod
    def restore(cls, dataset: Dataset, arrays: Mapping[str, NDArray[Any]], vectors: Path | None = None) -> Self:
        found = cls(
            Knowledge.of(dataset, vectors), {name: arrays[name] for name in (PARENTS, RELATIONS) if name in arrays}
        )
        size = 2 * len(found.evidence.names)
        for name in (PARENTS, RELATIONS):
            if name not in arrays or arrays[name].shape != (size,) or not np.isfinite(arrays[name]).all():
                raise SettingError(f"weights of {name} for new terms do not fit: {size} finite numbers are needed")
        if len(arrays) > len(found.weights):
            found.net = ParentNet.restore(arrays, found._pairs.names)
        return found

    @cached_property
    def evidence(self) -> NameEvidence:
        return NameEvidence(self.knowledge)

    @cached_property
    def _pairs(self) -> PairColumns:
        return PairColumns(self.evidence)

    def look(self, terms: Sequence[Term]) -> SeenTerms:
        with one_thread():
            return self.evidence.look(terms)

    def scores(self, seen: SeenTerms, role: int | None) -> Dense:
        """A score for each term and each class (a number of `Knowledge`) as the end of a role; None: as parent."""
        with one_thread():
            rows = self.evidence.rows(seen, role)
            weights = self.weights[PARENTS if role is None else RELATIONS]
            found = scores(rows, weights, len(seen.terms), self.evidence.size)
            return self.net.scores(self._pairs, seen, rows, found) if self.net and role is None else found


def _held_out(knowledge: Knowledge, generator: np.random.Generator, enough: int) -> list[Fold]:
    """Classes held out, again and again until there are enough, each time with the evidence that is left."""
    made: list[Fold] = []
    while len(made) < MOST_FOLDS and sum(len(out.terms) for _, out in made) < enough:
        out = hold_out(knowledge, choose(knowledge, HELD_OUT, generator))
        made.append((NameEvidence(out.left), out))
    return made


def chunks(count: int) -> Iterator[slice]:
    for first in range(0, count, AT_ONCE):
        yield slice(first, first + AT_ONCE)


def weigh(folds: Sequence[Fold]) -> dict[str, Floats]:
    """Weights of parents, and of relations for all roles together."""
    names = folds[0][0].names
    first = np.concatenate([np.ones(len(names)), np.zeros(len(names))])
    first[[names.index(COUNT), names.index(KNOWN)]] = 0.01, 0.3
    asked: dict[str, list[Rivalry]] = {PARENTS: [], RELATIONS: []}
    for evidence, out in folds:
        if evidence.names != names:  # too few are left for all kinds of evidence
            continue
        for part in chunks(len(out.terms)):
            seen = evidence.look(out.terms[part])
            for role, true in out.true.items():
                if any(map(len, true[part])):
                    found = rivalries(evidence.rows(seen, role), true[part], first, evidence.size)
                    asked[PARENTS if role is None else RELATIONS] += found
    return {name: learnt(found, len(names)) for name, found in asked.items()}
