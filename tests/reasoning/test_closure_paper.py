"""The paper's closure beside its rules written as loops over sets."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from random_forms import N, R, all_rows, ontologies
from slow_reasoner import make_forms, rows_of, slow_saturation

from elgeo.reasoning.closure.complete import CompleteClosure
from elgeo.reasoning.closure.paper import FORMS, PaperClosure
from elgeo.reasoning.saturation.saturate import saturate

Row = tuple[int, ...]
SIZES = {
    "subclass": (N, N),
    "conjunction": (N, N, N),
    "existential": (N, R, N),
    "left_existential": (R, N, N),
    "empty": (N,),
    "disjoint": (N, N),
    "empty_existential": (R, N),
}
LEFT = {
    "subclass": [0],
    "conjunction": [0, 1],
    "existential": [0],
    "left_existential": [1],
    "empty": [0],
    "disjoint": [0, 1],
    "empty_existential": [1],
}


def by_the_rules(form: str, asserted: set[Row], slow: Any) -> set[Row]:
    """Algorithm 1, in the words of the paper."""
    closure = set(asserted)
    for row in asserted:
        for j in LEFT[form]:
            closure |= {(*row[:j], c, *row[j + 1 :]) for c in range(N) if slow.subsumed(c, row[j])}
        if form in ("subclass", "conjunction", "existential", "left_existential"):
            closure |= {(*row[:-1], d) for d in range(N) if slow.subsumed(row[-1], d)}
    if form in ("conjunction", "disjoint"):
        closure |= {(row[1], row[0], *row[2:]) for row in closure}
    return closure


@given(ontologies(), st.integers(0, 2**32))
@settings(max_examples=60)
def test_rules_and_nothing_else(forms: Any, seed: int) -> None:
    saturation, slow = saturate(forms), slow_saturation(forms).slow
    complete = CompleteClosure(saturation)
    known = set(range(2, N - 2))
    for closure in (PaperClosure(saturation), PaperClosure(saturation, memory=0)):
        assert (closure.tail_rows("existential") is None) == (closure.memory == 0)
        for form, sizes in SIZES.items():
            expected = by_the_rules(form, rows_of(forms)[form], slow)
            rows = all_rows(*sizes)
            found = closure.contains(form, rows)
            assert {tuple(map(int, row)) for row in rows[found]} == expected
            assert complete.contains(form, rows)[found].all()
            left = [slice(None, -1)] if form in ("subclass", "conjunction", "existential", "left_existential") else []
            counted = {
                row
                for row in expected
                if all(row[j] in known and row[j] not in slow.unsatisfiable for j in LEFT[form])
                and (not left or row[-1] in known)
                and not (form == "subclass" and row[0] == row[1])
                and not (form in ("conjunction", "disjoint") and row[0] > row[1])
            }
            assert closure.count(form) == len(counted)
            assert {tuple(row) for table in closure.tables(form) for row in table.tolist()} == counted
            if left:
                check_samples(closure, form, sizes, expected, seed)


def check_samples(closure: PaperClosure, form: str, sizes: tuple[int, ...], expected: set[Row], seed: int) -> None:
    lefts = np.repeat(all_rows(*sizes[:-1], 1), 12, axis=0)
    heads = lefts[:, :2] if form == "conjunction" else lefts[:, LEFT[form][0]]
    roles = {"existential": lefts[:, 1], "left_existential": lefts[:, 0]}.get(form)
    tails = closure.sample(form, heads, roles, np.random.default_rng(seed))
    others = closure.sample_not_entailed(form, lefts, np.arange(N), np.random.default_rng(seed))
    for left, tail, other in zip(lefts[:, :-1].tolist(), tails.tolist(), others.tolist(), strict=True):
        wanted = {d for d in range(2, N - 2) if (*left, d) in expected and not (form == "subclass" and left == [d])}
        free = {d for d in range(N) if (*left, d) not in expected}
        assert tail in (wanted or {-1})
        assert other in (free or {-1})


def test_both_modes_differ_where_two_steps_are_needed() -> None:
    forms = make_forms(7, 2, existential=[(3, 1, 4)], subclass=[(2, 3), (4, 5)])
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
    saturation = saturate(make_forms(60, 2, subclass=pairs, conjunction=triples))
    whole, parts = PaperClosure(saturation), PaperClosure(saturation, memory=1 << 12)
    for form in FORMS:
        tables = [table.tolist() for table in parts.tables(form)]
        assert len(tables) > 2 or form not in ("subclass", "conjunction")
        rows = list(itertools.chain.from_iterable(tables))
        expected = list(itertools.chain.from_iterable(table.tolist() for table in whole.tables(form)))
        assert sorted(rows) == sorted(expected)
        assert len(rows) == whole.count(form)
