"""Proposals carried out against plain fixpoints, and what they make false against plain comparisons."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from elgeo.models.boxes import attempts
from elgeo.models.boxes.attempts import AxiomRules, Proposals, attempt, carry_out, false_rows
from elgeo.models.boxes.numbers import LAST, NOTHING
from elgeo.models.boxes.rules import rules_of
from tests.models.boxes import plain_fixpoint as plain

N, ROLES, EMPTY = 12, 4, 7
EQUAL = np.zeros(N, np.int64)
FORMS = (attempts.SUBCLASS, attempts.CONJUNCTION, attempts.EXISTENTIAL, attempts.LEFT_EXISTENTIAL)
IS_EMPTY = np.arange(N) == EMPTY


def plainly_false(form: int, row: list[int], v: list[int], f: plain.Maps) -> bool:
    """From the inequality of each form."""
    a, b, c = row
    if form == attempts.SUBCLASS:
        return v[a] > v[b]
    if form == attempts.CONJUNCTION:
        return min(v[a], v[b]) > v[c]
    if form == attempts.EXISTENTIAL:
        return v[a] > f[b][v[c]]
    return f[a][v[b]] > v[c]


def random_rows(generator: np.random.Generator, form: int, count: int) -> NDArray[np.int32]:
    rows = generator.choice([c for c in range(N) if c not in (1, EMPTY)], (count, 3))
    column = {attempts.EXISTENTIAL: 1, attempts.LEFT_EXISTENTIAL: 0}.get(form)
    if column is not None:
        rows[:, column] = generator.integers(0, ROLES, count)
    return rows.astype(np.int32)


@pytest.mark.parametrize("form", FORMS)
def test_an_axiom_is_false_where_its_inequality_is(form: int) -> None:
    generator = np.random.default_rng(form)
    seen = set()
    for _ in range(8):
        values = generator.choice([0, 1, 2, 3, LAST], N).astype(np.int32)
        maps = plain.random_maps(generator, ROLES)
        rows = random_rows(generator, form, 40)
        expected = [plainly_false(form, row, values.tolist(), maps) for row in rows.tolist()]
        assert false_rows(form, rows, values, np.array(maps, np.int32)).tolist() == expected
        seen |= set(expected)
    assert seen == {True, False}


def some_axioms(generator: np.random.Generator) -> tuple[AxiomRules, plain.Tables]:
    """Axioms without conjunctions, and those of them that do not have the empty class on the left or right."""
    tables = plain.random_tables(generator, N, ROLES, 5)
    tables["conjunction"] = tables["conjunction"][:0]
    said = {f: rows[~(rows == EMPTY).any(axis=1)] for f, rows in tables.items()}
    rules = rules_of(N, said, IS_EMPTY, EQUAL)
    return AxiomRules(rules, plain.random_rules(generator, ROLES), said["existential"], IS_EMPTY), said


@pytest.mark.parametrize("base", [0, 1, 6])
def test_a_proposal_is_carried_out_as_plain_fixpoints_do(base: int) -> None:
    """Without a base numbers rise from nothing, with one they are lowered from it; then all axioms are made true."""
    generator = np.random.default_rng(base)
    outcomes = set()
    for _ in range(60):
        axioms, said = some_axioms(generator)
        maps = plain.random_maps(generator, ROLES)
        tables = np.array(maps, np.int32)
        some = [c for c in range(2, N) if c != EMPTY]
        classes, values = generator.permutation(some)[:4].astype(np.int32), generator.integers(0, 9, 4).astype(np.int32)
        ceiling = np.where(generator.random(N) < 0.1, 3, LAST).astype(np.int32)
        tight = generator.random(ROLES) < 0.4
        possible, found = carry_out(tables, tight, base, classes, values, ceiling, *axioms)
        floor, maps = plain.plain_grow(said, [0] * N, plain.plain_close(maps, axioms.roles), axioms.roles)
        start = list(floor)
        if base:
            start = [base] * N
            for c, value in zip(classes.tolist(), values.tolist(), strict=True):
                start[c] = min(start[c], value)
            start = plain.plain_shrink(said, start, maps, floor)
        else:
            for c, value in zip(classes.tolist(), values.tolist(), strict=True):
                start[c] = max(start[c], value)
        expected, maps = plain.plain_grow(said, start, maps, axioms.roles)
        others = [c for c in range(N) if c != EMPTY]
        assert found[others].tolist() == [expected[c] for c in others]
        assert found[EMPTY] == NOTHING
        for r in np.flatnonzero(tight):
            maps[r] = [
                max((expected[c] for c, s, d in said["existential"].tolist() if s == r and expected[d] <= y), default=0)
                for y in range(LAST + 1)
            ]
        assert tables.tolist() == plain.plain_close(maps, axioms.roles)
        assert possible == all(expected[c] <= ceiling[c] for c in others)
        outcomes.add(bool(possible))
    assert outcomes == {True, False}


def test_what_each_proposal_makes_false_is_counted_by_part() -> None:
    generator = np.random.default_rng(3)
    axioms, _ = some_axioms(generator)
    many, sizes = 14, generator.integers(0, 5, 14)
    ceiling = np.where(np.arange(N) == 4, 2, LAST).astype(np.int32)
    start = np.concatenate([[0], np.cumsum(sizes)])
    proposals = Proposals(
        np.array([plain.random_maps(generator, ROLES) for _ in range(many)], np.int32),
        generator.random((many, ROLES)) < 0.5,
        generator.choice([0, 0, 2, 5], many).astype(np.int32),
        start,
        generator.choice([c for c in range(2, N) if c != EMPTY], start[-1]).astype(np.int32),
        generator.integers(0, 6, start[-1]).astype(np.int32),
    )
    form = np.repeat(FORMS, 10).astype(np.int32)
    rows = np.concatenate([random_rows(generator, each, 10) for each in FORMS])
    part = generator.integers(0, 5, len(rows)).astype(np.int32)
    possible, found, tables, refuted = attempt(proposals, ceiling, form, part, rows, 6, *axioms)
    assert set(possible.tolist()) == {True, False}
    for i in range(many):
        here = slice(start[i], start[i + 1])
        alone_tables = proposals.tables[i].copy()
        alone, values = carry_out(
            alone_tables, proposals.tight[i], int(proposals.base[i]), proposals.classes[here], proposals.values[here],
            ceiling, *axioms,
        )  # fmt: skip
        assert possible[i] == alone
        assert found[i].tolist() == values.tolist()
        assert tables[i].tolist() == alone_tables.tolist()
        counts = [0] * 6
        if alone:
            for f, p, row in zip(form.tolist(), part.tolist(), rows.tolist(), strict=True):
                counts[p] += plainly_false(f, row, values.tolist(), alone_tables.tolist())
        assert refuted[i].tolist() == counts
