"""The fixpoints of a half dimension, against plain loops and against the truth of the boxes."""

from __future__ import annotations

import numpy as np
import pytest

from elgeo.models.boxes.grow import grow, shrink
from elgeo.models.boxes.halves import Halves
from elgeo.models.boxes.numbers import INFINITE, LARGEST, LEAST
from elgeo.models.boxes.rules import rules_of
from elgeo.models.boxes.widths import WidthRules
from tests.models.boxes.plain_fixpoint import plain_grow, plain_shrink, plus, random_tables, real

N, ROLES = 14, 4
NONE = np.zeros(N, np.bool_)
EQUAL = np.zeros(N, np.int64)


def random_widths(generator: np.random.Generator) -> np.ndarray:
    return generator.choice([-1, 0, 1, 3, INFINITE], ROLES).astype(np.int32)


@pytest.mark.parametrize("limit", [INFINITE, 9])
def test_growing_gives_the_least_numbers_in_which_all_is_true(limit: int) -> None:
    generator = np.random.default_rng(limit)
    every = np.ones(ROLES, np.bool_)
    outcomes = set()
    for _ in range(150):
        tables = random_tables(generator, N, ROLES, int(generator.integers(1, 14)))
        if generator.random() < 0.3:
            tables["left_existential"][0, 1] = 0  # the domain of a role
        widths = random_widths(generator)
        start = np.where(generator.random(N) < 0.4, generator.integers(-3, 9, N), -5).astype(np.int32)
        values = start.copy()
        possible = grow(values, widths, every, rules_of(N, tables, NONE, EQUAL), limit)
        expected, true = plain_grow(tables, start, widths, float("inf") if limit == INFINITE else limit)
        assert possible == true
        outcomes.add((possible, bool((values[1:] == INFINITE).any())))
        if possible:
            assert real(values) == expected
    assert (True, False) in outcomes
    assert ((True, True) if limit == INFINITE else (False, False)) in outcomes


def test_what_has_grown_is_true_in_the_boxes() -> None:
    generator = np.random.default_rng(5)
    tables = random_tables(generator, N, ROLES, 9)
    halves = Halves.unplaced(N, ROLES, 3)
    for k in range(6):
        values = generator.integers(0, 20, N).astype(np.int32)
        widths = generator.choice([0, 1, 2, INFINITE], ROLES).astype(np.int32)
        assert grow(values, widths, np.ones(ROLES, np.bool_), rules_of(N, tables, NONE, EQUAL), INFINITE)
        halves.classes[:, k], halves.roles[:, k] = values, widths
    assert all(halves.holds(form, rows).all() for form, rows in tables.items())
    assert not halves.empty[2:].any()


def test_roles_that_do_not_pass_raise_nothing() -> None:
    tables = random_tables(np.random.default_rng(0), N, ROLES, 0)
    tables["existential"] = np.array([[2, 1, 3], [3, 2, 4]], np.int32)
    values = np.full(N, 0, np.int32)
    values[2], values[3] = 7, 5
    grow(values, np.zeros(ROLES, np.int32), np.array([True, False, True, True]), rules_of(N, tables, NONE, EQUAL), 127)
    assert values[2:6].tolist() == [7, 5, 5, 0]


def test_empty_classes_say_nothing() -> None:
    tables = random_tables(np.random.default_rng(0), N, ROLES, 0)
    tables["subclass"] = np.array([[2, 3], [4, 5]], np.int32)
    tables["conjunction"] = np.array([[2, 4, 6], [4, 5, 7]], np.int32)
    empty = NONE.copy()
    empty[2] = True
    values = np.full(N, 0, np.int32)
    values[2], values[4] = 9, 3
    grow(values, np.zeros(ROLES, np.int32), np.ones(ROLES, np.bool_), rules_of(N, tables, empty, EQUAL), INFINITE)
    assert values[2:8].tolist() == [9, 0, 3, 3, 0, 3]


def test_beyond_the_largest_number_is_infinity() -> None:
    tables = random_tables(np.random.default_rng(0), N, ROLES, 0)
    tables["left_existential"] = np.array([[1, 2, 3], [1, 3, 4]], np.int32)
    for first, expected in ((LARGEST - 2, [LARGEST - 1, LARGEST]), (LARGEST - 1, [LARGEST, INFINITE])):
        values = np.full(N, 0, np.int32)
        values[2] = first
        grow(values, np.ones(ROLES, np.int32), np.ones(ROLES, np.bool_), rules_of(N, tables, NONE, EQUAL), INFINITE)
        assert values[3:5].tolist() == expected


def test_shrinking_gives_the_largest_numbers_in_which_all_is_true() -> None:
    """Without C ⊓ D there is one such largest solution."""
    generator = np.random.default_rng(11)
    for _ in range(100):
        tables = random_tables(generator, N, ROLES, 7)
        tables["conjunction"] = tables["conjunction"][:0]
        widths = random_widths(generator)
        start = generator.integers(0, 12, N).astype(np.int32)
        floor = np.full(N, -2, np.int32)
        values = start.copy()
        shrink(values, widths, np.ones(ROLES, np.bool_), floor, rules_of(N, tables, NONE, EQUAL), INFINITE)
        v = plain_shrink(tables, real(start), widths, [-2.0] * N)
        assert values.tolist() == v


