"""Trained to the end with the inclusion losses, the family's axioms are true in the plane."""

from __future__ import annotations

import numpy as np
import pytest

import elgeo
from elgeo.models import Model
from elgeo.ontology.vocabulary import Kind


@pytest.mark.slow
def test_the_axioms_of_the_family_are_true_in_the_model() -> None:
    run = elgeo.train("family", preset="family")
    model, dataset = run.predictor(), run.dataset
    assert isinstance(model, Model)
    forms = dataset.forms
    shares = {form: float(model.holds(form, forms[form]).mean()) for form in model.positive_forms if len(forms[form])}
    assert set(shares) == set(model.positive_forms), "the family has axioms of every form with a loss"
    assert min(shares.values()) >= 0.99, shares
    # no trivial model: what is not asserted of the named classes is mostly false
    named = np.flatnonzero(dataset.vocabulary.class_kinds == Kind.NAMED)
    pairs = np.array([(c, d) for c in named for d in named if c != d], np.int32)
    asserted = (pairs[:, None] == forms.subclass).all(axis=2).any(axis=1)
    assert model.holds("subclass", pairs[~asserted]).mean() < 0.3
