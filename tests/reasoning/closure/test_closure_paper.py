"""The paper's closure beside its rules written as loops over sets."""

from __future__ import annotations

import itertools
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elgeo.errors import SettingError
from elgeo.ontology.expressions import Op
from elgeo.ontology.normal_forms import FORMS, NormalForms
from elgeo.ontology.normal_forms import FORMS as SHAPES
from elgeo.ontology.normalisation.normalise import normalise
from elgeo.ontology.vocabulary import Kind
from elgeo.reasoning.closure.complete import CompleteClosure
from elgeo.reasoning.closure.paper import PaperClosure
from elgeo.reasoning.saturation.saturate import saturate
from tests.reasoning.brute import Brute, all_rows, make_forms, random_forms, rows_of, vocabulary
from tests.reasoning.random_ontology import written

Row = tuple[int, ...]
TAILED = ("subclass", "conjunction", "existential", "left_existential")
LEFT = {
    "subclass": [0],
    "conjunction": [0, 1],
    "existential": [0],
    "left_existential": [1],
    "empty": [0],
    "disjoint": [0, 1],
    "empty_existential": [1],
}


def by_the_rules(form: str, asserted: set[Row], slow: Brute) -> set[Row]:
    """Algorithm 1, in the words of the paper."""
    n = len(slow.classes)
    closure = set(asserted)
    for row in asserted:
        for j in LEFT[form]:
            closure |= {(*row[:j], c, *row[j + 1 :]) for c in range(n) if slow.subsumed(c, row[j])}
        if form in TAILED:
            closure |= {(*row[:-1], d) for d in range(n) if slow.subsumed(row[-1], d)}
    if form in ("conjunction", "disjoint"):
        closure |= {(row[1], row[0], *row[2:]) for row in closure}
    return closure


@pytest.mark.slow
@given(random_forms(), st.integers(0, 2**32))
@settings(max_examples=25)
def test_rules_and_nothing_else(forms: NormalForms, seed: int) -> None:
    check_closure(forms, seed)


def test_rules_and_nothing_else_with_all_that_is_odd_at_once() -> None:
    """An empty class at the front and at the back, fresh ones, several axioms with one right side, ids at the ends."""
    forms = make_forms(
        vocabulary(5, 1, 1, 3),
        subclass=[(3, 4), (4, 5), (7, 6), (8, 3), (2, 5)],
        empty=[(2,)],
        conjunction=[(4, 5, 6), (3, 7, 6), (5, 5, 6), (8, 2, 4), (4, 3, 7)],
        existential=[(4, 1, 3), (5, 1, 3), (3, 2, 2), (8, 2, 8)],
        left_existential=[(1, 5, 4), (2, 4, 4), (2, 7, 8)],
        disjoint=[(6, 3), (5, 7), (8, 8)],
        empty_existential=[(1, 5), (1, 7), (2, 4)],
    )
    check_closure(forms, 4)


def test_a_row_that_several_axioms_lead_to_counts_once() -> None:
    """Nothing is empty, and classes that stand in axioms with one right side have subclasses in common."""
    forms = make_forms(
        vocabulary(7, 1, 1, 3),
        subclass=[(3, 4), (4, 5), (7, 6), (8, 3), (2, 5), (2, 6), (3, 6), (10, 3)],
        conjunction=[(4, 5, 6), (3, 7, 6), (5, 6, 6), (8, 2, 4), (4, 3, 7)],
        existential=[(4, 1, 3), (5, 1, 3), (6, 1, 3), (6, 2, 2), (5, 2, 2), (8, 2, 8)],
        left_existential=[(1, 5, 4), (1, 4, 4), (1, 6, 4), (2, 4, 4), (2, 7, 8)],
        disjoint=[(9, 3), (9, 4)],
        empty_existential=[(2, 9), (1, 9)],
    )
    assert not saturate(forms).unsatisfiable[2:].any()
    check_closure(forms, 4)


def check_closure(forms: NormalForms, seed: int) -> None:
    saturation, slow, words = saturate(forms), Brute.of(forms), forms.vocabulary
    complete = CompleteClosure(saturation)
    kinds = words.class_kinds
    known = set(np.flatnonzero((kinds == Kind.NAMED) | (kinds == Kind.INDIVIDUAL)).tolist())
    for closure in (PaperClosure(saturation), PaperClosure(saturation, memory=0)):
        assert (closure.tail_rows("existential") is None) == (closure.memory == 0)
        for form in LEFT:
            expected = by_the_rules(form, rows_of(forms)[form], slow)
            sizes = [words.n_roles if column in "rst" else words.n_classes for column in SHAPES[form].columns]
            rows = all_rows(*sizes)
            found = closure.contains(form, rows)
            assert {tuple(row) for row in rows[found].tolist()} == expected
            assert complete.contains(form, rows)[found].all()
            tailed = form in TAILED
            counted = {
                row
                for row in expected
                if all(row[j] in known and (form == "empty" or not slow.unsatisfiable(row[j])) for j in LEFT[form])
                and (not tailed or row[-1] in known)
                and not (form == "subclass" and row[0] == row[1])
                and not (form in ("conjunction", "disjoint") and row[0] > row[1])
            }
            assert closure.count(form) == len(counted)
            assert {tuple(row) for table in closure.tables(form) for row in table.tolist()} == counted
            if tailed:
                check_samples(closure, form, sizes, expected, known, seed)


