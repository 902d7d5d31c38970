"""The hierarchy beside walks through plain sets: all above, what follows left out, ways around classes that go."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from elgeo.models.atlas.contexts.logic import Matrix
from elgeo.models.placement.hierarchy import ToldHierarchy, all_above, reduced, without

Pairs = set[tuple[int, int]]


def drawn(seed: int, cycles: bool) -> Matrix:
    generator = np.random.default_rng(seed)
    n = int(generator.integers(6, 18))
    made = (generator.random((n, n)) < 1.7 / n).astype(np.float32)
    np.fill_diagonal(made, 0)
    return sparse.csr_array(made if cycles else np.tril(made, -1))


def pairs(matrix: Matrix) -> Pairs:
    rows, columns = matrix.nonzero()
    return set(zip(rows.tolist(), columns.tolist(), strict=True))


def walked(told: Pairs, first: int) -> set[int]:
    found: set[int] = set()
    todo = [first]
    while todo:
        here = todo.pop()
        for low, high in told:
            if low == here and high not in found:
                found.add(high)
                todo.append(high)
    return found


@pytest.mark.parametrize("cycles", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_above_and_reduced(seed: int, cycles: bool) -> None:
    told = drawn(seed, cycles)
    plain, n = pairs(told), told.shape[0]
    above = {c: walked(plain, c) for c in range(n)}
    assert pairs(all_above(told)) == {(c, d) for c in range(n) for d in above[c]}
    left = pairs(reduced(told))
    assert left <= plain
    assert {c: walked(left, c) for c in range(n)} == above  # nothing is lost
    if not cycles:
        assert left == {(c, d) for c, d in plain if not any(d in above[e] for low, e in plain if low == c and e != d)}


@pytest.mark.parametrize("seed", range(12))
def test_without_some_classes_the_others_stand_as_they_did(seed: int) -> None:
    told = drawn(seed, False)
    n = told.shape[0]
    kept = np.random.default_rng(seed + 50).random(n) < 0.7
    inside = np.flatnonzero(kept).tolist()
    plain, left = pairs(told), pairs(without(told, kept))
    for i, c in enumerate(inside):
        assert {inside[d] for d in walked(left, i)} == walked(plain, c) & set(inside)


@pytest.mark.parametrize("seed", range(6))
def test_places(seed: int) -> None:
    told = drawn(seed, False)
    plain, n = pairs(told), told.shape[0]
    found = ToldHierarchy(told)
    assert found.children.tolist() == [sum(d == c for _, d in plain) for c in range(n)]
    assert found.descendants.tolist() == [sum(c in walked(plain, b) for b in range(n)) for c in range(n)]
    for c in range(n):
        tops = {d for d in walked(plain, c) | {c} if not any(low == d for low, _ in plain)}
        assert found.top[c] in tops
        level, here = 0, {c}
        while not here & tops:
            level, here = level + 1, {d for low, d in plain if low in here}
        assert found.depth[c] == level
