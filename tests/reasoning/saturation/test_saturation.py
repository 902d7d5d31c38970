"""Saturation agrees with the brute-force reasoner on irregular normal forms of every kind."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from elgeo.ontology.normal_forms import NormalForms
from elgeo.reasoning.saturation.saturate import saturate
from tests.reasoning.agreement import assert_agrees
from tests.reasoning.brute import Brute, random_forms


@pytest.mark.slow
@given(random_forms())
@settings(max_examples=300)
def test_agrees_with_brute_force(forms: NormalForms) -> None:
    assert_agrees(saturate(forms), Brute.of(forms))
