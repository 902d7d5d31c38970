"""The fixpoints of a half dimension, against plain loops and against the truth of the boxes."""

from __future__ import annotations

import numpy as np

from elgeo.models.boxes.greedy import AWAY
from elgeo.models.boxes.grow import grow, shrink
from elgeo.models.boxes.halves import Halves
from elgeo.models.boxes.numbers import LAST
from elgeo.models.boxes.rules import rules_of
from elgeo.models.boxes.tables import RoleRules, close, tighten
from elgeo.ontology.vocabulary import TOP
from tests.models.boxes.plain_fixpoint import (
    plain_close,
    plain_grow,
    plain_shrink,
    random_maps,
    random_rules,
    random_tables,
)

N, ROLES = 14, 4
NONE = np.zeros(N, np.bool_)
EQUAL = np.zeros(N, np.int64)
NO_ROLES = RoleRules(np.empty((0, 2), np.int32), np.empty((0, 3), np.int32), np.empty(0, np.int32))
STILL = np.tile(np.arange(LAST + 1, dtype=np.int32), (ROLES, 1))


def test_tables_are_the_least_that_make_role_axioms_true() -> None:
    generator = np.random.default_rng(2)
    for _ in range(80):
        rules, maps = random_rules(generator, 6), random_maps(generator, 6)
        tables = np.array(maps, np.int32)
        close(tables, rules)
        assert tables.tolist() == plain_close(maps, rules)


def test_a_transitive_role_may_lead_to_the_end_of_a_block_and_chains_need_not_commute() -> None:
    rules = NO_ROLES._replace(chain=np.array([[1, 1, 1], [2, 1, 2]], np.int32))
    blocks, up = STILL[0] | 1, np.minimum(STILL[0] + 1, LAST)
    tables = np.minimum(np.stack([STILL[0], blocks, up]), LAST).astype(np.int32)
    close(tables, rules)
    assert tables[1].tolist() == np.minimum(blocks, LAST).tolist()
    assert tables[2, :4].tolist() == [2, 2, 4, 4]
    assert (tables[1][tables[2]] > tables[2]).any(), "role 1 ∘ role 2 is not in role 2"


def test_growing_gives_the_least_numbers_in_which_all_is_true() -> None:
    generator = np.random.default_rng(1)
    raised = 0
    for _ in range(150):
        tables = random_tables(generator, N, ROLES, int(generator.integers(1, 14)))
        if generator.random() < 0.3:
            tables["left_existential"][0, 1] = 0  # the domain of a role
        rules = random_rules(generator, ROLES)
        maps = plain_close(random_maps(generator, ROLES), rules)
        start = np.where(generator.random(N) < 0.4, generator.integers(0, 9, N), 0).astype(np.int32)
        values, found = start.copy(), np.array(maps, np.int32)
        grow(values, found, rules_of(N, tables, NONE, EQUAL), rules)
        expected, after = plain_grow(tables, start.tolist(), maps, rules)
        assert values.tolist() == expected
        assert found.tolist() == after
        raised += after != maps
    assert 5 < raised < 145


def test_what_has_grown_is_true_in_the_boxes() -> None:
    generator = np.random.default_rng(5)
    for _ in range(10):
        tables, rules = random_tables(generator, N, ROLES, 9), random_rules(generator, ROLES)
        halves = Halves.unplaced(N, ROLES, 3)
        for k in range(6):
            values = generator.integers(0, 12, N).astype(np.int32)
            maps = np.array(plain_close(random_maps(generator, ROLES), rules), np.int32)
            grow(values, maps, rules_of(N, tables, NONE, EQUAL), rules)
            halves.classes[2:, k] = values[2:]
            halves.roles[:, k] = maps[:, AWAY if k % 2 == 0 else AWAY[::-1]]
        assert all(halves.holds(form, rows).all() for form, rows in tables.items())
        assert halves.holds("chain", rules.chain).all()
        assert halves.holds("subrole", rules.subrole).all()
        assert halves.holds("reflexive", rules.at_home[:, None]).all()
        assert not halves.empty[2:].any()