def test_of_two_classes_the_one_of_less_burden_is_lowered_unless_it_cannot_be() -> None:
    tables = random_tables(np.random.default_rng(0), N, ROLES, 0)
    tables["conjunction"] = np.array([[2, 3, 4]], np.int32)
    burden = EQUAL.copy()
    for heavy, floor_of_light, expected in ((2, 0, [5, 1, 1]), (3, 0, [1, 5, 1]), (2, 3, [1, 5, 1])):
        burden[:] = 0
        burden[heavy] = 9
        values, floor = np.full(N, 5, np.int32), np.zeros(N, np.int32)
        values[4], floor[5 - heavy] = 1, floor_of_light
        rules = rules_of(N, tables, NONE, burden)
        shrink(values, np.zeros(ROLES, np.int32), np.ones(ROLES, np.bool_), floor, rules, INFINITE)
        assert values[2:5].tolist() == expected


def test_where_one_of_two_classes_is_low_enough_the_other_stays() -> None:
    tables = random_tables(np.random.default_rng(0), N, ROLES, 0)
    tables["conjunction"] = np.array([[2, 3, 4]], np.int32)
    rules = rules_of(N, tables, NONE, EQUAL)
    for before in ([5, 1, 1], [1, 5, 1], [5, 0, 1], [0, 5, 1]):
        values = np.full(N, 7, np.int32)
        values[2:5] = before
        shrink(values, np.zeros(ROLES, np.int32), np.ones(ROLES, np.bool_), np.zeros(N, np.int32), rules, INFINITE)
        assert values[2:5].tolist() == before


def test_numbers_at_the_very_bottom_pull_others_down_too() -> None:
    tables = random_tables(np.random.default_rng(0), N, ROLES, 0)
    tables["subclass"] = np.array([[2, 3]], np.int32)
    tables["conjunction"] = np.array([[4, 5, 3]], np.int32)
    values = np.full(N, 7, np.int32)
    values[3] = LEAST
    floor = np.full(N, LEAST, np.int32)
    rules = rules_of(N, tables, NONE, EQUAL)
    shrink(values, np.zeros(ROLES, np.int32), np.ones(ROLES, np.bool_), floor, rules, INFINITE)
    assert values[2:6].tolist() == [LEAST, LEAST, LEAST, 7]


def test_the_universal_role_reaches_everywhere_so_nothing_is_lowered_for_it() -> None:
    tables = random_tables(np.random.default_rng(0), N, ROLES, 0)
    tables["left_existential"] = np.array([[0, 2, 3], [1, 4, 3]], np.int32)
    values = np.full(N, 9, np.int32)
    values[3] = 2
    widths = np.array([INFINITE, 0, 0, 0], np.int32)
    rules = rules_of(N, tables, NONE, EQUAL)
    shrink(values, widths, np.ones(ROLES, np.bool_), np.zeros(N, np.int32), rules, INFINITE)
    assert values[2:5].tolist() == [9, 2, 2]
    grow(values, widths, np.ones(ROLES, np.bool_), rules, INFINITE)
    assert values[2:5].tolist() == [9, INFINITE, 2]


def test_at_the_limit_of_the_domain_nothing_is_lowered_for_a_wide_role() -> None:
    tables = random_tables(np.random.default_rng(0), N, ROLES, 0)
    tables["left_existential"] = np.array([[1, 2, 3], [1, 4, 5]], np.int32)
    values = np.full(N, 9, np.int32)
    values[5] = 8
    rules = rules_of(N, tables, NONE, EQUAL)
    shrink(values, np.full(ROLES, 2, np.int32), np.ones(ROLES, np.bool_), np.zeros(N, np.int32), rules, 9)
    assert values[2:6].tolist() == [9, 9, 6, 8]


def test_widths_are_the_least_that_make_role_axioms_true() -> None:
    generator = np.random.default_rng(2)
    for _ in range(60):
        axioms = WidthRules(
            generator.integers(1, 6, (3, 2)).astype(np.int32),
            generator.integers(1, 6, (3, 3)).astype(np.int32),
            generator.integers(1, 6, 1).astype(np.int32),
        )
        start = generator.choice([-3, -1, 0, 1, 2, INFINITE], 6).astype(np.int32)
        h = real(start)
        h[0] = float("inf")
        h[axioms.at_home[0]] = max(h[axioms.at_home[0]], 0)
        for _ in range(300):
            for r, s in axioms.subrole.tolist():
                h[s] = max(h[s], h[r])
            for r, s, t in axioms.chain.tolist():
                total = plus(h[r], h[s])
                h[t] = max(h[t], float("inf") if total > LARGEST else total)
        assert real(axioms.closed(start)) == h


def test_a_transitive_role_reaches_nowhere_or_everywhere() -> None:
    axioms = WidthRules(np.empty((0, 2), np.int32), np.array([[1, 1, 1]], np.int32), np.empty(0, np.int32))
    for width, expected in ((-2, -2), (0, 0), (1, INFINITE)):
        assert axioms.closed(np.array([0, width], np.int32)).tolist() == [INFINITE, expected]
