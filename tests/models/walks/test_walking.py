"""Walks keep to the edges and take all ways alike; paths are those of a plain search."""

from __future__ import annotations

import numpy as np
import pytest

from elgeo.errors import SettingError
from elgeo.models.walks.model import WalkSettings, walked
from elgeo.models.walks.projection import Projection
from elgeo.models.walks.walking import Sentences, all_paths, longest_paths, random_walks, steps_of
from tests.models.walks.as_lists import as_lists

CLASSES = 17
SHIFT = 100


def random_graph(seed: int, edges: int = 40) -> Projection:
    generator = np.random.default_rng(seed)
    heads = generator.integers(0, 11, edges)
    rows = np.stack([heads, generator.integers(0, 3, edges), generator.integers(0, CLASSES, edges)], axis=1)
    return Projection(np.unique(rows.astype(np.int32), axis=0), CLASSES, 3)


def ways(graph: Projection, both_ways: bool) -> dict[int, set[tuple[int, int]]]:
    found: dict[int, set[tuple[int, int]]] = {c: set() for c in range(CLASSES)}
    for head, predicate, tail in graph.edges.tolist():
        found[head].add((SHIFT + predicate, tail))
        if both_ways:
            found[tail].add((SHIFT + predicate, head))
    return found


@pytest.mark.parametrize(("length", "words"), [(1, 3), (2, 3), (3, 5), (4, 5), (9, 11)])
def test_a_walk_has_so_many_words_after_the_first_and_ends_with_a_class(length: int, words: int) -> None:
    ring = np.array([[c, 0, (c + 1) % CLASSES] for c in range(CLASSES)], np.int32)
    settings = WalkSettings(walks=2, length=length)
    walks = as_lists(walked(Projection(ring, CLASSES, 1), settings, False, np.random.default_rng(1)))
    assert [len(walk) for walk in walks] == [words] * 2 * CLASSES


@pytest.mark.parametrize("both_ways", [False, True])
def test_walks_keep_to_the_edges_and_end_where_there_are_none(both_ways: bool) -> None:
    graph = random_graph(1)
    allowed = ways(graph, both_ways)
    beginnings = np.array([0, 3, 16, 5], np.int32)
    walks = as_lists(random_walks(steps_of(graph, both_ways), beginnings, 7, 4, SHIFT, seed=3))
    expected = [c for c in beginnings.tolist() for _ in range(7) if allowed[c]]
    assert [walk[0] for walk in walks] == expected
    for walk in walks:
        assert len(walk) % 2 == 1
        for i in range(0, len(walk) - 2, 2):
            assert (walk[i + 1], walk[i + 2]) in allowed[walk[i]]
        assert len(walk) == 9 or not allowed[walk[-1]]
    assert walks == as_lists(random_walks(steps_of(graph, both_ways), beginnings, 7, 4, SHIFT, seed=3))
    assert walks != as_lists(random_walks(steps_of(graph, both_ways), beginnings, 7, 4, SHIFT, seed=4))


def test_all_ways_are_taken_alike_and_walks_of_one_class_differ() -> None:
    edges = np.array([[0, 0, tail] for tail in range(1, 6)] + [[tail, 1, 0] for tail in range(1, 6)], np.int32)
    walks = as_lists(
        random_walks(steps_of(Projection(edges, 6, 2), False), np.array([0], np.int32), 4000, 3, 10, seed=8)
    )
    first, third = (np.bincount([walk[place] for walk in walks], minlength=6)[1:] for place in (2, 6))
    for counts in (first, third):  # 800 expected, four deviations are about 100
        assert counts.sum() == 4000
        assert abs(counts - 800).max() < 110
    together = np.bincount([5 * walk[2] + walk[6] for walk in walks])
    assert abs(together[together > 0] - 160).max() < 60
    assert (together > 0).sum() == 25


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_paths_are_those_of_a_plain_search(depth: int) -> None:
    graph = random_graph(2, 25)
    allowed = ways(graph, False)

    def every(beginning: int) -> set[tuple[int, ...]]:
        found, waiting = set(), [[beginning]]
        while waiting:
            path = waiting.pop()
            if len(path) >= depth + 1 or not allowed[path[-1]]:
                found.add(tuple(path[: depth + 1]))
            else:
                waiting += [[*path, *way] for way in allowed[path[-1]]]
        return found

    beginnings = np.flatnonzero(np.diff(steps_of(graph, False).start)).astype(np.int32)
    found = as_lists(all_paths(steps_of(graph, False), beginnings, depth, SHIFT))
    assert len(found) == len({tuple(path) for path in found})
    assert {tuple(path) for path in found} == {path for c in beginnings.tolist() for path in every(c) if len(path) > 1}


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 7])
def test_longest_paths_are_counted_before_they_are_taken(depth: int) -> None:
    graph = random_graph(3, 30)
    steps = steps_of(graph, False)
    assert (np.diff(steps.start) == 0).any()
    assert (np.unique(steps.tail, return_counts=True)[1] > 1).any()
    beginnings = np.array([0, 3, 4, 9], np.int32)
    found = as_lists(all_paths(steps, beginnings, depth + depth % 2, SHIFT))
    edges = (depth + 1) // 2
    assert longest_paths(steps, beginnings, depth) == sum(len(path) == 2 * edges + 1 for path in found) > 0


def test_too_many_paths_are_refused_before_memory_is_full() -> None:
    complete = np.array([(a, 0, b) for a in range(9) for b in range(9)], np.int32)
    with pytest.raises(SettingError, match=r"31,381,059,609 paths of 20 words: lower length .*or take random walks"):
        walked(Projection(complete, 9, 1), WalkSettings(walks=0), False, np.random.default_rng(0))


def test_sentences_are_joined_one_after_the_other() -> None:
    one = Sentences(np.array([1, 2, 3], np.int32), np.array([0, 2, 3]))
    two = Sentences(np.array([4], np.int32), np.array([0, 1]))
    assert as_lists(Sentences.joined([one, two])) == [[1, 2], [3], [4]]
    assert as_lists(Sentences.joined([])) == []