def test_a_tight_table_is_the_least_that_keeps_its_axioms_true() -> None:
    generator = np.random.default_rng(7)
    lowered = 0
    for _ in range(60):
        axioms, rules = random_tables(generator, N, ROLES, 7), random_rules(generator, ROLES)
        values = generator.integers(0, 6, N).astype(np.int32)
        tables = np.array(plain_close(random_maps(generator, ROLES), rules), np.int32)
        grow(values, tables, rules_of(N, axioms, NONE, EQUAL), rules)
        tight = generator.random(ROLES) < 0.5
        expected = tables.tolist()
        for r in np.flatnonzero(tight):
            expected[r] = [
                max(
                    (int(values[c]) for c, s, d in axioms["existential"].tolist() if s == r and values[d] <= y),
                    default=0,
                )
                for y in range(LAST + 1)
            ]
        before = tables.copy()
        tighten(tables, tight, values, axioms["existential"], rules)
        assert tables.tolist() == plain_close(expected, rules)
        assert (tables <= before).all()
        lowered += bool((tables < before).any())
    assert lowered > 10


def test_empty_classes_say_nothing() -> None:
    tables = random_tables(np.random.default_rng(0), N, ROLES, 0)
    tables["subclass"] = np.array([[2, 3], [4, 5]], np.int32)
    tables["conjunction"] = np.array([[2, 4, 6], [4, 5, 7]], np.int32)
    empty = NONE.copy()
    empty[2] = True
    values = np.full(N, 0, np.int32)
    values[2], values[4] = 9, 3
    grow(values, STILL.copy(), rules_of(N, tables, empty, EQUAL), NO_ROLES)
    assert values[2:8].tolist() == [9, 0, 3, 3, 0, 3]


def test_shrinking_gives_the_largest_numbers_in_which_all_is_true() -> None:
    """Without C ⊓ D there is one such largest solution; ⊤ is lowered like any other class."""
    generator = np.random.default_rng(11)
    for _ in range(100):
        tables = random_tables(generator, N, ROLES, 7)
        tables["conjunction"] = tables["conjunction"][:0]
        tables["subclass"][generator.random(7) < 0.2, 0] = TOP
        tables["left_existential"][generator.random(7) < 0.2, 1] = TOP
        maps = random_maps(generator, ROLES)
        start, floor = generator.integers(0, 12, N).tolist(), generator.integers(0, 3, N).tolist()
        values = np.array(start, np.int32)
        shrink(values, np.array(maps, np.int32), np.array(floor, np.int32), rules_of(N, tables, NONE, EQUAL))
        assert values.tolist() == plain_shrink(tables, start, maps, floor)


def test_of_two_classes_the_one_of_less_burden_is_lowered_unless_it_cannot_be() -> None:
    tables = random_tables(np.random.default_rng(0), N, ROLES, 0)
    tables["conjunction"] = np.array([[2, 3, 4]], np.int32)
    burden = EQUAL.copy()
    for heavy, floor_of_light, expected in ((2, 0, [5, 1, 1]), (3, 0, [1, 5, 1]), (2, 3, [1, 5, 1])):
        burden[:] = 0
        burden[heavy] = 9
        values, floor = np.full(N, 5, np.int32), np.zeros(N, np.int32)
        values[4], floor[5 - heavy] = 1, floor_of_light
        shrink(values, STILL, floor, rules_of(N, tables, NONE, burden))
        assert values[2:5].tolist() == expected


def test_where_one_of_two_classes_is_low_enough_the_other_stays() -> None:
    tables = random_tables(np.random.default_rng(0), N, ROLES, 0)
    tables["conjunction"] = np.array([[2, 3, 4]], np.int32)
    rules = rules_of(N, tables, NONE, EQUAL)
    for before in ([5, 1, 1], [1, 5, 1], [5, 0, 1], [0, 5, 1]):
        values = np.full(N, 7, np.int32)
        values[2:5] = before
        shrink(values, STILL, np.zeros(N, np.int32), rules)
        assert values[2:5].tolist() == before
