"""The complete closure beside a slow reasoner, on random normal forms."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_forms import N, R, all_rows, ontologies
from slow_reasoner import make_forms, slow_saturation

from elgeo.errors import SettingError
from elgeo.reasoning.closure import Candidates
from elgeo.reasoning.complete_closure import CompleteClosure


def closures(forms: Any) -> list[CompleteClosure]:
    """The same closure with rows in memory and without."""
    saturation = slow_saturation(forms)
    return [CompleteClosure(saturation), CompleteClosure(saturation, memory=-1)]


@given(ontologies())
@settings(max_examples=60)
def test_membership_is_entailment(forms: Any) -> None:
    kept, implicit = closures(forms)
    slow = kept.saturation.slow
    assert kept.tail_rows("existential") is not None
    assert implicit.tail_rows("existential") is None
    pairs, triples = all_rows(N, N), all_rows(N, R, N)
    for closure in (kept, implicit):
        assert closure.contains("subclass", pairs).tolist() == [slow.subsumed(c, d) for c, d in pairs]
        assert closure.contains("existential", triples).tolist() == [slow.reaches(c, r, d) for c, r, d in triples]
        assert closure.contains("GCI0-BOT", all_rows(N)).tolist() == [c in slow.unsatisfiable for c in range(N)]
    known = range(2, N - 2)
    sound = [c for c in known if c not in slow.unsatisfiable]
    assert kept.count("subclass") == sum(c != d and slow.subsumed(c, d) for c in sound for d in known)
    expected = sum(slow.reaches(c, r, d) for c in sound for r in range(R) for d in known)
    assert kept.count("existential") == implicit.count("existential") == expected


@given(ontologies(), st.integers(0, 2**32))
@settings(max_examples=60)
def test_samples_are_entailed_and_others_are_not(forms: Any, seed: int) -> None:
    slow = slow_saturation(forms).slow
    triples = np.repeat(all_rows(N, R, 1), 40, axis=0)
    candidates = np.arange(3, N)
    for closure in closures(forms):
        tails = closure.sample("existential", triples[:, 0], triples[:, 1], np.random.default_rng(seed))
        again = closure.sample("existential", triples[:, 0], triples[:, 1], np.random.default_rng(seed))
        assert (tails == again).all()
        others = closure.sample_not_entailed("existential", triples, candidates, np.random.default_rng(seed))
        for c, r in itertools.product(range(N), range(R)):
            mine = (triples[:, 0] == c) & (triples[:, 1] == r)
            entailed = {d for d in range(2, N - 2) if slow.reaches(c, r, d)}
            free = {d for d in range(3, N) if not slow.reaches(c, r, d)}
            assert set(tails[mine].tolist()) <= (entailed or {-1})
            assert set(others[mine].tolist()) <= (free or {-1})
        heads = np.arange(N)
        supers = closure.sample("subclass", heads, None, np.random.default_rng(seed))
        for c in range(N):
            entailed = {d for d in range(2, N - 2) if d != c and slow.subsumed(c, d)}
            assert int(supers[c]) in (entailed or {-1})


def test_samples_are_uniform() -> None:
    forms = make_forms(
        8, 2, fresh=1, existential=[(2, 1, 3), (2, 1, 5)], subclass=[(3, 4), (5, 4), (3, 7), (5, 6), (6, 7)]
    )
    for closure in closures(forms):
        heads = np.full(40_000, 2)
        tails = closure.sample("existential", heads, 1, np.random.default_rng(1))
        values, counts = np.unique(tails, return_counts=True)
        assert values.tolist() == [3, 4, 5, 6]
        assert np.abs(counts - 10_000).max() < 400
        only = closure.sample("existential", heads, 1, np.random.default_rng(1), among=[4, 6, 2])
        values, counts = np.unique(only, return_counts=True)
        assert values.tolist() == [4, 6]
        assert np.abs(counts - 20_000).max() < 600
        others = closure.sample_not_entailed(
            "existential", np.tile([2, 1, 3], (40_000, 1)), range(8), np.random.default_rng(2)
        )
        values, counts = np.unique(others, return_counts=True)
        assert values.tolist() == [1, 2]
        assert np.abs(counts - 20_000).max() < 600


def test_candidates_by_group_and_the_head_column() -> None:
    forms = make_forms(8, 2, existential=[(2, 1, 3), (4, 1, 3)])
    groups = Candidates.by_group([-1, -1, 0, 1, 0, 0, 1, 1])
    rows = np.tile([2, 1, 3], (400, 1))
    for closure in closures(forms):
        tails = closure.sample_not_entailed("existential", rows, groups, np.random.default_rng(0))
        assert set(tails.tolist()) == {6, 7}
        heads = closure.sample_not_entailed("existential", rows, groups, np.random.default_rng(0), column=0)
        assert set(heads.tolist()) == {5}
        nothing = closure.sample_not_entailed("existential", rows[:3], [3], np.random.default_rng(0))
        assert nothing.tolist() == [-1, -1, -1]


def test_bad_rows_are_refused_with_a_reason() -> None:
    closure = closures(make_forms(5, 2))[0]
    with pytest.raises(SettingError, match="class id 5: class ids go from 0 to 4"):
        closure.contains("subclass", [[1, 5]])
    with pytest.raises(SettingError, match="role id -1"):
        closure.contains("existential", [[1, -1, 2]])
    with pytest.raises(SettingError, match="shape"):
        closure.contains("existential", [[1, 2]])
    with pytest.raises(SettingError, match="no normal form"):
        closure.contains("gci9", [[1, 2]])
    with pytest.raises(SettingError, match="role"):
        closure.sample("existential", [2], None, np.random.default_rng(0))
    assert closure.contains("existential", []).tolist() == []
