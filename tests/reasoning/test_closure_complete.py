"""The complete closure beside a slow reasoner, on random normal forms."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_forms import N, R, all_rows, ontologies
from slow_reasoner import Slow, make_forms, rows_of, slow_saturation

from elgeo.errors import SettingError
from elgeo.reasoning.closure.base import Candidates
from elgeo.reasoning.closure.complete import CompleteClosure
from elgeo.reasoning.saturation.saturate import saturate


def closures(forms: Any) -> list[CompleteClosure]:
    """The same closure with rows in memory and without."""
    saturation = saturate(forms)
    return [CompleteClosure(saturation), CompleteClosure(saturation, memory=-1)]


def slow_queries(forms: Any) -> tuple[Slow, dict[tuple[int, int], int], dict[tuple[int, int], int]]:
    """A slow reasoner with a class for each C ⊓ D and each ∃R.C, and their numbers."""
    rows, n = rows_of(forms), N
    pairs: dict[tuple[int, int], int] = {}
    existentials: dict[tuple[int, int], int] = {}
    for c, d in itertools.combinations_with_replacement(range(N), 2):
        pairs[c, d] = pairs[d, c] = n
        rows["subclass"] |= {(n, c), (n, d)}
        n += 1
    for r, c in itertools.product(range(1, R), range(N)):
        existentials[r, c] = n
        rows["existential"].add((n, r, c))
        n += 1
    return Slow(n, rows), pairs, existentials


@given(ontologies())
@settings(max_examples=40)
def test_membership_is_entailment(forms: Any) -> None:
    kept, implicit = closures(forms)
    slow, pairs, existentials = slow_queries(forms)
    assert kept.tail_rows("existential") is not None
    assert implicit.tail_rows("existential") is None
    singles, doubles = all_rows(N), all_rows(N, N)
    triples, with_role = all_rows(N, N, N), all_rows(N, R, N)
    with_role = with_role[with_role[:, 1] > 0]
    left, lefts = with_role[:, [1, 0, 2]], np.unique(with_role[:, [1, 0]], axis=0)
    for closure in (kept, implicit):
        check(closure, "subclass", doubles, slow.subsumed)
        check(closure, "existential", with_role, slow.reaches)
        check(closure, "GCI0-BOT", singles, lambda c: c in slow.unsatisfiable)
        closure.contains("conjunction", triples[5::31])
        for _ in ("some left sides asked for before", "all of them"):
            check(closure, "conjunction", triples, lambda c, d, e: slow.subsumed(pairs[c, d], e))
        check(closure, "disjoint", doubles, lambda c, d: pairs[c, d] in slow.unsatisfiable)
        check(closure, "left_existential", left, lambda r, c, d: slow.subsumed(existentials[r, c], d))
        check(closure, "empty_existential", lefts, lambda r, c: existentials[r, c] in slow.unsatisfiable)
    known = range(2, N - 2)
    sound = [c for c in known if c not in slow.unsatisfiable]
    assert kept.count("subclass") == sum(c != d and slow.subsumed(c, d) for c in sound for d in known)
    expected = sum(slow.reaches(c, r, d) for c in sound for r in range(1, R) for d in known)
    assert kept.count("existential") == implicit.count("existential") == expected
    asserted = {tuple(sorted(row[:2])) for form in ("conjunction", "disjoint") for row in rows_of(forms)[form]}
    asserted = {(c, d) for c, d in asserted if {c, d} <= set(sound)}
    listed = {tuple(row) for table in kept.tables("conjunction") for row in table.tolist()}
    assert listed == {
        (c, d, e)
        for c, d in asserted
        for e in known
        if pairs[c, d] not in slow.unsatisfiable
        and slow.subsumed(pairs[c, d], e)
        and not slow.subsumed(c, e)
        and not slow.subsumed(d, e)
    }
    assert kept.count("disjoint") == sum(pairs[pair] in slow.unsatisfiable for pair in asserted)
    for form in ("subclass", "existential", "conjunction", "left_existential", "disjoint", "empty_existential"):
        for table in kept.tables(form, fresh=True):
            assert kept.contains(form, table).all()


def check(closure: CompleteClosure, form: str, rows: Any, expected: Any) -> None:
    assert closure.contains(form, rows).tolist() == [expected(*row) for row in rows.tolist()], form


@given(ontologies(), st.integers(0, 2**32))
@settings(max_examples=60)
def test_samples_are_entailed_and_others_are_not(forms: Any, seed: int) -> None:
    slow = slow_saturation(forms).slow
    triples = np.repeat(all_rows(N, R, 1), 40, axis=0)
    triples = triples[triples[:, 1] > 0]
    candidates = np.arange(3, N)
    for closure in closures(forms):
        tails = closure.sample("existential", triples[:, 0], triples[:, 1], np.random.default_rng(seed))
        again = closure.sample("existential", triples[:, 0], triples[:, 1], np.random.default_rng(seed))
        assert (tails == again).all()
        others = closure.sample_not_entailed("existential", triples, candidates, np.random.default_rng(seed))
        for c, r in itertools.product(range(N), range(1, R)):
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
    with pytest.raises(SettingError, match="no range axioms"):
        closure.contains("range", [[1, 2]])
    for unknown in (-1, 5):
        with pytest.raises(SettingError, match="class ids from 0 to 4"):
            closure.sample("subclass", [2], None, np.random.default_rng(0), among=[unknown])
    assert closure.contains("existential", []).tolist() == []
