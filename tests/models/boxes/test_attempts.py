"""Proposals carried out against plain fixpoints, and what they make false against plain comparisons."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from elgeo.models.boxes import attempts
from elgeo.models.boxes.attempts import Proposals, attempt, carry_out, false_rows
from elgeo.models.boxes.numbers import INFINITE, LEAST
from elgeo.models.boxes.rules import rules_of
from tests.models.boxes.plain_fixpoint import Tables, plain_grow, plain_shrink, plus, random_tables, real

N, ROLES, EMPTY = 12, 4, 7
EQUAL = np.zeros(N, np.int64)
FORMS = (attempts.SUBCLASS, attempts.CONJUNCTION, attempts.EXISTENTIAL, attempts.LEFT_EXISTENTIAL)
INF = float("inf")


def plainly_false(form: int, row: list[int], v: list[float], h: list[float], limit: float) -> bool:
    """From the inequality of each form."""
    a, b, c = row
    if form == attempts.SUBCLASS:
        return v[a] > v[b]
    if form == attempts.CONJUNCTION:
        return min(v[a], v[b]) > v[c]
    if form == attempts.EXISTENTIAL:
        return v[a] > plus(v[c], h[b])
    return min(plus(v[b], h[a]), limit) > v[c]


def random_rows(generator: np.random.Generator, form: int, count: int) -> NDArray[np.int32]:
    rows = generator.integers(0, N, (count, 3))
    column = {attempts.EXISTENTIAL: 1, attempts.LEFT_EXISTENTIAL: 0}.get(form)
    if column is not None:
        rows[:, column] = generator.integers(0, ROLES, count)
    return rows.astype(np.int32)


@pytest.mark.parametrize("limit", [INFINITE, 3])
@pytest.mark.parametrize("form", FORMS)
def test_an_axiom_is_false_where_its_inequality_is(form: int, limit: int) -> None:
    generator = np.random.default_rng(form)
    seen = set()
    for _ in range(8):
        values = generator.choice([LEAST, -1, 0, 1, 2, 3, INFINITE], N).astype(np.int32)
        widths = generator.choice([-1, 0, 1, INFINITE], ROLES).astype(np.int32)
        rows = random_rows(generator, form, 40)
        expected = [
            plainly_false(form, row, real(values), real(widths), INF if limit == INFINITE else limit)
            for row in rows.tolist()
        ]
        assert false_rows(form, rows, values, widths, limit).tolist() == expected
        seen |= set(expected)
    assert seen == {True, False}


def some_tables(generator: np.random.Generator) -> tuple[Tables, Tables]:
    """Axioms without conjunctions, and those of them that do not have the empty class on the left."""
    tables = random_tables(generator, N, ROLES, 5)
    tables["conjunction"] = tables["conjunction"][:0]
    left = {"subclass": 0, "existential": 0, "left_existential": 1}
    return tables, {f: rows[rows[:, left.get(f, 0)] != EMPTY] for f, rows in tables.items()}


@pytest.mark.parametrize("limit", [INFINITE, 9])
@pytest.mark.parametrize("base", [0, 1, 6])
def test_a_proposal_is_carried_out_as_plain_fixpoints_do(base: int, limit: int) -> None:
    """Without a base numbers rise from nothing, with one they are lowered from it; then all axioms are made true."""
    generator = np.random.default_rng(base)
    empty = np.arange(N) == EMPTY
    end = INF if limit == INFINITE else limit
    outcomes = set()
    for _ in range(40):
        tables, said = some_tables(generator)
        widths = generator.choice([-1, 0, 1, INFINITE], ROLES).astype(np.int32)
        classes = generator.permutation(np.arange(2, N))[:4].astype(np.int32)
        values = generator.integers(-2, 9, 4).astype(np.int32)
        finite = generator.random(N) < 0.1
        possible, found = carry_out(
            widths, base, classes, values, limit, empty, finite, rules_of(N, tables, empty, EQUAL)
        )
        floor, could = plain_grow(said, np.where(empty, LEAST, 0).astype(np.int32), widths, end)
        start = list(floor)
        if could and base:
            lowered = [float(LEAST) if e else float(base) for e in empty]
            for c, value in zip(classes.tolist(), values.tolist(), strict=True):
                lowered[c] = min(lowered[c], value)
            start = plain_shrink(said, lowered, widths, floor, end)
        else:
            for c, value in zip(classes.tolist(), values.tolist(), strict=True):
                start[c] = max(start[c], value)
        whole = np.array([INFINITE if x == INF else x for x in start], np.int32)
        expected, true = plain_grow(said, whole, widths, end)
        no_end = any(finite[c] and expected[c] == INF for c in range(N))
        assert possible == (could and true and not no_end)
        outcomes.add(bool(possible))
        if possible:
            assert real(found) == expected
    assert outcomes == {True, False}


def test_what_each_proposal_makes_false_is_counted_by_part() -> None:
    generator = np.random.default_rng(3)
    tables, _ = some_tables(generator)
    empty, finite = np.arange(N) == EMPTY, np.arange(N) == 4
    rules = rules_of(N, tables, empty, EQUAL)
    many, sizes = 14, generator.integers(0, 5, 14)
    start = np.concatenate([[0], np.cumsum(sizes)])
    proposals = Proposals(
        generator.choice([-1, 0, 1, INFINITE], (many, ROLES)).astype(np.int32),
        generator.choice([0, 0, 2, 5], many).astype(np.int32),
        start,
        generator.integers(2, N, start[-1]).astype(np.int32),
        generator.integers(0, 6, start[-1]).astype(np.int32),
        generator.choice([INFINITE, 20], many).astype(np.int32),
    )
    form = np.repeat(FORMS, 10).astype(np.int32)
    rows = np.concatenate([random_rows(generator, each, 10) for each in FORMS])
    part = generator.integers(0, 5, len(rows)).astype(np.int32)
    possible, found, refuted = attempt(proposals, empty, finite, rules, form, part, rows, 6)
    assert set(possible.tolist()) == {True, False}
    for i in range(many):
        here = slice(start[i], start[i + 1])
        widths, limit = proposals.widths[i], int(proposals.limits[i])
        alone, values = carry_out(
            widths, int(proposals.base[i]), proposals.classes[here], proposals.values[here], limit, empty, finite, rules
        )
        assert possible[i] == alone
        counts = [0] * 6
        if alone:
            assert found[i].tolist() == values.tolist()
            for f, p, row in zip(form.tolist(), part.tolist(), rows.tolist(), strict=True):
                end = INF if limit == INFINITE else limit
                counts[p] += plainly_false(f, row, real(values), real(widths), end)
        assert refuted[i].tolist() == counts