def check_samples(
    closure: PaperClosure, form: str, sizes: list[int], expected: set[Row], known: set[int], seed: int
) -> None:
    lefts = np.repeat(all_rows(*sizes[:-1]), 3, axis=0)
    heads = lefts if form == "conjunction" else lefts[:, LEFT[form][0]]
    roles = {"existential": lefts[:, -1], "left_existential": lefts[:, 0]}.get(form)
    drawn = closure.sample(form, heads, roles, np.random.default_rng(seed))
    start, tails, everything = closure.entailed_tails(form, lefts)
    for i, left in enumerate(lefts.tolist()):
        everywhere = [d for d in range(sizes[-1]) if (*left, d) in expected]
        assert tails[start[i] : start[i + 1]].tolist() == everywhere
        assert not everything[i]
        wanted = {d for d in everywhere if d in known and not (form == "subclass" and left == [d])}
        assert int(drawn[i]) in (wanted or {-1})


def test_both_modes_differ_where_two_steps_are_needed() -> None:
    forms = make_forms(vocabulary(5, 0, 0, 2), existential=[(3, 1, 4)], subclass=[(2, 3), (4, 5)])
    saturation = saturate(forms)
    paper, complete = PaperClosure(saturation), CompleteClosure(saturation)
    rows = [[3, 1, 5], [2, 1, 4], [2, 1, 5]]
    assert paper.contains("existential", rows).tolist() == [True, True, False]
    assert complete.contains("existential", rows).tolist() == [True, True, True]
    assert (paper.count("existential"), complete.count("existential")) == (3, 4)


def test_parts_of_a_table_add_up() -> None:
    generator = np.random.default_rng(3)
    pairs = [(int(c), int(d)) for c, d in generator.integers(2, 60, (90, 2)) if c < d]
    triples = [tuple(map(int, row)) for row in generator.integers(2, 60, (60, 3))]
    saturation = saturate(make_forms(vocabulary(58, 0, 0, 2), subclass=pairs, conjunction=triples))
    whole, parts = PaperClosure(saturation), PaperClosure(saturation, memory=1 << 12)
    for form in FORMS:
        tables = [table.tolist() for table in parts.tables(form)]
        assert len(tables) > 2 or form not in ("subclass", "conjunction")
        rows = list(itertools.chain.from_iterable(tables))
        expected = list(itertools.chain.from_iterable(table.tolist() for table in whole.tables(form)))
        assert sorted(rows) == sorted(expected)
        assert len(rows) == whole.count(form)


@pytest.mark.parametrize(
    ("classes", "roles", "fits"),
    [
        (2_097_151, 4_000, True),
        (2_097_152, 3, False),
        (1 << 20, (1 << 23) - 1, True),
        (1 << 20, 1 << 23, False),
        (3, 1 << 60, False),
    ],
)
def test_rows_have_to_have_numbers(classes: int, roles: int, fits: bool) -> None:
    """A row is one number of 63 bits: n³ of them with classes alone, n² · roles with a role among them."""
    words = SimpleNamespace(n_classes=classes, n_roles=roles)
    saturation: Any = SimpleNamespace(unconditional=None, forms=SimpleNamespace(vocabulary=words))
    if fits:
        assert PaperClosure(saturation).n_classes == classes
    else:
        with pytest.raises(SettingError, match=f"2,000,000 classes and as many roles; here are {classes} and {roles}$"):
            PaperClosure(saturation)


def test_roles_that_users_do_not_know_are_not_counted() -> None:
    told = [
        (Op.SubObjectPropertyOf, (Op.ObjectPropertyChain, "r", "s", "t"), "t"),
        (Op.SubObjectPropertyOf, (Op.ObjectPropertyChain, "r", "s"), "s"),
        (Op.SubClassOf, "A", (Op.ObjectSomeValuesFrom, "r", "B")),
        (Op.SubClassOf, "B", (Op.ObjectSomeValuesFrom, "s", "C")),
        (Op.SubClassOf, "C", (Op.ObjectSomeValuesFrom, (Op.ObjectInverseOf, "s"), "D")),
    ]
    saturation = saturate(normalise(written(told)))
    roles = saturation.forms.vocabulary.role_kinds
    for closure in (CompleteClosure(saturation), PaperClosure(saturation)):
        for form, role_columns in (("existential", [1]), ("chain", [0, 1, 2])):
            rows = np.concatenate(list(closure.tables(form)))
            everything = np.concatenate(list(closure.tables(form, fresh=True)))
            known = everything[(roles[everything[:, role_columns]] != Kind.FRESH).all(axis=1)]
            assert len(known) < len(everything)
            assert closure.count(form) == len(rows) < closure.count(form, fresh=True) == len(everything)
            assert {tuple(row) for row in rows.tolist()} <= {tuple(row) for row in known.tolist()}
        assert closure.count("chain") == 1
