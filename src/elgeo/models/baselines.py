"""Baselines that are counted, not trained: how frequent a tail is, and how many neighbours head and tail share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from elgeo.arrays import Floats, Ids
from elgeo.datasets.model import Dataset
from elgeo.models.contract import Baseline

Edges = Mapping[int | None, tuple[NDArray[np.int64], NDArray[np.int64]]]
"""Heads and tails of the training axioms of each role; under None those of C ⊑ D."""


class TableScorer:
    """A score for each tail, whatever the head."""

    tolerance = 0.0

    def __init__(self, tables: Mapping[int | None, Floats], n_classes: int) -> None:
        self._tables = tables
        self._unknown = np.zeros(n_classes)

    def pairs(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        return self._tables.get(role, self._unknown)[tails]

    def tails(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        return np.broadcast_to(self.pairs(tails, role, tails), (len(heads), len(tails)))

    def heads(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        return np.broadcast_to(self.pairs(tails, role, tails)[:, None], (len(tails), len(heads)))


class Naive(Baseline):
    """score(C ⊑ ∃R.D) = (training axioms x ⊑ ∃R.D) / (all training axioms of R); C ⊑ D likewise without a role."""

    name = "naive"
    paper = "frequency of the tail in the training axioms"

    def __init__(self, tables: Mapping[int | None, Floats], n_classes: int) -> None:
        self._tables, self._n_classes = tables, n_classes

    @classmethod
    def fit(cls, dataset: Dataset) -> Self:
        n = dataset.vocabulary.n_classes
        return cls({role: cls._frequencies(*edges, n) for role, edges in _edges(dataset).items()}, n)

    @staticmethod
    def _frequencies(heads: NDArray[np.int64], tails: NDArray[np.int64], n: int) -> Floats:
        return np.bincount(tails, minlength=n) / len(tails)

    def scorer(self) -> TableScorer:
        return TableScorer(self._tables, self._n_classes)


class SymmetricNaive(Naive):
    """`naive` for a role that holds both ways: an axiom counts for its head as it does for its tail."""

    name = "naive-symmetric"
    paper = "frequency at either end of the training axioms"

    @staticmethod
    def _frequencies(heads: NDArray[np.int64], tails: NDArray[np.int64], n: int) -> Floats:
        return (np.bincount(tails, minlength=n) + np.bincount(heads, minlength=n)) / (2 * len(tails))


class NeighbourGraph:
    """The undirected graph of one role, and whole-number weights that make every sum of them exact.

    1/log(degree) is rounded to a multiple of 2^−bits, with as many bits as leave room in one double for the largest
    sum and for a degree behind it. So equal is equal in whatever order sums are taken, and a degree decides only ties.
    """

    def __init__(self, heads: NDArray[np.int64], tails: NDArray[np.int64], n_classes: int) -> None:
        nodes = np.unique(np.concatenate([heads, tails]))
        self.local = np.full(n_classes, -1, np.int64)
        self.local[nodes] = np.arange(len(nodes))
        apart = heads != tails
        ends = self.local[heads[apart]], self.local[tails[apart]]
        pairs = (np.concatenate(ends), np.concatenate(ends[::-1]))
        links = sparse.coo_array((np.ones(len(pairs[0])), pairs), shape=(len(nodes), len(nodes))).tocsr()
        links.data[:] = 1.0
        self.links = links
        self.degree = np.diff(links.indptr).astype(np.float64)
        # a common neighbour of two classes has two neighbours at least
        weight = 1 / np.log(np.maximum(self.degree, 2))
        self.degree_bits = int(np.ceil(np.log2(self.degree.max(initial=0) + 1)))
        sum_bits = int(np.ceil(np.log2((links @ weight).max(initial=0) + 1))) + 1
        self.bits = 52 - self.degree_bits - sum_bits
        self.weight = np.round(weight * 2.0**self.bits)
        self.weighted = (sparse.diags_array(self.weight) @ links).tocsr()
        self._asked: tuple[NDArray[np.int64], Any] = np.arange(len(nodes)), self.weighted

    def degree_of(self, classes: Ids) -> Floats:
        place = self.local[classes]
        return np.where(place >= 0, self.degree[place], 0.0)

    def sums(self, rows: Ids, columns: Ids) -> Floats:
        """Σ of weights over common neighbours, (rows, columns); 0 for what is not in the graph."""
        sums = np.zeros((len(rows), len(columns)))
        row, column = self.local[rows], self.local[columns]
        known_rows, known_columns = np.flatnonzero(row >= 0), np.flatnonzero(column >= 0)
        product = self.links[row[known_rows]] @ self._towards(column[known_columns])
        sums[np.ix_(known_rows, known_columns)] = product.toarray()
        return sums

    def _towards(self, nodes: NDArray[np.int64]) -> Any:
        """The weighted links to some nodes; they are the same for many rows, and asked for again and again."""
        if not np.array_equal(self._asked[0], nodes):
            self._asked = nodes, self.weighted[:, nodes]
        return self._asked[1]

    def score(self, sums: Floats, degrees: Floats) -> Floats:
        return np.asarray((sums + degrees * 2.0**-self.degree_bits) * 2.0**-self.bits)


class NeighbourScorer:
    """Adamic-Adar scores, exact; the head itself always scores below everything else."""

    tolerance = 0.0
    ITSELF = -1.0

    def __init__(self, graphs: Mapping[int | None, NeighbourGraph]) -> None:
        self._graphs = graphs

    def pairs(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        scores = np.zeros(len(heads))
        graph = self._graphs.get(role)
        if graph is not None:
            head, tail = graph.local[heads], graph.local[tails]
            known = np.flatnonzero((head >= 0) & (tail >= 0))
            scores[known] = graph.links[head[known]].multiply(graph.links[tail[known]]) @ graph.weight
            scores = graph.score(scores, graph.degree_of(tails))
        scores[heads == tails] = self.ITSELF
        return scores

    def tails(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        scores = np.zeros((len(heads), len(tails)))
        graph = self._graphs.get(role)
        if graph is not None:
            scores = graph.score(graph.sums(heads, tails), graph.degree_of(tails))
        scores[heads[:, None] == tails] = self.ITSELF
        return scores

    def heads(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        scores = np.zeros((len(tails), len(heads)))
        graph = self._graphs.get(role)
        if graph is not None:
            scores = graph.score(graph.sums(tails, heads), graph.degree_of(tails)[:, None])
        scores[tails[:, None] == heads] = self.ITSELF
        return scores


class CommonNeighbours(Baseline):
    """Adamic-Adar on the graph of the role's training axioms: Σ over common neighbours of 1/log(degree).

    Ties are broken by the tail's degree; the head itself is never predicted.
    """

    name = "common-neighbours"
    paper = "Adamic, Adar 2003: Friends and neighbors on the Web"

    def __init__(self, graphs: Mapping[int | None, NeighbourGraph]) -> None:
        self._graphs = graphs

    @classmethod
    def fit(cls, dataset: Dataset) -> Self:
        n = dataset.vocabulary.n_classes
        return cls({role: NeighbourGraph(*edges, n) for role, edges in _edges(dataset).items()})

    def scorer(self) -> NeighbourScorer:
        return NeighbourScorer(self._graphs)


def _edges(dataset: Dataset) -> Edges:
    existential = dataset.forms.existential.astype(np.int64)
    edges: dict[int | None, tuple[NDArray[np.int64], NDArray[np.int64]]] = {}
    for role in np.unique(existential[:, 1]):
        rows = existential[existential[:, 1] == role]
        edges[int(role)] = (rows[:, 0], rows[:, 2])
    if len(dataset.forms.subclass):
        subclass = dataset.forms.subclass.astype(np.int64)
        edges[None] = (subclass[:, 0], subclass[:, 1])
    return edges
