"""Saturation agrees with the brute-force reasoner on irregular normal forms of every kind."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from elgeo.ontology.normal_forms import NormalForms
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
