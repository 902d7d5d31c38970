"""The complete closure beside a brute-force reasoner, on random normal forms."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elgeo.errors import SettingError
from elgeo.ontology.normal_forms import FORMS, NormalForms
from elgeo.ontology.vocabulary import Kind
from elgeo.reasoning.closure import complete_tables
from elgeo.reasoning.closure.complete import CompleteClosure
from elgeo.reasoning.saturation.saturate import saturate
from tests.reasoning.brute import Brute, all_rows, make_forms, random_forms, rows_of, vocabulary

TAILED = ("subclass", "conjunction", "existential", "left_existential")


def closures(forms: NormalForms) -> list[CompleteClosure]:
    """The same closure with rows in memory and without."""
    saturation = saturate(forms)
    return [CompleteClosure(saturation), CompleteClosure(saturation, memory=-1)]


class Twin:
    """Brute force, with a class for each C ⊓ D and each ∃R.C, and a link of each two roles for chains."""

    def __init__(self, forms: NormalForms) -> None:
        words, rows = forms.vocabulary, rows_of(forms)
        n, self.n, self.n_roles = words.n_classes, words.n_classes, words.n_roles
        self.known = np.flatnonzero(words.class_kinds == Kind.NAMED).tolist()
        self.pairs: dict[tuple[int, int], int] = {}
        self.existentials: dict[tuple[int, int], int] = {}
        for c, d in itertools.combinations_with_replacement(range(self.n), 2):
            self.pairs[c, d] = self.pairs[d, c] = n
            rows["subclass"] |= {(n, c), (n, d)}
            n += 1
        for r, c in itertools.product(range(self.n_roles), range(self.n)):
            self.existentials[r, c] = n
            rows["subclass"] |= {(n + 1, c), *((n + 1, d) for d in self.ranges(rows, r))}
            rows["existential"].add((n, r, n + 1))
            n += 2
        self.brute = Brute(n, self.n_roles, rows)
        self.sound = [c for c in self.known if not self.brute.unsatisfiable(c)]
        self.holds: dict[str, Any] = {
            "subclass": self.brute.subsumed,
            "existential": self.brute.reaches,
            "conjunction": lambda c, d, e: self.brute.subsumed(self.pairs[c, d], e),
            "left_existential": lambda r, c, d: self.brute.subsumed(self.existentials[r, c], d),
            "empty": self.brute.unsatisfiable,
            "disjoint": lambda c, d: self.brute.unsatisfiable(self.pairs[c, d]),
            "empty_existential": lambda r, c: self.brute.unsatisfiable(self.existentials[r, c]),
        }

    def ranges(self, rows: Any, r: int) -> set[int]:
        """The classes that the target of an r-link has to be in."""
        nothing = {name: set[tuple[int, ...]]() for name in FORMS}
        probe = Brute(4, self.n_roles, {**nothing, **roles_of(rows), "existential": {(2, r, 3)}})
        return {d for s, d in rows["range"] if (2, s, 3) in probe.links}


def roles_of(rows: Any) -> Any:
    return {name: rows[name] for name in ("subrole", "chain", "reflexive")}


def every_row(forms: NormalForms, form: str) -> Any:
    words = forms.vocabulary
    return all_rows(*(words.n_roles if column in "rst" else words.n_classes for column in FORMS[form].columns))


@pytest.mark.slow
@given(random_forms(individuals=False, universal=False))
@settings(max_examples=20)
def test_membership_is_entailment(forms: NormalForms) -> None:
    kept, implicit = closures(forms)
    twin = Twin(forms)
    assert kept.tail_rows("existential") is not None
    assert implicit.tail_rows("existential") is None
    for closure in (kept, implicit):
        closure.contains("conjunction", every_row(forms, "conjunction")[5::31])
        for form in (*twin.holds, "conjunction"):
            rows = every_row(forms, form)
            assert closure.contains(form, rows).tolist() == [twin.holds[form](*row) for row in rows.tolist()], form


@pytest.mark.slow
@given(random_forms(individuals=False, universal=False))
@settings(max_examples=25)
def test_what_is_listed_and_counted(forms: NormalForms) -> None:
    kept, implicit = closures(forms)
    twin = Twin(forms)
    rows, known, sound = rows_of(forms), twin.known, twin.sound
    told = (sorted(row[:2]) for form in ("conjunction", "disjoint") for row in rows[form])
    pairs = {(c, d) for c, d in told if {c, d} <= set(sound)}
    lefts = {
        (row[0], row[1]) for form in ("left_existential", "empty_existential") for row in rows[form] if row[1] in sound
    }
    holds, impossible = twin.holds, twin.brute.unsatisfiable
    expected = {
        "subclass": {(c, d) for c in sound for d in known if c != d and holds["subclass"](c, d)},
        "existential": {
            (c, r, d) for c in sound for r in range(1, twin.n_roles) for d in known if holds["existential"](c, r, d)
        },
        "empty": {(c,) for c in known if impossible(c)},
        "conjunction": {
            (*pair, e)
            for pair in pairs
            if not impossible(twin.pairs[pair])
            for e in known
            if holds["conjunction"](*pair, e) and not any(twin.brute.subsumed(c, e) for c in pair)
        },
        "disjoint": {pair for pair in pairs if impossible(twin.pairs[pair])},
        "left_existential": {
            (*left, d)
            for left in lefts
            if not impossible(twin.existentials[left])
            for d in known
            if holds["left_existential"](*left, d)
        },
        "empty_existential": {left for left in lefts if impossible(twin.existentials[left])},
    }
    for closure in (kept, implicit):
        for form, wanted in expected.items():
            listed = [tuple(row) for table in closure.tables(form) for row in table.tolist()]
            assert len(listed) == len(set(listed)) == closure.count(form)
            assert set(listed) == wanted, form
    for form in expected:
        for table in kept.tables(form, fresh=True):
            assert kept.contains(form, table).all()


def test_of_two_parts_is_listed_what_neither_says_alone() -> None:
    """2 ⊓ 3 is below 4, 5 and 6; 5 ⊓ 3 ⊑ 6 is true of 5 alone; 7 ⊑ ∃s.4 ⊑ ∃r.4 ⊑ 8, so that ∃s.7 is nothing."""
    forms = make_forms(
        vocabulary(7, 0, 0, 3),
        conjunction=[(3, 2, 4), (5, 3, 6), (2, 3, 4)],
        subclass=[(5, 6), (4, 5)],
        disjoint=[(7, 6)],
        left_existential=[(1, 4, 3), (2, 7, 2), (1, 4, 8)],
        empty_existential=[(1, 8)],
        subrole=[(2, 1)],
        existential=[(7, 2, 4)],
    )
    expected = {
        "conjunction": [[2, 3, 4], [2, 3, 5], [2, 3, 6]],
        "disjoint": [[6, 7]],
        "left_existential": [[1, 4, 3], [1, 4, 8]],
        "empty_existential": [[1, 8], [2, 7]],
    }
    for closure in closures(forms):
        for form, rows in expected.items():
            assert [row for table in closure.tables(form) for row in table.tolist()] == rows, form
            assert closure.count(form) == len(rows)


def test_the_universal_role_leads_to_the_last_class_too() -> None:
    forms = make_forms(vocabulary(4, 0, 0, 2), subclass=[(2, 5)], existential=[(3, 1, 2), (4, 1, 3)])
    for closure in closures(forms):
        rows = [[4, 0, 5], [3, 0, 5], [2, 0, 5], [5, 0, 5], [5, 0, 2], [0, 0, 5], [4, 0, 2], [2, 0, 3]]
        assert closure.contains("existential", rows).tolist() == [True] * 4 + [False, False, True, False]


@pytest.mark.slow
@given(random_forms(individuals=False, universal=False), st.integers(0, 2**32))
@settings(max_examples=20)
def test_samples_are_entailed(forms: NormalForms, seed: int) -> None:
    brute, words = Brute.of(forms), forms.vocabulary
    known = np.flatnonzero(words.class_kinds == Kind.NAMED).tolist()
    rows = np.repeat(all_rows(words.n_classes, words.n_roles), 8, axis=0)
    for closure in closures(forms):
        tails = closure.sample("existential", rows[:, 0], rows[:, 1], np.random.default_rng(seed))
        again = closure.sample("existential", rows[:, 0], rows[:, 1], np.random.default_rng(seed))
        assert (tails == again).all()
        for (c, r), tail in zip(rows.tolist(), tails.tolist(), strict=True):
            assert brute.reaches(c, r, tail) if tail in known else tail == -1
            assert tail >= 0 or not any(brute.reaches(c, r, d) for d in known)
        supers = closure.sample("subclass", np.arange(words.n_classes), None, np.random.default_rng(seed))
        for c in range(words.n_classes):
            entailed = {d for d in known if d != c and brute.subsumed(c, d)}
            assert int(supers[c]) in (entailed or {-1})


@pytest.mark.slow
@given(random_forms(individuals=False, universal=False), st.data())
@settings(max_examples=25)
def test_tails_of_left_sides(forms: NormalForms, data: st.DataObject) -> None:
    twin = Twin(forms)
    for closure in closures(forms):
        for form in TAILED:
            lefts = np.unique(every_row(forms, form)[:, :-1], axis=0)
            lefts = lefts[data.draw(st.lists(st.integers(0, len(lefts) - 1), max_size=6))]
            start, tails, everything = closure.entailed_tails(form, lefts)
            assert start[0] == 0
            for i, left in enumerate(lefts.tolist()):
                mine = tails[start[i] : start[i + 1]].tolist()
                expected = [d for d in range(twin.n) if twin.holds[form](*left, d)]
                assert mine == sorted(set(mine))
                assert (list(range(twin.n)) if everything[i] else mine) == expected


@pytest.mark.parametrize("chunk", [3, 4, 100])
def test_a_role_above_the_universal_one_reaches_all_that_exists(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(complete_tables, "_CHUNK", chunk)
    # what 4 needs needs 6: two steps away, and related to it all the same; 7 is impossible
    forms = make_forms(
        vocabulary(6, 0, 0, 4),
        subrole=[(0, 1)],
        existential=[(0, 2, 3), (4, 2, 5), (5, 3, 6)],
        subclass=[(3, 2)],
        empty=[(7,)],
    )
    reached = {2: {2}, 3: set(), 4: {4, 5, 6}, 5: {5, 6}, 6: {6}}
    for closure in closures(forms):
        listed = [tuple(row) for table in closure.tables("existential") for row in table.tolist()]
        by_one = {(c, 1, d) for c, more in reached.items() for d in {2, 3} | more}
        assert {row for row in listed if row[1] == 1} == by_one
        assert closure.contains("existential", sorted(by_one)).all()
        assert closure.count("existential") == len(listed) == len(set(listed))
        below = [tuple(row) for table in closure.tables("subclass") for row in table.tolist()]
        assert below == [(3, 2)]


def test_samples_are_uniform() -> None:
    forms = make_forms(
        vocabulary(5, 0, 1, 2),
        existential=[(2, 1, 3), (2, 1, 5)],
        subclass=[(3, 4), (5, 4), (3, 7), (5, 6), (6, 7)],
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


def test_samples_are_found_where_few_tails_are_allowed() -> None:
    # 300 superclasses, of which three are allowed: drawing at random misses them most of the time
    forms = make_forms(vocabulary(301, 0, 0, 1), subclass=[(2, d) for d in range(3, 303)])
    for closure in closures(forms):
        tails = closure.sample("subclass", np.full(9_000, 2), None, np.random.default_rng(5), among=[2, 7, 100, 302])
        values, counts = np.unique(tails, return_counts=True)
        assert values.tolist() == [7, 100, 302]
        assert np.abs(counts - 3_000).max() < 250
        nothing = closure.sample("subclass", [2, 7], None, np.random.default_rng(5), among=[2])
        assert nothing.tolist() == [-1, -1]


def test_bad_rows_are_refused_with_a_reason() -> None:
    closure = closures(make_forms(vocabulary(3, 0, 0, 2)))[0]
    with pytest.raises(SettingError, match="class id 5: class ids go from 0 to 4"):
        closure.contains("subclass", [[1, 5]])
    with pytest.raises(SettingError, match="class id 7: class ids go from 0 to 4"):
        closure.contains("subclass", [[2, 0], [2, 7]])
    with pytest.raises(SettingError, match="class id -2: class ids go from 0 to 4"):
        closure.contains("subclass", [[2, 9], [2, -2], [2, -1]])
    with pytest.raises(SettingError, match="role id -1: role ids go from 0 to 1"):
        closure.contains("existential", [[1, -1, 2]])
    with pytest.raises(SettingError, match="role id 2: role ids go from 0 to 1"):
        closure.contains("chain", [[1, 2, 1]])
    with pytest.raises(SettingError, match=r"of shape \(n, 3\); these are int64 of shape \(1, 2\)"):
        closure.contains("existential", [[1, 2]])
    with pytest.raises(SettingError, match="float64"):
        closure.contains("subclass", [[1.0, 2.0]])
    with pytest.raises(SettingError, match="no normal form"):
        closure.contains("gci9", [[1, 2]])
    with pytest.raises(SettingError, match="a class and a role"):
        closure.sample("existential", [2], None, np.random.default_rng(0))
    with pytest.raises(SettingError, match="pairs of classes"):
        closure.sample("conjunction", [2], None, np.random.default_rng(0))
    with pytest.raises(SettingError, match="no class on the right"):
        closure.sample("disjoint", [[2, 3]], None, np.random.default_rng(0))
    with pytest.raises(SettingError, match="no range axioms"):
        closure.contains("range", [[1, 2]])
    with pytest.raises(SettingError, match="depend on two names"):
        closure.tail_rows("conjunction")
    for unknown in (-1, 5):
        with pytest.raises(SettingError, match="class ids from 0 to 4"):
            closure.sample("subclass", [2], None, np.random.default_rng(0), among=[unknown])
    assert closure.contains("existential", []).tolist() == []
    assert closure.contains("subclass", [[4, 4], [0, 0], [4, 0]]).tolist() == [True, True, True]
