"""Saturation agrees with the brute-force reasoner on irregular normal forms of every kind."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings

from elgeo.ontology.normal_forms import NormalForms
from elgeo.reasoning.saturation import state
from elgeo.reasoning.saturation.memory import LINKS_FULL
from elgeo.reasoning.saturation.saturate import saturate
from tests.reasoning.agreement import assert_agrees
from tests.reasoning.brute import Brute, make_forms, random_forms, vocabulary


@pytest.mark.slow
@given(random_forms())
@settings(max_examples=300)
def test_agrees_with_brute_force(forms: NormalForms) -> None:
    assert_agrees(saturate(forms), Brute.of(forms))


@pytest.mark.parametrize("seed", range(8))
def test_a_class_that_is_a_filler_of_many_roles(seed: int) -> None:
    """Rows ∃s.C ⊑ D of many roles s and one C, in which the few roles above that of a link are searched for."""
    rng, n, n_roles = np.random.default_rng(seed), 30, 70
    r, s, t = rng.choice(np.arange(1, n_roles), 3, replace=False).tolist()
    tables = {
        "left_existential": [(q, 2 + q % 2, int(rng.integers(4, n))) for q in range(1, n_roles)] * 2,
        "existential": [(10, r, 2), (11, s, 2), (12, t, 3), (13, n_roles - 1, 3), (14, r, 13)],
        "subrole": [(r, s), (t, n_roles - 1), (t, 1)],
        "subclass": [(13, 3), (15, 10), (16, 12)],
    }
    forms = make_forms(vocabulary(n - 2, 0, 0, n_roles), **tables)
    assert_agrees(saturate(forms), Brute.of(forms))


@pytest.mark.parametrize("seed", range(6))
def test_a_class_that_is_part_of_many_intersections(seed: int) -> None:
    """C ⊓ D ⊑ E of one C and more D than X is in: what X is in is looked up, links among it passed over."""
    rng, n = np.random.default_rng(seed), 90
    long, longer, short = 2, 3, 4
    tables = {
        "conjunction": [(long, d, int(rng.integers(50, n))) for d in rng.permutation(np.arange(4, 40)).tolist()]
        + [(longer, d, int(rng.integers(50, n))) for d in rng.permutation(np.arange(4, 50)).tolist()] * 2
        + [(long, longer, 88), (short, long, 87), (45, short, 86), (long, 41, 85), (long, 41, 84)],
        "existential": [(10, 1, 2), (10, 2, 30), (11, 1, 10)],
        "subclass": [(10, long), (10, 41), (10, 7), (11, longer), (11, 10), (12, short), (12, 45), (12, longer)],
        "left_existential": [(2, 30, 33), (0, 41, 82), (0, 7, 81)],
    }
    forms = make_forms(vocabulary(n - 2, 0, 0, 3), **tables)
    assert_agrees(saturate(forms), Brute.of(forms))


def test_nothing_but_what_is_built_in() -> None:
    assert saturate(make_forms(vocabulary(0, 0, 0, 1))).unsatisfiable.tolist() == [False, True]


def test_two_classes_of_many_intersections_have_several_in_common() -> None:
    # whichever of 2 and 3 comes second, there is more than X is in that it is intersected with
    common = [(2, 3, e) for e in (50, 51, 52, 53, 54)]
    others = [(2, d, 55) for d in range(10, 30)] + [(3, d, 56) for d in range(28, 45)]
    forms = make_forms(vocabulary(60, 0, 0, 1), conjunction=others + common, subclass=[(60, 2), (60, 3), (61, 3)])
    found = saturate(forms)
    assert_agrees(found, Brute.of(forms))
    assert set(found.subsumers_of(60).tolist()) == {0, 60, 2, 3, 50, 51, 52, 53, 54}


@pytest.mark.parametrize("loops", [False, True])
def test_room_for_links_is_made_while_rules_find_more(loops: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "FIRST_LINKS", 2)
    full: list[int] = []
    make_room = state.SaturationState.make_room

    def counted(mine: state.SaturationState, status: int) -> None:
        full.extend([len(mine.link_rows)] if status == LINKS_FULL else [])
        make_room(mine, status)

    monkeypatch.setattr(state.SaturationState, "make_room", counted)
    n = 24
    tables = {
        "existential": [(c, 1 + c % 2, c + 1) for c in range(2, n - 1)],
        "chain": [(1, 2, 3), (3, 3, 3), (3, 1, 4), (2, 5, 6), (5, 1, 7), (2, 3, 9), (9, 2, 10), (4, 2, 11)],
        "left_existential": [(3, n - 2, 5), (4, 9, 7), (6, 11, 6), (7, 12, 8)],
        "self": [(c, 5) for c in range(3, n, 4)] if loops else [],
        "subrole": [(6, 8)],
    }
    forms = make_forms(vocabulary(n - 2, 0, 0, 12), **tables)
    assert_agrees(saturate(forms), Brute.of(forms))
    # more than once, each time for much more
    assert len(full) > 1
    assert all(after >= 1.5 * before for before, after in pairwise(full))
