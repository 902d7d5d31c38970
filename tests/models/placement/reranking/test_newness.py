"""Which old classes are treated as new, beside a choice among plain sets with the same chance."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from scipy import sparse

from elgeo.models.placement.hierarchy import ToldHierarchy
from elgeo.models.placement.knowledge import Knowledge
from elgeo.models.placement.reranking import newness
from elgeo.models.placement.reranking.newness import choose
from elgeo.models.placement.terms import Term

FAMILY, BRANCH, BELOW = 3, 5, 9


def plainly(parents: list[set[int]], labelled: set[int], most: int, generator: np.random.Generator) -> set[int]:
    classes = range(len(parents))
    children = {c: {b for b in classes if c in parents[b]} for c in classes}

    def under(c: int) -> set[int]:
        return children[c].union(*(under(b) for b in children[c]))

    may_be = {c for c in classes if parents[c] and c in labelled and len(under(c)) <= BELOW}
    count = min(most, int(0.2 * len(may_be)))
    chosen: set[int] = set()
    for parent in generator.permutation([c for c in classes if len(children[c]) > 1]).tolist():
        family = {b for b in children[parent] & may_be if not children[b]}
        if len(family) <= FAMILY and len(chosen) + len(family) <= 0.4 * count:
            chosen |= family
    for top in generator.permutation([c for c in classes if c in may_be and 0 < len(under(c)) <= BRANCH]).tolist():
        branch = (under(top) | {top}) & may_be
        if len(chosen) + len(branch) <= 0.65 * count:
            chosen |= branch
    alone = sorted(may_be - chosen)
    return chosen | set(generator.choice(alone, count - len(chosen), replace=False).tolist())


@pytest.mark.parametrize("seed", range(12))
def test_the_same_are_chosen_as_among_plain_sets(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(newness, "LARGEST_FAMILY", FAMILY)
    monkeypatch.setattr(newness, "LARGEST_BRANCH", BRANCH)
    monkeypatch.setattr(newness, "MOST_BELOW", BELOW)
    chance = np.random.default_rng(seed)
    n = int(chance.integers(110, 190))
    parents = [set(chance.choice(c, min(c, int(chance.integers(0, 3))), replace=False).tolist()) for c in range(n)]
    parents[n // 2 :] = [set(chance.choice(n // 2, 1).tolist()) for _ in parents[n // 2 :]]
    labelled = set(np.flatnonzero(chance.random(n) < 0.9).tolist())
    told = np.array([[float(d in above) for d in range(n)] for above in parents], np.float32)
    terms = [Term("some" if c in labelled else "") for c in range(n)]
    knowledge = cast(Knowledge, SimpleNamespace(hierarchy=ToldHierarchy(sparse.csr_array(told)), terms=terms))
    for most in (5, 10, 20, 1000):
        found = choose(knowledge, most, np.random.default_rng(seed + most))
        expected = plainly(parents, labelled, most, np.random.default_rng(seed + most))
        assert set(np.flatnonzero(found).tolist()) == expected
