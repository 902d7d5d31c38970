"""Contradictions beside a slow reasoner that gets the axiom added and starts again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_forms import N, R, all_rows, ontologies
from slow_reasoner import Slow, make_forms, rows_of

from elgeo.errors import SettingError
from elgeo.reasoning.closure.complete import CompleteClosure
from elgeo.reasoning.saturation.saturate import saturate

SIZES = {"subclass": (N, N), "existential": (N, R, N), "conjunction": (N, N, N), "left_existential": (R, N, N)}


def left_is_possible(forms: Any, form: str, row: tuple[int, ...], added: bool) -> bool:
    """Whether the left side of a row is satisfiable, with or without the row."""
    rows, x = rows_of(forms), N
    if added:
        rows[form].add(row)
    if form == "conjunction":
        rows["subclass"] |= {(x, row[0]), (x, row[1])}
    elif form == "left_existential":
        rows["existential"].add((x, row[0], row[1]))
    else:
        x = row[0]
    return x not in Slow(N + 1, rows).unsatisfiable


@given(ontologies(), st.integers(0, 2**32))
@settings(max_examples=25)
def test_contradictions_are_what_addition_shows(forms: Any, seed: int) -> None:
    closure = CompleteClosure(saturate(forms))
    generator = np.random.default_rng(seed)
    for form, sizes in SIZES.items():
        rows = all_rows(*sizes)
        if "existential" in form:
            rows = rows[rows[:, 1 if form == "existential" else 0] > 0]
        found = closure.contradicts(form, rows)
        some = generator.choice(len(rows), 6, replace=False).tolist()
        # the rare kind has to be looked at too
        some += np.flatnonzero(found)[:4].tolist()
        for i in some:
            row = tuple(rows[i].tolist())
            expected = left_is_possible(forms, form, row, False) and not left_is_possible(forms, form, row, True)
            assert found[i] == expected, (form, row)


def test_an_element_further_on_can_be_the_one_that_breaks() -> None:
    # C needs an r to another C; with D, that other one cannot be
    forms = make_forms(
        6, 2, existential=[(2, 1, 2)], left_existential=[(1, 3, 4)], disjoint=[(4, 5)], subclass=[(2, 5)]
    )
    closure = CompleteClosure(saturate(forms))
    assert closure.contradicts("subclass", [[2, 3], [2, 4], [3, 5]]).tolist() == [True, True, False]


def test_emptiness_contradicts_what_is_possible_and_roles_are_refused() -> None:
    closure = CompleteClosure(saturate(make_forms(5, 2, empty=[(3,)])))
    assert closure.contradicts("empty", [[2], [3]]).tolist() == [True, False]
    assert closure.contradicts("disjoint", [[2, 4], [2, 3]]).tolist() == [True, False]
    with pytest.raises(SettingError, match="no class on the left"):
        closure.contradicts("subrole", [[1, 1]])


def test_an_irreflexive_role_is_enough_to_contradict() -> None:
    closure = CompleteClosure(saturate(make_forms(5, 2, self=[(2, 1)], left_self=[(1, 1)], subclass=[(3, 4)])))
    assert closure.contradicts("subclass", [[3, 2], [3, 4]]).tolist() == [True, False]
    assert closure.contradicts("existential", [[3, 1, 2], [3, 1, 4]]).tolist() == [True, False]


def test_the_universal_role_leads_to_the_element_itself() -> None:
    closure = CompleteClosure(saturate(make_forms(5, 2, subclass=[(2, 3)], disjoint=[(3, 4)])))
    assert closure.contradicts("left_existential", [[0, 2, 4], [0, 2, 3]]).tolist() == [True, False]
