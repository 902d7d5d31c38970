"""Kernels that walk over a graph: so many random walks from each vertex, or every path of a length."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from elgeo.arrays import Floats, Ids, Ints, Longs, Starts, Table
from elgeo.compilation import kernel
from elgeo.keys import GOLDEN, mixed_number
from elgeo.models.walks.projection import Projection

_32, _ONE = np.uint64(32), np.uint64(1)


class WaysOn(NamedTuple):
    """The ways on from each vertex: those of c are `predicate` and `tail` of `start[c]:start[c + 1]`."""

    start: Starts
    predicate: Ints
    tail: Ints


class Sentences(NamedTuple):
    """Numbers of words, one sentence after the other; sentence i is `tokens[start[i]:start[i + 1]]`."""

    tokens: Ints
    start: Starts

    @staticmethod
    def joined(several: list[Sentences]) -> Sentences:
        """All sentences in one."""
        lengths = [np.diff(each.start) for each in several]
        start = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.concatenate([np.zeros(0, np.int64), *lengths]))])
        return Sentences(np.concatenate([np.zeros(0, np.int32), *(each.tokens for each in several)]), start)


def steps_of(graph: Projection, both_ways: bool) -> WaysOn:
    """The ways on from every vertex; `both_ways` lets edges be walked against their direction too."""
    edges = graph.edges
    if both_ways:
        edges = np.unique(np.concatenate([edges, edges[:, ::-1]]), axis=0)
    start = np.zeros(graph.classes + 1, np.int64)
    np.cumsum(np.bincount(edges[:, 0], minlength=graph.classes), out=start[1:])
    return WaysOn(start, np.ascontiguousarray(edges[:, 1]), np.ascontiguousarray(edges[:, 2]))


def random_walks(steps: WaysOn, beginnings: Ids, walks: int, edges: int, shift: int, seed: int) -> Sentences:
    """`walks` walks from each beginning, of at most so many edges; predicates are words, numbered after `shift`.

    Every walk has a stream of random numbers of its own. A walk that can go nowhere is left out.
    """
    tokens = np.empty((len(beginnings) * walks, 2 * edges + 1), np.int32)
    lengths = np.empty(len(tokens), np.int64)
    _walk(steps, np.repeat(beginnings, walks), shift, np.uint64(seed), tokens, lengths)
    return _packed(tokens, lengths)


def _packed(tokens: Table, lengths: Longs) -> Sentences:
    """Sentences of at least two words, without the rest of their lines."""
    tokens, lengths = tokens[lengths > 1], lengths[lengths > 1]
    inside = np.arange(tokens.shape[1]) < lengths[:, None]
    return Sentences(tokens[inside], np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)]))


@kernel
def _walk(steps: WaysOn, beginnings: Ints, shift: int, seed: np.uint64, tokens: Ints, lengths: Longs) -> None:
    for walk in range(len(beginnings)):
        here, length = beginnings[walk], 1
        tokens[walk, 0] = here
        state = mixed_number(seed + GOLDEN * (np.uint64(walk) + _ONE))
        while length < tokens.shape[1]:
            first, ways = steps.start[here], steps.start[here + 1] - steps.start[here]
            if ways == 0:
                break
            state += GOLDEN
            way = first + np.int64(((mixed_number(state) >> _32) * np.uint64(ways)) >> _32)
            here = steps.tail[way]
            tokens[walk, length] = shift + steps.predicate[way]
            tokens[walk, length + 1] = here
            length += 2
        lengths[walk] = length


def longest_paths(steps: WaysOn, beginnings: Ids, depth: int) -> float:
    """How many paths `all_paths` finds that do not end before, those to all ends of a last edge counted."""
    ways = np.diff(steps.start)
    heads = np.repeat(np.arange(len(ways)), ways)
    here: Floats = np.zeros(len(ways))
    here[beginnings] = 1
    for _ in range((depth + 1) // 2):
        here = np.bincount(steps.tail, weights=here[heads], minlength=len(ways)).astype(np.float64)
    return float(here.sum())


def all_paths(steps: WaysOn, beginnings: Ids, depth: int, shift: int) -> Sentences:
    """Every path of `depth` words after its first, edge and vertex in turn; shorter where a path ends."""
    here = np.asarray(beginnings, np.int32)
    tokens, found = here[:, None], []
    for word in range(depth):
        if word % 2 == 0:
            ways = np.diff(steps.start)[here]
            found.append(_packed(tokens[ways == 0], np.full(int((ways == 0).sum()), tokens.shape[1])))
            row = np.repeat(np.arange(len(here)), ways)
            within = np.arange(len(row)) - np.repeat(np.cumsum(ways) - ways, ways)
            way = steps.start[here][row] + within
            tokens = np.concatenate([tokens[row], (shift + steps.predicate[way])[:, None]], axis=1).astype(np.int32)
            here = steps.tail[way]
        else:
            tokens = np.concatenate([tokens, here[:, None]], axis=1)
    tokens = np.unique(tokens, axis=0)  # paths that end in an edge are the same for all its ends
    return Sentences.joined([*found, _packed(tokens, np.full(len(tokens), tokens.shape[1]))])
