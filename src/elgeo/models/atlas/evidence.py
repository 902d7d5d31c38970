"""`Evidence`: every score that a head and a tail can have, each a sum over training axioms, a likeness, or a count."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
from scipy import sparse

from elgeo.models.atlas.contexts.logic import Matrix
from elgeo.models.atlas.operators.adding import add
from elgeo.models.atlas.operators.dense import Dense
from elgeo.models.atlas.operators.heads import HeadOperator
from elgeo.models.atlas.operators.neighbours import NeighbourRegression
from elgeo.models.atlas.operators.tails import Regression, TailOperator
from elgeo.models.atlas.operators.target import Ids, Places, Real, Target

REGRESSED, NEAR = "regressed", "regressed on the nearest"
GROUPINGS = GROUPED, DRAWN = "grouped", "drawn together"
WORDED, TOLD = "alike in words", "as told"
KIN = ABOVE, BELOW = "above", "below"
WHOLE = 1 << 26
"""Heads times tails up to which X̂R of the regression is held whole, so that L X̂ R costs no more than L has entries."""
COUNT, ROOT, KNOWN, ENTAILED, ITSELF = "count", "root of count", "has axioms", "entailed", "itself"
Weights = Mapping[str, float]


class GroupScores(Protocol):
    """Scores of pairs by the groups that their classes are in, each a sum over the target's axioms and a rest."""

    def rows(self, places: Places) -> Dense:
        """Of heads by place and all tails; -1 gives zeros."""
        ...

    def columns(self, places: Places) -> Dense:
        """Of all heads, and tails by place."""
        ...

    def shares(self, head: int, tail: int) -> tuple[Real, float]:
        """What each axiom adds to one score, in their order, and what is there without any."""
        ...

    def together(self, one: int, other: int) -> float:
        """How far two classes, by place, are in one group, from 0 to 1."""
        ...


class Speaking(NamedTuple):
    """Whose axioms speak for some heads: rows of L, and of L X̂."""

    rows: Matrix
    axioms: Matrix


