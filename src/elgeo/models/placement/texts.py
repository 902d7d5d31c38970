"""Texts as blocks of features: words, pairs of words and pieces of words, weighted by how rare they are."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from copy import copy

import numpy as np
from scipy import sparse

from elgeo.arrays import Flags, Floats
from elgeo.models.atlas.contexts.cutting import Cut, beginning, ends, grams, pairs, words
from elgeo.models.atlas.contexts.likeness import unit_rows
from elgeo.models.atlas.contexts.logic import Matrix
from elgeo.models.placement.terms import Term

COMMON = 0.2
"""A feature that more than this share of the classes has says too little."""


def _label(term: Term) -> Sequence[str]:
    return (term.label,)


def _names(term: Term) -> Sequence[str]:
    return term.names


def _definition(term: Term) -> Sequence[str]:
    return (term.definition,) if term.definition else ()


def _everything(term: Term) -> Sequence[str]:
    return (*term.names, *_definition(term))


TEXT = "text"
BLOCKS: dict[str, tuple[Cut, Callable[[Term], Sequence[str]]]] = {
    "name": (pairs, _label),
    "ends": (ends, _label),
    "chars": (grams, _names),
    TEXT: (words, _everything),
    "definition": (pairs, _definition),
    "beginning": (beginning, _definition),
}
"""What is cut of which texts."""


class WordBlock:
    """Features of one kind: a unit row for each class, 1 + log(times) · log((n + 1)/frequency)."""

    def __init__(self, cut: Cut, texts_of: Callable[[Term], Sequence[str]], terms: Sequence[Term]) -> None:
        self._cut, self._texts_of = cut, texts_of
        self._ids: dict[str, int] = {}
        self._learn(self._counted(terms, learn=True)[0])

    def _learn(self, counted: Matrix) -> None:
        n = counted.shape[0]
        self._all_counted = counted
        self._frequency = np.bincount(counted.indices, minlength=counted.shape[1])
        weight = np.log((n + 1) / np.maximum(self._frequency, 1))
        spoken = (self._frequency > 0) & (self._frequency <= max(2.0, COMMON * n))
        self._weight = np.where(spoken, weight, 0).astype(np.float32)
        self._rarest = float(np.log(n + 1))
        self.rows = unit_rows(self._weighted(counted))

    def only(self, kept: Flags) -> WordBlock:
        """The block as if there were no other classes."""
        made = copy(self)
        made._learn(self._all_counted[np.flatnonzero(kept)])
        return made

    def of(self, terms: Sequence[Term]) -> Matrix:
        """The same for other terms; what no class has makes a term less like all of them."""
        counted, unknown = self._counted(terms, learn=False)
        unknown += counted.multiply(counted) @ (self._frequency == 0)
        weighted = self._weighted(counted)
        known = np.asarray(weighted.multiply(weighted).sum(axis=1), np.float64).ravel()
        unknown *= self._rarest**2
        share = np.sqrt(np.divide(known, known + unknown, out=np.zeros_like(known), where=known > 0))
        return sparse.csr_array(sparse.diags_array(share.astype(np.float32)) @ unit_rows(weighted))

    def _counted(self, terms: Sequence[Term], learn: bool) -> tuple[Matrix, Floats]:
        """1 + log(times) of each feature, and for each term the sum of its squares over features that no class has."""
        rows, columns, values = [], [], []
        unknown = np.zeros(len(terms))
        for row, term in enumerate(terms):
            for feature, times in Counter(f for text in self._texts_of(term) for f in self._cut(text)).items():
                column = self._ids.setdefault(feature, len(self._ids)) if learn else self._ids.get(feature)
                value = 1 + math.log(times)
                if column is None:
                    unknown[row] += value**2
                    continue
                rows.append(row)
                columns.append(column)
                values.append(value)
        shape = len(terms), max(1, len(self._ids))
        return sparse.csr_array((np.array(values, np.float32), (rows, columns)), shape=shape), unknown

    def _weighted(self, counted: Matrix) -> Matrix:
        made = sparse.csr_array(counted @ sparse.diags_array(self._weight))
        made.eliminate_zeros()
        return made
