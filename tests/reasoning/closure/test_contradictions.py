"""Contradictions beside a slow reasoner that gets the axiom added and starts again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elgeo.errors import SettingError
from elgeo.ontology.normal_forms import FORMS as SHAPES
from elgeo.ontology.normal_forms import NormalForms
from elgeo.ontology.vocabulary import Kind
from elgeo.reasoning.closure.complete import CompleteClosure
from elgeo.reasoning.closure.contradictions import Contradictions
from elgeo.reasoning.saturation.saturate import saturate
from tests.reasoning.brute import Brute, all_rows, make_forms, random_forms, rows_of, vocabulary

FORMS = ("subclass", "existential", "conjunction", "left_existential")


def left_is_possible(forms: NormalForms, form: str, row: tuple[int, ...], added: bool) -> bool:
    """Whether the left side of a row is satisfiable, with or without the row."""
    words, rows = forms.vocabulary, rows_of(forms)
    x = words.n_classes
    inside = {d for r, d in rows["range"]} and inherited_ranges(forms, row[1 if form == "existential" else 0])
    if added and form == "existential":
        # the new link leads into the range of its role
        rows["existential"].add((row[0], row[1], x + 1))
        rows["subclass"] |= {(x + 1, row[2]), *((x + 1, d) for d in inside)}
    elif added:
        rows[form].add(row)
    if form == "conjunction":
        rows["subclass"] |= {(x, row[0]), (x, row[1])}
    elif form == "left_existential":
        rows["existential"].add((x, row[0], x + 2))
        rows["subclass"] |= {(x + 2, row[1]), *((x + 2, d) for d in inside)}
    else:
        x = row[0]
    individuals = np.flatnonzero(words.class_kinds == Kind.INDIVIDUAL).tolist()
    return not Brute(words.n_classes + 3, words.n_roles, rows, individuals).unsatisfiable(x)


def inherited_ranges(forms: NormalForms, r: int) -> set[int]:
    rows = rows_of(forms)
    only = {name: rows[name] if name in ("subrole", "chain", "reflexive") else set() for name in rows}
    only["existential"] = {(2, r, 3)}
    probe = Brute(4, forms.vocabulary.n_roles, only)
    return {d for s, d in rows["range"] if (2, s, 3) in probe.links}


@pytest.mark.slow
@given(random_forms(individuals=False, universal=False), st.integers(0, 2**32))
@settings(max_examples=30)
def test_contradictions_are_what_addition_shows(forms: NormalForms, seed: int) -> None:
    closure, words = CompleteClosure(saturate(forms)), forms.vocabulary
    generator = np.random.default_rng(seed)
    for form in FORMS:
        rows = all_rows(*(words.n_roles if c in "rst" else words.n_classes for c in SHAPES[form].columns))
        found = closure.contradicts(form, rows)
        some = generator.choice(len(rows), 4, replace=False).tolist()
        # the rare kind has to be looked at too
        some += generator.permutation(np.flatnonzero(found))[:4].tolist()
        for i in some:
            row = tuple(rows[i].tolist())
            expected = left_is_possible(forms, form, row, False) and not left_is_possible(forms, form, row, True)
            assert found[i] == expected, (form, row)


def test_an_element_further_on_can_be_the_one_that_breaks() -> None:
    # C needs an r to another C; with D, that other one cannot be
    forms = make_forms(
        vocabulary(4, 0, 0, 2),
        existential=[(2, 1, 2)],
        left_existential=[(1, 3, 4)],
        disjoint=[(4, 5)],
        subclass=[(2, 5)],
    )
    closure = CompleteClosure(saturate(forms))
    assert closure.contradicts("subclass", [[2, 3], [2, 4], [3, 5]]).tolist() == [True, True, False]


def test_emptiness_contradicts_what_is_possible_and_roles_are_refused() -> None:
    closure = CompleteClosure(saturate(make_forms(vocabulary(3, 0, 0, 2), empty=[(3,)])))
    assert closure.contradicts("empty", [[2], [3]]).tolist() == [True, False]
    assert closure.contradicts("disjoint", [[2, 4], [2, 3]]).tolist() == [True, False]
    with pytest.raises(SettingError, match="no class on the left"):
        closure.contradicts("subrole", [[1, 1]])


def test_an_irreflexive_role_is_enough_to_contradict() -> None:
    closure = CompleteClosure(
        saturate(make_forms(vocabulary(3, 0, 0, 2), self=[(2, 1)], left_self=[(1, 1)], subclass=[(3, 4)]))
    )
    assert closure.contradicts("subclass", [[3, 2], [3, 4]]).tolist() == [True, False]
    assert closure.contradicts("existential", [[3, 1, 2], [3, 1, 4]]).tolist() == [True, False]


def test_the_universal_role_leads_to_the_element_itself() -> None:
    closure = CompleteClosure(saturate(make_forms(vocabulary(3, 0, 0, 2), subclass=[(2, 3)], disjoint=[(3, 4)])))
    assert closure.contradicts("left_existential", [[0, 2, 4], [0, 2, 3]]).tolist() == [True, False]


def test_what_is_on_the_left_is_in_the_range_of_its_role() -> None:
    # all that 1 leads to is in 4, so that ∃1.2 is below 5, and cannot be in 3; 2 leads to others of the left side
    tables: dict[str, Any] = {"existential": [(2, 1, 2)], "left_existential": [(1, 4, 5)], "disjoint": [(3, 5)]}
    for ranges, expected in (([(1, 4)], True), ([(2, 4)], False)):
        decided = Contradictions(saturate(make_forms(vocabulary(6, 0, 0, 3), range=ranges, **tables)))
        assert decided._added("left_existential", [1, 2, 3]) == expected
        assert not decided._added("left_existential", [1, 2, 6])
        assert decided.rows("left_existential", np.array([[1, 2, 3], [1, 2, 6]])).tolist() == [expected, False]


@pytest.mark.slow
@given(random_forms(), st.integers(0, 2**32))
@settings(max_examples=30)
def test_quick_answers_are_those_of_addition(forms: NormalForms, seed: int) -> None:
    saturation, words = saturate(forms), forms.vocabulary
    decided = Contradictions(saturation)
    generator = np.random.default_rng(seed)
    for form in FORMS:
        rows = all_rows(*(words.n_roles if c in "rst" else words.n_classes for c in SHAPES[form].columns))
        rows = rows[generator.choice(len(rows), min(len(rows), 40), replace=False)]
        found = decided.rows(form, rows)
        empty = SHAPES[form].with_bottom or "empty"
        possible = ~CompleteClosure(saturation).contains(empty, rows[:, : len(SHAPES[empty].columns)])
        for row, quick, asked in zip(rows.tolist(), found.tolist(), possible.tolist(), strict=True):
            assert quick == (asked and decided._added(form, row)), (form, row)


class TestOthersOfTheLeftSide:
    """C = 2 needs an r to another C, D = 3 implies 4 and so on: what the other one learns comes back, or not."""

    def contradicts(self, row: list[int], form: str = "subclass", **tables: list[tuple[int, ...]]) -> bool:
        closure = CompleteClosure(saturate(make_forms(vocabulary(7, 0, 0, 5), **tables)))
        alone = bool(closure.contradicts(form, [row])[0])
        # and among others that the same class would be told
        others = [[row[0], d] if form == "subclass" else [row[0], r, d] for r in (1, row[1], 4) for d in range(2, 9)]
        together = closure.contradicts(form, [*others, row, *others[::-2]]).tolist()
        assert together[len(others)] == alone
        assert together[: len(others)] == [bool(closure.contradicts(form, [other])[0]) for other in others]
        return alone

    def test_by_an_inert_role_nothing_comes_back(self) -> None:
        tables: dict[str, Any] = {"existential": [(2, 1, 2)], "subclass": [(3, 4)], "disjoint": [(5, 4)]}
        assert not self.contradicts([2, 3], **tables)
        assert not self.contradicts([2, 2, 3], "existential", **tables)

    def test_by_a_role_that_is_listened_to_it_does(self) -> None:
        tables: dict[str, Any] = {"existential": [(2, 1, 2)], "subclass": [(2, 5)], "disjoint": [(5, 4)]}
        assert self.contradicts([2, 3], left_existential=[(1, 3, 4)], **tables)
        assert self.contradicts([2, 3], left_existential=[(2, 3, 4)], subrole=[(1, 2)], **tables)
        assert not self.contradicts([2, 3], left_existential=[(2, 3, 4)], **tables)

    def test_a_link_is_composed_with_what_leads_to_it(self) -> None:
        tables: dict[str, Any] = {"existential": [(2, 1, 2)], "subclass": [(2, 5)], "disjoint": [(5, 4)]}
        assert self.contradicts([2, 2, 3], "existential", chain=[(1, 2, 3)], left_existential=[(3, 3, 4)], **tables)
        assert not self.contradicts([2, 2, 3], "existential", chain=[(4, 2, 3)], left_existential=[(3, 3, 4)], **tables)
        # first with a link of its target, then with what leads to it
        more: dict[str, Any] = {**tables, "existential": [(2, 1, 2), (3, 4, 6)], "chain": [(2, 4, 3), (1, 3, 4)]}
        assert self.contradicts([2, 2, 3], "existential", left_existential=[(4, 6, 4)], **more)

    def test_a_smaller_class_of_the_left_side_may_be_the_one_that_breaks(self) -> None:
        tables: dict[str, Any] = {"existential": [(2, 1, 6)], "subclass": [(6, 2), (6, 5)], "disjoint": [(5, 3)]}
        assert self.contradicts([2, 3], **tables)
        assert self.contradicts([2, 2, 3], "existential", left_existential=[(2, 3, 3)], **tables)
        assert not self.contradicts([2, 4], **tables)

    def test_many_others(self) -> None:
        words = vocabulary(40, 0, 0, 3)
        tables: dict[str, Any] = {
            "existential": [(2, 1, c) for c in range(4, 40)],
            "subclass": [(c, 2) for c in range(4, 40)],
            "left_existential": [(2, 3, 3)],
            "disjoint": [(39, 3)],
        }
        closure = CompleteClosure(saturate(make_forms(words, **tables)))
        assert closure.contradicts("subclass", [[2, 3], [2, 40], [38, 3], [39, 3]]).tolist() == [
            True,
            False,
            False,
            True,
        ]
        assert closure.contradicts("existential", [[2, 2, 3], [2, 2, 40]]).tolist() == [True, False]


def test_what_an_individual_cannot_bear() -> None:
    words = vocabulary(4, 2, 0, 3)
    a, b = 6, 7
    # A ⊑ ∃s.X, X ⊑ {a}, r(b, a), ∃r.D ⊑ ⊥: where X has an instance that is a D, b cannot exist
    forms = make_forms(
        words,
        subclass=[(3, a)],
        existential=[(2, 2, 3), (b, 1, a)],
        empty_existential=[(1, 4)],
        left_existential=[(1, 5, 5)],
    )
    closure = CompleteClosure(saturate(forms))
    assert closure.contradicts("subclass", [(3, 4), (3, 5), (2, 4), (4, 3)]).tolist() == [True, False, False, True]
    assert closure.contradicts("existential", [(2, 2, 4), (4, 2, 3)]).tolist() == [False, False]
    assert closure.contradicts("conjunction", [(3, 5, 4), (3, 2, 5)]).tolist() == [True, False]


@pytest.mark.parametrize(
    ("form", "rows", "expected"),
    [
        ("subclass", [(2, 3), (3, 1), (4, 0)], [False, True, False]),
        ("existential", [(2, 1, 3), (3, 1, 1), (1, 1, 4)], [False, True, False]),
        ("conjunction", [(2, 3, 4), (2, 4, 1)], [False, True]),
        ("left_existential", [(1, 3, 2), (1, 3, 1)], [False, True]),
    ],
)
def test_what_is_called_nothing_contradicts_where_nothing_was_impossible(
    form: str, rows: list[tuple[int, ...]], expected: list[bool]
) -> None:
    forms = make_forms(vocabulary(4, 0, 0, 2), subclass=[(2, 3), (4, 5)], existential=[(2, 1, 4)])
    contradictions = Contradictions(saturate(forms))
    table = np.array(rows, np.int32)
    assert contradictions.rows(form, table).tolist() == expected
    assert [bool(contradictions.rows(form, row[None])[0]) for row in table] == expected