@dataclass(frozen=True, eq=False)
class Evidence:
    """L X̂ R for pairs of operators, with its transpose where the role is symmetric; and what needs no axiom."""

    target: Target
    scaled: Matrix
    """X̂."""
    heads: Mapping[str, HeadOperator]
    tails: Mapping[str, TailOperator]
    pairs: Sequence[tuple[str, str]]
    likeness: Mapping[str, Matrix]
    """By block: a feature row for each class id."""
    links: Mapping[str, Matrix]
    """By class id and tail: what other axioms join a head with a tail."""
    given: Mapping[str, Callable[[Ids], Dense]]
    """By name: scores of some heads and all tails that come from elsewhere."""
    entailed: Matrix | None
    """By class id and tail: what follows from training already, or never can."""
    groups: Mapping[str, GroupScores]
    """By name: what groups of heads say of pairs of them."""

    @property
    def names(self) -> list[str]:
        """All evidence that is weighed, in the order of `rows`; beside it only `ITSELF`, head and tail being one."""
        found = [joined(*pair) for pair in self.pairs] + [like(block) for block in self.likeness]
        found += [*self.links, *self.given, *self.groups, COUNT, ROOT, KNOWN]
        return found if self.entailed is None else [*found, ENTAILED]

    def rows(self, ids: Ids, into: Dense | None = None) -> Dense:
        """(evidence, head, tail): each piece of evidence for these heads and all tails; in `into`, if that is given."""
        speaking, names = self.speaking(ids, self.heads), self.names
        made = np.empty((len(names), len(ids), len(self.target.tails)), np.float32) if into is None else into
        for name, each in zip(names, made, strict=True):
            self.combined(ids, {name: 1.0}, speaking, each)
        return made

    @cached_property
    def joined_names(self) -> dict[str, tuple[str, str]]:
        """The pairs of operators by the name of their evidence."""
        return {joined(*pair): pair for pair in self.pairs}

    def heads_of(self, names: Iterable[str]) -> set[str]:
        """The operators on heads that some evidence needs."""
        return {self.joined_names[name][0] for name in names if name in self.joined_names}

    def speaking(self, ids: Ids, heads: Iterable[str]) -> dict[str, Speaking]:
        """L and L X̂ of operators on heads."""
        rows = self.rows_of(heads, ids)
        return {head: Speaking(each, sparse.csr_array(each @ self.scaled)) for head, each in rows.items()}

    def rows_of(self, heads: Iterable[str], ids: Ids) -> dict[str, Matrix]:
        """L of operators on heads."""
        places = self.target.head_place[ids]
        if self.target.symmetric and (places >= 0).all():  # all rows are needed anyway
            return {head: self.of_all[head][places] for head in heads}
        return {head: self.heads[head].rows(ids) for head in heads}

    def combined(
        self, ids: Ids, weights: Weights, speaking: Mapping[str, Speaking] | None = None, into: Dense | None = None
    ) -> Dense:
        """Σ weight · evidence, with one product for each operator on tails; in `into`, if that is given."""
        target = self.target
        used = {pair: weights[joined(*pair)] for pair in self.pairs if weights.get(joined(*pair))}
        if speaking is None:
            speaking = self.speaking(ids, self.heads_of(weights))
        total = np.empty((len(ids), len(target.tails)), np.float32) if into is None else into
        total.fill(0)
        for tail in {tail: None for _, tail in used}:
            lefts = {head: weight for (head, other), weight in used.items() if other == tail}
            add(total, 1.0, self._said(tail, lefts, speaking))
            if target.symmetric:
                total += (mixture(self.of_all, lefts) @ self._columns(tail, target.tail_place[ids])).T
        for block in self.likeness:
            if weight := weights.get(like(block)):
                add(total, weight, self._alike(block, ids))
        for name, matrix in self.links.items():
            if weight := weights.get(name):
                total += np.float32(weight) * matrix[ids].toarray()
        for name, scores in self.given.items():
            if weight := weights.get(name):
                total += np.float32(weight) * scores(ids)
        for name, groups in self.groups.items():
            if weight := weights.get(name):
                total += np.float32(weight) * groups.rows(target.head_place[ids])
        for name, by_count in self.counts.items():
            if weight := weights.get(name):
                total += np.float32(weight) * by_count
        if self.entailed is not None and (weight := weights.get(ENTAILED)):
            total += np.float32(weight) * self.entailed[ids].toarray()
        if weight := weights.get(ITSELF):
            own = target.tail_place[ids]
            total[np.flatnonzero(own >= 0), own[own >= 0]] += np.float32(weight)
        return total

    def piece(self, ids: Ids, name: str, speaking: Mapping[str, Speaking]) -> Dense | Matrix:
        """One piece of evidence for these heads and all tails; sparse where it is made so."""
        if name in self.joined_names and not self.target.symmetric:
            head, tail = self.joined_names[name]
            return self._said(tail, {head: 1.0}, speaking)
        blocks = [block for block in self.likeness if like(block) == name]
        return self._alike(blocks[0], ids) if blocks else self.combined(ids, {name: 1.0}, speaking)

    def _said(self, tail: str, lefts: Weights, speaking: Mapping[str, Speaking]) -> Dense | Matrix:
        """Σ weight · L X̂ R of one operator on tails, one way."""
        if tail == REGRESSED and self.regressed is not None:
            return np.asarray(mixture({head: speaking[head].rows for head in lefts}, lefts) @ self.regressed)
        return self.tails[tail].apply(mixture({head: speaking[head].axioms for head in lefts}, lefts))

    def _alike(self, block: str, ids: Ids) -> Matrix:
        return sparse.csr_array(self.likeness[block][ids] @ self._turned[block])

    @cached_property
    def _turned(self) -> dict[str, Matrix]:
        """Features by tail: a column for each."""
        return {block: features[self.target.tails].T.tocsr() for block, features in self.likeness.items()}

    @cached_property
    def counts(self) -> dict[str, Dense]:
        """What is known of a tail whatever the head."""
        count = self.target.told
        found = {COUNT: np.log1p(count), ROOT: np.sqrt(count), KNOWN: count > 0}
        return {name: values.astype(np.float32) for name, values in found.items()}

    def _columns(self, tail: str, places: Places) -> Dense:
        """Columns of X̂ R; -1 gives zeros."""
        if tail != REGRESSED or self.regressed is None:
            return np.asarray(self.scaled @ np.ascontiguousarray(self.tails[tail].columns(places).T))
        return np.where(places >= 0, self.regressed[:, places], np.float32(0))

    @cached_property
    def regressed(self) -> Dense | None:
        """X̂ R of the regression, a row for each head, where it is not too large."""
        found = self.tails.get(REGRESSED)
        large = len(self.target.heads) * len(self.target.tails) > WHOLE
        if large or not isinstance(found, Regression | NeighbourRegression):
            return None
        return found.apply_sparse(self.scaled) if isinstance(found, Regression) else found.apply(self.scaled).toarray()

    @cached_property
    def of_all(self) -> dict[str, Matrix]:
        """L of each operator on heads, for all of them."""
        return {name: in_order(operator.rows(self.target.heads)) for name, operator in self.heads.items()}


def mixture(matrices: Mapping[str, Matrix], weights: Weights) -> Matrix:
    """Σ weight · matrix, entries in order: that of a sum hangs on all rows, and what is made of them hangs on it."""
    return in_order(sparse.csr_array(sum(np.float32(weight) * matrices[name] for name, weight in weights.items())))


def in_order(matrix: Matrix) -> Matrix:
    """With the entries of each row in the order of their columns."""
    matrix.sort_indices()
    return matrix


def joined(head: str, tail: str) -> str:
    return f"{head} · {tail}"


def like(block: str) -> str:
    return f"alike by {block}"
